// HIP calls that must succeed, things that clean up after themselves, and threads that work
// together.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

// Reports the first failures and goes on.
#define HIP(call)                                                                   \
  do {                                                                              \
    const hipError_t hip_result = (call);                                           \
    if (hip_result != hipSuccess)                                                   \
      check::report_failure(__FILE__, __LINE__,                                     \
                            #call ": " + std::string(hipGetErrorName(hip_result))); \
  } while (false)

namespace scheduler {

// How much work a test does. Enough to meet on two slow cores, also under a sanitizer.
constexpr int kRounds = 4;
constexpr int kThreads = 4;

// A small generator with a seed: every run does the same.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t below(uint32_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_;
};

class Stream {
 public:
  explicit Stream(unsigned flags = hipStreamNonBlocking) {
    HIP(hipStreamCreateWithFlags(&handle_, flags));
  }
  Stream(const Stream&) = delete;
  Stream(Stream&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  ~Stream() {
    if (handle_) HIP(hipStreamDestroy(handle_));
  }
  operator hipStream_t() const { return handle_; }

 private:
  hipStream_t handle_ = nullptr;
};

class Event {
 public:
  Event() { HIP(hipEventCreateWithFlags(&handle_, hipEventDisableTiming)); }
  Event(const Event&) = delete;
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  ~Event() {
    if (handle_) HIP(hipEventDestroy(handle_));
  }
  operator hipEvent_t() const { return handle_; }

 private:
  hipEvent_t handle_ = nullptr;
};

inline void after(hipStream_t later, hipStream_t earlier, hipEvent_t event) {
  HIP(hipEventRecord(event, earlier));
  HIP(hipStreamWaitEvent(later, event, 0));
}

// Runs body(0), body(1) ... on threads of their own and waits for them.
inline void on_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace scheduler
