// What the sources of matrix products consist of.
#pragma once

#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {

inline float of_bf16(u32 x) { return bits_as<float>(x << 16); }

inline float of_fp8(u32 byte, int mantissa_bits, int bias) {
  const u32 magnitude = byte & 0x7f;
  if (byte == 0x80) return bits_as<float>(0x7fc00000u);
  const int exponent = static_cast<int>(magnitude >> mantissa_bits);
  const u32 mantissa = magnitude & ((1u << mantissa_bits) - 1);
  const u32 whole = exponent == 0 ? mantissa : mantissa | 1u << mantissa_bits;
  const int power = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
  const float value =
      static_cast<float>(whole) * bits_as<float>(static_cast<u32>(power + 127) << 23);
  return byte & 0x80 ? -value : value;
}

// Elements of a source, one after the other in the lane's registers.
struct Half {
  static constexpr int bits = 16;
  using type = float;
  static float of(u32 x) { return float_of_half(x); }
};
struct BFloat {
  static constexpr int bits = 16;
  using type = float;
  static float of(u32 x) { return of_bf16(x); }
};
struct Single {
  static constexpr int bits = 32;
  using type = float;
  static float of(u32 x) { return bits_as<float>(x); }
};
// Ten bits of mantissa; the others are not looked at.
struct XFloat {
  static constexpr int bits = 32;
  using type = float;
  static float of(u32 x) { return bits_as<float>(x & 0xffffe000); }
};
struct Fp8 {
  static constexpr int bits = 8;
  using type = float;
  static float of(u32 x) { return of_fp8(x, 3, 8); }
};
struct Bf8 {
  static constexpr int bits = 8;
  using type = float;
  static float of(u32 x) { return of_fp8(x, 2, 16); }
};
struct Double {
  static constexpr int bits = 64;
  using type = double;
  static double of(u64 x) { return bits_as<double>(x); }
};
struct Byte {
  static constexpr int bits = 8;
  using type = i32;
  static i32 of(u32 x) { return static_cast<i8>(x); }
};

template <class E>
inline u32 element(const u32* const* rows, int lane, int index) {
  constexpr int in_word = 32 / E::bits;
  const u32 word = rows[index / in_word][lane];
  if (E::bits == 32) return word;
  return word >> (index % in_word * (E::bits % 32)) & ((1u << (E::bits % 32)) - 1);
}

// Any shape, with modifiers; and those that are only done so.
void any_product(Wave& w, const Step& s);
void fill_any_matrix(Table table);

}  // namespace greta::isa::GRETA_LANES
