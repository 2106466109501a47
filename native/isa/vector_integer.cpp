// Integer and bit operations of VOP1, VOP2 and VOP3.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

inline u32 shl(u32 a, u32 n) { return a << (n & 31); }
inline u32 shr(u32 a, u32 n) { return a >> (n & 31); }
inline u32 sar(u32 a, u32 n) { return static_cast<u32>(static_cast<i32>(a) >> (n & 31)); }
inline u32 low_mask(u32 width) { return width >= 32 ? ~0u : (1u << (width & 31)) - 1; }
inline i32 s24(u32 a) { return static_cast<i32>(a << 8) >> 8; }
inline u32 u24(u32 a) { return a & 0xffffff; }
inline u32 min_u(u32 a, u32 b) { return a < b ? a : b; }
inline u32 max_u(u32 a, u32 b) { return a > b ? a : b; }
inline i32 min_i(i32 a, i32 b) { return a < b ? a : b; }
inline i32 max_i(i32 a, i32 b) { return a > b ? a : b; }
inline u32 med_u(u32 a, u32 b, u32 c) { return max_u(min_u(a, b), min_u(max_u(a, b), c)); }
inline i32 med_i(i32 a, i32 b, i32 c) { return max_i(min_i(a, b), min_i(max_i(a, b), c)); }

inline u32 reversed(u32 x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}

inline u32 population(u32 x) {
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

// Zeros above the highest one; all ones where there is none.
inline u32 leading_zeros(u32 x) { return x == 0 ? ~0u : static_cast<u32>(__builtin_clz(x)); }
inline u32 trailing_zeros(u32 x) { return x == 0 ? ~0u : static_cast<u32>(__builtin_ctz(x)); }
// Bits below the sign that equal it.
inline u32 sign_bits(u32 x) {
  const u32 flipped = x ^ sar(x, 31);
  return flipped == 0 ? ~0u : static_cast<u32>(__builtin_clz(flipped));
}

inline u32 field_u(u32 a, u32 offset, u32 width) { return shr(a, offset) & low_mask(width & 31); }
inline u32 field_i(u32 a, u32 offset, u32 width) {
  const u32 w = width & 31;
  if (w == 0) return 0;
  // Bits above the word are copies of its sign.
  const u32 shifted = sar(a, offset);
  return sar(shifted << (32 - w), 32 - w);
}

// Selectors: 0 to 3 bytes of b, 4 to 7 of a, 8 to 11 signs of the odd bytes, 12 zero, above ones.
inline u32 permuted(u32 a, u32 b, u32 selectors) {
  const u64 both = static_cast<u64>(a) << 32 | b;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 selector = selectors >> (8 * i) & 0xff;
    const u32 sign_of = 16 * (selector & 3) + 15;
    const u32 byte = static_cast<u32>(both >> (8 * (selector & 7))) & 0xff;
    const u32 sign = (both >> sign_of & 1) ? 0xff : 0;
    const u32 chosen = selector < 8 ? byte : selector < 12 ? sign : selector == 12 ? 0 : 0xff;
    result |= chosen << (8 * i);
  }
  return result;
}

inline u32 byte_of(u32 x, u32 i) { return x >> (8 * i) & 0xff; }
inline u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }

inline u32 sad_bytes(u32 a, u32 b) {
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i) sum += difference(byte_of(a, i), byte_of(b, i));
  return sum;
}
// Bytes where the reference is zero do not count.
inline u32 masked_sad_bytes(u32 a, u32 b) {
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i) {
    sum += byte_of(b, i) == 0 ? 0 : difference(byte_of(a, i), byte_of(b, i));
  }
  return sum;
}
inline u32 sad_words(u32 a, u32 b) {
  return difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16);
}

inline u32 lerp_bytes(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1) << (8 * i);
  }
  return result;
}

