// VOP3P: two halves or two words at once, mixed precision, dot products.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

u32 bit_of(u32 mask, int n) { return mask >> n & 1; }

// The rows of a source of 32 bits, without modifiers: these work on halves here.
const u32* word_row(const Wave& w, const Step& s, int source, Row* space) {
  const u32* rows[2];
  plain_rows(w, s.source[source], 1, space, rows);
  return rows[0];
}

// One half of each source: which one op_sel says, and whether it is negated.
struct Halves {
  const u32* row;
  u32 shift, flip;
  inline u32 bits(int l) const { return (row[l] >> shift & 0xffff) ^ flip; }
};

Halves half_of(const Wave& w, const Step& s, int source, bool high, Row* space) {
  const Instruction& i = s.instruction;
  const bool select = bit_of(high ? i.op_sel_hi : i.op_sel, source);
  const bool negate = bit_of(high ? i.neg_hi : i.neg, source);
  return {word_row(w, s, source, space), select ? 16u : 0u, negate ? 0x8000u : 0u};
}

template <class T>
inline typename T::type value_of(u32 half) {
  const u32* row = &half;
  return T::load(&row, 0);
}

// A half that is not negative, and a result that may be.
struct Difference : U16 {
  using type = i32;
  static inline i32 load(const u32* const* row, int l) {
    return static_cast<i32>(U16::load(row, l));
  }
  static inline u32 low(i32 x) { return static_cast<u32>(x) & 0xffff; }
};

// Clamp: to the ends of what a half can hold.
inline u32 saturated(U16*, u32 x) { return x > 0xffff ? 0xffff : x; }
inline u32 saturated(Difference*, i32 x) { return x < 0 ? 0 : static_cast<u32>(x); }
inline u32 saturated(I16*, i32 x) {
  return static_cast<u32>(x > 0x7fff ? 0x7fff : x < -0x8000 ? -0x8000 : x) & 0xffff;
}

// F on each half; T says what a half is.
template <class F, class T, int Sources>
struct Packed {
  static void run(Wave& w, const Step& s) {
    Row space[3], out[2];
    out[0] = Row{};
    const u32 mode = half_rounding(w);
    for (int high = 0; high < 2; ++high) {
      Halves in[3] = {};
      for (int n = 0; n < Sources; ++n) in[n] = half_of(w, s, n, high, &space[n]);
      GRETA_EACH_LANE {
        u32 raw[3] = {in[0].bits(l), 0, 0};
        if (Sources > 1) raw[1] = in[1].bits(l);
        if (Sources > 2) raw[2] = in[2].bits(l);
        out[0].lane[l] |= half(raw, mode, s.instruction.clamp) << (16 * high);
      }
    }
    store(w, s, w.exec(), 1, Number::integer, out);
  }

  static inline u32 half(const u32* raw, u32 mode, bool clamp) {
    typename T::type result;
    if constexpr (Sources == 1) result = F::run(value_of<T>(raw[0]));
    if constexpr (Sources == 2) result = F::run(value_of<T>(raw[0]), value_of<T>(raw[1]));
    if constexpr (Sources == 3) {
      result = F::run(value_of<T>(raw[0]), value_of<T>(raw[1]), value_of<T>(raw[2]));
    }
    if constexpr (T::number == Number::half) {
      if (clamp) result = !(result > 0) ? 0 : result > 1 ? 1 : result;
      const u32 bits = half_of_float(result, mode);
      if (!F16::is_nan(bits)) return bits;
      for (int n = 0; n < Sources; ++n) {
        if (F16::is_nan(raw[n])) return raw[n] | 0x200;
      }
      return 0x7e00;
    } else {
      return clamp ? saturated(static_cast<T*>(nullptr), result) : T::low(result) & 0xffff;
    }
  }
};

#define PACKED(name, T, count, parameters, ...)                    \
  {                                                                \
    struct F {                                                     \
      static inline T::type run parameters { return __VA_ARGS__; } \
    };                                                             \
    table.set(Opcode::name, &Packed<F, T, count>::run);            \
  }

inline u32 min_u(u32 a, u32 b) { return a < b ? a : b; }
inline u32 max_u(u32 a, u32 b) { return a > b ? a : b; }
inline i32 min_i(i32 a, i32 b) { return a < b ? a : b; }
inline i32 max_i(i32 a, i32 b) { return a > b ? a : b; }
inline bool is_signaling(float x) { return x != x && (bits_as<u32>(x) & 0x400000) == 0; }
inline float smaller(float a, float b) {
  if (a != a) return is_signaling(a) ? a : b;
  if (b != b) return is_signaling(b) ? b : a;
  return a == b ? (bits_as<u32>(a) >> 31 ? a : b) : a < b ? a : b;
}
inline float larger(float a, float b) {
  if (a != a) return is_signaling(a) ? a : b;
  if (b != b) return is_signaling(b) ? b : a;
  return a == b ? (bits_as<u32>(a) >> 31 ? b : a) : a > b ? a : b;
}

