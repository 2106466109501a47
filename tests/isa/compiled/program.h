// What HIP programs of people begin with.
#pragma once

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#define HIP_CHECK(expr)                                                                    \
  do {                                                                                     \
    const hipError_t error = (expr);                                                       \
    if (error != hipSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #expr, hipGetErrorString(error)); \
      std::exit(2);                                                                        \
    }                                                                                      \
  } while (0)
#define FREE(pointer) HIP_CHECK(hipFree(pointer))

template <class T>
T* upload(const std::vector<T>& values) {
  T* memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, values.size() * sizeof(T)));
  HIP_CHECK(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return memory;
}
template <class T>
std::vector<T> download(const T* memory, size_t count) {
  std::vector<T> values(count);
  HIP_CHECK(hipMemcpy(values.data(), memory, count * sizeof(T), hipMemcpyDeviceToHost));
  return values;
}
inline std::vector<float> randoms(size_t count, unsigned seed = 1, float low = -1, float high = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> between(low, high);
  std::vector<float> values(count);
  for (float& value : values) value = between(generator);
  return values;
}
inline bool near(double a, double b, double relative = 1e-4) {
  return std::fabs(a - b) <= relative * (1 + std::fabs(b));
}
inline bool told(const char* name, bool right) {
  std::printf("%s %s\n", name, right ? "right" : "WRONG");
  return right;
}
