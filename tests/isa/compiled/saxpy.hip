// A program as people write them, with nothing in it that knows about GRETA. Its arguments say what
// it does:
//   saxpy            everything right
//   saxpy overrun    one thread writes one float past the end of a buffer
#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                          \
  do {                                                                       \
    const hipError_t error = (call);                                         \
    if (error != hipSuccess) {                                               \
      std::printf("%s: %s\n", #call, hipGetErrorName(error));                \
      return 1;                                                              \
    }                                                                        \
  } while (0)

__constant__ float factor[2];
__device__ int launches = 41;

template <class T>
__global__ __launch_bounds__(256) void saxpy(T* y, const T* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1);
  if (i < n) y[i] = factor[0] * x[i] + factor[1];
}

// The sum of a block: tiles of 32 threads, then dynamic shared memory.
__global__ void sums(float* out, const float4* in) {
  HIP_DYNAMIC_SHARED(float, parts)
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const float4 v = in[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x];
  const float sum = cg::reduce(tile, v.x + v.y + v.z + v.w, cg::plus<float>());
  if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() != 0) return;
  float total = 0;
  for (unsigned i = 0; i < tile.meta_group_size(); ++i) total += parts[i];
  out[hipBlockIdx_x] = total;
}

// One thing of each kind that the headers have; every lane writes a word.
__global__ void intrinsics(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const __half half = __float2half(lane * 0.5f) + __half(1.0f);
  const __hip_bfloat16 small = __float2bfloat16(lane * 2.0f);
  unsigned word = __popc(lane) + __clz(int(lane)) * 100;
  word += __shfl_xor(lane, 1) * 10000 + __shfl_up(lane, 3) * 7 + __shfl_down(lane, 5, 16);
  word += unsigned(__ballot(lane & 1) >> 32) & 15;
  word += __syncthreads_count(lane % 3 == 0) + __float_as_uint(float(half)) + unsigned(float(small));
  word += __match_any(lane / 16) == 0xffffull << (lane / 16 * 16);
  word += gridDim.x * 3 + __float2int_rn(2.5f) + __umulhi(lane << 20, 1u << 20);
  if (lane == 7) word += 1000 * unsigned(100 * (sinf(1.0f) + expf(1.0f) + sqrtf(2.0f)));
  out[lane] = word;
}

static unsigned expected(unsigned lane) {
  const float half = lane * 0.5f + 1;
  unsigned bits;
  std::memcpy(&bits, &half, sizeof bits);
  unsigned word = __builtin_popcount(lane) + (lane ? __builtin_clz(lane) : 32) * 100;
  word += (lane ^ 1) * 10000 + (lane < 3 ? lane : lane - 3) * 7;
  word += lane % 16 + 5 < 16 ? lane + 5 : lane;
  word += 10 + 22 + bits + lane * 2 + 1 + 3 + 2 + unsigned((uint64_t(lane) << 40) >> 32);
  if (lane == 7) word += 1000 * unsigned(100 * (std::sin(1.0f) + std::exp(1.0f) + std::sqrt(2.0f)));
  return word;
}

int main(int count, char** arguments) {
  const int n = 1000, reach = count > 1 && std::strcmp(arguments[1], "overrun") == 0;
  std::vector<float> in(1024), out(n);
  for (int i = 0; i < 1024; ++i) in[i] = i * 0.5f;
  const float factors[2] = {3, 0.25f};
  float *x, *y, *total;
  unsigned* words;
  CHECK(hipMalloc(&x, 1024 * sizeof(float)));
  CHECK(hipMalloc(&y, n * sizeof(float)));
  CHECK(hipMalloc(&total, sizeof(float)));
  CHECK(hipMalloc(&words, 64 * sizeof(unsigned)));
  CHECK(hipMemcpy(x, in.data(), 1024 * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), factors, sizeof factors));
  hipLaunchKernelGGL(HIP_KERNEL_NAME(saxpy<float>), dim3(4), dim3(256), 0, 0, y, x, n + reach);
  CHECK(hipGetLastError());
  sums<<<1, 256, 8 * sizeof(float)>>>(total, reinterpret_cast<const float4*>(x));
  intrinsics<<<1, 64>>>(words);
  CHECK(hipDeviceSynchronize());

  float sum = 0, wanted = 0;
  int launched = 0, wrong = 0, blocks = 0, threads = 0;
  unsigned found[64];
  CHECK(hipMemcpy(out.data(), y, n * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(&sum, total, sizeof sum, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(found, words, sizeof found, hipMemcpyDeviceToHost));
  CHECK(hipMemcpyFromSymbol(&launched, HIP_SYMBOL(launches), sizeof launched));
  CHECK(hipOccupancyMaxPotentialBlockSize(&blocks, &threads, sums));
  for (int i = 0; i < n; ++i) wrong += out[i] != 3 * in[i] + 0.25f;
  for (float value : in) wanted += value;
  for (unsigned lane = 0; lane < 64; ++lane) wrong += found[lane] != expected(lane);
  std::printf("wrong %d sum %g of %g launches %d threads %d\n", wrong, sum, wanted, launched, threads);
  CHECK(hipFree(x));
  CHECK(hipFree(y));
  CHECK(hipFree(total));
  CHECK(hipFree(words));
  return wrong != 0 || sum != wanted;
}
