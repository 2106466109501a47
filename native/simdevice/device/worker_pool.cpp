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
  if (door_.open(job)) return run_at_door(job);
  open(job);
  work_on(job);
  close(job);
}

void WorkerPool::run_at_door(Job* job) {
  announce();
  work_on(job);
  door_.close();
  const auto deserted = [this] { return door_.is_deserted(); };
  if (!spin_until(deserted)) {
    std::unique_lock<std::mutex> lock(mutex_);
    door_.owner_sleeps();
    work_ended_.wait(lock, deserted);
  }
  door_.set_free();
}

// Wakes one helper if any sleeps; each that comes wakes the next while there is work. In one order
// with a helper's falling asleep: either we see that it sleeps, or it sees that work came.
void WorkerPool::announce() {
  arrivals_.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_seq_cst) == 0) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
  }  // a helper that was about to sleep, does
  work_came_.notify_one();
}

void WorkerPool::expect_work() {
  if (helpers_ == 0) return;
  std::call_once(started_, [this] { start_helpers(); });
  announce();
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
    wake = sleeping_.load(std::memory_order_relaxed) > 0;
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
  awake_.fetch_add(1, std::memory_order_relaxed);
  uint32_t helped = arrivals_.load(std::memory_order_relaxed) - 1;
  for (;;) {
    // Before looking: what comes while we look is then not missed.
    const uint32_t seen = arrivals_.load(std::memory_order_acquire);
    if (seen != helped) help_at_door();  // not twice for the same arrival
    helped = seen;
    if (help_in_list() || watch_for_work(seen)) continue;
    sleep_until_work_comes(seen);
    ensure_guard_installed();
  }
}

void WorkerPool::help_at_door() {
  Job* job = door_.enter();
  if (job == nullptr) return;
  if (sleeping_.load(std::memory_order_relaxed) > 0 && job->has_work()) work_came_.notify_one();
  work_on(job);
  if (!door_.leave()) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
  }  // the owner has begun to wait
  work_ended_.notify_all();
}

// False if no job of the list has work left.
bool WorkerPool::help_in_list() {
  std::unique_lock<std::mutex> lock(mutex_);
  Job* job = find_job();
  if (job == nullptr) return false;
  job->helpers.fetch_add(1, std::memory_order_relaxed);
  const bool wake = sleeping_.load(std::memory_order_relaxed) > 0;
  lock.unlock();
  if (wake) work_came_.notify_one();
  work_on(job);
  lock.lock();
  if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) work_ended_.notify_all();
  return true;
}

bool WorkerPool::watch_for_work(uint32_t seen) const {
  return spin_until([&] { return arrivals_.load(std::memory_order_acquire) != seen; });
}

void WorkerPool::sleep_until_work_comes(uint32_t seen) {
  awake_.fetch_sub(1, std::memory_order_relaxed);
  std::unique_lock<std::mutex> lock(mutex_);
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  work_came_.wait(lock, [&] { return arrivals_.load(std::memory_order_seq_cst) != seen; });
  sleeping_.fetch_sub(1, std::memory_order_relaxed);
  awake_.fetch_add(1, std::memory_order_relaxed);
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
