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

// To FP8: rounds to nearest even, or cuts after the upper bits of a seed were added (how hardware
// does so below the normal numbers is not documented). Too large: `overflow`.
template <u32 Fraction, i32 Bias, bool Stochastic>
inline u32 to_fp8(float x, u32 seed, u32 overflow) {
  const u32 bits = bits_as<u32>(x), magnitude = bits & 0x7fffffff;
  const i32 exponent = static_cast<i32>(magnitude >> 23) - 127 + Bias;
  const u32 below = exponent < 1 ? static_cast<u32>(1 - exponent) : 0;
  const u32 base = static_cast<u32>(exponent < 1 ? 0 : exponent - 1) << Fraction;
  const u32 whole = (magnitude & 0x7fffff) | 0x800000;
  // Eight places below the normal numbers, all are less than half of the least one.
  const u32 near = below > 7 ? 0 : whole, shift = 23 - Fraction + (below > 7 ? 7 : below);
  const u32 kept = near >> shift, cut = near & ((1u << shift) - 1), half = 1u << (shift - 1);
  const u32 up = (cut > half) | ((cut == half) & (kept & 1));
  const u32 aligned = whole >> (below > 24 ? 24 : below);
  const u32 stochastic = (aligned + (seed >> (9 + Fraction))) >> (23 - Fraction);
  const u32 code = base + (Stochastic ? stochastic : kept + up);
  const u32 number = code > 0x7f ? overflow : code;
  const u32 sign = (number & 0x7f) != 0 ? bits >> 24 & 0x80 : 0;  // no -0, one NaN
  return magnitude >= 0x7f800000 ? 0x80 : number | sign;
}

// MODE.FP16_OVFL: numbers that are too large become the largest one, else NaN.
inline u32 fp8_overflow(const Wave& w) { return w.mode >> 23 & 1 ? 0x7f : 0x80; }

// Two numbers to a half of the destination, which op_sel chooses.
template <u32 Fraction, i32 Bias>
void pack_fp8(Wave& w, const Step& s) {
  Row space[2][1], out;
  const u32* rows[2][2];
  for (int i = 0; i < 2; ++i) source_rows<F32>(w, s, i, space[i], rows[i]);
  const u32 shift = s.instruction.op_sel & 8 ? 16 : 0, overflow = fp8_overflow(w);
  const u32 kept = ~(0xffffu << shift);
  u32* const to = w.v[s.vdst];
  GRETA_EACH_LANE {
    const u32 low = to_fp8<Fraction, Bias, false>(bits_as<float>(rows[0][0][l]), 0, overflow);
    const u32 high = to_fp8<Fraction, Bias, false>(bits_as<float>(rows[1][0][l]), 0, overflow);
    out.lane[l] = (to[l] & kept) | (low | high << 8) << shift;
  }
  copy_lanes(w, w.exec(), out.lane, to);
}

// One number to a byte, which two bits of op_sel choose; the seed is the second source.
template <u32 Fraction, i32 Bias>
void round_to_fp8(Wave& w, const Step& s) {
  Row space[2][1], out;
  const u32* rows[2][2];
  source_rows<F32>(w, s, 0, space[0], rows[0]);
  source_rows<U32>(w, s, 1, space[1], rows[1]);
  const u32 shift = (s.instruction.op_sel >> 2 & 3) * 8, overflow = fp8_overflow(w);
  const u32 kept = ~(0xffu << shift);
  u32* const to = w.v[s.vdst];
  GRETA_EACH_LANE {
    const float x = bits_as<float>(rows[0][0][l]);
    out.lane[l] = (to[l] & kept) | to_fp8<Fraction, Bias, true>(x, rows[1][0][l], overflow)
                                       << shift;
  }
  copy_lanes(w, w.exec(), out.lane, to);
}

