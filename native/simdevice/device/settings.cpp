#include "device/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "environment.h"

namespace greta::sim {
namespace {

constexpr size_t kMi300xBytes = size_t{192} << 30;
constexpr size_t kLeastVram = size_t{1} << 20;
constexpr int kMostDevices = 16;

// Of HIP: a value that it does not understand it passes over.
int integer_variable(const char* name, int fallback) {
  const std::string text = variable(name);
  if (text.empty()) return fallback;
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  return *end == '\0' ? static_cast<int>(value) : fallback;
}

// Three quarters of the host's memory: the simulated VRAM is host memory, and a program that fills
// "its" 192 GiB must get hipErrorOutOfMemory, not kill the machine.
size_t default_vram() {
  const auto host =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min(kMi300xBytes, host / 4 * 3);
}

size_t vram_from_environment() {
  const std::string text = variable("GRETA_SIM_VRAM");
  if (text.empty()) return default_vram();
  const size_t bytes = parse_size(text);
  if (bytes >= kLeastVram) return bytes;
  complain("GRETA_SIM_VRAM", text, "a size such as 16G or 512M",
           std::to_string(default_vram() >> 20) + "M");
  return default_vram();
}

Placement placement_from_environment() {
  const std::string text = variable("GRETA_SIM_PLACEMENT");
  if (text == "strict") return Placement::strict;
  if (!text.empty() && text != "paged") {
    complain("GRETA_SIM_PLACEMENT", text, "paged or strict", "paged");
  }
  return Placement::paged;
}

bool is_asked_for(const char* name) {
  const std::string text = variable(name);
  if (!text.empty() && text != "0" && text != "1") complain(name, text, "0 or 1", "0");
  return text == "1";
}

Serialize serialize_from_environment(const char* name) {
  const int bits = integer_variable(name, 0);
  return {(bits & 1) != 0, (bits & 2) != 0};
}

// HIP reads the list up to the first entry that is not a valid ordinal and ignores the rest.
std::vector<int> parse_visible(const std::string& list, int count) {
  std::vector<int> visible;
  const char* at = list.c_str();
  while (*at) {
    char* end = nullptr;
    const long ordinal = std::strtol(at, &end, 10);
    if (end == at || ordinal < 0 || ordinal >= count) break;
    if (std::find(visible.begin(), visible.end(), ordinal) != visible.end()) break;
    visible.push_back(static_cast<int>(ordinal));
    if (*end != ',') break;
    at = end + 1;
  }
  return visible;
}

std::vector<int> visible_from_environment() {
  const auto count = static_cast<int>(number_variable("GRETA_SIM_DEVICES", 0, kMostDevices, 1));
  for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* list = secure_getenv(name)) return parse_visible(list, count);
  }
  std::vector<int> all(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<size_t>(i)] = i;
  return all;
}

Settings read_environment() {
  Settings s;
  s.visible_devices = visible_from_environment();
  s.vram_bytes = vram_from_environment();
  s.placement = placement_from_environment();
  s.footprints = is_asked_for("GRETA_SIM_FOOTPRINTS");
  s.races = is_asked_for("GRETA_SIM_RACES");
  s.heap = is_asked_for("GRETA_SIM_HEAP");
  s.fresh_byte =
      static_cast<unsigned char>(number_variable("GRETA_SIM_FRESH", 0, 255, s.fresh_byte));
  s.notes_results = !variable("GRETA_SIM_FRESH").empty();
  s.abort_on_fault = integer_variable("HIP_SKIP_ABORT_ON_GPU_ERROR", 1) == 0;
  s.kernels = serialize_from_environment("AMD_SERIALIZE_KERNEL");
  s.copies = serialize_from_environment("AMD_SERIALIZE_COPY");
  if (integer_variable("HIP_LAUNCH_BLOCKING", 0) != 0) s.kernels.after = true;
  s.log_level = integer_variable("AMD_LOG_LEVEL", 0);
  return s;
}

}  // namespace

size_t parse_size(const std::string& text) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text.c_str(), &end, 10);
  if (end == text.c_str() || number > (1ull << 50)) return 0;
  int shift = 0;
  switch (*end) {
    case 'k':
    case 'K':
      shift = 10;
      ++end;
      break;
    case 'm':
    case 'M':
      shift = 20;
      ++end;
      break;
    case 'g':
    case 'G':
      shift = 30;
      ++end;
      break;
    case 't':
    case 'T':
      shift = 40;
      ++end;
      break;
    default:
      break;
  }
  if (std::strcmp(end, "iB") == 0 || std::strcmp(end, "B") == 0) end += std::strlen(end);
  if (*end != '\0' || number > (~0ull >> shift)) return 0;
  return static_cast<size_t>(number << shift);
}

const Settings& settings() {
  static const Settings* const instance = new Settings(read_environment());
  return *instance;
}

}  // namespace greta::sim