inline u32 alignbit(u32 a, u32 b, u32 n) {
  return static_cast<u32>((static_cast<u64>(a) << 32 | b) >> (n & 31));
}

// The most frequent instruction of all: a row goes as it is.
void move(Wave& w, const Step& s) {
  Row space;
  const u32* row;
  if (s.plain) {
    plain_rows(w, s.source[0], 1, &space, &row);
    store_plain(w, s.vdst, 1, reinterpret_cast<const Row*>(row));
    return;
  }
  source_rows<U32>(w, s, 0, &space, &row);
  store(w, s, written_lanes(w, s), 1, Number::integer, reinterpret_cast<const Row*>(row));
}

void fill_word(Table table) {
  table.set(Opcode::v_mov_b32, &move);
  LANE_OP(v_not_b32, U32, (U32), (u32 a), ~a)
  LANE_OP(v_bfrev_b32, U32, (U32), (u32 a), reversed(a))
  LANE_OP(v_ffbh_u32, U32, (U32), (u32 a), leading_zeros(a))
  LANE_OP(v_ffbl_b32, U32, (U32), (u32 a), trailing_zeros(a))
  LANE_OP(v_ffbh_i32, U32, (U32), (u32 a), sign_bits(a))
  LANE_OP(v_add_u32, U32, (U32, U32), (u32 a, u32 b), a + b)
  LANE_OP(v_sub_u32, U32, (U32, U32), (u32 a, u32 b), a - b)
  LANE_OP(v_add_i32, U32, (U32, U32), (u32 a, u32 b), a + b)
  LANE_OP(v_sub_i32, U32, (U32, U32), (u32 a, u32 b), a - b)
  LANE_OP(v_subrev_u32, U32, (U32, U32), (u32 a, u32 b), b - a)
  LANE_OP(v_and_b32, U32, (U32, U32), (u32 a, u32 b), a & b)
  LANE_OP(v_or_b32, U32, (U32, U32), (u32 a, u32 b), a | b)
  LANE_OP(v_xor_b32, U32, (U32, U32), (u32 a, u32 b), a ^ b)
  LANE_OP(v_xnor_b32, U32, (U32, U32), (u32 a, u32 b), ~(a ^ b))
  LANE_OP(v_lshlrev_b32, U32, (U32, U32), (u32 a, u32 b), shl(b, a))
  LANE_OP(v_lshrrev_b32, U32, (U32, U32), (u32 a, u32 b), shr(b, a))
  LANE_OP(v_ashrrev_i32, U32, (U32, U32), (u32 a, u32 b), sar(b, a))
  LANE_OP(v_min_u32, U32, (U32, U32), (u32 a, u32 b), min_u(a, b))
  LANE_OP(v_max_u32, U32, (U32, U32), (u32 a, u32 b), max_u(a, b))
  LANE_OP(v_min_i32, I32, (I32, I32), (i32 a, i32 b), min_i(a, b))
  LANE_OP(v_max_i32, I32, (I32, I32), (i32 a, i32 b), max_i(a, b))
  LANE_OP(v_bfm_b32, U32, (U32, U32), (u32 a, u32 b), shl(low_mask(a & 31), b))
  LANE_OP(v_bcnt_u32_b32, U32, (U32, U32), (u32 a, u32 b), population(a) + b)
}

