// Kernels with a race and, behind each, its twin without. Compiled by `greta hipcc --genco -g -O1`,
// and kept; all take out, in, n and are launched with blocks of 256 threads.
#include <hip/hip_runtime.h>

typedef unsigned u32;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// -- shared memory

KERNEL(reverse_race) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = in[INDEX];
  out[INDEX] = tile[255 - threadIdx.x];
}
KERNEL(reverse) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[255 - threadIdx.x];
}

KERNEL(sum_race) {
  __shared__ u32 part[256];
  part[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (u32 half = 128; half != 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    if (half > 128) __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
KERNEL(sum) {
  __shared__ u32 part[256];
  part[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (u32 half = 128; half != 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// The next tile is written before all have read this one.
KERNEL(tiles_race) {
  __shared__ u32 tile[256];
  u32 sum = 0;
  for (u32 i = 0; i < 2; ++i) {
    tile[threadIdx.x] = in[INDEX] + i;
    __syncthreads();
    sum += tile[255 - threadIdx.x];
  }
  out[INDEX] = sum;
}
KERNEL(tiles) {
  __shared__ u32 tile[256];
  u32 sum = 0;
  for (u32 i = 0; i < 2; ++i) {
    tile[threadIdx.x] = in[INDEX] + i;
    __syncthreads();
    sum += tile[255 - threadIdx.x];
    __syncthreads();
  }
  out[INDEX] = sum;
}

KERNEL(counter_race) {
  __shared__ u32 counter;
  if (threadIdx.x == 0) counter = n;
  atomicAdd(&counter, in[INDEX]);
  __syncthreads();
  out[INDEX] = counter;
}
KERNEL(counter) {
  __shared__ u32 counter;
  if (threadIdx.x == 0) counter = n;
  __syncthreads();
  atomicAdd(&counter, in[INDEX]);
  __syncthreads();
  out[INDEX] = counter;
}

// -- global memory

KERNEL(neighbour_race) {
  out[INDEX] = in[INDEX] + 1;
  if (INDEX + 256 < n) out[INDEX] += out[INDEX + 256];
}
KERNEL(neighbour) {
  out[INDEX] = in[INDEX] + 1;
  if (INDEX + 256 < n) out[INDEX] += in[INDEX + 256];
}

KERNEL(histogram_race) { out[in[INDEX] % 16] += 1; }
KERNEL(histogram) { atomicAdd(&out[in[INDEX] % 16], 1u); }

// The last block adds what all have left: out[0] counts them, out[1] is the sum.
KERNEL(last_block_race) {
  if (threadIdx.x == 0) out[2 + blockIdx.x] = in[INDEX];
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    u32 sum = 0;
    for (u32 i = 0; i < gridDim.x; ++i) sum += out[2 + i];
    out[1] = sum;
  }
}
KERNEL(last_block) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    out[2 + blockIdx.x] = in[INDEX];
    __threadfence();
    is_last = atomicAdd(&out[0], 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    u32 sum = 0;
    for (u32 i = 0; i < gridDim.x; ++i) sum += out[2 + i];
    out[1] = sum;
  }
}

KERNEL(different_values_race) { out[0] = blockIdx.x; }
KERNEL(one_value) { out[0] = n; }
