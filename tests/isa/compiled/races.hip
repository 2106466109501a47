// Kernels with a race, its lines marked, and behind each its twin without. Compiled by `greta hipcc
// --genco -g -O1` and kept; all take out, in, n and are launched with blocks of 256 threads.
#include <hip/hip_runtime.h>

typedef unsigned u32;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// -- shared memory

KERNEL(reverse_race) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = in[INDEX];  // RACE
  out[INDEX] = tile[255 - threadIdx.x];  // RACE
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
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  // RACE
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
    tile[threadIdx.x] = in[INDEX] + i;  // RACE
    __syncthreads();
    sum += tile[255 - threadIdx.x];  // RACE
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
  if (threadIdx.x == 0) counter = n;  // RACE
  atomicAdd(&counter, in[INDEX]);  // RACE
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
  out[INDEX] = in[INDEX] + 1;  // RACE
  if (INDEX + 256 < n) out[INDEX] += out[INDEX + 256];  // RACE
}
KERNEL(neighbour) {
  out[INDEX] = in[INDEX] + 1;
  if (INDEX + 256 < n) out[INDEX] += in[INDEX + 256];
}

KERNEL(histogram_race) { out[in[INDEX] % 16] += 1; }  // RACE
KERNEL(histogram) { atomicAdd(&out[in[INDEX] % 16], 1u); }

// The last block adds what all have left: out[0] counts them, out[1] is the sum.
KERNEL(last_block_race) {
  if (threadIdx.x == 0) out[2 + blockIdx.x] = in[INDEX];  // RACE
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    u32 sum = 0;
    for (u32 i = 0; i < gridDim.x; ++i) sum += out[2 + i];  // RACE
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

KERNEL(different_values_race) { out[0] = blockIdx.x; }  // RACE
KERNEL(one_value) { out[0] = n; }

// Two words by one instruction.
KERNEL(pair_race) {
  __shared__ u32 tile[64];
  const u32 i = in[0];
  tile[i] = n, tile[i + 8] = threadIdx.x / 64;  // RACE
  __syncthreads();
  out[INDEX] = tile[i] + tile[i + 8];
}
KERNEL(pair) {
  __shared__ u32 tile[64];
  const u32 i = in[0];
  tile[i] = n, tile[i + 8] = n + 1;
  __syncthreads();
  out[INDEX] = tile[i] + tile[i + 8];
}

// Less than a word.
KERNEL(shorts_race) {
  __shared__ unsigned short chosen[2];
  chosen[1] = threadIdx.x / 64;  // RACE
  __syncthreads();
  out[INDEX] = chosen[1];
}
KERNEL(one_short) {
  __shared__ unsigned short chosen[2];
  chosen[1] = n;
  __syncthreads();
  out[INDEX] = chosen[1];
}
KERNEL(one_byte) { reinterpret_cast<unsigned char*>(out)[5] = n; }

// -- more of each

// A prefix sum in place: the neighbour's word may be the old or the new one.
KERNEL(scan_race) {
  __shared__ u32 part[256];
  part[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (u32 reach = 1; reach < 256; reach *= 2) {
    const u32 left = threadIdx.x >= reach ? part[threadIdx.x - reach] : 0;  // RACE
    part[threadIdx.x] += left;  // RACE
    __syncthreads();
  }
  out[INDEX] = part[threadIdx.x];
}
KERNEL(scan) {
  __shared__ u32 part[256];
  part[threadIdx.x] = in[INDEX];
  __syncthreads();
  for (u32 reach = 1; reach < 256; reach *= 2) {
    const u32 left = threadIdx.x >= reach ? part[threadIdx.x - reach] : 0;
    __syncthreads();
    part[threadIdx.x] += left;
    __syncthreads();
  }
  out[INDEX] = part[threadIdx.x];
}

KERNEL(transpose_race) {
  __shared__ u32 tile[16][16];
  const u32 x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = in[INDEX];  // RACE
  out[INDEX] = tile[x][y];  // RACE
}
KERNEL(transpose) {
  __shared__ u32 tile[16][16];
  const u32 x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[x][y];
}

// All read what one thread writes.
KERNEL(leader_race) {
  __shared__ u32 chosen;
  if (threadIdx.x == 200) chosen = in[INDEX] + 1;  // RACE
  out[INDEX] = chosen;  // RACE
}
KERNEL(leader) {
  __shared__ u32 chosen;
  if (threadIdx.x == 200) chosen = in[INDEX] + 1;
  __syncthreads();
  out[INDEX] = chosen;
}

KERNEL(largest_race) {
  if (in[INDEX] > out[0]) out[0] = in[INDEX];  // RACE
}
KERNEL(largest) { atomicMax(&out[0], in[INDEX]); }

// Bytes of one word are different bytes.
KERNEL(bytes_race) { reinterpret_cast<unsigned char*>(out)[INDEX % 512] = INDEX / 64; }  // RACE
KERNEL(bytes) { reinterpret_cast<unsigned char*>(out)[INDEX] = INDEX; }

// One block hands its result to another by a flag: out[0] is the flag, out[1] the result.
KERNEL(flag_race) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[1] = in[5] + 1;  // RACE
  if (blockIdx.x == 1) atomicExch(&out[2], out[1]);  // RACE; compilers would join two plain stores
}
KERNEL(flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[5] + 1;
    __threadfence();
    atomicExch(&out[0], 1u);
  }
  if (blockIdx.x == 1) {
    if (atomicAdd(&out[0], 0u) == 1) out[2] = out[1];
  }
}

