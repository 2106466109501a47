// What the C++ programs in this folder share: the kernels, a launch, and an end at the first error.
#ifndef GRETA_TESTS_CASES_GPU_H
#define GRETA_TESTS_CASES_GPU_H

#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#define OK(call)                                                               \
  do {                                                                         \
    const hipError_t error_of_call = (call);                                   \
    if (error_of_call != hipSuccess) {                                         \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error_of_call)); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

// What is written of a program is so; else its run is worth nothing.
inline void expect(bool as_written, const char* what) {
  if (as_written) return;
  std::fprintf(stderr, "not as written: %s\n", what);
  std::_Exit(99);
}

// Of a race: how it went is timing, and is printed.
inline void tell(bool as_written, const char* what) {
  std::printf("%s: %s\n", what, as_written ? "yes" : "no");
}

// What the host saw of a result of 3 in memory that was 0: too early, which is timing, or in time.
inline void expect_seen(bool early, float seen) {
  if (early) {
    tell(seen == 0.0f, "seen too early");
  } else {
    expect(seen == 3.0f, "seen in time");
  }
}

inline bool is(int count, char** words, const char* variant) {
  return count > 1 && std::string(words[1]) == variant;
}

template <typename T>
T* on_device(size_t count) {
  T* memory = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T)));
  return memory;
}

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* memory = on_device<T>(values.size());
  OK(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return memory;
}

template <typename T>
T* pinned(size_t count, unsigned flags = hipHostMallocDefault) {
  T* memory = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T), flags));
  return memory;
}

template <typename T>
std::vector<T> to_host(const T* memory, size_t count) {
  std::vector<T> values(count);
  OK(hipMemcpy(values.data(), memory, count * sizeof(T), hipMemcpyDeviceToHost));
  return values;
}

inline hipStream_t new_stream(unsigned flags = hipStreamNonBlocking) {
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, flags));
  return stream;
}

inline hipEvent_t new_event() {
  hipEvent_t event;
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  return event;
}

// What is on `later` from now on comes after what is on `earlier` by now.
inline void after(hipStream_t later, hipStream_t earlier) {
  const hipEvent_t event = new_event();
  OK(hipEventRecord(event, earlier));
  OK(hipStreamWaitEvent(later, event, 0));
}

inline hipModule_t load_kernels() {
  std::ifstream file(KERNELS_FILE);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source.c_str(), "kernels.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 0, nullptr);
  hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  hipModule_t module;
  OK(hipModuleLoadData(&module, code.data()));
  return module;
}

inline hipFunction_t kernel(hipModule_t module, const char* name) {
  hipFunction_t function;
  OK(hipModuleGetFunction(&function, module, name));
  return function;
}

template <typename... Values>
void launch(hipFunction_t function, int blocks, int threads, hipStream_t stream, Values... values) {
  void* arguments[] = {&values...};
  OK(hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}

// Somebody loses patience: the process is asked to end in two seconds.
inline void lose_patience() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    std::raise(SIGTERM);
  }).detach();
}

// Holds up a stream, so that a race goes as it must not.
inline void hold(hipModule_t module, hipStream_t stream) {
  launch(kernel(module, "linger"), 1, 1, stream, 20000000);
}

#endif  // GRETA_TESTS_CASES_GPU_H
