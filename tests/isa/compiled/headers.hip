// What the types and conversions of HIP's headers give, for 65,536 inputs: computed by a kernel, or
// by the host, and written as 32-bit words, a row for each input. test_headers.py has the
// reference.
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define BOTH __host__ __device__

constexpr unsigned kRows = 65536, kColumns = 48;

BOTH inline unsigned mixed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
template <class To, class From>
BOTH inline To as(const From& from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

struct Row {
  unsigned* out;
  BOTH void put(unsigned bits) { *out++ = bits; }
  BOTH void put(float x) { put(as<unsigned>(x)); }
  BOTH void put(__half x) { put(unsigned(__half_as_ushort(x))); }
  BOTH void put(__hip_bfloat16 x) { put(unsigned(__bfloat16_as_ushort(x))); }
};

BOTH inline void values(unsigned i, unsigned* out) {
  Row row{out};
  const __half a = __ushort_as_half(static_cast<unsigned short>(i));
  const __half b = __ushort_as_half(static_cast<unsigned short>(mixed(i)));
  const float any = as<float>(mixed(i + 77777));
  // A number around the range of the 8-bit types.
  const unsigned bits = mixed(i + 123456);
  const float near = as<float>((bits & 0x807fffffu) | (105 + (bits >> 23 & 0xff) % 42) << 23);
  const int integer = static_cast<int>(mixed(i + 5)) >> (i & 31);
  const unsigned long long wide =
      (static_cast<unsigned long long>(mixed(i)) << 32 | mixed(i + 9)) >> (i & 63);

  row.put(__half2float(a));
  row.put(__float2half_rn(near));
  row.put(__float2half_rz(near));
  row.put(__float2half_rd(near));
  row.put(__float2half_ru(near));
  row.put(__float2bfloat16(any));
  row.put(__float2bfloat16_rz(any));
  row.put(__float2bfloat16_rd(any));
  row.put(__float2bfloat16_ru(any));
  const auto code = static_cast<__hip_fp8_storage_t>(i);
  const __hip_fp8_interpretation_t formats[] = {__HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ,
                                                __HIP_E5M2_FNUZ};
  for (auto format : formats) {
    row.put(__half2float(__half(__hip_cvt_fp8_to_halfraw(code, format))));
    row.put(unsigned(__hip_cvt_float_to_fp8(near, __HIP_SATFINITE, format)));
    row.put(unsigned(__hip_cvt_float_to_fp8(near, __HIP_NOSAT, format)));
    row.put(unsigned(__hip_cvt_halfraw_to_fp8(__half_raw{static_cast<unsigned short>(i)},
                                              __HIP_SATFINITE, format)));
  }
  row.put(a + b);
  row.put(a - b);
  row.put(a * b);
  row.put(a / b);
  row.put(__hfma(a, b, a));
  row.put(__hmax(a, b));
  row.put(__hmin(a, b));
  row.put(unsigned(a < b) | unsigned(a == b) << 1 | unsigned(__hisnan(a)) << 2);
  row.put(__int2float_rd(integer));
  row.put(__int2float_ru(integer));
  row.put(__ull2float_rz(wide));
  row.put(__ull2float_ru(wide));
  row.put(__double2float_rd(static_cast<double>(any) * 1.0000000001));
  row.put(unsigned(__float2int_rn(near)));
  row.put(unsigned(__float2int_rd(near)));
  row.put(unsigned(__float2int_ru(near)));
  row.put(__int2half_rn(integer));
  row.put(__int2bfloat16_rn(integer));
  row.put(unsigned(__half2int_rz(a)));
  const hipFloatComplex z = hipCmulf(make_hipFloatComplex(2, 3), make_hipFloatComplex(float(i), 1));
  row.put(hipCrealf(z));
  row.put(hipCimagf(hipConjf(z)));
  const float4 v = make_float4(float(i), 2, 3, 4) * 2.0f + make_float4(1, 1, 1, 1);
  row.put(v.x + v.w);
  const uint2 u = make_uint2(i, 7) ^ make_uint2(255, 1);
  row.put(u.x + u.y);
}

#if defined(__HIP__)
__global__ void all_values(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values(i, out + i * kColumns);
}
#endif

int main(int count, char**) {
  std::vector<unsigned> out(kRows * kColumns);
#if defined(__HIP__)
  if (count > 1) {
    unsigned* memory = nullptr;
    if (hipMalloc(&memory, out.size() * 4) != hipSuccess) return 1;
    (void)hipMemset(memory, 0, out.size() * 4);
    all_values<<<kRows / 256, 256>>>(memory);
    if (hipMemcpy(out.data(), memory, out.size() * 4, hipMemcpyDeviceToHost) != hipSuccess)
      return 1;
    fwrite(out.data(), 4, out.size(), stdout);
    return 0;
  }
#endif
  (void)count;
  for (unsigned i = 0; i < kRows; ++i) values(i, &out[i * kColumns]);
  fwrite(out.data(), 4, out.size(), stdout);
  return 0;
}
