// Memory accesses of lanes: addresses, the check, then the access itself at the host's addresses.
#pragma once

#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {

// Lanes that access memory at a base of the host and an offset of their own.
struct Places {
  u64 base;
  const u32* offset;
  u64 lanes;
  bool dense;  // all lanes, one after the other
  inline u64 address(int l) const { return base + offset[l]; }
};

// What one instruction accesses: mostly one of these. More where the upper halves of addresses
// differ.
struct Accesses {
  Row space[2];
  Places places[kLanes];
  int count = 0;
  u64 beyond = 0;  // lanes beyond a buffer's size: they read zero and do not write

  void add(u64 base, const u32* offset, u64 lanes) {
    places[count++] = {base, offset, lanes, false};
  }
  template <class F>
  inline void each(F&& body) const {
    for (int i = 0; i < count; ++i) body(places[i]);
  }
};

void set_fault(Wave& w, FaultKind kind, AccessKind access, u32 bytes, u64 lanes, u64 address);

// The lanes of `p` whose bytes do not lie in [begin, begin + room + bytes).
u64 outside(const Places& p, u64 begin, u64 room);

// False, with the fault set, where a lane may not.
bool check_global(Wave& w, const Step& s, Places& p, u32 bytes, AccessKind kind);
bool check_lds(Wave& w, const Step& s, const Places& p, u32 bytes, AccessKind kind);

// The addresses of a global, flat, scratch or buffer instruction, all of them checked.
bool resolve_addresses(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a);

template <class F>
inline void each_lane(u64 lanes, F&& body) {
  while (lanes != 0) {
    body(__builtin_ctzll(lanes));
    lanes &= lanes - 1;
  }
}

inline u8* host(u64 address) { return reinterpret_cast<u8*>(static_cast<uintptr_t>(address)); }

// How a loaded value becomes a register.
enum class Extend : u8 { none, sign, low_half, low_half_sign, high_half, high_half_sign };

template <int Bytes, Extend E>
inline u32 extended(u32 raw, u32 old) {
  constexpr bool sign =
      E == Extend::sign || E == Extend::low_half_sign || E == Extend::high_half_sign;
  u32 value = raw;
  if (sign)
    value = Bytes == 1 ? static_cast<u32>(static_cast<i8>(raw))
                       : static_cast<u32>(static_cast<i16>(raw));
  if (E == Extend::low_half || E == Extend::low_half_sign)
    return (old & 0xffff0000) | (value & 0xffff);
  if (E == Extend::high_half || E == Extend::high_half_sign) return (old & 0xffff) | value << 16;
  return value;
}

// Eight lanes at a time: most of them read one word after the other, or all the same.
typedef u32 Eight __attribute__((vector_size(32)));
typedef u32 Four __attribute__((vector_size(16)));

