// The waves of one block and their LDS. They take turns: each runs to the next barrier, to its end
// or for a number of instructions, so that a wave that waits for another one does not hang.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/program.h"

namespace greta::isa {

class Workgroup {
 public:
  Workgroup() = default;
  Workgroup(const Program& program, Memory& memory, uint32_t waves, uint32_t lds_bytes,
            uint32_t scratch_bytes) {
    begin(program, memory, waves, lds_bytes, scratch_bytes);
  }
  ~Workgroup() = default;
  Workgroup(const Workgroup&) = delete;
  Workgroup& operator=(const Workgroup&) = delete;

  // For blocks of a program from now on. What earlier ones had allocated is used again.
  void begin(const Program& program, Memory& memory, uint32_t waves, uint32_t lds_bytes,
             uint32_t scratch_bytes);

  uint32_t wave_count() const { return wave_count_; }
  Wave& wave(uint32_t index) { return *waves_[index]; }
  uint8_t* lds() { return lds_.data(); }

  // To start with the next block: LDS and registers keep what they held, as on hardware.
  void restart(uint32_t entry_step);
  // To be called after memory was taken away.
  void forget_ranges();

  enum class Outcome : uint8_t { ended, faulted, running, at_grid_barrier };
  // Runs until all waves ended, one faulted, all wait and one of them for other blocks, or `budget`
  // instructions were done.
  Outcome run(uint64_t budget);
  // The other blocks have come, too.
  void pass_grid_barrier();
  const Fault& fault() const { return fault_; }
  uint32_t faulting_wave() const { return faulting_wave_; }
  uint64_t instructions() const { return instructions_; }

 private:
  struct Free {
    void operator()(Wave* wave) const;
  };

  bool waits_for_grid() const;
  bool release_barrier();
  void tell_barrier();

  const Program* program_ = nullptr;
  uint32_t wave_count_ = 0;
  std::vector<std::unique_ptr<Wave, Free>> waves_;  // those that are in use first
  std::vector<uint8_t> lds_, scratch_;
  std::vector<Range> remembered_;
  Fault fault_;
  uint32_t faulting_wave_ = 0;
  uint64_t instructions_ = 0;
};

}  // namespace greta::isa
