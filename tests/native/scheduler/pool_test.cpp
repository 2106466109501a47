// Stream-ordered memory from several threads: blocks change hands between streams all the time.
#include <vector>

#include "hip_check.h"

using namespace scheduler;

namespace {

constexpr size_t kBytes = 6000;

// Fills borrowed memory and copies it to where the host can check it.
void borrow_fill_return(Random& random, hipStream_t stream, unsigned char* result, int value) {
  void* memory = nullptr;
  const size_t bytes = kBytes - random.below(1500);
  HIP(hipMallocAsync(&memory, bytes, stream));
  HIP(hipMemsetAsync(memory, value, bytes, stream));
  HIP(hipMemcpyAsync(result, memory, bytes - 1, hipMemcpyDefault, stream));
  HIP(hipMemcpyAsync(result + kBytes - 1, result, 1, hipMemcpyDefault, stream));
  HIP(hipFreeAsync(memory, stream));
}

}  // namespace

TEST(borrowed_blocks_are_nobody_elses) {
  on_threads(kThreads, [](int thread) {
    Random random(static_cast<uint64_t>(thread) + 1);
    std::vector<Stream> streams(2);
    void* raw = nullptr;
    HIP(hipHostMalloc(&raw, kBytes, 0));
    auto* result = static_cast<unsigned char*>(raw);
    for (int i = 0; i < 150 * kRounds; ++i) {
      const Stream& stream = streams[random.below(2)];
      const int value = 1 + static_cast<int>(random.below(250));
      borrow_fill_return(random, stream, result, value);
      HIP(hipStreamSynchronize(stream));
      CHECK_EQUAL(int{result[0]}, value);
      CHECK_EQUAL(int{result[kBytes - 1]}, value);
      CHECK_EQUAL(int{result[4000]}, value);
    }
    HIP(hipHostFree(raw));
  });
}

TEST(blocks_are_reused_before_anybody_waits) {
  on_threads(kThreads, [](int thread) {
    Random random(static_cast<uint64_t>(thread) + 9);
    Stream stream;
    constexpr int kDepth = 20;
    void* raw = nullptr;
    HIP(hipHostMalloc(&raw, kDepth * kBytes, 0));
    auto* results = static_cast<unsigned char*>(raw);
    for (int round = 0; round < 10 * kRounds; ++round) {
      for (int i = 0; i < kDepth; ++i) {
        borrow_fill_return(random, stream, results + static_cast<size_t>(i) * kBytes, 1 + i);
      }
      HIP(hipStreamSynchronize(stream));
      for (int i = 0; i < kDepth; ++i) {
        CHECK_EQUAL(int{results[static_cast<size_t>(i) * kBytes + 4000]}, 1 + i);
      }
    }
    HIP(hipHostFree(raw));
  });
}

TEST(pools_are_made_trimmed_and_destroyed) {
  on_threads(kThreads, [](int) {
    for (int i = 0; i < 20 * kRounds; ++i) {
      hipMemPoolProps properties{};
      properties.allocType = hipMemAllocationTypePinned;
      properties.location = {hipMemLocationTypeDevice, 0};
      hipMemPool_t pool = nullptr;
      HIP(hipMemPoolCreate(&pool, &properties));
      uint64_t keep = UINT64_MAX;
      HIP(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
      Stream stream;
      void* memory = nullptr;
      HIP(hipMallocFromPoolAsync(&memory, kBytes, pool, stream));
      HIP(hipMemsetAsync(memory, i, kBytes, stream));
      HIP(hipFreeAsync(memory, stream));
      if (i % 3 == 0) HIP(hipStreamSynchronize(stream));
      if (i % 3 == 1) HIP(hipMemPoolTrimTo(pool, 0));
      HIP(hipMemPoolDestroy(pool));  // with or without its free reached
    }
  });
}

TEST(memory_moves_from_stream_to_stream_through_events) {
  on_threads(kThreads, [](int) {
    Stream maker, user;
    Event made, used;
    for (int i = 0; i < 100 * kRounds; ++i) {
      void* memory = nullptr;
      HIP(hipMallocAsync(&memory, kBytes, maker));
      HIP(hipMemsetAsync(memory, i & 0xff, kBytes, maker));
      after(user, maker, made);
      unsigned char seen[16] = {};
      HIP(hipMemcpyAsync(seen, static_cast<char*>(memory) + kBytes - 16, 16, hipMemcpyDefault,
                         user));
      CHECK_EQUAL(int{seen[15]}, i & 0xff);
      HIP(hipFreeAsync(memory, user));
      after(maker, user, used);
    }
  });
}
