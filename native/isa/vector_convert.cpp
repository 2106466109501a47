// Conversions between types of numbers, and packing.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

// To integers: towards zero, out of range to the nearest end, NaN to 0.
template <class T>
inline i32 to_i32(T x) {
  const T low = static_cast<T>(-2147483648.0), high = static_cast<T>(2147483648.0);
  const T inside = x >= low && x < high ? x : T{0};
  const i32 value = static_cast<i32>(inside);
  return x != x ? 0 : x >= high ? 2147483647 : x < low ? -2147483647 - 1 : value;
}
template <class T>
inline u32 to_u32(T x) {
  const T high = static_cast<T>(4294967296.0);
  const T inside = x > 0 && x < high ? x : T{0};
  const u32 value = static_cast<u32>(static_cast<i64>(inside));
  return x >= high ? ~0u : value;
}
inline i32 to_i16(float x) {
  const i32 value = to_i32(x);
  return value > 32767 ? 32767 : value < -32768 ? -32768 : value;
}
inline u32 to_u16(float x) {
  const u32 value = to_u32(x);
  return value > 65535 ? 65535 : value;
}

inline float quieted(float x) { return x != x ? bits_as<float>(bits_as<u32>(x) | 0x400000) : x; }
inline u32 half_towards_zero(float x) { return half_of_float(x, 3); }
inline i32 normalized_i16(float x) {
  const float bounded = x != x ? 0 : x > 1 ? 1 : x < -1 ? -1 : x;
  return static_cast<i32>(__builtin_roundevenf(bounded * 32767.0f));
}
inline u32 normalized_u16(float x) {
  const float bounded = !(x > 0) ? 0 : x > 1 ? 1 : x;
  return static_cast<u32>(static_cast<i32>(__builtin_roundevenf(bounded * 65535.0f)));
}
inline u32 saturated_u16(u32 x) { return x > 65535 ? 65535 : x; }
inline u32 saturated_i16(i32 x) {
  return static_cast<u32>(x > 32767 ? 32767 : x < -32768 ? -32768 : x) & 0xffff;
}

// FP8 as gfx942 has it: one NaN, no infinity, no negative zero; bias 8 (fp8) or 16 (bf8).
inline float of_fp8(u32 byte, u32 mantissa_bits, i32 bias) {
  const u32 magnitude = byte & 0x7f;
  const i32 exponent = static_cast<i32>(magnitude >> mantissa_bits);
  const u32 mantissa = magnitude & ((1u << mantissa_bits) - 1);
  const u32 whole = exponent == 0 ? mantissa : mantissa | 1u << mantissa_bits;
  const i32 power = (exponent == 0 ? 1 : exponent) - bias - static_cast<i32>(mantissa_bits);
  const float value = static_cast<float>(static_cast<i32>(whole)) *
                      bits_as<float>(static_cast<u32>(power + 127) << 23);
  const float result = byte & 0x80 ? -value : value;
  return byte == 0x80 ? bits_as<float>(0x7fc00000u) : result;
}

}  // namespace

void fill_convert(Table table) {
  LANE_OP(v_cvt_f32_i32, F32, (I32), (i32 a), static_cast<float>(a))
  LANE_OP(v_cvt_f32_u32, F32, (U32), (u32 a), static_cast<float>(static_cast<double>(a)))
  LANE_OP(v_cvt_f64_i32, F64, (I32), (i32 a), a)
  LANE_OP(v_cvt_f64_u32, F64, (U32), (u32 a), a)
  LANE_OP(v_cvt_i32_f32, I32, (F32), (float a), to_i32(a))
  LANE_OP(v_cvt_u32_f32, U32, (F32), (float a), to_u32(a))
  LANE_OP(v_cvt_i32_f64, I32, (F64), (double a), to_i32(a))
  LANE_OP(v_cvt_u32_f64, U32, (F64), (double a), to_u32(a))
  LANE_OP(v_cvt_rpi_i32_f32, I32, (F32), (float a), to_i32(__builtin_floor(a + 0.5)))
  LANE_OP(v_cvt_flr_i32_f32, I32, (F32), (float a), to_i32(__builtin_floorf(a)))
  // A NaN keeps its sign and payload.
  LANE_OP_OWN_NAN(v_cvt_f32_f16, F32, (F16), (float a), quieted(a))
  LANE_OP_OWN_NAN(v_cvt_f16_f32, F16, (F32), (float a), a)
  LANE_OP_OWN_NAN(v_cvt_f64_f32, F64, (F32), (float a), a)
  LANE_OP_OWN_NAN(v_cvt_f32_f64, F32, (F64), (double a), static_cast<float>(a))
  LANE_OP(v_cvt_f16_u16, F16, (U16), (u32 a), static_cast<float>(static_cast<i32>(a)))
  LANE_OP(v_cvt_f16_i16, F16, (I16), (i32 a), static_cast<float>(a))
  LANE_OP(v_cvt_u16_f16, U16, (F16), (float a), to_u16(a))
  LANE_OP(v_cvt_i16_f16, I16, (F16), (float a), to_i16(a))
  LANE_OP(v_cvt_norm_i16_f16, I16, (F16), (float a), normalized_i16(a))
  LANE_OP(v_cvt_norm_u16_f16, U16, (F16), (float a), normalized_u16(a))
  LANE_OP(v_cvt_f32_ubyte0, F32, (U32), (u32 a), static_cast<float>(static_cast<i32>(a & 255)))
  LANE_OP(v_cvt_f32_ubyte1, F32, (U32), (u32 a), static_cast<float>(static_cast<i32>(a >> 8 & 255)))
  LANE_OP(v_cvt_f32_ubyte2, F32, (U32), (u32 a),
          static_cast<float>(static_cast<i32>(a >> 16 & 255)))
  LANE_OP(v_cvt_f32_ubyte3, F32, (U32), (u32 a), static_cast<float>(static_cast<i32>(a >> 24)))
  LANE_OP(v_cvt_f32_fp8, F32, (U32), (u32 a), of_fp8(a & 255, 3, 8))
  LANE_OP(v_cvt_f32_bf8, F32, (U32), (u32 a), of_fp8(a & 255, 2, 16))
  LANE_OP(v_cvt_pkrtz_f16_f32, U32, (F32, F32), (float a, float b),
          half_towards_zero(a) | half_towards_zero(b) << 16)
  LANE_OP(v_cvt_pk_u16_u32, U32, (U32, U32), (u32 a, u32 b),
          saturated_u16(a) | saturated_u16(b) << 16)
  LANE_OP(v_cvt_pk_i16_i32, U32, (I32, I32), (i32 a, i32 b),
          saturated_i16(a) | saturated_i16(b) << 16)
  LANE_OP(v_pack_b32_f16, U32, (RawHalf, RawHalf), (u32 a, u32 b), a | b << 16)
}

}  // namespace greta::isa::GRETA_LANES
