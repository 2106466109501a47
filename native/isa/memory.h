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

struct Wave;
struct Step;
using Handler = void (*)(Wave&, const Step&);

// Lanes of a wave that access memory together, at a base and an offset of their own.
struct WatchedAccess {
  const Wave& wave;
  const Step& step;
  uint64_t base;
  const uint32_t* offset;
  uint64_t lanes;
  uint32_t bytes;
  AccessKind kind;
  bool is_lds;
};

class Memory {
 public:
  virtual ~Memory() = default;

  // May [address, address + bytes) be accessed so? If it may, `around` becomes the range, at least
  // those bytes, for which the engine need not ask again. Called from many threads.
  virtual bool allows(uint64_t address, uint32_t bytes, AccessKind kind, Range* around) = 0;

  // Lanes access these bytes of a range with notes, some of them together.
  virtual void note(const Range&, uint64_t, uint64_t, AccessKind) {}

  // Of waves that are watched: each access that is allowed, before it is made; and the waves of a
  // block, at the moment when those that wait at a barrier may go on.
  virtual void watch(const WatchedAccess&) {}
  virtual void passed_barrier(const Wave* const*, uint32_t) {}

  // A wave comes to a step that is marked (Program::mark); answers what is to be run there.
  virtual Handler reached(const Wave&, const Step&) { return nullptr; }
};

}  // namespace greta::isa
