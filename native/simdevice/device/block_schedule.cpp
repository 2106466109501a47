#include "device/block_schedule.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace greta::sim {
namespace {

uint64_t bit_of(ThreadIndex thread) { return uint64_t{1} << (thread % BlockSchedule::kLanes); }

// The lanes of a wave from `first` (inclusive) to `end`, both counted in the block.
uint64_t lanes_between(ThreadIndex first, ThreadIndex end, uint32_t wave) {
  const uint64_t base = uint64_t{wave} * BlockSchedule::kLanes;
  const auto below = [&](ThreadIndex thread) -> uint64_t {
    if (thread <= base) return 0;
    const uint64_t lanes = thread - base;
    return lanes >= BlockSchedule::kLanes ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1;
  };
  return below(end) & ~below(first);
}

}  // namespace

void BlockSchedule::begin(uint32_t threads, ThreadIndex running) {
  wave_count_ = (threads + kLanes - 1) / kLanes;
  current_wave_ = running / kLanes;
  live_ = threads - running;
  at_barrier_ = at_grid_ = predicates_ = 0;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    waves_[i].ready = lanes_between(running + 1, threads, i);
    waves_[i].at_wave = waves_[i].at_barrier = waves_[i].at_grid = 0;
  }
}

void BlockSchedule::wait_at_wave(ThreadIndex thread, const void* site, uint64_t value) {
  Wave& wave = waves_[thread / kLanes];
  wave.at_wave |= bit_of(thread);
  wave.site[thread % kLanes] = site;
  wave.arriving.value[thread % kLanes] = value;
}

void BlockSchedule::wait_at_barrier(ThreadIndex thread, bool predicate) {
  waves_[thread / kLanes].at_barrier |= bit_of(thread);
  ++at_barrier_;
  predicates_ += predicate;
}

void BlockSchedule::wait_at_grid(ThreadIndex thread) {
  waves_[thread / kLanes].at_grid |= bit_of(thread);
  ++at_grid_;
}

void BlockSchedule::exit(ThreadIndex) { --live_; }

BlockSchedule::Decision BlockSchedule::decide() {
  for (;;) {
    Wave& wave = waves_[current_wave_];
    if (wave.ready == 0 && wave.at_wave != 0) release_lowest_site(&wave);
    if (wave.ready != 0) {
      const auto lane = static_cast<uint32_t>(__builtin_ctzll(wave.ready));
      wave.ready &= wave.ready - 1;
      return {Outcome::run, current_wave_ * kLanes + lane};
    }
    if (find_runnable_wave()) continue;
    if (live_ == 0 || at_barrier_ != live_) return decide_without_runnable();
    release_barrier();
  }
}

// All lanes of the wave have stopped. A site is compared as an address in the code.
void BlockSchedule::release_lowest_site(Wave* wave) {
  const void* lowest = nullptr;
  uint64_t group = 0;
  for (uint64_t rest = wave->at_wave; rest != 0; rest &= rest - 1) {
    const void* site = wave->site[static_cast<size_t>(__builtin_ctzll(rest))];
    if (group != 0 && std::less<>()(lowest, site)) continue;
    if (site != lowest) group = 0;
    lowest = site;
    group |= rest & -rest;
  }
  std::memcpy(wave->result.value, wave->arriving.value, sizeof wave->result.value);
  wave->result.active = group;
  wave->at_wave &= ~group;
  wave->ready = group;
}

bool BlockSchedule::find_runnable_wave() {
  for (uint32_t i = 0; i < wave_count_; ++i) {
    if ((waves_[i].ready | waves_[i].at_wave) == 0) continue;
    current_wave_ = i;
    return true;
  }
  return false;
}

BlockSchedule::Decision BlockSchedule::decide_without_runnable() {
  if (live_ == 0) return {Outcome::finished, 0};
  if (at_grid_ == live_) return {Outcome::grid_barrier, 0};
  return {Outcome::deadlock, 0};
}

void BlockSchedule::release_barrier() {
  barrier_ = {predicates_, at_barrier_};
  at_barrier_ = predicates_ = 0;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    waves_[i].ready = waves_[i].at_barrier;
    waves_[i].at_barrier = 0;
  }
  current_wave_ = 0;
}

void BlockSchedule::release_grid() {
  at_grid_ = 0;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    waves_[i].ready = waves_[i].at_grid;
    waves_[i].at_grid = 0;
  }
  current_wave_ = 0;
}

}  // namespace greta::sim
