#include "device/worker_pool.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "device/guard.h"
#include "device/worker_thread.h"
#include "environment.h"

namespace greta::sim {
namespace {

// A sleeping helper takes some 50 us to come; back-to-back launches are closer than that, so it is
// worth looking out for a moment. Longer than this, an idle process would waste its cores.
constexpr int64_t kSpinNanoseconds = 30'000;
constexpr int kPausesPerLook = 32;

int64_t now_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Calls `done` again and again, for as long as spinning pays. Returns what it last said.
template <typename Done>
bool spin_until(Done&& done) {
  const int64_t deadline = now_nanoseconds() + kSpinNanoseconds;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (done()) return true;
      __builtin_ia32_pause();
    }
  } while (now_nanoseconds() < deadline);
  return done();
}

unsigned usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

unsigned chosen_helpers() {
  constexpr long kMost = 1024;
  const long threads = number_variable("GRETA_SIM_THREADS", 1, kMost, usable_cores());
  return static_cast<unsigned>(threads) - 1;
}

}  // namespace

WorkerPool& WorkerPool::instance() {
  static auto* const pool = new WorkerPool;
  return *pool;
}

WorkerPool::WorkerPool() : helpers_(chosen_helpers()) {}

void WorkerPool::run(Job* job) {
  const bool alone = helpers_ == 0 || job->count <= job->piece;
  if (alone) return work_on(job);
  std::call_once(started_, [this] { start_helpers(); });
  open(job);
  work_on(job);
  close(job);
}

void WorkerPool::work_on(Job* job) {
  for (;;) {
    const uint64_t begin = job->next.fetch_add(job->piece, std::memory_order_relaxed);
    if (begin >= job->count) return;
    job->call(job->body, begin, std::min(begin + job->piece, job->count));
  }
}

// Wakes one helper; each that comes wakes the next while there is work, so that the caller, who
// has work of his own, pays for one only.
void WorkerPool::open(Job* job) {
  bool wake;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    job->next_open = open_jobs_;
    open_jobs_ = job;
    wake = sleeping_ > 0;
    arrivals_.fetch_add(1, std::memory_order_release);
  }
  if (wake) work_came_.notify_one();
}

void WorkerPool::close(Job* job) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Job** link = &open_jobs_;
    while (*link != job) link = &(*link)->next_open;
    *link = job->next_open;
  }
  wait_for_helpers(job);
}

// No helper can join any more. The job lives on our stack, so none may be left when we return.
void WorkerPool::wait_for_helpers(Job* job) {
  const auto deserted = [job] { return job->helpers.load(std::memory_order_acquire) == 0; };
  if (spin_until(deserted)) {
    // The last helper let go of the job inside the mutex; nothing of the job is touched after it.
    return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  work_ended_.wait(lock, deserted);
}

WorkerPool::Job* WorkerPool::find_job() const {
  Job* job = open_jobs_;
  while (job != nullptr && !job->has_work()) job = job->next_open;
  return job;
}

void WorkerPool::help_forever() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    Job* job = find_job();
    if (job == nullptr) {
      const uint32_t seen = arrivals_.load(std::memory_order_relaxed);
      lock.unlock();
      const auto work_came = [&] { return arrivals_.load(std::memory_order_acquire) != seen; };
      const bool came = spin_until(work_came);
      lock.lock();
      if (came) continue;
      ++sleeping_;
      work_came_.wait(lock, [this] { return find_job() != nullptr; });
      --sleeping_;
      ensure_guard_installed();
      continue;
    }
    job->helpers.fetch_add(1, std::memory_order_relaxed);
    const bool wake = sleeping_ > 0;
    lock.unlock();
    if (wake) work_came_.notify_one();
    work_on(job);
    lock.lock();
    if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) work_ended_.notify_all();
  }
}

void WorkerPool::start_helpers() {
  for (unsigned i = 0; i < helpers_; ++i) {
    const auto body = [](void* pool) { static_cast<WorkerPool*>(pool)->help_forever(); };
    pthread_t thread;
    if (!start_worker_thread("greta-sim-pool", body, this, &thread)) return;  // then with fewer
    pthread_detach(thread);
  }
}

}  // namespace greta::sim
