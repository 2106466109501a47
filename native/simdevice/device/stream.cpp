#include "device/stream.h"

#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "device/device.h"
#include "device/event.h"
#include "device/fault.h"
#include "device/futex.h"
#include "device/guard.h"
#include "device/recorder_notes.h"
#include "device/settings.h"
#include "device/worker_thread.h"

namespace greta::sim {
namespace {

// Long enough that a loop of small launches keeps its worker awake, short enough that an idle
// stream costs nothing one can measure.
constexpr int kSpins = 4000;
constexpr int kGatherLooks = 16;
constexpr int kPausesPerLook = 16;
constexpr Ticket kGathered = 64;
constexpr long kSleepUs = 1000000;
// A program that submits faster than the device works is slowed down, as by a full hardware queue.
constexpr Ticket kMostQueued = 1 << 16;

std::atomic<uint64_t> g_operations{0};
std::atomic<uint64_t> g_streams{0};

// Someone may take the fault handlers over while a stream works through a long queue. Looking costs
// system calls, so not before every piece of work.
void look_after_guard() {
  constexpr uint64_t kCycles = 200000;  // of the time stamp counter: less than 0.1 ms
  static thread_local unsigned calls = 0;
  static thread_local uint64_t last = 0;
  if (++calls % 4 != 0) return;  // reading the counter costs, too
  const uint64_t now = __builtin_ia32_rdtsc();
  if (now - last < kCycles) return;
  last = now;
  ensure_guard_installed();
}

int64_t steady_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Stream::Stream(Device& device, Role role, unsigned flags, int priority)
    : device_(device),
      role_(role),
      flags_(flags),
      priority_(priority),
      id_(g_streams.fetch_add(1) + 1) {}

WorkPlace Stream::place(uint64_t operation_number) const {
  return {device_.ordinal(), reinterpret_cast<uintptr_t>(handle_), operation_number, {}, {}};
}

Marker Stream::submit(Work&& work, const Marker& wait) {
  const bool is_copy = std::holds_alternative<CopyWork>(work);
  const Serialize serialize = is_copy ? sim::settings().copies : Serialize{};
  if (serialize.before) last().wait();
  const Marker marker{timeline_, enqueue(std::move(work), wait, nullptr)};
  if (serialize.after) marker.wait();
  return marker;
}

void Stream::submit(KernelWork&& work) {
  const Serialize& serialize = sim::settings().kernels;
  if (serialize.before) last().wait();
  const Ticket ticket = enqueue(std::move(work), {}, nullptr);
  if (serialize.after) timeline_->wait(ticket);
}

void Stream::submit_record(const std::shared_ptr<EventRecord>& record) {
  enqueue(EventWork{record}, {}, record.get());
}

template <typename SomeWork>
Ticket Stream::enqueue(SomeWork&& work, const Marker& wait, EventRecord* record) {
  throttle();
  std::vector<Marker> waits;
  if (!wait.done()) waits.push_back(wait);
  device_.add_default_stream_barriers(*this, waits);
  bool start = false;
  Ticket ticket;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    // Destroyed by another thread meanwhile: nobody would run it. Ticket 0 is always done.
    if (closed_.load(std::memory_order_relaxed)) return 0;
    ticket = submitted_.load(std::memory_order_relaxed) + 1;
    const uint64_t number = g_operations.fetch_add(1, std::memory_order_relaxed) + 1;
    if (!waits.empty()) {
      queue_.put(number, WaitWork{std::move(waits)});
      ++ticket;
    }
    if (record) record->marker = {timeline_, ticket};
    if (has_recorder()) note_submitter(ticket);
    queue_.put(number, std::forward<SomeWork>(work));
    submitter_cpu_.store(sched_getcpu(), std::memory_order_relaxed);
    submitted_.store(ticket, std::memory_order_seq_cst);
    start = !started_;
    started_ = true;
  }
  if (start) {
    start_worker();
  } else {
    wake_worker();
  }
  return ticket;
}

// The worker keeps the stream alive until it has run all that was queued.
void Stream::start_worker() {
  refuse_forked_children();
  auto* self = new StreamRef(shared_from_this());
  auto body = [](void* argument) {
    const std::unique_ptr<StreamRef> stream(static_cast<StreamRef*>(argument));
    (*stream)->run_until_closed();
  };
  pthread_t thread;
  if (!start_worker_thread("greta-sim-strm", body, self, &thread)) {
    std::fputs("greta-sim: the system has no thread left for another stream\n", stderr);
    std::abort();
  }
  pthread_detach(thread);
}

// With the lock held; the worker looks once the ticket is published. Memory that is never used is
// never there: calloc of this size takes pages that the system fills when they are touched.
void Stream::note_submitter(Ticket ticket) {
  if (!submitters_) submitters_.reset(static_cast<Submitters*>(std::calloc(1, sizeof(Submitters))));
  if (submitters_) submitters_->call[ticket % kSubmitters] = current_call();
}

void Stream::throttle() {
  const Ticket submitted = submitted_.load(std::memory_order_relaxed);
  // Asking the worker each time would take from it the line it writes each time.
  if (submitted < seen_completed_.load(std::memory_order_relaxed) + kMostQueued) return;
  timeline_->wait(submitted - kMostQueued);
  seen_completed_.store(timeline_->completed(), std::memory_order_relaxed);
}

void Stream::wake_worker() {
  // Only the first of many submissions pays for waking a worker that is slow to get up.
  if (asleep_.load(std::memory_order_seq_cst) && asleep_.exchange(false)) {
    signal_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake_all(signal_);
  }
}

Marker Stream::last() const { return {timeline_, submitted_.load(std::memory_order_acquire)}; }

void Stream::synchronize() const {
  if (role_ == Role::legacy_default) {
    for (const Marker& marker : device_.blocking_stream_markers()) marker.wait();
  }
  last().wait();
}

bool Stream::idle() const {
  if (role_ == Role::legacy_default) {
    for (const Marker& marker : device_.blocking_stream_markers()) {
      if (!marker.done()) return false;
    }
  }
  return last().done();
}

void Stream::close() {
  bool running;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_.store(true, std::memory_order_seq_cst);  // under the lock: what is in is run
    running = started_;
    started_ = true;  // nothing may start a worker any more
  }
  if (running) {
    wake_worker();
  } else {
    device_.forget(*this);
  }
}