// -- two words -----------------------------------------------------------------------------------

// v_pk_*_f32: op_sel chooses, for each of the two results, which word of the pair.
template <class F, int Sources>
struct PackedSingle {
  static void run(Wave& w, const Step& s) {
    Row space[3][2], out[2];
    const u32* rows[3][2];
    const Instruction& i = s.instruction;
    for (int n = 0; n < Sources; ++n) plain_rows(w, s.source[n], 2, space[n], rows[n]);
    for (int high = 0; high < 2; ++high) {
      const u32* in[3] = {};
      u32 flip[3] = {};
      for (int n = 0; n < Sources; ++n) {
        in[n] = rows[n][bit_of(high ? i.op_sel_hi : i.op_sel, n)];
        flip[n] = bit_of(high ? i.neg_hi : i.neg, n) << 31;
      }
      GRETA_EACH_LANE {
        u32 raw[3] = {in[0][l] ^ flip[0], 0, 0};
        if (Sources > 1) raw[1] = in[1][l] ^ flip[1];
        if (Sources > 2) raw[2] = in[2][l] ^ flip[2];
        out[high].lane[l] = F::run(raw);
      }
    }
    store(w, s, w.exec(), 2, Number::integer, out);
  }
};

inline u32 single_result(float x, u32 a, u32 b, u32 c) {
  const u32 nan = F32::is_nan(a)   ? a | 0x400000
                  : F32::is_nan(b) ? b | 0x400000
                  : F32::is_nan(c) ? c | 0x400000
                                   : 0x7fc00000;
  const u32 bits = bits_as<u32>(x);
  return F32::is_nan(bits) ? nan : bits;
}
struct PairAdd {
  static inline u32 run(const u32* r) {
    return single_result(bits_as<float>(r[0]) + bits_as<float>(r[1]), r[0], r[1], 0);
  }
};
struct PairMultiply {
  static inline u32 run(const u32* r) {
    return single_result(bits_as<float>(r[0]) * bits_as<float>(r[1]), r[0], r[1], 0);
  }
};
struct PairFma {
  static inline u32 run(const u32* r) {
    return single_result(
        __builtin_fmaf(bits_as<float>(r[0]), bits_as<float>(r[1]), bits_as<float>(r[2])), r[0],
        r[1], r[2]);
  }
};

// v_pk_mov_b32: the low result is a word of the first source, the high one of the second.
void packed_move(Wave& w, const Step& s) {
  Row space[2][2], out[2];
  const u32* rows[2][2];
  for (int n = 0; n < 2; ++n) plain_rows(w, s.source[n], 2, space[n], rows[n]);
  const Instruction& i = s.instruction;
  const u32* low = rows[0][bit_of(i.op_sel, 0)];
  const u32* high = rows[1][bit_of(i.op_sel, 1)];
  for (int l = 0; l < kLanes; ++l) {
    out[0].lane[l] = low[l];
    out[1].lane[l] = high[l];
  }
  store(w, s, w.exec(), 2, Number::integer, out);
}

// -- mixed precision -----------------------------------------------------------------------------

// op_sel_hi says that a source is a half, op_sel which one; neg_hi holds the absolute bits.
inline float mixed_source(const Instruction& i, const u32* row, int n, int l) {
  const u32 word = row[l];
  float x = bit_of(i.op_sel_hi, n) ? float_of_half(word >> (bit_of(i.op_sel, n) ? 16 : 0) & 0xffff)
                                   : bits_as<float>(word);
  if (bit_of(i.neg_hi, n)) x = bits_as<float>(bits_as<u32>(x) & 0x7fffffff);
  if (bit_of(i.neg, n)) x = bits_as<float>(bits_as<u32>(x) ^ 0x80000000);
  return x;
}

enum class MixResult { single, low, high };

template <MixResult Kind>
void mixed_fma(Wave& w, const Step& s) {
  Row space[3], out;
  const u32* rows[3];
  for (int n = 0; n < 3; ++n) rows[n] = word_row(w, s, n, &space[n]);
  const Instruction& i = s.instruction;
  const u32 mode = half_rounding(w);
  u32* to = w.v[s.vdst];
  for (int l = 0; l < kLanes; ++l) {
    const float a = mixed_source(i, rows[0], 0, l), b = mixed_source(i, rows[1], 1, l),
                c = mixed_source(i, rows[2], 2, l);
    float x = __builtin_fmaf(a, b, c);
    if (x != x)
      x = bits_as<float>(single_result(x, bits_as<u32>(a), bits_as<u32>(b), bits_as<u32>(c)));
    if (i.clamp) x = !(x > 0) ? 0 : x > 1 ? 1 : x;
    const u32 half = half_of_float(x, mode);
    out.lane[l] = Kind == MixResult::single ? bits_as<u32>(x)
                  : Kind == MixResult::low  ? (to[l] & 0xffff0000) | half
                                            : (to[l] & 0xffff) | half << 16;
  }
  copy_lanes(w, w.exec(), out.lane, to);
}

