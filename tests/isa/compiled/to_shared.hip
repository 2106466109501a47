// Loads from global to shared memory that pass no register (global_load_lds_dword): one without a
// barrier, its lines marked, and its twin. Compiled and kept as races.hip is.
#include <hip/hip_runtime.h>

typedef unsigned u32;
typedef __attribute__((address_space(1))) void Global;
typedef __attribute__((address_space(3))) void Shared;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
// The words of a wave lie one after the other from the second pointer on.
#define LOAD(from, to) __builtin_amdgcn_global_load_lds((Global*)(from), (Shared*)(to), 4, 0, 0)

KERNEL(to_shared_race) {
  __shared__ u32 tile[256];
  LOAD(in + INDEX, tile + threadIdx.x / 64 * 64);  // RACE
  out[INDEX] = tile[255 - threadIdx.x];  // RACE
}
KERNEL(to_shared) {
  __shared__ u32 tile[256];
  LOAD(in + INDEX, tile + threadIdx.x / 64 * 64);
  __syncthreads();
  out[INDEX] = tile[255 - threadIdx.x];
}
