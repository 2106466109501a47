// Streams, events, memory and modules that come and go from several threads at once.
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "device/code_seal.h"
#include "hip_check.h"

using namespace scheduler;

namespace {

void increment(void* counter) { ++*static_cast<int*>(counter); }

// The code object that the tests of kernels use, with the seal that hipRTC would give it.
const std::vector<unsigned char>& sample_code_object() {
  static const std::vector<unsigned char> sealed = [] {
    std::ifstream file(SAMPLE_CODE_OBJECT, std::ios::binary);
    std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
    greta::sim::seal_code_object(bytes.data(), bytes.size());
    return bytes;
  }();
  return sealed;
}

hipFunction_t load_add(hipModule_t* module) {
  hipFunction_t function = nullptr;
  HIP(hipModuleLoadData(module, sample_code_object().data()));
  HIP(hipModuleGetFunction(&function, *module, "add"));
  return function;
}

void launch_add(hipFunction_t add, int* out, int value, unsigned threads, hipStream_t stream) {
  void* arguments[] = {&out, &value};
  HIP(hipModuleLaunchKernel(add, 1, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}

}  // namespace

TEST(streams_destroyed_with_work_finish_it) {
  on_threads(kThreads, [](int thread) {
    std::vector<int> counters(40 * kRounds, 0);
    for (int& counter : counters) {
      Stream stream(thread % 2 ? hipStreamNonBlocking : hipStreamDefault);
      for (int i = 0; i < 5; ++i) HIP(hipLaunchHostFunc(stream, increment, &counter));
    }
    HIP(hipDeviceSynchronize());
    for (int counter : counters) CHECK_EQUAL(counter, 5);
  });
}

TEST(events_may_go_while_streams_wait_for_them) {
  on_threads(kThreads, [](int) {
    Stream first, second;
    int counter = 0;
    for (int i = 0; i < 100 * kRounds; ++i) {
      Event event;
      HIP(hipLaunchHostFunc(first, increment, &counter));
      after(second, first, event);
      Event back;
      HIP(hipLaunchHostFunc(second, increment, &counter));
      after(first, second, back);
    }
    HIP(hipStreamSynchronize(first));
    CHECK_EQUAL(counter, 200 * kRounds);
  });
}

TEST(one_event_recorded_by_all) {
  Event event;
  on_threads(kThreads, [&](int) {
    Stream stream;
    for (int i = 0; i < 200 * kRounds; ++i) {
      HIP(hipEventRecord(event, stream));
      HIP(hipStreamWaitEvent(stream, event, 0));
      const hipError_t state = hipEventQuery(event);
      CHECK(state == hipSuccess || state == hipErrorNotReady);
      if (i % 50 == 0) HIP(hipEventSynchronize(event));
    }
  });
  HIP(hipDeviceSynchronize());
}

TEST(memory_comes_and_goes) {
  on_threads(kThreads, [](int thread) {
    Random random(static_cast<uint64_t>(thread) + 77);
    for (int i = 0; i < 60 * kRounds; ++i) {
      const size_t bytes = 1 + random.below(20000);
      const bool pinned = random.below(2) == 0;
      void* memory = nullptr;
      if (pinned) {
        HIP(hipHostMalloc(&memory, bytes, 0));
      } else {
        HIP(hipMalloc(&memory, bytes));
      }
      HIP(hipMemset(memory, thread, bytes));
      std::vector<unsigned char> seen(bytes);
      HIP(hipMemcpy(seen.data(), memory, bytes, hipMemcpyDeviceToHost));
      CHECK(seen.front() == thread && seen.back() == thread);
      if (pinned) {
        HIP(hipHostFree(memory));
      } else {
        HIP(hipFree(memory));
      }
    }
  });
}

TEST(host_memory_is_registered_and_given_back) {
  on_threads(kThreads, [](int thread) {
    Stream stream;
    std::vector<unsigned char> memory(9000);
    for (int i = 0; i < 50 * kRounds; ++i) {
      HIP(hipHostRegister(memory.data(), memory.size(), 0));
      HIP(hipMemsetAsync(memory.data(), thread + 1, memory.size(), stream));
      HIP(hipHostUnregister(memory.data()));  // waits
      CHECK_EQUAL(int{memory[8999]}, thread + 1);
      memory[8999] = 0;
    }
  });
}

TEST(modules_are_loaded_used_and_unloaded) {
  on_threads(kThreads, [](int) {
    Stream stream;
    void* raw = nullptr;
    HIP(hipHostMalloc(&raw, 64 * sizeof(int), 0));
    int* numbers = static_cast<int*>(raw);
    std::memset(numbers, 0, 64 * sizeof(int));
    for (int i = 1; i <= 8 * kRounds; ++i) {
      hipModule_t module = nullptr;
      const hipFunction_t add = load_add(&module);
      launch_add(add, numbers, 1, 64, stream);
      launch_add(add, numbers, 2, 64, stream);
      HIP(hipStreamSynchronize(stream));
      CHECK_EQUAL(numbers[0], 3 * i);
      CHECK_EQUAL(numbers[63], 3 * i);
      HIP(hipModuleUnload(module));
    }
    HIP(hipHostFree(raw));
  });
}

TEST(kernels_of_many_streams_share_the_workers) {
  hipModule_t module = nullptr;
  const hipFunction_t add = load_add(&module);
  on_threads(kThreads, [&](int) {
    std::vector<Stream> streams(3);
    void* raw = nullptr;
    HIP(hipMalloc(&raw, 3 * 256 * sizeof(int)));
    HIP(hipMemset(raw, 0, 3 * 256 * sizeof(int)));
    HIP(hipDeviceSynchronize());
    int* numbers = static_cast<int*>(raw);
    for (int i = 0; i < 100 * kRounds; ++i) {
      for (size_t s = 0; s < streams.size(); ++s)
        launch_add(add, numbers + 256 * s, 1, 256, streams[s]);
    }
    for (const Stream& stream : streams) HIP(hipStreamSynchronize(stream));
    std::vector<int> seen(3 * 256);
    HIP(hipMemcpy(seen.data(), raw, seen.size() * sizeof(int), hipMemcpyDeviceToHost));
    for (int number : seen) CHECK_EQUAL(number, 100 * kRounds);
    HIP(hipFree(raw));
  });
  HIP(hipModuleUnload(module));
}

TEST(errors_of_one_thread_are_its_own) {
  on_threads(kThreads, [](int thread) {
    for (int i = 0; i < 200 * kRounds; ++i) {
      if (thread % 2) {
        CHECK_EQUAL(hipMalloc(nullptr, 1), hipErrorInvalidValue);
        CHECK_EQUAL(hipGetLastError(), hipErrorInvalidValue);
      }
      CHECK_EQUAL(hipPeekAtLastError(), hipSuccess);
    }
  });
}
