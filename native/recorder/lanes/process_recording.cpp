#include "recorder/lanes/process_recording.h"

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include "recorder/hooks/dlopen_hook.h"
#include "recorder/hooks/endings.h"
#include "recorder/hooks/modules.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/roctx_hooks.h"
#include "recorder/hooks/started_programs.h"
#include "recorder/lanes/clock.h"
#include "recorder/lanes/lane.h"
#include "recorder/lanes/live_table.h"
#include "recorder/lanes/mapped_file.h"
#include "recorder/lanes/same_process.h"
#include "recorder/lanes/segment_ahead.h"
#include "recorder/lanes/tables.h"
#include "recorder/sites/call_stack.h"
#include "recorder/sites/libraries.h"
#include "recorder/sites/script_site.h"
#include "recorder/watch/added_work.h"
#include "recorder/watch/guards.h"

namespace greta::recorder {
namespace {

// A gigabyte a thread; more is a mistake.
constexpr uint64_t kMostRing = 10'000'000;

std::mutex g_start_mutex;
// This thread begins the recording: what it does for that is not recorded.
__attribute__((tls_model("initial-exec"))) thread_local bool t_starts = false;

uint64_t realtime_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Whether it may be had after all when the program goes on.
bool may_pass(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
         error == EINTR || error == EBADF;
}

const char* reason_of(int error) {
  if (error == EMFILE || error == ENFILE) return "no free file descriptor";
  if (error == ENOSPC || error == EDQUOT) return "no space on the disk";
  if (error == EFBIG) return "the limit for the size of files is reached";
  if (error == ENOMEM) return "no memory";
  return std::strerror(error);
}

uint64_t number_from_environment(const char* name) {
  const char* text = secure_getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

// A number in a file that only grows, whichever thread is the last to store.
template <typename Number>
void raise_to(Number& place, const std::atomic<Number>& counted) {
  const Number target = counted.load();
  Number found = __atomic_load_n(&place, __ATOMIC_RELAXED);
  while (found < target && !__atomic_compare_exchange_n(&place, &found, target, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace

ProcessRecording g_recording;
std::atomic<uint64_t> g_next_clock_reading{UINT64_MAX};

bool ProcessRecording::start() {
  const State before = state_.load(std::memory_order_acquire);
  if (before == State::off || before == State::gave_up || t_starts) return false;
  if (before == State::waiting && !next_try_.is_due()) return false;
  // Threads that call while another begins the recording wait for it: none of their calls is lost.
  std::lock_guard<std::mutex> lock(g_start_mutex);
  const State now = state_.load(std::memory_order_acquire);
  if (now != State::unknown && now != State::waiting) return now == State::on;
  t_starts = true;
  const bool started = open_all();
  t_starts = false;
  return started;
}

bool ProcessRecording::open_all() {
  ring_records_ = std::min(number_from_environment("GRETA_RECORD_RING"), kMostRing);
  if (!open_folder()) {
    state_.store(State::off, std::memory_order_release);
    return false;
  }
  int error = open_header() && live().open(folder_) ? 0 : errno;
  if (error == 0) error = write_process_entries();
  if (error == 0) {
    watch_endings();
    watch_for_forks();
    next_try_.worked();
  }
  state_.store(error == 0 ? State::on : state_for(error), std::memory_order_release);
  return error == 0;
}

ProcessRecording::State ProcessRecording::state_for(int error) {
  mark_incomplete();
  say_why(error, may_pass(error) ? "not recorded for now" : "the program goes on unrecorded");
  if (!may_pass(error)) return State::gave_up;
  next_try_.failed();
  return State::waiting;
}

bool ProcessRecording::open_folder() {
  if (state_.load() == State::waiting && pid_ == getpid()) return true;  // at an earlier try
  const char* given = secure_getenv("GRETA_RECORD");
  if (given == nullptr || *given == '\0') return false;
  mkdir(given, 0777);
  // The program may change its folder.
  const std::unique_ptr<char, void (*)(void*)> resolved(realpath(given, nullptr), std::free);
  const char* root = resolved != nullptr ? resolved.get() : given;
  for (unsigned number = 0; number < 10000; ++number) {
    const int length = std::snprintf(folder_, sizeof folder_, "%s/%d.%u", root, getpid(), number);
    if (length < 0 || length >= static_cast<int>(sizeof folder_)) break;
    if (mkdir(folder_, 0777) == 0) {
      // What a parent had that could not begin to record.
      header_ = nullptr;
      live().forget();
      lanes_ = 0;
      dropped_ = 0;
      pid_ = getpid();
      note_recorded(folder_);
      return true;
    }
    if (errno != EEXIST) break;
  }
  std::fprintf(stderr, "greta: cannot record into %s; the program goes on unrecorded\n", root);
  return false;
}

bool ProcessRecording::open_header() {
  if (header_ != nullptr) return true;  // at an earlier try
  char path[kMostPath + 16];
  std::snprintf(path, sizeof path, "%s/header", folder_);
  header_ = static_cast<greta_header*>(map_file_part(path, 0, GRETA_PAGE_BYTES));
  if (header_ == nullptr) return false;
  g_ticks_are_counter = counter_is_fit();
  header_->version = GRETA_RECORDING_VERSION;
  if (g_ticks_are_counter) header_->flags |= GRETA_CLOCK_TSC;
  if (ring_records_ != 0) header_->flags |= GRETA_RING;
  header_->pid = static_cast<uint32_t>(getpid());
  header_->parent_pid = static_cast<uint32_t>(getppid());
  header_->ring_records = ring_records_;
  header_->start_realtime_ns = realtime_ns();
  header_->start_monotonic_ns = monotonic_ns();
  header_->start_ticks = ticks();
  note_time();
  g_next_clock_reading.store(header_->start_ticks, std::memory_order_relaxed);
  header_->magic = GRETA_HEADER_MAGIC;
  if (dropped_ != 0) {
    mark_incomplete();
    note_dropped();
  }
  return true;
}

uint32_t ProcessRecording::next_lane() {
  const uint32_t number = lanes_.fetch_add(1);
  raise_to(header_->lanes, lanes_);
  return number;
}

void ProcessRecording::count_dropped() {
  if (state_.load(std::memory_order_relaxed) == State::off) return;  // nobody wants to know
  dropped_.fetch_add(1);
  note_dropped();
}

void ProcessRecording::note_dropped() {
  greta_header* header = __atomic_load_n(&header_, __ATOMIC_SEQ_CST);
  if (header != nullptr) raise_to(header->dropped, dropped_);
}

void ProcessRecording::note_time() {
  header_->latest_monotonic_ns = monotonic_ns();
  header_->latest_ticks = ticks();
}

void ProcessRecording::note_time_at(uint64_t now) {
  constexpr uint64_t kTicks = 20'000'000;  // some milliseconds, by whatever clock
  uint64_t due = g_next_clock_reading.load(std::memory_order_relaxed);
  if (now <= due || !g_next_clock_reading.compare_exchange_strong(due, now + kTicks)) return;
  note_time();
}

void ProcessRecording::mark_spent() {
  if (header_ == nullptr) return;
  const uint32_t before = __atomic_fetch_or(&header_->flags, GRETA_SPENT, __ATOMIC_RELAXED);
  if ((before & GRETA_SPENT) != 0) return;
  write_note(
      "the disk budget of the run is spent; from now on the last calls of each thread are kept");
}

void ProcessRecording::count_guarded(bool guarded) {
  if (header_ == nullptr) return;
  __atomic_fetch_add(guarded ? &header_->guarded : &header_->unguarded, 1u, __ATOMIC_RELAXED);
}

void ProcessRecording::mark_incomplete() {
  if (header_ != nullptr) __atomic_fetch_or(&header_->flags, GRETA_INCOMPLETE, __ATOMIC_RELAXED);
}

void ProcessRecording::lost_for(int error) {
  mark_incomplete();
  if (may_pass(error)) {
    next_try_.failed();
  } else {
    state_.store(State::gave_up);
  }
  say_why(error, may_pass(error) ? "some calls are not recorded" : "the rest is not recorded");
}

void ProcessRecording::say_why(int error, const char* consequence) {
  if (said_why_.exchange(true)) return;
  std::fprintf(stderr, "greta: %s: %s; %s\n", folder_, reason_of(error), consequence);
}

void ProcessRecording::mark_end(greta_end how, int code) {
  // A child made by vfork has our memory until it becomes another program, or ends.
  if (header_ == nullptr || pid_ != getpid()) return;
  note_time();
  header_->end_code = code;
  header_->end_ticks = ticks();
  header_->end = how;
}

void ProcessRecording::mark_end_again() {
  if (header_ != nullptr && header_->end == GRETA_END_EXIT) header_->end_ticks = ticks();
}

void ProcessRecording::begin_anew() {
  // Another thread of the parent may have held it when the process was forked.
  new (&g_start_mutex) std::mutex;
  header_ = nullptr;
  said_why_ = false;
  g_next_clock_reading.store(UINT64_MAX, std::memory_order_relaxed);
  forget_lane();
  forget_annotations();
  forget_preparing_thread();
  live().forget();
  modules().forget();
  forget_tables();
  forget_libraries();
  forget_library();
  forget_locks_of_routes();
  forget_lock_of_openings();
  forget_scripts();
  forget_stacks();
  forget_guards();
  forget_added_work();
  watch_for_forks();
  state_.store(State::unknown, std::memory_order_release);
}

}  // namespace greta::recorder