inline Eight eight_at(const u32* from) {
  Eight value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline bool all_of(Eight mask) {
#if defined(__AVX2__)
  typedef float Floats __attribute__((vector_size(32)));
  Floats bits;
  __builtin_memcpy(&bits, &mask, sizeof bits);
  return __builtin_ia32_movmskps256(bits) == 255;
#else
  u32 all = ~0u;
  for (int i = 0; i < 8; ++i) all &= mask[i];
  return all == ~0u;
#endif
}

enum class Pattern : u8 { any, same, dense };

inline Pattern pattern_of(const u32* offset, u32 bytes = 4) {
  const Eight steps = Eight{0, 1, 2, 3, 4, 5, 6, 7} * bytes;
  const Eight from_first = eight_at(offset) - offset[0];
  if (all_of(reinterpret_cast<Eight>(from_first == steps))) return Pattern::dense;
  return all_of(reinterpret_cast<Eight>(from_first == Eight{})) ? Pattern::same : Pattern::any;
}

#ifdef __clang__
#define GRETA_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else  // the same since GCC 12 only
#define GRETA_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (Four{__VA_ARGS__}))
#endif

// Four lanes of `Words` words each to as many rows.
template <int Words>
inline void load_four(u32 (*rows)[kLanes], int l, u64 base, const u32* offset) {
  Four part[4];
  for (int i = 0; i < 4; ++i) {
    part[i] = Four{};
    __builtin_memcpy(&part[i], host(base + offset[l + i]), Words * 4);
  }
  const Four low01 = GRETA_SHUFFLE(part[0], part[1], 0, 4, 1, 5);
  const Four low23 = GRETA_SHUFFLE(part[2], part[3], 0, 4, 1, 5);
  const Four high01 = GRETA_SHUFFLE(part[0], part[1], 2, 6, 3, 7);
  const Four high23 = GRETA_SHUFFLE(part[2], part[3], 2, 6, 3, 7);
  const Four out[4] = {
      GRETA_SHUFFLE(low01, low23, 0, 1, 4, 5), GRETA_SHUFFLE(low01, low23, 2, 3, 6, 7),
      GRETA_SHUFFLE(high01, high23, 0, 1, 4, 5), GRETA_SHUFFLE(high01, high23, 2, 3, 6, 7)};
  for (int i = 0; i < Words; ++i) __builtin_memcpy(&rows[i][l], &out[i], sizeof(Four));
}

template <int Words>
inline void load_eight(u32 (*rows)[kLanes], int l, u64 base, const u32* offset) {
  const Pattern pattern = pattern_of(offset + l);
  if (pattern == Pattern::same) {
    u32 words[Words];
    __builtin_memcpy(words, host(base + offset[l]), sizeof words);
    for (int i = 0; i < Words; ++i) {
      const Eight all = Eight{} + words[i];
      __builtin_memcpy(&rows[i][l], &all, sizeof all);
    }
  } else if (Words == 1 && pattern == Pattern::dense) {
    __builtin_memcpy(&rows[0][l], host(base + offset[l]), 32);
  } else if (Words == 1) {
    u32 words[8];
    for (int i = 0; i < 8; ++i) __builtin_memcpy(&words[i], host(base + offset[l + i]), 4);
    __builtin_memcpy(&rows[0][l], words, sizeof words);
  } else {
    load_four<Words>(rows, l, base, offset);
    load_four<Words>(rows, l + 4, base, offset);
  }
}

// The row of the offsets may be among those that are loaded: lanes read theirs before they write.
template <int Words>
inline void load_words(Wave& w, u32 vdst, const Places& p) {
  const u32* offset = p.offset;
  u32(*rows)[kLanes] = &w.v[vdst];
  if (Words == 1 && p.dense) {
    return copy_row(reinterpret_cast<const u32*>(host(p.address(0))), rows[0]);
  }
  for (int l = 0; l < kLanes; l += 8) {
    const u32 lanes = static_cast<u32>(p.lanes >> l) & 255;
    if (lanes == 255) {
      load_eight<Words>(rows, l, p.base, offset);
    } else {
      each_lane(lanes, [&](int in_eight) {
        u32 words[Words];
        __builtin_memcpy(words, host(p.base + offset[l + in_eight]), sizeof words);
        for (int i = 0; i < Words; ++i) rows[i][l + in_eight] = words[i];
      });
    }
  }
}

template <int Bytes, Extend E>
inline void load_lanes(Wave& w, u32 vdst, const Places& p) {
  if constexpr (Bytes < 4) {
    each_lane(p.lanes, [&](int l) {
      u32 raw = 0;
      __builtin_memcpy(&raw, host(p.address(l)), Bytes);
      w.v[vdst][l] = extended<Bytes, E>(raw, w.v[vdst][l]);
    });
  } else {
    load_words<Bytes / 4>(w, vdst, p);
  }
}

// Data of fewer than four bytes is the low part of the register, or its upper half.
template <int Bytes, bool High>
inline void store_lanes(const Wave& w, u32 data, const Places& p) {
  if (Bytes == 4 && p.dense) {
    return copy_row(w.v[data], reinterpret_cast<u32*>(host(p.address(0))));
  }
  for (int l = 0; l < kLanes; l += 8) {
    const u32 lanes = static_cast<u32>(p.lanes >> l) & 255;
    if (Bytes == 4 && lanes == 255 && pattern_of(p.offset + l) == Pattern::dense) {
      __builtin_memcpy(host(p.address(l)), &w.v[data][l], 32);
      continue;
    }
    each_lane(lanes, [&](int in_eight) {
      u32 words[4];
      for (int i = 0; i < (Bytes + 3) / 4; ++i) words[i] = w.v[data + i][l + in_eight];
      if (High) words[0] >>= 16;
      __builtin_memcpy(host(p.address(l + in_eight)), words, Bytes);
    });
  }
}

// -- atomics -------------------------------------------------------------------------------------

// F::run(old, data) is the new value. Made with a compare and exchange, since blocks run on several
// threads of the host.
template <class F, class T>
inline T update(u64 address, T data) {
  T* where = reinterpret_cast<T*>(host(address));
  T old = __atomic_load_n(where, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(where, &old, F::run(old, data), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class T>
inline T register_value(const Wave& w, u32 row, int l) {
  if constexpr (sizeof(T) == 4) return w.v[row][l];
  return w.v[row][l] | static_cast<u64>(w.v[row + 1][l]) << 32;
}
template <class T>
inline void set_register_value(Wave& w, u32 row, int l, T value) {
  w.v[row][l] = static_cast<u32>(value);
  if constexpr (sizeof(T) == 8) w.v[row + 1][l] = static_cast<u32>(value >> 32);
}

struct AtomicSwap {
  template <class T>
  static T run(T, T data) {
    return data;
  }
};
struct AtomicAdd {
  template <class T>
  static T run(T old, T data) {
    return old + data;
  }
};
struct AtomicSub {
  template <class T>
  static T run(T old, T data) {
    return old - data;
  }
};
struct AtomicRsub {
  template <class T>
  static T run(T old, T data) {
    return data - old;
  }
};
struct AtomicAnd {
  template <class T>
  static T run(T old, T data) {
    return old & data;
  }
};
struct AtomicOr {
  template <class T>
  static T run(T old, T data) {
    return old | data;
  }
};
struct AtomicXor {
  template <class T>
  static T run(T old, T data) {
    return old ^ data;
  }
};
struct AtomicUmin {
  template <class T>
  static T run(T old, T data) {
    return data < old ? data : old;
  }
};
struct AtomicUmax {
  template <class T>
  static T run(T old, T data) {
    return data > old ? data : old;
  }
};
template <class T>
struct SignedOf {
  using type = i32;
};
template <>
struct SignedOf<u64> {
  using type = i64;
};
struct AtomicSmin {
  template <class T>
  static T run(T old, T data) {
    using S = typename SignedOf<T>::type;
    return static_cast<S>(data) < static_cast<S>(old) ? data : old;
  }
};
struct AtomicSmax {
  template <class T>
  static T run(T old, T data) {
    using S = typename SignedOf<T>::type;
    return static_cast<S>(data) > static_cast<S>(old) ? data : old;
  }
};
// Count up to the data, or down from it, and round again.
struct AtomicInc {
  template <class T>
  static T run(T old, T data) {
    return old >= data ? 0 : old + 1;
  }
};
struct AtomicDec {
  template <class T>
  static T run(T old, T data) {
    return old == 0 || old > data ? data : old - 1;
  }
};
// The NaN of a sum, as in Operation: the first one, made quiet.
template <class P, class T>
inline T sum_or_nan(T old, T data, T sum) {
  const T nan = P::is_nan(old) ? old | P::quiet : P::is_nan(data) ? data | P::quiet : P::nan;
  return P::is_nan(sum) ? nan : sum;
}
struct AtomicAddF32 {
  static u32 run(u32 old, u32 data) {
    return sum_or_nan<F32>(old, data, bits_as<u32>(bits_as<float>(old) + bits_as<float>(data)));
  }
};
struct AtomicAddF64 {
  static u64 run(u64 old, u64 data) {
    return sum_or_nan<F64>(old, data, bits_as<u64>(bits_as<double>(old) + bits_as<double>(data)));
  }
};
// Of min and max: a signaling NaN is made quiet and wins, a quiet one gives way; -0 is below +0.
// Where denormals are flushed they compare as zeros, and are kept.
template <class P, class T>
inline bool is_signaling_bits(T x) {
  return P::is_nan(x) && (x & P::quiet) == 0;
}
template <class T>
inline T flushed_bits(T x) {
  constexpr T sign = T{1} << (sizeof(T) * 8 - 1);
  constexpr T exponent = sizeof(T) == 4 ? T{0x7f800000} : static_cast<T>(0x7ff0000000000000);
  return (x & exponent) == 0 ? x & sign : x;
}
template <class T>
inline T ordered_bits(T x) {
  constexpr T sign = T{1} << (sizeof(T) * 8 - 1);
  return x & sign ? ~x : x | sign;
}
template <class P, bool Max, class T>
inline T extreme(T old, T data, bool flushes) {
  if (is_signaling_bits<P>(old)) return old | P::quiet;
  if (is_signaling_bits<P>(data)) return data | P::quiet;
  if (P::is_nan(data)) return old;
  if (P::is_nan(old)) return data;
  const T before = ordered_bits(flushes ? flushed_bits(old) : old);
  const T other = ordered_bits(flushes ? flushed_bits(data) : data);
  return (Max ? other > before : other < before) ? data : old;
}
struct AtomicMinF64 {
  static u64 run(u64 old, u64 data) { return extreme<F64, false>(old, data, false); }
};
struct AtomicMaxF64 {
  static u64 run(u64 old, u64 data) { return extreme<F64, true>(old, data, false); }
};
// The upper half of a float.
struct Bf16 {
  static inline bool is_nan(u32 x) { return (x & 0x7fff) > 0x7f80; }
  static constexpr u32 quiet = 0x40, nan = 0x7fc0;
  static inline u32 rounded(float x) {
    const u32 bits = bits_as<u32>(x);
    return x != x ? nan : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
};
struct AtomicPkAddBf16 {
  static u32 half(u32 a, u32 b) {
    return sum_or_nan<Bf16>(a, b, Bf16::rounded(bits_as<float>(a << 16) + bits_as<float>(b << 16)));
  }
  static u32 run(u32 old, u32 data) {
    return half(old & 0xffff, data & 0xffff) | half(old >> 16, data >> 16) << 16;
  }
};
struct AtomicPkAddF16 {
  static u32 half(u32 a, u32 b) {
    const u32 sum = half_of_float(float_of_half(a) + float_of_half(b));
    return sum_or_nan<F16>(a, b, sum);
  }
  static u32 run(u32 old, u32 data) {
    return half(old & 0xffff, data & 0xffff) | half(old >> 16, data >> 16) << 16;
  }
};

inline u32 bytes_misaligned(u64 address, u32 bytes) {
  return static_cast<u32>(address) & (bytes - 1);
}

}  // namespace greta::isa::GRETA_LANES