void Stream::run_until_closed() {
  Ticket next = 1;
  while (const Ticket last = wait_for_work()) {
    for (; next <= last; ++next) {
      run(queue_.front(), next);
      queue_.drop();  // lets go of staging memory before anyone is told
      timeline_->complete(next);
    }
  }
  device_.forget(*this);
}

// Somebody may be submitting right now. Looking for each piece as it comes would take from the
// other side the line it writes; a moment later there is more to take. Whoever waits is not kept
// waiting.
void Stream::let_work_gather() const {
  for (int i = 0; i < kGatherLooks; ++i) {
    const Ticket waiting = submitted_.load(std::memory_order_relaxed) - timeline_->completed();
    if (waiting >= kGathered || timeline_->somebody_waits()) return;
    if (submitter_needs_this_cpu()) return;
    for (int pause = 0; pause < kPausesPerLook; ++pause) cpu_pause();
  }
}

// Then waiting awake keeps away what we wait for; and whoever sleeps is woken on an idle core.
bool Stream::submitter_needs_this_cpu() const {
  return submitter_cpu_.load(std::memory_order_relaxed) == sched_getcpu();
}

// Returns the last ticket there is, or 0 when the stream is closed and drained.
Ticket Stream::wait_for_work() {
  let_work_gather();
  while (true) {
    for (int i = 0; i < kSpins; ++i) {
      const Ticket submitted = submitted_.load(std::memory_order_acquire);
      if (submitted != timeline_->completed()) {
        // Whoever submitted it may have replaced the handlers first: on a busy machine there is
        // time for that even if this thread did not wait.
        ensure_guard_installed();
        return submitted;
      }
      if (closed_.load(std::memory_order_acquire) || submitter_needs_this_cpu()) break;
      cpu_pause();
    }
    if (closed_.load(std::memory_order_seq_cst) &&
        submitted_.load(std::memory_order_seq_cst) == timeline_->completed()) {
      return 0;
    }
    sleep_until_work();
    ensure_guard_installed();
  }
}

void Stream::sleep_until_work() {
  const uint32_t seen = signal_.load(std::memory_order_seq_cst);
  asleep_.store(true, std::memory_order_seq_cst);
  const bool nothing_new = submitted_.load(std::memory_order_seq_cst) == timeline_->completed() &&
                           !closed_.load(std::memory_order_seq_cst);
  if (nothing_new) futex_wait(signal_, seen, kSleepUs);
  asleep_.store(false, std::memory_order_seq_cst);
}

void Stream::wait_for(const Marker& marker) const {
  marker.wait();
  while (running_.load(std::memory_order_seq_cst) == marker.ticket) std::this_thread::yield();
}

void Stream::run(const Item& item, Ticket ticket) {
  look_after_guard();
  WorkPlace place = this->place(item.operation_number);
  place.call = submitter_of(ticket);
  if (const auto* kernel = std::get_if<KernelWork>(&item.work)) {
    // After a fault the rest is dropped, host functions too: the device is gone.
    if (!device_lost()) run_kernel(*kernel, place);
  } else {
    run_boxed(*std::get<std::unique_ptr<Work>>(item.work), place, ticket);
  }
}

void Stream::run_boxed(const Work& work, const WorkPlace& place, Ticket ticket) {
  // Only copies are waited for to the end, see wait_for.
  const bool is_copy = std::holds_alternative<CopyWork>(work);
  if (is_copy) running_.store(ticket, std::memory_order_seq_cst);
  if (!device_lost()) run_work(work, place);
  if (const auto* event = std::get_if<EventWork>(&work)) event->record->reached_ns = steady_ns();
  if (is_copy) running_.store(0, std::memory_order_release);
}

}  // namespace greta::sim