void fill_multiply(Table table) {
  LANE_OP(v_mul_lo_u32, U32, (U32, U32), (u32 a, u32 b), a * b)
  LANE_OP(v_mul_hi_u32, U32, (U32, U32), (u32 a, u32 b),
          static_cast<u32>(static_cast<u64>(a) * b >> 32))
  LANE_OP(v_mul_hi_i32, U32, (I32, I32), (i32 a, i32 b),
          static_cast<u32>(static_cast<u64>(static_cast<i64>(a) * b) >> 32))
  LANE_OP(v_mul_u32_u24, U32, (U32, U32), (u32 a, u32 b), u24(a) * u24(b))
  LANE_OP(v_mul_i32_i24, U32, (U32, U32), (u32 a, u32 b),
          static_cast<u32>(s24(a)) * static_cast<u32>(s24(b)))
  LANE_OP(v_mul_hi_u32_u24, U32, (U32, U32), (u32 a, u32 b),
          static_cast<u32>(static_cast<u64>(u24(a)) * u24(b) >> 32))
  LANE_OP(v_mul_hi_i32_i24, U32, (U32, U32), (u32 a, u32 b),
          static_cast<u32>(static_cast<u64>(static_cast<i64>(s24(a)) * s24(b)) >> 32))
  LANE_OP(v_mad_u32_u24, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), u24(a) * u24(b) + c)
  LANE_OP(v_mad_i32_i24, U32, (U32, U32, U32), (u32 a, u32 b, u32 c),
          static_cast<u32>(s24(a)) * static_cast<u32>(s24(b)) + c)
}

void fill_three(Table table) {
  LANE_OP(v_add3_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), a + b + c)
  LANE_OP(v_or3_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), a | b | c)
  LANE_OP(v_and_or_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), (a & b) | c)
  LANE_OP(v_lshl_add_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), shl(a, b) + c)
  LANE_OP(v_add_lshl_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), shl(a + b, c))
  LANE_OP(v_lshl_or_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), shl(a, b) | c)
  LANE_OP(v_xad_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), (a ^ b) + c)
  LANE_OP(v_bfe_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), field_u(a, b, c))
  LANE_OP(v_bfe_i32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), field_i(a, b, c))
  LANE_OP(v_bfi_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), (a & b) | (~a & c))
  LANE_OP(v_alignbit_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), alignbit(a, b, c))
  LANE_OP(v_alignbyte_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), alignbit(a, b, 8 * (c & 3)))
  LANE_OP(v_perm_b32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), permuted(a, b, c))
  LANE_OP(v_min3_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), min_u(min_u(a, b), c))
  LANE_OP(v_max3_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), max_u(max_u(a, b), c))
  LANE_OP(v_med3_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), med_u(a, b, c))
  LANE_OP(v_min3_i32, I32, (I32, I32, I32), (i32 a, i32 b, i32 c), min_i(min_i(a, b), c))
  LANE_OP(v_max3_i32, I32, (I32, I32, I32), (i32 a, i32 b, i32 c), max_i(max_i(a, b), c))
  LANE_OP(v_med3_i32, I32, (I32, I32, I32), (i32 a, i32 b, i32 c), med_i(a, b, c))
  LANE_OP(v_lerp_u8, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), lerp_bytes(a, b, c))
  LANE_OP(v_sad_u8, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), sad_bytes(a, b) + c)
  LANE_OP(v_sad_hi_u8, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), (sad_bytes(a, b) << 16) + c)
  LANE_OP(v_sad_u16, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), sad_words(a, b) + c)
  LANE_OP(v_sad_u32, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), difference(a, b) + c)
  LANE_OP(v_msad_u8, U32, (U32, U32, U32), (u32 a, u32 b, u32 c), masked_sad_bytes(a, b) + c)
}

