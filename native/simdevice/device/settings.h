// What the environment asks of the device, read once when the device is first used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace greta::sim {

enum class Placement {
  paged,   // allocations begin at a page, as ROCr's do; an overrun is noticed past the last page
  strict,  // allocations end at an unmapped page; kernels are compiled with access checks
};

// AMD_SERIALIZE_KERNEL / AMD_SERIALIZE_COPY: wait before, after, or both.
struct Serialize {
  bool before = false;
  bool after = false;
};

struct Settings {
  // Physical ordinals that are visible, in the order the program sees them.
  std::vector<int> visible_devices;
  size_t vram_bytes = 0;
  Placement placement = Placement::paged;
  bool abort_on_fault = false;
  bool footprints = false;          // launches note what they access
  bool races = false;               // machine code is watched for races between its threads
  bool heap = false;                // what kernels allocate and do not free is told
  unsigned char fresh_byte = 0xCB;  // what fresh memory holds throughout
  bool notes_results = false;       // what copies bring to the host is noted, to be compared
  Serialize kernels;
  Serialize copies;
  int log_level = 0;
};

const Settings& settings();

// Parses "16G", "512M", "1048576"; returns 0 if it is none of these.
size_t parse_size(const std::string& text);

}  // namespace greta::sim
