// Kernels that read what test_check.py has written, has left out, or lets another kernel write.
// Compiled by `greta hipcc --genco -g -O1` and kept; launched with 4 blocks of 256 threads, n is 1024.
#include <hip/hip_runtime.h>

typedef unsigned u32;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// -- writers
KERNEL(even_words) {
  if (INDEX % 2 == 0) out[INDEX] = in[INDEX];
}
KERNEL(most_bytes) {
  for (u32 i = 4 * INDEX; i < 4 * INDEX + 4; ++i) {
    if (i != 517) reinterpret_cast<char*>(out)[i] = reinterpret_cast<const char*>(in)[i];
  }
}
KERNEL(all_words) { out[INDEX] = in[INDEX]; }

// -- of `out`, too
KERNEL(updated) { out[INDEX] += in[INDEX]; }
KERNEL(byte_updated) {
  if (INDEX == 5) ++reinterpret_cast<unsigned char*>(out)[4 * INDEX + 1];
}
KERNEL(written_then_updated) {
  out[INDEX] = in[INDEX];
  __syncthreads();
  out[INDEX] += out[INDEX ^ 1];
}

// -- readers
KERNEL(words) { out[INDEX] = in[INDEX] + 1; }
KERNEL(even_words_of) { out[INDEX] = in[INDEX & ~1u]; }
KERNEL(odd_words_of) { out[INDEX] = in[INDEX | 1u]; }
KERNEL(sum) {
  if (INDEX != 0) return;
  u32 total = 0;
  for (u32 i = 0; i < n; ++i) total = total * 31 + in[i];
  out[0] = total;
}
KERNEL(halves) {
  for (u32 i = INDEX; i < 2 * n; i += 1024) out[i / 2] = reinterpret_cast<const short*>(in)[i];
}
KERNEL(bytes) {
  u32 total = 0;
  for (u32 i = 0; i < 4; ++i) total += reinterpret_cast<const unsigned char*>(in)[4 * INDEX + i];
  out[INDEX] = total;
}
KERNEL(vectors) {
  if (INDEX >= n / 4) return;
  const uint4 four = reinterpret_cast<const uint4*>(in)[INDEX];
  out[INDEX] = four.x ^ four.y ^ four.z ^ four.w;
}
__device__ __noinline__ u32 load(const u32* from) { return *from; }
KERNEL(called) { out[INDEX] = load(in + (INDEX * 7) % n); }
