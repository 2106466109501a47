// The recording of this process: its folder, its header, whether it is on.
#pragma once

#include <atomic>
#include <cstdint>

#include "contract/recording.h"

namespace greta::recorder {

constexpr unsigned kMostPath = 4096;

class ProcessRecording {
 public:
  // Begins at the first call that asks. False if nobody wants a recording, or it cannot be made.
  bool is_on() { return state_.load(std::memory_order_acquire) == State::on || start(); }

  const char* folder() const { return folder_; }
  uint64_t ring_records() const { return ring_records_; }
  uint32_t next_lane();
  // Reads both clocks again, see greta_header.
  void note_time();
  // No space left: what comes is counted, not kept.
  void give_up();
  void dropped() { __atomic_fetch_add(&header_->dropped, 1, __ATOMIC_RELAXED); }
  bool gave_up() const { return state_.load(std::memory_order_relaxed) == State::gave_up; }

  // Only stores: may be called from a signal handler.
  void mark_end(greta_end how, int code);
  // The last code of the library that runs.
  void mark_end_again();

  // In a forked child.
  void begin_anew();

 private:
  enum class State { unknown, on, off, gave_up };

  bool start();
  bool open_all();
  bool open_folder();
  bool open_header();

  std::atomic<State> state_{State::unknown};
  greta_header* header_ = nullptr;
  uint64_t ring_records_ = 0;
  char folder_[kMostPath] = {};
};

ProcessRecording& recording();

}  // namespace greta::recorder
