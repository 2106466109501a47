// What running kernels costs. Prints numbers, asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "device/executor.h"
#include "device/fiber.h"
#include "device/guard.h"
#include "device/worker_pool.h"
#include "hand_kernel.h"

namespace greta::sim {
namespace {

// The best of several rounds: the machine is shared.
template <typename Body>
double nanoseconds_each(int repetitions, Body&& body) {
  double best = 1e30;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repetitions; ++i) body();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / repetitions);
  }
  return best;
}

struct Arguments {
  int barriers;
};
void do_nothing(HandThread&, Arguments&) {}
void wait_often(HandThread& thread, Arguments& arguments) {
  for (int i = 0; i < arguments.barriers; ++i) thread.sync();
}
void vote_often(HandThread& thread, Arguments& arguments) {
  for (int i = 0; i < arguments.barriers; ++i) thread.exchange(1, 0);
}

template <void (*body)(HandThread&, Arguments&)>
class Launcher {
 public:
  Launcher(uint32_t blocks, uint32_t threads, int barriers) : arguments_{barriers} {
    kernel_.name = "benchmark";
    kernel_.entry = hand_entry<Arguments, body>;
    launch_.kernel = &kernel_;
    launch_.grid = {blocks, 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.kernarg = &arguments_;
  }
  void operator()() { execute(launch_); }

 private:
  Arguments arguments_;
  Kernel kernel_;
  KernelLaunch launch_;
};

struct PingPong {
  ThreadContinuation home;
  Fiber* fiber = nullptr;
};
void pong(void* raw) {
  auto* both = static_cast<PingPong*>(raw);
  for (;;) switch_continuation(*both->fiber, both->home);
}

void measure_switches() {
  PingPong both;
  Fiber fiber(pong, &both);
  both.fiber = &fiber;
  both.home.prepare();
  const double round_trip =
      nanoseconds_each(100000, [&] { switch_continuation(both.home, fiber); });
  std::printf("fiber switch                        %8.1f ns\n", round_trip / 2);
  std::printf("guarded call                        %8.1f ns\n",
              nanoseconds_each(100000, [] { run_guarded([] {}); }));
}

void measure_launches() {
  std::printf("empty launch, 1 block, 1 thread     %8.1f ns\n",
              nanoseconds_each(20000, Launcher<do_nothing>(1, 1, 0)));
  std::printf("empty launch, 1 block, 256 threads  %8.1f ns\n",
              nanoseconds_each(20000, Launcher<do_nothing>(1, 256, 0)));
  for (uint32_t blocks : {2u, 16u, 64u, 256u, 1024u, 16384u}) {
    std::printf("empty launch, %5u blocks of 64      %7.1f ns, per block %.1f ns\n", blocks,
                nanoseconds_each(200, Launcher<do_nothing>(blocks, 64, 0)),
                nanoseconds_each(200, Launcher<do_nothing>(blocks, 64, 0)) / blocks);
  }
}

template <void (*body)(HandThread&, Arguments&)>
void measure_waiting(const char* what) {
  constexpr int kWaits = 100;
  for (uint32_t threads : {64u, 256u, 1024u}) {
    const double with = nanoseconds_each(20, Launcher<body>(1, threads, kWaits + 1));
    const double one = nanoseconds_each(20, Launcher<body>(1, threads, 1));
    std::printf("%-18s %4u threads        %8.1f ns per thread, first %.1f ns\n", what, threads,
                (with - one) / kWaits / threads, one / threads);
  }
}

void measure_pool() {
  WorkerPool& pool = WorkerPool::instance();
  const double back_to_back =
      nanoseconds_each(2000, [&] { pool.parallel_for(2, 1, [](uint64_t, uint64_t) {}); });
  std::printf("parallel_for, back to back          %8.1f ns (%u threads)\n", back_to_back,
              pool.concurrency());
  double sleeping = 1e30;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto start = std::chrono::steady_clock::now();
    pool.parallel_for(2, 1, [](uint64_t, uint64_t) {});
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    sleeping = std::min(sleeping, took.count());
  }
  std::printf("parallel_for, helpers asleep        %8.1f ns\n", sleeping);
}

}  // namespace
}  // namespace greta::sim

int main() {
  using namespace greta::sim;
  measure_switches();
  measure_launches();
  measure_waiting<wait_often>("block barrier");
  measure_waiting<vote_often>("wave operation");
  measure_pool();
}
