// Threads that take turns under a lock, each call carrying the number of its turn: as the value of
// a fill on one of two streams.  ordered TURNS
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int turns = std::atoi(arguments[1]);
  hipStream_t streams[2];
  for (hipStream_t& stream : streams) hipStreamCreate(&stream);
  void* memory;
  hipMalloc(&memory, 64);
  std::mutex mutex;
  int turn = 0;
  const auto play = [&] {
    for (;;) {
      std::lock_guard<std::mutex> lock(mutex);
      if (turn == turns) return;
      hipMemsetD32Async(memory, turn, 1, streams[turn % 2]);
      ++turn;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(play);
  for (std::thread& thread : threads) thread.join();
  return hipDeviceSynchronize();
}