// Two bytes of a half to two words. SDWA chooses the half by the lower two bits of its selection.
template <u32 Fraction, i32 Bias>
void unpack_fp8(Wave& w, const Step& s) {
  const Instruction& i = s.instruction;
  Row space[1], out[2];
  const u32* rows[2];
  if (i.form == Form::dpp) {
    changed_rows(w, s, 0, 1, Number::integer, space, rows);
  } else {
    plain_rows(w, s.source[0], 1, space, rows);
  }
  const u32 shift = i.form == Form::sdwa && (i.src_sel[0] & 3) == 1 ? 16 : 0;
  GRETA_EACH_LANE {
    const u32 half = rows[0][l] >> shift;
    out[0].lane[l] = bits_as<u32>(of_fp8(half & 255, Fraction, Bias));
    out[1].lane[l] = bits_as<u32>(of_fp8(half >> 8 & 255, Fraction, Bias));
  }
  Step word = s;
  for (int n = 0; n < 2; ++n) {
    store(w, word, written_lanes(w, s), 1, Number::single, &out[n]);
    ++word.vdst;
  }
}

inline u32 normalized(float x, double low, double scale) {
  const double bounded = x != x ? 0 : x > 1 ? 1 : x < low ? low : x;
  return static_cast<u32>(static_cast<i32>(__builtin_roundeven(bounded * scale))) & 0xffff;
}
inline u32 saturated_u8(u32 half) {
  const i32 x = static_cast<i32>(half << 16) >> 16;
  return static_cast<u32>(x < 0 ? 0 : x > 255 ? 255 : x);
}
// A number as a byte of a word; rounded to nearest even, which AMD's documents do not say.
inline u32 with_byte(float x, u32 byte, u32 word) {
  const float bounded = !(x > 0) ? 0 : x > 255 ? 255 : x;
  const u32 value = static_cast<u32>(static_cast<i32>(__builtin_roundevenf(bounded)));
  const u32 shift = (byte & 3) * 8;
  return (word & ~(0xffu << shift)) | value << shift;
}

void fill_fp8(Table table) {
  table.set(Opcode::v_cvt_pk_fp8_f32, &pack_fp8<3, 8>);
  table.set(Opcode::v_cvt_pk_bf8_f32, &pack_fp8<2, 16>);
  table.set(Opcode::v_cvt_sr_fp8_f32, &round_to_fp8<3, 8>);
  table.set(Opcode::v_cvt_sr_bf8_f32, &round_to_fp8<2, 16>);
  table.set(Opcode::v_cvt_pk_f32_fp8, &unpack_fp8<3, 8>);
  table.set(Opcode::v_cvt_pk_f32_bf8, &unpack_fp8<2, 16>);
}

}  // namespace

void fill_convert(Table table) {
  fill_fp8(table);
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
  LANE_OP(v_cvt_pknorm_i16_f32, U32, (F32, F32), (float a, float b),
          normalized(a, -1, 32767) | normalized(b, -1, 32767) << 16)
  LANE_OP(v_cvt_pknorm_u16_f32, U32, (F32, F32), (float a, float b),
          normalized(a, 0, 65535) | normalized(b, 0, 65535) << 16)
  LANE_OP(v_cvt_pknorm_i16_f16, U32, (F16, F16), (float a, float b),
          normalized(a, -1, 32767) | normalized(b, -1, 32767) << 16)
  LANE_OP(v_cvt_pknorm_u16_f16, U32, (F16, F16), (float a, float b),
          normalized(a, 0, 65535) | normalized(b, 0, 65535) << 16)
  LANE_OP(v_cvt_pk_u8_f32, U32, (F32, U32, U32), (float a, u32 b, u32 c), with_byte(a, b, c))
  LANE_OP(v_cvt_pkaccum_u8_f32, U32, (F32, U32, U32), (float a, u32 b, u32 c), with_byte(a, b, c))
  LANE_OP(v_cvt_off_f32_i4, F32, (I32), (i32 a),
          static_cast<float>(static_cast<i32>(static_cast<u32>(a) << 28) >> 28) * 0.0625f)
  LANE_OP(v_sat_pk_u8_i16, U32, (U32), (u32 a), saturated_u8(a) | saturated_u8(a >> 16) << 8)
  LANE_OP(v_pack_b32_f16, U32, (RawHalf, RawHalf), (u32 a, u32 b), a | b << 16)
}

}  // namespace greta::isa::GRETA_LANES
