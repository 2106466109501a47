// Memory accesses of lanes: addresses, the check, then the access itself at the host's addresses.
#pragma once

#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {

// What one instruction accesses: an address of the host for each lane.
struct alignas(64) Accesses {
  u64 address[kLanes];
  u64 lanes = 0;  // those that access
};

void set_fault(Wave& w, FaultKind kind, AccessKind access, u32 bytes, u64 lanes, u64 address);

// False, with the fault set, where a lane may not. Addresses are global ones.
bool check_global(Wave& w, const Step& s, const Accesses& a, u32 bytes, AccessKind kind);
// The same for one address.
bool check_one(Wave& w, const Step& s, u64 address, u32 bytes, AccessKind kind);

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

// Are the lanes' words one after the other?
inline bool is_dense(const Accesses& a) {
  if (a.lanes != ~u64{0}) return false;
  u64 difference = 0;
  for (int l = 0; l < kLanes; ++l)
    difference |= a.address[l] ^ (a.address[0] + 4 * static_cast<u64>(l));
  return difference == 0;
}

template <int Bytes, Extend E>
inline void load_lanes(Wave& w, u32 vdst, const Accesses& a) {
  if (Bytes < 4) {
    each_lane(a.lanes, [&](int l) {
      u32 raw = 0;
      __builtin_memcpy(&raw, host(a.address[l]), Bytes < 4 ? Bytes : 4);
      w.v[vdst][l] = extended<Bytes, E>(raw, w.v[vdst][l]);
    });
    return;
  }
  if (Bytes == 4 && is_dense(a)) {
    __builtin_memcpy(w.v[vdst], host(a.address[0]), sizeof w.v[vdst]);
    return;
  }
  each_lane(a.lanes, [&](int l) {
    u32 words[4];
    __builtin_memcpy(words, host(a.address[l]), Bytes);
    for (int i = 0; i < Bytes / 4; ++i) w.v[vdst + i][l] = words[i];
  });
}

// Data of fewer than four bytes is the low part of the register, or its upper half.
template <int Bytes, bool High>
inline void store_lanes(const Wave& w, u32 data, const Accesses& a) {
  if (Bytes == 4 && is_dense(a)) {
    __builtin_memcpy(host(a.address[0]), w.v[data], sizeof w.v[data]);
    return;
  }
  each_lane(a.lanes, [&](int l) {
    u32 words[4];
    for (int i = 0; i < (Bytes + 3) / 4; ++i) words[i] = w.v[data + i][l];
    if (High) words[0] >>= 16;
    __builtin_memcpy(host(a.address[l]), words, Bytes);
  });
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
struct AtomicMinF64 {
  static u64 run(u64 old, u64 data) {
    return bits_as<double>(data) < bits_as<double>(old) ? data : old;
  }
};
struct AtomicMaxF64 {
  static u64 run(u64 old, u64 data) {
    return bits_as<double>(data) > bits_as<double>(old) ? data : old;
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
