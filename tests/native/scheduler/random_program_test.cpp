// Threads that each run a random program on streams of their own, and check every byte. What they
// share is the device: its memory, its pools, its default stream, its address map.
#include <cstring>
#include <vector>

#include "hip_check.h"

using namespace scheduler;

namespace {

constexpr size_t kBytes = 3000;
constexpr size_t kBuffers = 5;
constexpr size_t kStreams = 3;

struct Buffer {
  unsigned char* memory = nullptr;
  std::vector<unsigned char> expected = std::vector<unsigned char>(kBytes);
  size_t last_stream = 0;  // whose work touched it last
  bool pinned = false;
};

class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed), streams_(kStreams), buffers_(kBuffers) {
    for (Buffer& buffer : buffers_) {
      buffer.pinned = random_.below(3) == 0;
      void* memory = nullptr;
      if (buffer.pinned) {
        HIP(hipHostMalloc(&memory, kBytes, 0));
      } else {
        HIP(hipMalloc(&memory, kBytes));
      }
      buffer.memory = static_cast<unsigned char*>(memory);
      fill(buffer);
    }
  }

  ~Program() {
    for (Buffer& buffer : buffers_) HIP(hipFree(buffer.memory));
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
    for (Buffer& buffer : buffers_) download(buffer);
  }

 private:
  void step() {
    Buffer& buffer = any();
    switch (random_.below(10)) {
      case 0:
      case 1:
        return fill(buffer);
      case 2:
      case 3:
      case 4:
        return copy(buffer, any());
      case 5:
        return upload(buffer);
      case 6:
        return download(buffer);
      case 7:
        return touch_from_host(buffer);
      case 8:
        return look_around(buffer);
      default:
        HIP(hipStreamSynchronize(streams_[random_.below(kStreams)]));
    }
  }

  Buffer& any() { return buffers_[random_.below(kBuffers)]; }

  // A stream for work on the buffer, in order with what was done to it before.
  hipStream_t stream_for(Buffer& buffer) {
    const size_t chosen = random_.below(kStreams);
    if (chosen != buffer.last_stream) {
      after(streams_[chosen], streams_[buffer.last_stream], events_[random_.below(2)]);
      buffer.last_stream = chosen;
    }
    return streams_[chosen];
  }

  void fill(Buffer& buffer) {
    const auto value = static_cast<unsigned char>(random_.below(256));
    HIP(hipMemsetAsync(buffer.memory, value, kBytes, stream_for(buffer)));
    std::fill(buffer.expected.begin(), buffer.expected.end(), value);
  }

  void copy(Buffer& to, Buffer& from) {
    if (&to == &from) return;
    hipStream_t stream = stream_for(to);
    if (from.last_stream != to.last_stream) {
      after(stream, streams_[from.last_stream], events_[2]);
      from.last_stream = to.last_stream;
    }
    const size_t bytes = 1 + random_.below(kBytes);
    HIP(hipMemcpyAsync(to.memory, from.memory, bytes, hipMemcpyDefault, stream));
    std::copy_n(from.expected.begin(), bytes, to.expected.begin());
  }

  void upload(Buffer& buffer) {
    for (unsigned char& byte : buffer.expected)
      byte = static_cast<unsigned char>(random_.below(256));
    std::vector<unsigned char> source = buffer.expected;
    HIP(hipMemcpyAsync(buffer.memory, source.data(), kBytes, hipMemcpyDefault, stream_for(buffer)));
    std::fill(source.begin(), source.end(), 0xee);
  }

  void download(Buffer& buffer) {
    std::vector<unsigned char> seen(kBytes);
    HIP(hipMemcpyAsync(seen.data(), buffer.memory, kBytes, hipMemcpyDefault, stream_for(buffer)));
    CHECK(seen == buffer.expected);
  }

  void touch_from_host(Buffer& buffer) {
    if (!buffer.pinned) return;
    HIP(hipEventRecord(events_[3], streams_[buffer.last_stream]));
    HIP(hipEventSynchronize(events_[3]));
    CHECK(std::memcmp(buffer.memory, buffer.expected.data(), kBytes) == 0);
    buffer.memory[random_.below(kBytes)] = 1;
    std::copy_n(buffer.memory, kBytes, buffer.expected.begin());
  }

  // Calls that look things up while other threads change them.
  void look_around(Buffer& buffer) {
    hipPointerAttribute_t attributes;
    HIP(hipPointerGetAttributes(&attributes, buffer.memory + 7));
    hipDeviceptr_t base = nullptr;
    size_t bytes = 0;
    HIP(hipMemGetAddressRange(&base, &bytes, buffer.memory + random_.below(kBytes)));
    CHECK_EQUAL(bytes, kBytes);
    HIP(hipMemGetInfo(&bytes, nullptr));
    const hipError_t busy = hipStreamQuery(streams_[random_.below(kStreams)]);
    CHECK(busy == hipSuccess || busy == hipErrorNotReady);
  }

  Random random_;
  std::vector<Stream> streams_;
  Event events_[4];
  std::vector<Buffer> buffers_;
};

}  // namespace

TEST(random_programs_of_several_threads_are_right) {
  on_threads(kThreads, [](int thread) {
    for (int round = 0; round < 2 * kRounds; ++round) {
      Program(static_cast<uint64_t>(thread * 1000 + round)).run(200);
    }
  });
}

TEST(random_programs_beside_a_busy_default_stream_are_right) {
  on_threads(kThreads, [](int thread) {
    if (thread == 0) {
      std::vector<unsigned char> source(5000, 7), seen(5000);
      void* memory = nullptr;
      HIP(hipMalloc(&memory, source.size()));
      for (int i = 0; i < 100 * kRounds; ++i) {
        HIP(hipMemcpy(memory, source.data(), source.size(), hipMemcpyHostToDevice));
        HIP(hipMemcpy(seen.data(), memory, seen.size(), hipMemcpyDeviceToHost));
        CHECK(seen == source);
        source[static_cast<size_t>(i) % source.size()] ^= 0x55;
      }
      HIP(hipFree(memory));
    } else {
      Program(static_cast<uint64_t>(5000 + thread)).run(200 * kRounds);
    }
  });
}
