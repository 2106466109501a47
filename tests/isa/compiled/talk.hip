// Kernels that call their host: printf, assert and malloc; and one that waits for its whole grid. Compiled by `greta hipcc --genco`, and kept.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

typedef unsigned u32;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL(every_thread) {
  printf("%u\n", INDEX);
  out[INDEX] = in[INDEX] + n;
}

KERNEL(every_kind) {
  if (INDEX != 5) return;
  printf("%s|%d|%5u|%-6i|%+d|%08x|%#o|%c|%%|%p\n", "a text that does not fit into one packet, which has 56 bytes",
         -7, 42u, 13, 8, 0xbeefu, 8, 'z', reinterpret_cast<void*>(0x1234));
  printf("%lld|%llu|%hd|%hhu|%zu|%.3f|%10.2e|%g|%s|%.*f|%*d\n", -1234567890123ll, ~0ull,
         static_cast<short>(-2), static_cast<unsigned char>(200), sizeof(double), 3.14159, 12345.678,
         0.5, "", 2, 2.71828, 6, 99);
}

KERNEL(fails) {
  assert(in[INDEX] < n);
  out[INDEX] = in[INDEX];
}

// A small block and a large one of each thread, and of every second thread one that stays.
KERNEL(allocates) {
  u32* small = static_cast<u32*>(malloc(64));
  u32* large = static_cast<u32*>(malloc(40000));
  small[3] = in[INDEX];
  large[9999] = n;
  __syncthreads();
  out[INDEX] = small[3] + large[9999];
  free(large);
  if (INDEX % 2 == 0) free(small);
}

// The first byte after a large block lies in none.
KERNEL(leaves_heap) {
  if (INDEX != 5) return;
  char* large = static_cast<char*>(malloc(8192));
  large[n] = 1;
}

extern "C" __device__ void __ockl_grid_sync();

// Each block needs what the next one wrote.
KERNEL(meets) {
  for (u32 round = 0; round < 3; ++round) {
    out[INDEX] = in[INDEX] + round;
    __ockl_grid_sync();
    const u32 next = (INDEX + blockDim.x) % n, got = out[next];
    __ockl_grid_sync();
    if (round == 2) out[INDEX] = got;
  }
}

// The same by counting in memory: in[n] must be zero at first.
KERNEL(counts) {
  out[INDEX] = INDEX;
  __threadfence();
  __syncthreads();
  u32* count = out + n;
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) __builtin_amdgcn_s_sleep(1);
  }
  __syncthreads();
  const u32 got = atomicAdd(&out[(INDEX + blockDim.x) % n], 0);
  __threadfence();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < 2 * gridDim.x) __builtin_amdgcn_s_sleep(1);
  }
  __syncthreads();
  out[INDEX] = got;
}

// Writes over what the host keeps in memory that kernels can write to, and asks it to look there.
KERNEL(vandal) {
  if (INDEX != 0) return;
  printf("before\n");
  typedef unsigned long long u64;
  volatile u64* buffer = ((volatile u64* const*)__builtin_amdgcn_implicitarg_ptr())[10];
  buffer[0] = buffer[1] = 4096;
  buffer[4] = n;
}
