// Calls HIP on several threads as fast as it can, and counts the calls that have returned in memory
// that outlives it. After a while it dies in the way it is told to, unless it is killed before.
//   hammer COUNTERS_FILE THREADS segv|abort|wait
#include <fcntl.h>
#include <hip/hip_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

struct alignas(64) Counter {
  std::atomic<uint64_t> finished;
  std::atomic<uint64_t> thread_id;
};

void hammer(Counter* counter) {
  counter->thread_id = static_cast<uint64_t>(gettid());
  hipStream_t stream;
  hipStreamCreate(&stream);
  counter->finished.fetch_add(1);
  for (;;) {
    hipStreamQuery(stream);
    counter->finished.fetch_add(1);
    hipGetLastError();
    counter->finished.fetch_add(1);
  }
}

}  // namespace

int main(int, char** arguments) {
  const int file = open(arguments[1], O_RDWR);
  const auto threads = static_cast<size_t>(std::atoi(arguments[2]));
  void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  auto* counters = static_cast<Counter*>(shared);
  std::vector<std::thread> running;
  for (size_t i = 0; i < threads; ++i) running.emplace_back(hammer, &counters[i]);
  while (counters[threads - 1].finished < 100) usleep(100);
  std::puts("ready");
  std::fflush(stdout);
  char line[16];
  if (read(0, line, sizeof line) <= 0) return 1;
  if (std::strcmp(arguments[3], "segv") == 0) *reinterpret_cast<volatile int*>(8) = 1;
  if (std::strcmp(arguments[3], "abort") == 0) std::abort();
  for (;;) pause();
}
