// Each thread uploads its share of a table through its own default stream.
#include <thread>

#include "gpu.h"

int main() {
  constexpr int threads = 4;
  constexpr size_t share = 4096;
  char *table = nullptr, *pinned = nullptr;
  OK(hipMalloc(reinterpret_cast<void **>(&table), threads * share));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), threads * share, 0));
  OK(hipMemset(table, 0, threads * share));
  OK(hipDeviceSynchronize());
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([=] {
      const size_t bytes = i == 3 ? share - 256 : share;
      OK(hipMemcpyAsync(table + i * share, pinned, bytes, hipMemcpyHostToDevice,
                        hipStreamPerThread));
    });
    workers.back().join();
  }
  OK(hipDeviceSynchronize());
  std::vector<char> host(threads * share);
  OK(hipMemcpy(host.data(), table, host.size(), hipMemcpyDeviceToHost));
  return 0;
}
