#include "isa/workgroup.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace greta::isa {
namespace {

constexpr uint64_t kTurn = 10000;  // instructions before another wave has its turn

Wave* new_wave() {
  void* memory = std::aligned_alloc(alignof(Wave), sizeof(Wave));
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, sizeof(Wave));
  return new (memory) Wave();
}

}  // namespace

void Workgroup::Free::operator()(Wave* wave) const { std::free(wave); }

Workgroup::Workgroup(const Program& program, Memory& memory, uint32_t waves, uint32_t lds_bytes,
                     uint32_t scratch_bytes)
    : program_(program),
      lds_(lds_bytes),
      scratch_(static_cast<size_t>(scratch_bytes) * kLanes * waves),
      remembered_(program.memory_instructions) {
  for (uint32_t i = 0; i < waves; ++i) {
    waves_.emplace_back(new_wave());
    Wave& wave = *waves_.back();
    wave.lds = lds_.data();
    wave.lds_bytes = lds_bytes;
    wave.scratch = scratch_.data() + static_cast<size_t>(scratch_bytes) * kLanes * i;
    wave.scratch_bytes = scratch_bytes;
    wave.memory = &memory;
    wave.remembered = remembered_.data();
    wave.mode = kModeDefault;
    wave.set_pair(kExec, ~uint64_t{0});
  }
}

Workgroup::~Workgroup() = default;

void Workgroup::restart(uint32_t entry_step) {
  for (auto& wave : waves_) {
    wave->next = entry_step;
    wave->state = WaveState::ready;
    wave->fault = Fault();
  }
  instructions_ = 0;
}

void Workgroup::forget_ranges() { std::fill(remembered_.begin(), remembered_.end(), Range()); }

// A barrier waits for the waves that still run, not for those that ended.
bool Workgroup::release_barrier() {
  bool any = false;
  for (auto& wave : waves_) {
    if (wave->state == WaveState::ready) return true;
    any = any || wave->state == WaveState::at_barrier;
  }
  for (auto& wave : waves_) {
    if (wave->state == WaveState::at_barrier) wave->state = WaveState::ready;
  }
  return any;
}

Workgroup::Outcome Workgroup::run(uint64_t budget) {
  while (release_barrier()) {
    for (uint32_t i = 0; i < wave_count(); ++i) {
      Wave& wave = *waves_[i];
      if (wave.state != WaveState::ready) continue;
      const uint64_t turn = std::min(kTurn, budget);
      const uint64_t done = turn - run_wave(program_, wave, turn);
      budget -= done;
      instructions_ += done;
      if (wave.state == WaveState::faulted) {
        fault_ = wave.fault;
        faulting_wave_ = i;
        return Outcome::faulted;
      }
      if (budget == 0) return Outcome::running;
    }
  }
  return Outcome::ended;
}

}  // namespace greta::isa
