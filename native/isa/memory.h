// What the engine asks of whoever owns the memory. Addresses are the host's: an access that is
// allowed is made directly.
#pragma once

#include <cstdint>

namespace greta::isa {

enum class AccessKind : uint8_t { read, write, atomic };

// Memory around an address for which the same answer holds.
struct Range {
  uint64_t begin = 1;
  uint64_t end = 0;
  bool writable = false;
  const void* notes = nullptr;  // not null: accesses are to be noted
};

class Memory {
 public:
  virtual ~Memory() = default;

  // May [address, address + bytes) be accessed so? If it may, `around` becomes the range, at least
  // those bytes, for which the engine need not ask again. Called from many threads.
  virtual bool allows(uint64_t address, uint32_t bytes, AccessKind kind, Range* around) = 0;

  // Lanes access these bytes of a range with notes, some of them together.
  virtual void note(const Range&, uint64_t, uint64_t, AccessKind) {}
};

}  // namespace greta::isa