void fill_16_bit(Table table) {
  LANE_OP(v_add_u16, U16, (U16, U16), (u32 a, u32 b), a + b)
  LANE_OP(v_sub_u16, U16, (U16, U16), (u32 a, u32 b), a - b)
  LANE_OP(v_subrev_u16, U16, (U16, U16), (u32 a, u32 b), b - a)
  LANE_OP(v_add_i16, U16, (U16, U16), (u32 a, u32 b), a + b)
  LANE_OP(v_sub_i16, U16, (U16, U16), (u32 a, u32 b), a - b)
  LANE_OP(v_mul_lo_u16, U16, (U16, U16), (u32 a, u32 b), a * b)
  LANE_OP(v_lshlrev_b16, U16, (U16, U16), (u32 a, u32 b), b << (a & 15))
  LANE_OP(v_lshrrev_b16, U16, (U16, U16), (u32 a, u32 b), b >> (a & 15))
  LANE_OP(v_ashrrev_i16, I16, (U16, I16), (u32 a, i32 b), b >> (a & 15))
  LANE_OP(v_min_u16, U16, (U16, U16), (u32 a, u32 b), min_u(a, b))
  LANE_OP(v_max_u16, U16, (U16, U16), (u32 a, u32 b), max_u(a, b))
  LANE_OP(v_min_i16, I16, (I16, I16), (i32 a, i32 b), min_i(a, b))
  LANE_OP(v_max_i16, I16, (I16, I16), (i32 a, i32 b), max_i(a, b))
  LANE_OP(v_mad_legacy_u16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), a * b + c)
  LANE_OP(v_mad_legacy_i16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), a * b + c)
  LANE_OP(v_mad_u16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), a * b + c)
  LANE_OP(v_mad_i16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), a * b + c)
  LANE_OP(v_mad_u32_u16, U32, (U16, U16, U32), (u32 a, u32 b, u32 c), a * b + c)
  LANE_OP(v_mad_i32_i16, U32, (I16, I16, U32), (i32 a, i32 b, u32 c), static_cast<u32>(a * b) + c)
  LANE_OP(v_min3_u16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), min_u(min_u(a, b), c))
  LANE_OP(v_max3_u16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), max_u(max_u(a, b), c))
  LANE_OP(v_med3_u16, U16, (U16, U16, U16), (u32 a, u32 b, u32 c), med_u(a, b, c))
  LANE_OP(v_min3_i16, I16, (I16, I16, I16), (i32 a, i32 b, i32 c), min_i(min_i(a, b), c))
  LANE_OP(v_max3_i16, I16, (I16, I16, I16), (i32 a, i32 b, i32 c), max_i(max_i(a, b), c))
  LANE_OP(v_med3_i16, I16, (I16, I16, I16), (i32 a, i32 b, i32 c), med_i(a, b, c))
}

inline Words shifted_left(Words x, u32 n) {
  const u32 by = n & 31, low = x.low << by, high = x.high << by | x.low >> 1 >> (31 - by);
  return {n & 32 ? 0 : low, n & 32 ? low : high};
}
inline Words shifted_right(Words x, u32 n) {
  const u32 by = n & 31, high = x.high >> by, low = x.low >> by | x.high << 1 << (31 - by);
  return {n & 32 ? high : low, n & 32 ? 0 : high};
}
inline Words sum(Words a, Words b) {
  const u32 low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}
// The shift goes up to 4; more is not defined and taken as 0.
inline Words shifted_sum(Words a, u32 n, Words c) {
  const u32 by = (n & 7) > 4 ? 0 : n & 7;
  return sum({a.low << by, a.high << by | a.low >> 1 >> (31 - by)}, c);
}

// An address is mostly a base and an index by the size of an element: a shift known beforehand.
struct NotRead : U32 {
  static inline u32 load(const u32* const*, int) { return 0; }
};
template <int By>
struct SumShiftedBy {
  static inline Words run(Words a, u32, Words c) { return shifted_sum(a, By, c); }
};
struct ShiftedSum {
  static inline Words run(Words a, u32 b, Words c) { return shifted_sum(a, b, c); }
};

void add_shifted(Wave& w, const Step& s) {
  if (s.source[1].kind == Source::value) {
    switch (s.source[1].constant) {
      case 0:
        return Operation<SumShiftedBy<0>, W64, false, W64, NotRead, W64>::run(w, s);
      case 1:
        return Operation<SumShiftedBy<1>, W64, false, W64, NotRead, W64>::run(w, s);
      case 2:
        return Operation<SumShiftedBy<2>, W64, false, W64, NotRead, W64>::run(w, s);
      case 3:
        return Operation<SumShiftedBy<3>, W64, false, W64, NotRead, W64>::run(w, s);
      default:
        break;
    }
  }
  Operation<ShiftedSum, W64, false, W64, U32, W64>::run(w, s);
}

