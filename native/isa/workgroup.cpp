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

void Workgroup::begin(const Program& program, Memory& memory, uint32_t waves, uint32_t lds_bytes,
                      uint32_t scratch_bytes) {
  program_ = &program;
  wave_count_ = waves;
  lds_.resize(lds_bytes);
  const size_t scratch_of_wave = static_cast<size_t>(scratch_bytes) * kLanes;
  if (scratch_.size() < scratch_of_wave * waves) scratch_.resize(scratch_of_wave * waves);
  remembered_.assign(program.memory_instructions, Range());
  while (waves_.size() < waves) waves_.emplace_back(new_wave());
  for (uint32_t i = 0; i < waves; ++i) {
    Wave& wave = *waves_[i];
    wave.lds = lds_.data();
    wave.lds_bytes = lds_bytes;
    wave.scratch = scratch_.data() + scratch_of_wave * i;
    wave.scratch_bytes = scratch_bytes;
    wave.memory = &memory;
    wave.remembered = remembered_.data();
    wave.mode = kModeDefault;
    wave.set_pair(kExec, ~uint64_t{0});
  }
}

void Workgroup::restart(uint32_t entry_step) {
  for (uint32_t i = 0; i < wave_count_; ++i) {
    waves_[i]->next = entry_step;
    waves_[i]->state = WaveState::ready;
    waves_[i]->fault = Fault();
  }
  instructions_ = 0;
}

void Workgroup::forget_ranges() { std::fill(remembered_.begin(), remembered_.end(), Range()); }

bool Workgroup::waits_for_grid() const {
  bool any = false;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    if (waves_[i]->state == WaveState::ready) return false;
    any = any || waves_[i]->state == WaveState::at_grid_barrier;
  }
  return any;
}

void Workgroup::pass_grid_barrier() {
  for (uint32_t i = 0; i < wave_count_; ++i) {
    if (waves_[i]->state == WaveState::at_grid_barrier) waves_[i]->state = WaveState::ready;
  }
}

// A barrier waits for the waves that still run, not for those that ended.
bool Workgroup::release_barrier() {
  bool any = false;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    if (waves_[i]->state == WaveState::ready) return true;
    any = any || waves_[i]->state == WaveState::at_barrier;
  }
  if (any && waves_[0]->watched) tell_barrier();
  for (uint32_t i = 0; i < wave_count_; ++i) {
    if (waves_[i]->state == WaveState::at_barrier) waves_[i]->state = WaveState::ready;
  }
  return any;
}

void Workgroup::tell_barrier() {
  std::vector<const Wave*> waves;
  for (uint32_t i = 0; i < wave_count_; ++i) waves.push_back(waves_[i].get());
  waves[0]->memory->passed_barrier(waves.data(), wave_count_);
}

Workgroup::Outcome Workgroup::run(uint64_t budget) {
  while (!waits_for_grid() && release_barrier()) {
    for (uint32_t i = 0; i < wave_count(); ++i) {
      Wave& wave = *waves_[i];
      if (wave.state != WaveState::ready) continue;
      const uint64_t turn = std::min(kTurn, budget);
      const uint64_t done = run_wave(*program_, wave, turn);
      budget -= std::min(done, budget);
      instructions_ += done;
      if (wave.state == WaveState::faulted) {
        fault_ = wave.fault;
        faulting_wave_ = i;
        return Outcome::faulted;
      }
      if (budget == 0) return Outcome::running;
    }
  }
  return waits_for_grid() ? Outcome::at_grid_barrier : Outcome::ended;
}

}  // namespace greta::isa
