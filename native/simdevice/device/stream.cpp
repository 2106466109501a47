#include "device/stream.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "device/device.h"
#include "device/event.h"
#include "device/fault.h"
#include "device/futex.h"
#include "device/guard.h"
#include "device/settings.h"
#include "device/worker_thread.h"

namespace greta::sim {
namespace {

// Long enough that a loop of small launches keeps its worker awake, short enough that an idle
// stream costs nothing one can measure.
constexpr int kSpins = 4000;
constexpr int kGatherLooks = 4;
constexpr int kPausesPerLook = 64;
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
  static thread_local uint64_t last = 0;
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

Marker Stream::submit(Work&& work, std::vector<Marker> waits) {
  const bool is_copy = std::holds_alternative<CopyWork>(work);
  const Serialize serialize = is_copy ? settings().copies : Serialize{};
  if (serialize.before) last().wait();
  Marker marker = enqueue(std::move(work), std::move(waits), nullptr);
  if (serialize.after) marker.wait();
  return marker;
}

void Stream::submit(KernelWork&& work) {
  const Serialize& serialize = settings().kernels;
  if (serialize.before) last().wait();
  const Marker marker = enqueue(std::move(work), {}, nullptr);
  if (serialize.after) marker.wait();
}

void Stream::submit_record(const std::shared_ptr<EventRecord>& record) {
  enqueue(EventWork{record}, {}, record.get());
}

template <typename SomeWork>
Marker Stream::enqueue(SomeWork&& work, std::vector<Marker>&& waits, EventRecord* record) {
  throttle();
  device_.add_default_stream_barriers(*this, waits);
  bool start = false;
  Marker marker{timeline_, 0};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    // Destroyed by another thread meanwhile: nobody would run it. A marker of nothing is done.
    if (closed_.load(std::memory_order_seq_cst)) return {};
    marker.ticket = submitted_.load(std::memory_order_relaxed) + 1;
    if (record) record->marker = marker;
    queue_.emplace_back(marker.ticket, g_operations.fetch_add(1) + 1, std::move(waits),
                        std::forward<SomeWork>(work));
    submitted_.store(marker.ticket, std::memory_order_seq_cst);
    start = !started_;
    started_ = true;
  }
  if (start) {
    start_worker();
  } else {
    wake_worker();
  }
  return marker;
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

void Stream::throttle() {
  const Ticket submitted = submitted_.load(std::memory_order_relaxed);
  if (submitted > kMostQueued) timeline_->wait(submitted - kMostQueued);
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
  closed_.store(true, std::memory_order_seq_cst);
  bool running;
  {
    std::lock_guard<std::mutex> lock(mutex_);
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
  std::vector<Item> batch;
  while (take(batch)) {
    for (Item& item : batch) run(item);
    batch.clear();
  }
  device_.forget(*this);
}

// Work came while the last batch ran: somebody is submitting right now. Taking it one by one would
// make both sides fight for the lock; a moment later there is more to take.
void Stream::let_work_gather() const {
  for (int i = 0; i < kGatherLooks; ++i) {
    const Ticket waiting = submitted_.load(std::memory_order_relaxed) - timeline_->completed();
    if (waiting == 0 || waiting >= kGathered || timeline_->somebody_waits()) return;
    // Looking too often would take the line away from the one who writes it.
    for (int pause = 0; pause < kPausesPerLook; ++pause) cpu_pause();
  }
}

// Waits for work. False when the stream is closed and drained.
bool Stream::take(std::vector<Item>& batch) {
  let_work_gather();
  while (true) {
    for (int i = 0; i < kSpins; ++i) {
      if (submitted_.load(std::memory_order_acquire) != timeline_->completed()) {
        if (i > 0) ensure_guard_installed();  // there was time to replace it
        std::lock_guard<std::mutex> lock(mutex_);
        batch.swap(queue_);
        return true;
      }
      if (closed_.load(std::memory_order_acquire)) break;
      cpu_pause();
    }
    if (closed_.load(std::memory_order_seq_cst) &&
        submitted_.load(std::memory_order_seq_cst) == timeline_->completed()) {
      return false;
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

void Stream::run(Item& item) {
  for (const Marker& marker : item.waits) marker.wait();
  look_after_guard();
  // Only copies are waited for to the end, see wait_for.
  const bool is_copy = std::holds_alternative<CopyWork>(item.work);
  if (is_copy) running_.store(item.ticket, std::memory_order_seq_cst);
  // After a fault the rest is dropped, host functions too: the device is gone.
  if (!device_lost()) {
    run_work(item.work,
             {device_.ordinal(), reinterpret_cast<uintptr_t>(handle_), item.operation_number});
  }
  if (auto* event = std::get_if<EventWork>(&item.work)) event->record->reached_ns = steady_ns();
  item.work = EmptyWork{};  // lets go of modules and staging memory before anyone is told
  if (is_copy) running_.store(0, std::memory_order_release);
  timeline_->complete(item.ticket);
}

}  // namespace greta::sim
