// A stream: a queue of work and a thread of its own that runs it in order.
//
// Every stream has its own thread, where hardware shares a few queues among all streams: two
// streams are never in order by accident, so a missing synchronization shows. Work waits for what
// was submitted before it, never for what comes later, so waits cannot form a circle.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "device/timeline.h"
#include "device/work.h"
#include "device/work_queue.h"

namespace greta::sim {

class Device;
struct CaptureSequence;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Role { ordinary, legacy_default, per_thread_default };

  Stream(Device& device, Role role, unsigned flags, int priority);

  Device& device() const { return device_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }
  Role role() const { return role_; }
  // Takes part in the rules of the legacy default stream.
  bool is_blocking() const { return (flags_ & hipStreamNonBlocking) == 0; }
  // What the program has set and may ask for; it changes nothing here.
  struct Settings {
    std::mutex mutex;
    std::vector<uint32_t> compute_units;                // a mask; empty: all
    std::map<int, hipLaunchAttributeValue> attributes;  // by hipLaunchAttributeID
  };
  Settings settings;

  void set_handle(hipStream_t handle) { handle_ = handle; }
  hipStream_t handle() const { return handle_; }
  WorkPlace place(uint64_t operation_number) const;

  // Queues the work behind everything submitted so far, after `wait` and the default-stream
  // barriers. Returns at once.
  Marker submit(Work&& work, const Marker& wait = {});
  // A launch, built in place in the queue: the call that must be cheap.
  void submit(KernelWork&& work);
  // The same, and `record` becomes the marker of what was submitted before anyone can see it.
  void submit_record(const std::shared_ptr<EventRecord>& record);

  // Waits for work that uses memory of the caller. Unlike the marker's own wait it does not leave
  // it running when a fault elsewhere ends all waits: what has begun is waited for, the rest is
  // dropped.
  void wait_for(const Marker& marker) const;

  Marker last() const;
  // Waits for all that was submitted; for the default stream also for all blocking streams.
  void synchronize() const;
  bool idle() const;
  // The program gave up its handle. What is queued still runs.
  void close();

  // Guarded by the capture mutex (capture.h); the flag alone may be read without it.
  std::atomic<bool> capturing{false};
  std::shared_ptr<CaptureSequence> capture;

 private:
  // One cache line: launches in place, other work behind a pointer.
  struct alignas(64) Item {
    uint64_t operation_number;
    std::variant<std::unique_ptr<Work>, KernelWork> work;

    Item(uint64_t number, Work&& some)
        : operation_number(number), work(std::make_unique<Work>(std::move(some))) {}
    Item(uint64_t number, KernelWork&& kernel)
        : operation_number(number), work(std::move(kernel)) {}
  };
  static_assert(sizeof(Item) == 64);

  // Who submitted what is queued, by ticket. Beside the queue, whose entries are to stay small;
  // there only if calls are recorded. Longer than the queue can be.
  static constexpr Ticket kSubmitters = Ticket{1} << 18;
  struct Submitters {
    greta_call call[kSubmitters];
  };
  struct FreeMemory {
    void operator()(Submitters* memory) const { std::free(memory); }
  };
  void note_submitter(Ticket ticket);
  greta_call submitter_of(Ticket ticket) const {
    return submitters_ ? submitters_->call[ticket % kSubmitters] : greta_call{};
  }

  template <typename SomeWork>
  Ticket enqueue(SomeWork&& work, const Marker& wait, EventRecord* record);
  void start_worker();
  void wake_worker();
  void run_until_closed();
  Ticket wait_for_work();
  void let_work_gather() const;
  bool submitter_needs_this_cpu() const;
  void sleep_until_work();
  void run(const Item& item, Ticket ticket);
  void run_boxed(const Work& work, const WorkPlace& place, Ticket ticket);
  void throttle();

  Device& device_;
  const Role role_;
  const unsigned flags_;
  const int priority_;
  const uint64_t id_;
  hipStream_t handle_ = nullptr;

  std::shared_ptr<Timeline> timeline_ = std::make_shared<Timeline>();
  WorkQueue<Item> queue_;
  std::unique_ptr<Submitters, FreeMemory> submitters_;
  std::mutex mutex_;  // held to submit, never to run
  bool started_ = false;
  std::atomic<Ticket> seen_completed_{0};  // at least so far has the worker come
  // Apart from the lock: the worker looks here while others submit.
  alignas(64) std::atomic<Ticket> submitted_{0};
  std::atomic<int> submitter_cpu_{-1};
  // Read by both sides all the time, hardly ever written.
  alignas(64) std::atomic<bool> asleep_{false};
  std::atomic<bool> closed_{false};
  std::atomic<uint32_t> signal_{0};
  std::atomic<Ticket> running_{0};  // what the worker is at, if it is a copy
};

using StreamRef = std::shared_ptr<Stream>;

}  // namespace greta::sim
