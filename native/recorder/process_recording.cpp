#include "recorder/process_recording.h"

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

#include "recorder/added_work.h"
#include "recorder/clock.h"
#include "recorder/endings.h"
#include "recorder/lane.h"
#include "recorder/libraries.h"
#include "recorder/live_table.h"
#include "recorder/mapped_file.h"
#include "recorder/modules.h"
#include "recorder/real_functions.h"
#include "recorder/roctx_hooks.h"
#include "recorder/script_site.h"
#include "recorder/segment_ahead.h"
#include "recorder/tables.h"

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

uint64_t number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

}  // namespace

ProcessRecording g_recording;
std::atomic<uint64_t> g_next_clock_reading{UINT64_MAX};

bool ProcessRecording::start() {
  const State before = state_.load(std::memory_order_acquire);
  if (before == State::off || before == State::gave_up || t_starts) return false;
  // Threads that call while another begins the recording wait for it: none of their calls is lost.
  std::lock_guard<std::mutex> lock(g_start_mutex);
  if (state_.load(std::memory_order_acquire) != State::unknown) {
    return state_.load(std::memory_order_acquire) == State::on;
  }
  t_starts = true;
  const bool started = open_all();
  state_.store(started ? State::on : State::off, std::memory_order_release);
  t_starts = false;
  return started;
}

bool ProcessRecording::open_all() {
  ring_records_ = std::min(number_from_environment("GRETA_RECORD_RING"), kMostRing);
  if (!open_folder() || !open_header() || !live().open(folder_)) return false;
  write_process_entries();
  watch_endings();
  return true;
}

bool ProcessRecording::open_folder() {
  const char* given = std::getenv("GRETA_RECORD");
  if (given == nullptr || *given == '\0') return false;
  mkdir(given, 0777);
  // The program may change its folder.
  const std::unique_ptr<char, void (*)(void*)> resolved(realpath(given, nullptr), std::free);
  const char* root = resolved != nullptr ? resolved.get() : given;
  for (unsigned number = 0; number < 10000; ++number) {
    const int length = std::snprintf(folder_, sizeof folder_, "%s/%d.%u", root, getpid(), number);
    if (length < 0 || length >= static_cast<int>(sizeof folder_)) break;
    if (mkdir(folder_, 0777) == 0) return true;
    if (errno != EEXIST) break;
  }
  std::fprintf(stderr, "greta: cannot record into %s; the program goes on unrecorded\n", root);
  return false;
}

bool ProcessRecording::open_header() {
  char path[kMostPath + 16];
  std::snprintf(path, sizeof path, "%s/header", folder_);
  header_ = static_cast<greta_header*>(map_file_part(path, 0, GRETA_PAGE_BYTES));
  if (header_ == nullptr) {
    std::fprintf(stderr, "greta: no space to record into %s; the program goes on unrecorded\n",
                 folder_);
    return false;
  }
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
  return true;
}

uint32_t ProcessRecording::next_lane() {
  return __atomic_fetch_add(&header_->lanes, 1, __ATOMIC_RELAXED);
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

void ProcessRecording::mark_incomplete() {
  if (header_ != nullptr) __atomic_fetch_or(&header_->flags, GRETA_INCOMPLETE, __ATOMIC_RELAXED);
}

void ProcessRecording::lost_for(int error) {
  mark_incomplete();
  const bool may_change = error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN;
  if (!may_change) state_.store(State::gave_up);
  if (said_why_.exchange(true)) return;
  std::fprintf(stderr, "greta: %s: %s; %s\n", folder_, std::strerror(error),
               may_change ? "some calls are not recorded" : "the rest is not recorded");
}

void ProcessRecording::mark_end(greta_end how, int code) {
  // A child made by vfork has our memory until it becomes another program, or ends.
  if (header_ == nullptr || header_->pid != static_cast<uint32_t>(getpid())) return;
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
  forget_scripts();
  forget_added_work();
  state_.store(State::unknown, std::memory_order_release);
}

}  // namespace greta::recorder