void fill_64_bit(Table table) {
  LANE_OP(v_mov_b64, W64, (W64), (Words a), a)
  LANE_OP(v_lshlrev_b64, W64, (U32, W64), (u32 a, Words b), shifted_left(b, a))
  LANE_OP(v_lshrrev_b64, W64, (U32, W64), (u32 a, Words b), shifted_right(b, a))
  LANE_OP(v_ashrrev_i64, I64, (U32, I64), (u32 a, i64 b), b >> (a & 63))
  table.set(Opcode::v_lshl_add_u64, &add_shifted);
}

// The lower and upper words of products.
template <bool Signed>
inline void multiply_words(const u32* a, const u32* b, u32* low, u32* high) {
#if defined(__AVX2__)
  typedef long long Wide __attribute__((vector_size(32)));
  typedef int Narrow __attribute__((vector_size(32)));
  const Wide lower = Wide{} + 0xffffffffll;
  for (int l = 0; l < kLanes; l += 8) {
    Wide x, y;
    __builtin_memcpy(&x, a + l, sizeof x);
    __builtin_memcpy(&y, b + l, sizeof y);
    const Narrow xo = reinterpret_cast<Narrow>(x >> 32), yo = reinterpret_cast<Narrow>(y >> 32);
    const Narrow xe = reinterpret_cast<Narrow>(x), ye = reinterpret_cast<Narrow>(y);
    const Wide even = Signed ? __builtin_ia32_pmuldq256(xe, ye) : __builtin_ia32_pmuludq256(xe, ye);
    const Wide odd = Signed ? __builtin_ia32_pmuldq256(xo, yo) : __builtin_ia32_pmuludq256(xo, yo);
    const Wide down = (even & lower) | odd << 32, up = (even >> 32 & lower) | (odd & ~lower);
    __builtin_memcpy(low + l, &down, sizeof down);
    __builtin_memcpy(high + l, &up, sizeof up);
  }
#else
  for (int l = 0; l < kLanes; ++l) {
    const u64 product =
        Signed ? static_cast<u64>(static_cast<i64>(static_cast<i32>(a[l])) * static_cast<i32>(b[l]))
               : static_cast<u64>(a[l]) * b[l];
    low[l] = static_cast<u32>(product);
    high[l] = static_cast<u32>(product >> 32);
  }
#endif
}

// 64-bit multiply and add, with the carry of the addition in a mask.
template <bool Signed>
struct MultiplyAdd64 {
  static void run(Wave& w, const Step& s) {
    Row space[3][2], out[2], carry;
    const u32* rows[3][2];
    plain_rows(w, s.source[0], 1, space[0], rows[0]);
    plain_rows(w, s.source[1], 1, space[1], rows[1]);
    plain_rows(w, s.source[2], 2, space[2], rows[2]);
    multiply_words<Signed>(rows[0][0], rows[1][0], out[0].lane, out[1].lane);
    // A product and one word more do not overflow.
    if (!Signed && s.source[2].kind == Source::value && s.source[2].constant >> 32 == 0) {
      GRETA_EACH_LANE {
        const u32 low = out[0].lane[l], sum = low + rows[2][0][l];
        out[0].lane[l] = sum;
        out[1].lane[l] += sum < low ? 1 : 0;
      }
      store_plain(w, s.vdst, 2, out);
      w.set_pair(s.sdst, 0);
      return;
    }
    GRETA_EACH_LANE {
      const u32 low = out[0].lane[l], high = out[1].lane[l];
      const u32 c = rows[2][0][l], d = rows[2][1][l];
      const u32 sum = low + c, up = sum < low ? 1 : 0, part = high + d, whole = part + up;
      out[0].lane[l] = sum;
      out[1].lane[l] = whole;
      const u32 unsigned_carry = part < high || whole < up ? ~0u : 0;
      const u32 signed_carry =
          static_cast<u32>(static_cast<i32>(~(high ^ d) & (high ^ whole)) >> 31);
      carry.lane[l] = Signed ? signed_carry : unsigned_carry;
    }
    store_plain(w, s.vdst, 2, out);
    w.set_pair(s.sdst, collect(carry.lane) & w.exec());
  }
};

