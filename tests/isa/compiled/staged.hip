// One kernel for each way to leave memory. All take out and in, n words each, and `bad`: 1 makes the
// mistake, 0 is its twin. The line that is at fault ends with FAULT and what is to be told of it.
// Launched with 4 blocks of 256 threads and 1024 bytes of dynamic shared memory; n is 1000.
#include <hip/hip_runtime.h>

typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n, u32 bad)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// -- global memory
KERNEL(write_past_end) {
  if (INDEX < n + bad) out[INDEX] = 1;  // FAULT write of 4 bytes; 0 bytes past the end
}
KERNEL(read_past_end) {
  if (INDEX < n) out[INDEX] = in[INDEX + bad];  // FAULT read of 4 bytes; 0 bytes past the end
}
KERNEL(write_before) {
  if (INDEX == 0) out[-static_cast<int>(bad)] = 1;  // FAULT write of 4 bytes; 4 bytes before
}
KERNEL(read_before) {
  if (INDEX < n) out[INDEX] = in[static_cast<int>(INDEX - bad)];  // FAULT read of 4 bytes; 4 bytes before
}
KERNEL(vector_past_end) {
  if (INDEX < n / 4) reinterpret_cast<uint4*>(out)[INDEX + bad] = uint4(1, 2, 3, 4);  // FAULT write of 16 bytes; 0 bytes past the end
}
KERNEL(vector_across_end) {
  if (INDEX == 0) __builtin_memcpy(out + n - 2 + bad, in, 8);  // FAULT write of 8 bytes; across the end
}
KERNEL(byte_past_end) {
  if (INDEX == 9) reinterpret_cast<char*>(out)[4 * n - 1 + bad] = 1;  // FAULT write of 1 byte ; 0 bytes past the end
}
KERNEL(half_past_end) {
  if (INDEX < n) out[INDEX] = reinterpret_cast<const short*>(in)[n + INDEX + bad];  // FAULT read of 2 bytes; 0 bytes past the end
}
KERNEL(double_past_end) {
  if (INDEX < n / 2 + bad) reinterpret_cast<double*>(out)[INDEX] = 1;  // FAULT write of 8 bytes; 0 bytes past the end
}
KERNEL(atomic_past_end) {
  if (INDEX < n) atomicAdd(&out[INDEX + bad], 1u);  // FAULT atomic update of 4 bytes; 0 bytes past the end
}
KERNEL(swap_past_end) {
  if (INDEX == 0) out[0] = atomicCAS(&out[n - 1 + 9 * bad], 0u, 1u);  // FAULT atomic update of 4 bytes; 32 bytes past the end
}
KERNEL(long_atomic_past_end) {
  if (INDEX == 3) atomicMax(reinterpret_cast<u64*>(out) + n / 2 - 1 + bad, 5ull);  // FAULT atomic update of 8 bytes; 0 bytes past the end
}
KERNEL(null_pointer) {
  u32* const to = bad ? reinterpret_cast<u32*>(static_cast<u64>(in[0])) : out;  // in[0] is 0
  if (INDEX == 17) to[1] = 1;  // FAULT write of 4 bytes; near no memory
}
KERNEL(wild_pointer) {
  const u32* const from = bad ? reinterpret_cast<const u32*>(0x123456789abcull) : in;
  if (INDEX == 1) out[1] = from[1];  // FAULT read of 4 bytes; near no memory
}
KERNEL(computed_index) {
  const u32 to = INDEX == 7 ? n + 100 * bad - 1 : INDEX % n;
  out[to] = in[INDEX % n];  // FAULT write of 4 bytes; 396 bytes past the end
}
KERNEL(no_guard) {
  if (!bad && INDEX >= n) return;
  out[INDEX] = INDEX;  // FAULT write of 4 bytes; 0 bytes past the end
}
KERNEL(one_too_many) {
  if (INDEX != 0) return;
  u32 sum = 0;
  for (u32 i = 0; i < n + bad; ++i) sum += in[i] ^ sum;  // FAULT read of 4 bytes; 0 bytes past the end
  out[0] = sum;
}
KERNEL(wrong_type) {
  if (INDEX >= n) return;
  out[INDEX] = bad ? reinterpret_cast<const u64*>(in)[INDEX] : in[INDEX];  // FAULT read of; past the end
}
KERNEL(wrong_pitch) {
  const u32 x = INDEX % 40, y = INDEX / 40;
  if (y < 25) out[y * (40 + bad) + x] = 1;  // FAULT write of 4 bytes; past the end
}
__device__ __noinline__ void store(u32* to, u32 value) {
  *to = value;  // FAULT called_function write of 4 bytes; 0 bytes past the end
}
KERNEL(called_function) {
  if (INDEX < n + bad) store(out + INDEX, INDEX);
}

// -- shared memory
KERNEL(shared_past_end) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = in[0];
  __syncthreads();
  if (threadIdx.x == 0) tile[256 * (bad + 1) + 255] = n;  // FAULT write of 4 bytes; shared memory
  __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
KERNEL(dynamic_past_end) {
  extern __shared__ u32 values[];
  values[threadIdx.x + bad] = in[threadIdx.x];  // FAULT write of 4 bytes; byte 1024 of the block's shared memory
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}
KERNEL(shared_read_past_end) {
  extern __shared__ u32 values[];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x + bad];  // FAULT read of 4 bytes; byte 1024 of the block's shared memory
}
KERNEL(shared_atomic_past_end) {
  extern __shared__ u32 values[];
  values[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&values[threadIdx.x + bad], 1u);  // FAULT atomic update of 4 bytes; byte 1024 of the block's shared memory
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

// -- private memory
KERNEL(private_past_end) {
  u32 own[400];
  for (u32 i = 0; i < 400; ++i) own[i] = in[i];
  own[(in[threadIdx.x] & 15) + 100000 * bad] = n;  // FAULT write of 4 bytes; private memory
  u32 sum = 0;
  for (u32 i = 0; i < 400; ++i) sum += own[in[i]];
  out[threadIdx.x] = sum;
}
