// What all kernels share: sizes, half precision, and the quantized form of activations (q8).
#pragma once

// A kernel that has a hand-tuned version for CPUs says so with its name and the version of its
// arguments and meaning. The simulated device then runs that one in its place; to a GPU it means
// nothing.
#if defined(GRETA_SIMT_ABI)
#define GRETA_NATIVE_NAME(name) greta_native_##name
#define GRETA_NATIVE_TEXT(name, version) #name "@" #version
#define GRETA_NATIVE_KERNEL(name, version)                                 \
  extern "C" {                                                             \
  extern const char GRETA_NATIVE_NAME(name)[];                             \
  const char GRETA_NATIVE_NAME(name)[] = GRETA_NATIVE_TEXT(name, version); \
  }
#else
#define GRETA_NATIVE_KERNEL(name, version)
#endif

namespace greta {

constexpr int kThreads = 256;    // of a block, for every kernel
constexpr int kGroup = 32;       // values that share a scale in q8
constexpr int kSuperGroup = 8;   // groups that share a scale in q8_k
constexpr int kRows = 32;        // weight rows of a block
constexpr int kTokens = 64;      // tokens of a block in products
constexpr int kPrefillTile = 8;  // tokens of a block in attention, in prefill

// Below this a group is zero: 127 divided by less may be infinite.
constexpr float kLeastMagnitude = 1e-30f;

typedef unsigned char Byte;
typedef unsigned short HalfBits;

__device__ inline float from_half(HalfBits bits) { return __half2float(__ushort_as_half(bits)); }
__device__ inline HalfBits to_half(float value) { return __half_as_ushort(__float2half(value)); }

// GGUF's blocks are aligned to two bytes at most.
__device__ inline HalfBits load_16(const Byte* at) {
  return static_cast<HalfBits>(at[0] | at[1] << 8);
}
__device__ inline float load_half(const Byte* at) { return from_half(load_16(at)); }

// The exponential function: 2^n * exp(r), with n whole and |r| <= ln(2) / 2, where exp(r) is the
// polynomial of Arm's optimized routines. Everybody's own expf would differ in the last bit, which
// rounding to 8 bits afterwards makes visible.
__device__ inline float exponential(float x) {
  if (x > 140.0f) return __uint_as_float(0x7f800000u);
  if (x < -140.0f) return 0.0f;
  const float n = rintf(x * 0x1.715476p+0f);
  const float r = fmaf(n, -0x1.7f7d1cp-20f, fmaf(n, -0x1.62e4p-1f, x));
  const float square = r * r;
  const float fourth = fmaf(0x1.0e4020p-7f, r, 0x1.573e2ep-5f);
  const float second = fmaf(0x1.555e66p-3f, r, 0x1.fffdb6p-2f);
  const float zeroth = fmaf(0x1.ffffecp-1f, r, 1.0f);
  const float value = fmaf(fmaf(fourth, square, second), square, zeroth);
  return ldexpf(value, static_cast<int>(n));
}

__device__ inline float silu(float x) { return x / (1.0f + exponential(-x)); }

// Where a kernel writes q8; q may be null.
struct Q8Output {
  signed char* q;
  float* d;
  float* s;
};

// The largest magnitude of a group. By its bits, in whose order NaN is above all numbers, so that
// it does not get lost.
__device__ inline float magnitude_of(const float* values) {
  unsigned most = 0;
  for (int i = 0; i < kGroup; ++i) {
    const unsigned bits = __float_as_uint(values[i]) & 0x7fffffffu;
    most = bits > most ? bits : most;
  }
  return __uint_as_float(most);
}

// By what values are multiplied to become codes; zero if all codes are zero.
__device__ inline float inverse_scale(float magnitude) {
  const bool is_number = magnitude >= kLeastMagnitude && magnitude <= 3.402823466e38f;
  return is_number ? 127.0f / magnitude : 0.0f;
}

// Stores the codes of a group; returns their sum.
__device__ inline int store_codes(const float* values, float inverse, signed char* q) {
  int sum = 0;
  for (int i = 0; i < kGroup; ++i) {
    const int code = inverse != 0.0f ? static_cast<int>(rintf(values[i] * inverse)) : 0;
    q[i] = static_cast<signed char>(code);
    sum += code;
  }
  return sum;
}

// Quantizes the group that begins at `index`, a multiple of kGroup.
__device__ inline void store_q8(const float* values, const Q8Output& out, long index) {
  const float magnitude = magnitude_of(values);
  const float scale = magnitude < kLeastMagnitude ? 0.0f : magnitude / 127.0f;
  const int sum = store_codes(values, inverse_scale(magnitude), out.q + index);
  out.d[index / kGroup] = from_half(to_half(scale));
  out.s[index / kGroup] = from_half(to_half(scale * static_cast<float>(sum)));
}

}  // namespace greta
