// The recording of this process: its folder, its header, whether it is on.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "contract/recording.h"
#include "recorder/lanes/next_try.h"

namespace greta::recorder {

constexpr unsigned kMostPath = 4096;

class ProcessRecording {
 public:
  // Begins at the first call that asks. False if nobody wants a recording, or it cannot be made.
  bool is_on() { return state_.load(std::memory_order_acquire) == State::on || start(); }

  const char* folder() const { return folder_; }
  uint64_t ring_records() const { return ring_records_; }
  uint32_t next_lane();
  // Reads both clocks again, see greta_header. Now and then, so that the line through the readings
  // is good to the microsecond whenever the process dies; one thread does it.
  void note_time_at(uint64_t now);
  // Room could not be had, for the reason in errno: what comes is counted, not kept. If the reason
  // may pass, some later call tries again.
  void lost_for(int error);
  // Whether this call may try, and that it did with success.
  bool may_ask_for_room() { return next_try_.is_due(); }
  void got_room() { next_try_.worked(); }
  // Something that records refer to could not be written.
  void mark_incomplete();
  // The disk budget is spent.
  void mark_spent();
  // Of allocations that are to be guarded.
  void count_guarded(bool guarded);
  // A call for which there was no room.
  void count_dropped();

  // Only stores: may be called from a signal handler.
  void mark_end(greta_end how, int code);
  // The last code of the library that runs.
  void mark_end_again();

  // In a forked child.
  void begin_anew();

 private:
  // Waiting: it could not begin for a reason that may pass.
  enum class State { unknown, waiting, on, off, gave_up };

  bool start();
  bool open_all();
  State state_for(int error);
  void say_why(int error, const char* consequence);
  void note_time();
  void note_dropped();
  bool open_folder();
  bool open_header();

  std::atomic<State> state_{State::unknown};
  std::atomic<bool> said_why_{false};
  NextTry next_try_;
  // What the files say, too; but what we go by must not change when somebody damages them.
  pid_t pid_ = 0;  // of the process that the folder is of
  std::atomic<uint32_t> lanes_{0};
  std::atomic<uint64_t> dropped_{0};
  greta_header* header_ = nullptr;
  uint64_t ring_records_ = 0;
  char folder_[kMostPath] = {};
};

// Needs no constructor to run and has no destructor: there from the first instruction of the
// process to the last, in signal handlers too.
extern ProcessRecording g_recording;
inline ProcessRecording& recording() { return g_recording; }

// When the clocks are to be read again, in ticks.
extern std::atomic<uint64_t> g_next_clock_reading;
inline void note_time_if_due(uint64_t now) {
  if (now > g_next_clock_reading.load(std::memory_order_relaxed)) recording().note_time_at(now);
}

}  // namespace greta::recorder
