// The kernels between the products: norm, quantization, gate, residual.
#include "common.h"

namespace greta {

// The sum of one value of each thread, for all of them.
__device__ inline double block_sum(double value) {
  constexpr int kRun = 16;
  __shared__ double values[kThreads];
  __shared__ double runs[kThreads / kRun];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = value;
  __syncthreads();
  if (thread < kThreads / kRun) {
    double sum = 0;
    for (int i = 0; i < kRun; ++i) sum += values[thread * kRun + i];
    runs[thread] = sum;
  }
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads / kRun; ++i) total += runs[i];
  return total;
}

// Computes a row of `width` values, 32 at a time, and stores it in the forms that are wanted.
template <class Value>
__device__ inline void store_row(int width, float* out, const Q8Output& quantized, Value value) {
  const long row = static_cast<long>(blockIdx.x) * width;
  for (int index = threadIdx.x * kGroup; index < width; index += kThreads * kGroup) {
    float values[kGroup];
    for (int i = 0; i < kGroup; ++i) values[i] = value(row + index + i, index + i);
    if (out) {
      for (int i = 0; i < kGroup; ++i) out[row + index + i] = values[i];
    }
    if (quantized.q) store_q8(values, quantized, row + index);
  }
}

// Quantizes a group that shares its scale with others, whose largest magnitude is given.
__device__ inline void store_q8_k(const float* values, float magnitude, const Q8Output& out,
                                  long index) {
  const float inverse = inverse_scale(magnitude);
  const float other = magnitude < kLeastMagnitude ? 0.0f : magnitude;  // zero, or no number
  const float scale = inverse != 0.0f ? 1.0f / inverse : other;
  const int sum = store_codes(values, inverse, out.q + index);
  out.d[index / kGroup] = scale;
  out.s[index / kGroup] = scale * static_cast<float>(sum);
}

// The largest magnitude of the groups that share a scale with this thread's; NaN is above all.
__device__ inline float shared_magnitude(const float* magnitudes) {
  const int first = static_cast<int>(threadIdx.x) / kSuperGroup * kSuperGroup;
  unsigned most = 0;
  for (int i = first; i < first + kSuperGroup; ++i) {
    const unsigned bits = __float_as_uint(magnitudes[i]);
    most = bits > most ? bits : most;
  }
  return __uint_as_float(most);
}

}  // namespace greta

GRETA_NATIVE_KERNEL(rmsnorm, 1)
extern "C" __global__ void rmsnorm(const float* x, const float* weight, float* out, signed char* q,
                                   float* d, float* s, int width, float eps) {
  const float* row = x + static_cast<long>(blockIdx.x) * width;
  // In double precision the order of the sum does not matter to the result.
  double sum = 0;
  for (int i = threadIdx.x; i < width; i += greta::kThreads) {
    sum += static_cast<double>(row[i] * row[i]);
  }
  const float mean = static_cast<float>(greta::block_sum(sum) / width);
  const float scale = 1.0f / sqrtf(mean + eps);
  greta::store_row(width, out, {q, d, s},
                   [&](long at, int column) { return x[at] * scale * weight[column]; });
}

GRETA_NATIVE_KERNEL(quantize, 1)
extern "C" __global__ void quantize(const float* x, signed char* q, float* d, float* s, int width) {
  greta::store_row(width, nullptr, {q, d, s}, [&](long at, int) { return x[at]; });
}

// A thread has a group of 32; eight threads beside each other share a scale.
GRETA_NATIVE_KERNEL(quantize_k, 1)
extern "C" __global__ void quantize_k(const float* x, signed char* q, float* d, float* s,
                                      int width) {
  __shared__ float magnitudes[greta::kThreads];
  const long row = static_cast<long>(blockIdx.x) * width;
  for (int first = 0; first < width; first += greta::kThreads * greta::kGroup) {
    const int index = first + static_cast<int>(threadIdx.x) * greta::kGroup;
    const float* values = x + row + index;
    if (index < width) magnitudes[threadIdx.x] = greta::magnitude_of(values);
    __syncthreads();
    if (index < width) {
      greta::store_q8_k(values, greta::shared_magnitude(magnitudes), {q, d, s}, row + index);
    }
    __syncthreads();
  }
}

GRETA_NATIVE_KERNEL(silu_mul, 1)
extern "C" __global__ void silu_mul(const float* gate, const float* up, float* out, signed char* q,
                                    float* d, float* s, int width) {
  greta::store_row(width, out, {q, d, s},
                   [&](long at, int) { return greta::silu(gate[at]) * up[at]; });
}

GRETA_NATIVE_KERNEL(add, 1)
extern "C" __global__ void add(float* x, const float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] += y[i];
}
