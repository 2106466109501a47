// The machine's cores, for work that can be cut into pieces.
//
// Any number of threads may call parallel_for at once; each takes part in its own work, and the
// pool's helper threads join where there is something left to do. The first job stands at a door
// that helpers pass without a lock (job_door.h); those that come while it is taken are in a list.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <type_traits>

#include "device/job_door.h"

namespace greta::sim {

class WorkerPool {
 public:
  // Started when first needed, never ended: helpers may be at work while the process exits.
  static WorkerPool& instance();

  // How many threads may work on one call, the caller included. The number of cores this process
  // may use, or GRETA_SIM_THREADS.
  unsigned concurrency() const { return helpers_ + 1; }

  // True if a helper is awake: then sharing costs a microsecond, else fifty.
  bool is_awake() const { return awake_.load(std::memory_order_relaxed) != 0; }

  // Wakes a helper if one sleeps, for work that is about to come.
  void expect_work();

  // Calls body(begin, end) for consecutive pieces of [0, count), at most `piece` long, on the
  // calling thread and on helpers; returns when all are done. Pieces begin in ascending order.
  template <typename Body>
  void parallel_for(uint64_t count, uint64_t piece, Body&& body) {
    using Stored = std::remove_reference_t<Body>;
    Job job;
    job.count = count;
    job.piece = piece;
    job.body = const_cast<void*>(static_cast<const void*>(&body));
    job.call = [](void* stored, uint64_t begin, uint64_t end) {
      (*static_cast<Stored*>(stored))(begin, end);
    };
    run(&job);
  }

 private:
  struct Job {
    uint64_t count = 0;
    uint64_t piece = 1;
    void* body = nullptr;
    void (*call)(void*, uint64_t, uint64_t) = nullptr;

    std::atomic<uint64_t> next{0};
    std::atomic<unsigned> helpers{0};  // at work on it; changed under the pool's mutex
    Job* next_open = nullptr;          // the list of open jobs, under the mutex

    bool has_work() const { return next.load(std::memory_order_relaxed) < count; }
  };

  WorkerPool();
  static void work_on(Job* job);
  [[noreturn]] void help_forever();
  void help_at_door();
  bool help_in_list();
  bool watch_for_work(uint32_t seen) const;
  void sleep_until_work_comes(uint32_t seen);

  void run(Job* job);
  void start_helpers();
  void run_at_door(Job* job);
  void announce();
  void open(Job* job);
  void close(Job* job);
  void wait_for_helpers(Job* job);
  Job* find_job() const;

  const unsigned helpers_;
  std::once_flag started_;

  mutable std::mutex mutex_;
  std::condition_variable work_came_;
  std::condition_variable work_ended_;
  Job* open_jobs_ = nullptr;
  std::atomic<unsigned> sleeping_{0};  // changed under the mutex
  JobDoor<Job> door_;
  // How often work came; lets helpers notice without taking the mutex.
  std::atomic<uint32_t> arrivals_{0};
  std::atomic<unsigned> awake_{0};  // helpers at work or looking out for it
};

}  // namespace greta::sim