// A plain load is confirmed by the swap; without one it may be old.
KERNEL(swapped) {
  u32 old = out[0], expected;
  do {
    expected = old;
    old = atomicCAS(&out[0], expected, expected + in[INDEX]);
  } while (old != expected);
}
KERNEL(glance_race) {
  if (out[0] < n) atomicAdd(&out[1 + blockIdx.x], 1u);  // RACE
  atomicAdd(&out[0], 1u);  // RACE
}

// Two bytes of a word of four are shared by both stores.
KERNEL(overlap_race) {
  char* const bytes = reinterpret_cast<char*>(out);
  if (threadIdx.x == 0) *reinterpret_cast<u32*>(bytes + 8) = n;  // RACE
  if (threadIdx.x == 64) *reinterpret_cast<unsigned short*>(bytes + 10) = in[0] + 3;  // RACE
}
KERNEL(overlap) {
  char* const bytes = reinterpret_cast<char*>(out);
  if (threadIdx.x == 0) *reinterpret_cast<unsigned short*>(bytes + 8) = n;
  if (threadIdx.x == 64) *reinterpret_cast<unsigned short*>(bytes + 10) = in[0] + 3;
}

// -- barriers that not all threads of a block reach

KERNEL(left_miss) {
  __shared__ u32 tile[256];
  if (threadIdx.x >= 128) return;
  tile[threadIdx.x] = in[INDEX];
  __syncthreads();
  out[INDEX] = tile[127 - threadIdx.x];
}
KERNEL(stayed) {
  __shared__ u32 tile[256];
  if (threadIdx.x < 128) tile[threadIdx.x] = in[INDEX];
  __syncthreads();
  if (threadIdx.x < 128) out[INDEX] = tile[127 - threadIdx.x];
}

KERNEL(divided_miss) {
  __shared__ u32 first;
  if (threadIdx.x % 64 < 40) {
    if (threadIdx.x == 0) first = in[0];
    __syncthreads();
    out[INDEX] = first;
  }
}
KERNEL(together) {
  __shared__ u32 first;
  if (threadIdx.x == 0) first = in[0];
  __syncthreads();
  if (threadIdx.x % 64 < 40) out[INDEX] = first;
}