// Sums of differences of four bytes at four places of eight; sums of 16 or 32 bits.
template <bool Masked, int Words>
void quad_sad(Wave& w, const Step& s) {
  Row space[3][2], out[Words];
  const u32* first[2];
  const u32* second[2];
  const u32* sums[4];
  plain_rows(w, s.source[0], 2, space[0], first);
  plain_rows(w, s.source[1], 1, space[1], second);
  plain_rows(w, s.source[2], Words, space[2], sums);
  for (int l = 0; l < kLanes; ++l) {
    const u64 bytes = first[0][l] | static_cast<u64>(first[1][l]) << 32;
    for (int n = 0; n < 4; ++n) {
      const u32 part = static_cast<u32>(bytes >> (8 * n));
      const u32 sad = Masked ? masked_sad_bytes(part, second[0][l]) : sad_bytes(part, second[0][l]);
      if (Words == 4) {
        out[n].lane[l] = sad + sums[n][l];
      } else {
        const u32 shift = n & 1 ? 16 : 0, sum = (sums[n / 2][l] >> shift) + sad;
        const u32 other = n & 1 ? out[n / 2].lane[l] : 0;
        out[n / 2].lane[l] = other | (sum & 0xffff) << shift;
      }
    }
  }
  store_plain(w, s.vdst, Words, out);
}

struct Add {
  static inline u32 run(u32 a, u32 b, u32 carry, u32* out) {
    const u32 part = a + b, sum = part + carry;
    *out = (part < a ? 1 : 0) | (sum < part ? 1 : 0);
    return sum;
  }
};
struct Subtract {
  static inline u32 run(u32 a, u32 b, u32 carry, u32* out) {
    const u32 part = a - b;
    *out = (a < b ? 1 : 0) | (part < carry ? 1 : 0);
    return part - carry;
  }
};
struct SubtractReverse {
  static inline u32 run(u32 a, u32 b, u32 carry, u32* out) {
    return Subtract::run(b, a, carry, out);
  }
};

void fill_carry(Table table) {
  table.set(Opcode::v_add_co_u32, &Carry<Add, false>::run);
  table.set(Opcode::v_sub_co_u32, &Carry<Subtract, false>::run);
  table.set(Opcode::v_subrev_co_u32, &Carry<SubtractReverse, false>::run);
  table.set(Opcode::v_addc_co_u32, &Carry<Add, true>::run);
  table.set(Opcode::v_subb_co_u32, &Carry<Subtract, true>::run);
  table.set(Opcode::v_subbrev_co_u32, &Carry<SubtractReverse, true>::run);
  table.set(Opcode::v_qsad_pk_u16_u8, &quad_sad<false, 2>);
  table.set(Opcode::v_mqsad_pk_u16_u8, &quad_sad<true, 2>);
  table.set(Opcode::v_mqsad_u32_u8, &quad_sad<true, 4>);
  table.set(Opcode::v_mad_u64_u32, &MultiplyAdd64<false>::run);
  table.set(Opcode::v_mad_i64_i32, &MultiplyAdd64<true>::run);
}

}  // namespace

void fill_integer(Table table) {
  fill_word(table);
  fill_multiply(table);
  fill_three(table);
  fill_16_bit(table);
  fill_64_bit(table);
  fill_carry(table);
}

}  // namespace greta::isa::GRETA_LANES