// -- dot products --------------------------------------------------------------------------------

// The sources as words; two halves of each where op_sel chooses them, or where they are negated.
// The short forms (VOP2) have neither; they may have DPP.
template <bool Halved>
void dot_sources(const Wave& w, const Step& s, Row* space, const u32** rows) {
  const Instruction& i = s.instruction;
  for (int n = 0; n < 3; ++n) {
    const u32* pair[2];
    if (i.form == Form::dpp) {
      changed_rows(w, s, n, 1, Number::integer, &space[n], pair);
    } else {
      plain_rows(w, s.source[n], 1, &space[n], pair);
    }
    rows[n] = pair[0];
    const bool usual =
        bit_of(i.op_sel, n) == 0 && bit_of(i.op_sel_hi, n) == 1 && bit_of(i.neg | i.neg_hi, n) == 0;
    if (!Halved || n == 2 || i.row->format == Format::VOP2 || usual) continue;
    const Halves low{pair[0], bit_of(i.op_sel, n) * 16, bit_of(i.neg, n) << 15};
    const Halves high{pair[0], bit_of(i.op_sel_hi, n) * 16, bit_of(i.neg_hi, n) << 15};
    for (int l = 0; l < kLanes; ++l) space[n].lane[l] = low.bits(l) | high.bits(l) << 16;
    rows[n] = space[n].lane;
  }
}

// Integers: exact, and with clamp they stop at the ends of their range.
template <int Bits, bool Signed>
struct IntegerDot {
  static inline i32 part(u32 word, int n) {
    const u32 raw = word >> (n * Bits) << (32 - Bits);
    return Signed ? static_cast<i32>(raw) >> (32 - Bits) : static_cast<i32>(raw >> (32 - Bits));
  }
  static inline u32 wrapped(u32 a, u32 b, u32 c) {
    u32 sum = c;
    for (int n = 0; n < 32 / Bits; ++n) {
      sum += static_cast<u32>(part(a, n)) * static_cast<u32>(part(b, n));
    }
    return sum;
  }
  static inline u32 saturated(u32 a, u32 b, u32 c) {
    constexpr i64 low = Signed ? -0x80000000ll : 0, high = Signed ? 0x7fffffffll : 0xffffffffll;
    i64 sum = Signed ? static_cast<i64>(static_cast<i32>(c)) : static_cast<i64>(c);
    for (int n = 0; n < 32 / Bits; ++n) sum += static_cast<i64>(part(a, n)) * part(b, n);
    return static_cast<u32>(sum < low ? low : sum > high ? high : sum);
  }
  static void run(Wave& w, const Step& s) {
    Row space[3], out;
    const u32* rows[3];
    dot_sources<Bits == 16>(w, s, space, rows);
    if (s.instruction.clamp) {
      GRETA_EACH_LANE { out.lane[l] = saturated(rows[0][l], rows[1][l], rows[2][l]); }
    } else {
      GRETA_EACH_LANE { out.lane[l] = wrapped(rows[0][l], rows[1][l], rows[2][l]); }
    }
    copy_lanes(w, written_lanes(w, s), out.lane, w.v[s.vdst]);
  }
};

// The products are exact in f32; hardware's order of the two additions is not documented.
void half_dot(Wave& w, const Step& s) {
  Row space[3], out;
  const u32* rows[3];
  dot_sources<true>(w, s, space, rows);
  const u32 negative =
      s.instruction.row->format != Format::VOP2 && bit_of(s.instruction.neg, 2) ? 0x80000000u : 0u;
  GRETA_EACH_LANE {
    const u32 a = rows[0][l], b = rows[1][l];
    const float low = float_of_half(a & 0xffff) * float_of_half(b & 0xffff);
    const float high = float_of_half(a >> 16) * float_of_half(b >> 16);
    out.lane[l] = bits_as<u32>((low + high) + bits_as<float>(rows[2][l] ^ negative));
  }
  if (s.instruction.clamp) {
    GRETA_EACH_LANE {
      const float x = bits_as<float>(out.lane[l]);
      out.lane[l] = bits_as<u32>(!(x > 0) ? 0.0f : x > 1 ? 1.0f : x);
    }
  }
  copy_lanes(w, written_lanes(w, s), out.lane, w.v[s.vdst]);
}

