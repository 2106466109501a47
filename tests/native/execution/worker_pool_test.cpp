#include "device/worker_pool.h"

#include <time.h>

#include <chrono>
#include <thread>
#include <vector>

#include "check.h"

namespace greta::sim {
namespace {

TEST(parallel_for_covers_every_index_once) {
  for (uint64_t count : {0, 1, 2, 7, 1000, 100000}) {
    for (uint64_t piece : {1, 3, 64, 1000000}) {
      std::vector<std::atomic<int>> visits(count);
      WorkerPool::instance().parallel_for(count, piece, [&](uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) visits[i].fetch_add(1, std::memory_order_relaxed);
      });
      for (const std::atomic<int>& visit : visits) CHECK_EQUAL(visit.load(), 1);
    }
  }
}

// Plain memory: what a helper wrote must be visible to the caller, and the other way round.
TEST(parallel_for_orders_memory) {
  std::vector<int> values(10000);
  for (int round = 0; round < 200; ++round) {
    WorkerPool::instance().parallel_for(values.size(), 100, [&](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; ++i) values[i] += 1;
    });
  }
  for (int value : values) CHECK_EQUAL(value, 200);
}

TEST(parallel_for_serves_several_callers) {
  std::vector<std::thread> callers;
  std::atomic<uint64_t> total{0};
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&total] {
      for (int round = 0; round < 300; ++round) {
        WorkerPool::instance().parallel_for(50, 1, [&](uint64_t begin, uint64_t end) {
          total.fetch_add(end - begin, std::memory_order_relaxed);
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK_EQUAL(total.load(), uint64_t{6 * 300 * 50});
}

TEST(parallel_for_nests) {
  std::atomic<uint64_t> total{0};
  WorkerPool::instance().parallel_for(20, 1, [&](uint64_t, uint64_t) {
    WorkerPool::instance().parallel_for(20, 1, [&](uint64_t, uint64_t) { total++; });
  });
  CHECK_EQUAL(total.load(), uint64_t{400});
}

TEST(an_idle_pool_uses_no_cpu) {
  WorkerPool::instance().parallel_for(1000, 1, [](uint64_t, uint64_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const clock_t before = clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double used_ms = 1000.0 * static_cast<double>(clock() - before) / CLOCKS_PER_SEC;
  CHECK(used_ms < 20);
}

}  // namespace
}  // namespace greta::sim
