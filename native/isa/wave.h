// The state of one wave: 64 lanes, their registers, and why it stopped.
#pragma once

#include <cstdint>
#include <cstring>

#include "isa/memory.h"

namespace greta::isa {

inline constexpr int kLanes = 64;
inline constexpr int kVectorRegisters = 512;  // VGPRs, and from 256 on AccVGPRs

// Scalar registers by their code in an instruction.
enum : int { kFlatScratch = 102, kVcc = 106, kM0 = 124, kExec = 126 };

// The register MODE, of which the engine honours rounding and denormals.
//   [1:0] rounding of f32, [3:2] of f16 and f64: nearest even, up, down, to zero
//   [5:4] denormals of f32, [7:6] of f16 and f64: 1 inputs are kept, 2 results are kept
enum : uint32_t { kModeDefault = 0xf0 };

// Values of Wave::next that are no steps: to an address; the step after this one.
inline constexpr uint32_t kJump = 0xffffffff, kFollowing = 0xfffffffe;

enum class WaveState : uint8_t { ready, at_barrier, ended, faulted, at_grid_barrier };

enum class FaultKind : uint8_t {
  none,
  memory,   // an address outside what is allowed
  lds,      // beyond the block's LDS
  scratch,  // beyond the lane's scratch
  program,  // the program counter left the program
  trap,     // s_trap
};

struct Fault {
  FaultKind kind = FaultKind::none;
  AccessKind access = AccessKind::read;
  uint32_t bytes = 0;
  uint32_t lane = 0;     // the first lane that faults
  uint64_t lanes = 0;    // all of them
  uint64_t address = 0;  // of the first lane: global, or within LDS or scratch
  uint32_t step = 0;     // index into the program
};

// Where the apertures of LDS and scratch lie in flat addresses: the upper halves.
struct Apertures {
  uint32_t shared = 0x00010000;
  uint32_t priv = 0x00020000;
};

struct alignas(64) Wave {
  uint32_t v[kVectorRegisters][kLanes];
  uint32_t mask[kLanes];  // EXEC as words of ones and zeros, for mask_of
  uint64_t mask_of;

  uint32_t s[128];  // by code: SGPRs, FLAT_SCRATCH, VCC, TTMP, M0, EXEC
  bool scc;
  uint32_t mode;
  uint32_t next;  // index of the next step, kJump or kFollowing
  uint64_t jump;  // the address to go to, where next says so
  WaveState state;
  Fault fault;

  uint8_t* lds;
  uint32_t lds_bytes;
  uint8_t* scratch;  // scratch_bytes for each lane, lane by lane
  uint32_t scratch_bytes;
  Memory* memory;
  Range* remembered;  // one for each memory instruction of the program
  Apertures apertures;
  uint64_t code_base;  // address of the program's first word, for s_getpc and calls
  uint64_t clock;
  bool watched;     // tell the memory of each access
  uint64_t number;  // by which whoever watches knows it

  // As one word: two would be put together and taken apart again by the compiler.
  uint64_t pair(int code) const {
    uint64_t value;
    std::memcpy(&value, &s[code], sizeof value);
    return value;
  }
  void set_pair(int code, uint64_t value) { std::memcpy(&s[code], &value, sizeof value); }
  uint64_t exec() const { return pair(kExec); }
};

// Operands that are no registers, by their code: apertures, VCCZ, EXECZ, SCC.
inline uint64_t special_value(const Wave& w, uint32_t code) {
  switch (code) {
    case 235:
      return static_cast<uint64_t>(w.apertures.shared) << 32;
    case 236:
      return static_cast<uint64_t>(w.apertures.shared) << 32 | 0xffffffff;
    case 237:
      return static_cast<uint64_t>(w.apertures.priv) << 32;
    case 238:
      return static_cast<uint64_t>(w.apertures.priv) << 32 | 0xffffffff;
    case 251:
      return w.pair(kVcc) == 0;
    case 252:
      return w.exec() == 0;
    case 253:
      return w.scc;
    default:
      return 0;
  }
}

}  // namespace greta::isa
