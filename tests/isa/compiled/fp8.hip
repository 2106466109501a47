// Two formats of fp8 in one word, by gfx942's instructions. Compiled and kept as races.hip is.
#include <hip/hip_runtime.h>

typedef unsigned u32;
extern "C" __global__ void to_fp8(u32* out, const float* in) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = __builtin_amdgcn_cvt_pk_fp8_f32(in[i], -in[i], 0, false);
  out[i] = __builtin_amdgcn_cvt_pk_bf8_f32(in[i], -in[i], low, true);
}