// v_pk_fmac_f16: a VOP2 opcode on two halves; its addend is the destination.
void packed_fmac(Wave& w, const Step& s) {
  Row space[3][1], out[1];
  const u32* rows[3][2];
  for (int n = 0; n < 2; ++n) source_rows<U32>(w, s, n, space[n], rows[n]);
  const u32* const addend = w.v[s.vdst];
  struct Fma {
    static inline float run(float a, float b, float c) { return fma_of_halves(a, b, c); }
  };
  const u32 mode = half_rounding(w);
  const bool clamp = s.instruction.clamp;
  for (int l = 0; l < kLanes; ++l) {
    u32 word = 0;
    for (int high = 0; high < 2; ++high) {
      const u32 shift = 16u * static_cast<u32>(high);
      const u32 raw[3] = {rows[0][0][l] >> shift & 0xffff, rows[1][0][l] >> shift & 0xffff,
                          addend[l] >> shift & 0xffff};
      word |= Packed<Fma, F16, 3>::half(raw, mode, clamp) << shift;
    }
    out[0].lane[l] = word;
  }
  store(w, s, written_lanes(w, s), 1, Number::integer, out);
}

}  // namespace

void fill_packed(Table table) {
  PACKED(v_pk_add_u16, U16, 2, (u32 a, u32 b), a + b)
  PACKED(v_pk_sub_u16, Difference, 2, (i32 a, i32 b), a - b)
  PACKED(v_pk_add_i16, I16, 2, (i32 a, i32 b), a + b)
  PACKED(v_pk_sub_i16, I16, 2, (i32 a, i32 b), a - b)
  PACKED(v_pk_mul_lo_u16, U16, 2, (u32 a, u32 b), a * b)
  PACKED(v_pk_mad_u16, U16, 3, (u32 a, u32 b, u32 c), a * b + c)
  PACKED(v_pk_mad_i16, I16, 3, (i32 a, i32 b, i32 c), a * b + c)
  PACKED(v_pk_lshlrev_b16, U16, 2, (u32 a, u32 b), b << (a & 15))
  PACKED(v_pk_lshrrev_b16, U16, 2, (u32 a, u32 b), b >> (a & 15))
  PACKED(v_pk_ashrrev_i16, I16, 2, (i32 a, i32 b), b >> (a & 15))
  PACKED(v_pk_min_u16, U16, 2, (u32 a, u32 b), min_u(a, b))
  PACKED(v_pk_max_u16, U16, 2, (u32 a, u32 b), max_u(a, b))
  PACKED(v_pk_min_i16, I16, 2, (i32 a, i32 b), min_i(a, b))
  PACKED(v_pk_max_i16, I16, 2, (i32 a, i32 b), max_i(a, b))
  PACKED(v_pk_add_f16, F16, 2, (float a, float b), a + b)
  PACKED(v_pk_mul_f16, F16, 2, (float a, float b), a * b)
  PACKED(v_pk_fma_f16, F16, 3, (float a, float b, float c), fma_of_halves(a, b, c))
  PACKED(v_pk_min_f16, F16, 2, (float a, float b), smaller(a, b))
  PACKED(v_pk_max_f16, F16, 2, (float a, float b), larger(a, b))
  table.set(Opcode::v_pk_add_f32, &PackedSingle<PairAdd, 2>::run);
  table.set(Opcode::v_pk_mul_f32, &PackedSingle<PairMultiply, 2>::run);
  table.set(Opcode::v_pk_fma_f32, &PackedSingle<PairFma, 3>::run);
  table.set(Opcode::v_pk_mov_b32, &packed_move);
  table.set(Opcode::v_fma_mix_f32, &mixed_fma<MixResult::single>);
  table.set(Opcode::v_fma_mixlo_f16, &mixed_fma<MixResult::low>);
  table.set(Opcode::v_fma_mixhi_f16, &mixed_fma<MixResult::high>);
  table.set(Opcode::v_dot2_i32_i16, &IntegerDot<16, true>::run);
  table.set(Opcode::v_dot2_u32_u16, &IntegerDot<16, false>::run);
  table.set(Opcode::v_dot4_i32_i8, &IntegerDot<8, true>::run);
  table.set(Opcode::v_dot4_u32_u8, &IntegerDot<8, false>::run);
  table.set(Opcode::v_dot8_i32_i4, &IntegerDot<4, true>::run);
  table.set(Opcode::v_dot8_u32_u4, &IntegerDot<4, false>::run);
  table.set(Opcode::v_dot2c_i32_i16, &IntegerDot<16, true>::run);
  table.set(Opcode::v_dot4c_i32_i8, &IntegerDot<8, true>::run);
  table.set(Opcode::v_dot8c_i32_i4, &IntegerDot<4, true>::run);
  table.set(Opcode::v_dot2_f32_f16, &half_dot);
  table.set(Opcode::v_dot2c_f32_f16, &half_dot);
  table.set(Opcode::v_pk_fmac_f16, &packed_fmac);
}

}  // namespace greta::isa::GRETA_LANES
