// Kernels that call their host: printf and assert. Compiled by `greta hipcc --genco`, and kept.
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
