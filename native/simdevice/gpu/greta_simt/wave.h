// Operations among the 64 threads of a wave: shuffles, votes, matches, reductions.
#pragma GCC system_header
#ifndef GRETA_GPU_WAVE_H
#define GRETA_GPU_WAVE_H

#include "greta_simt/block.h"

// The headers in simt/ say where they call from; the hardware need not know.
#define GRETA_SIMT_CALLER const char *file = nullptr, unsigned line = 0

namespace greta_simt {

using lane_mask = unsigned long long;

// What lane `source` has, word by word.
template <class T>
GRETA_GPU_DEVICE T value_of(const T& value, int source) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  int all[words] = {};
  __builtin_memcpy(all, &value, sizeof(T));
  for (unsigned i = 0; i < words; ++i) all[i] = __builtin_amdgcn_ds_bpermute(source << 2, all[i]);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), all, sizeof(T));
  return result;
}
template <class T>
GRETA_GPU_DEVICE T shuffle(const T& value, int source, int width) {
  const int self = static_cast<int>(lane());
  return value_of(value, (source & (width - 1)) + (self & ~(width - 1)));
}
template <class T>
GRETA_GPU_DEVICE T shuffle_up(const T& value, unsigned delta, int width) {
  const int self = static_cast<int>(lane()), source = self - static_cast<int>(delta);
  return value_of(value, source < (self & ~(width - 1)) ? self : source);
}
template <class T>
GRETA_GPU_DEVICE T shuffle_down(const T& value, unsigned delta, int width) {
  const int self = static_cast<int>(lane());
  const unsigned within = static_cast<unsigned>(self & (width - 1)) + delta;
  const bool outside = within >= static_cast<unsigned>(width);
  return value_of(value, outside ? self : self + static_cast<int>(delta));
}
template <class T>
GRETA_GPU_DEVICE T shuffle_xor(const T& value, int mask, int width) {
  const int self = static_cast<int>(lane()), source = self ^ mask;
  return value_of(value, source >= ((self + width) & ~(width - 1)) ? self : source);
}
GRETA_GPU_DEVICE lane_mask ballot(bool predicate) { return __builtin_amdgcn_ballot_w64(predicate); }

// Values as bits; there is no memcmp on a device.
template <class T>
GRETA_GPU_DEVICE unsigned long long to_bits(const T& value) {
  static_assert(sizeof(T) <= 8, "a lane compares at most 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
// The lanes in `mask` that have the same value: those with one value at a time.
template <class T>
inline __attribute__((device)) lane_mask match_any(const T& value, lane_mask mask) {
  lane_mask left = ballot(true) & mask, same = 0;
  while (left != 0) {
    const int first = __builtin_ctzll(left);
    const bool mine = to_bits(value_of(value, first)) == to_bits(value);
    const lane_mask those = ballot(mine) & mask;
    if (mine) same = those;
    left &= ~those;
  }
  return same;
}
template <class T, class F>
inline __attribute__((device)) T reduce(const T& value, lane_mask mask, F fold) {
  lane_mask left = ballot(true) & mask;
  T result = value;
  for (bool is_first = true; left != 0; left &= left - 1, is_first = false) {
    const T other = value_of(value, __builtin_ctzll(left));
    result = is_first ? other : fold(result, other);
  }
  return result;
}

}  // namespace greta_simt

GRETA_GPU_DEVICE unsigned __lane_id() { return greta_simt::lane(); }
GRETA_GPU_DEVICE unsigned long long __lanemask_eq() { return 1ull << greta_simt::lane(); }
GRETA_GPU_DEVICE unsigned long long __lanemask_lt() { return __lanemask_eq() - 1; }
GRETA_GPU_DEVICE unsigned long long __lanemask_le() { return __lanemask_lt() | __lanemask_eq(); }
GRETA_GPU_DEVICE unsigned long long __lanemask_ge() { return ~__lanemask_lt(); }
GRETA_GPU_DEVICE unsigned long long __lanemask_gt() { return ~(__lanemask_lt() | __lanemask_eq()); }

// A value that only the source lane has set: without this, the compiler takes it that all lanes did
// what sets it, and drops the condition.
#define GRETA_GPU_MAYBE_UNSET __attribute__((maybe_undef))

#define GRETA_GPU_SHUFFLE(NAME, OPERATION, ARGUMENT)                                              \
  template <class T>                                                                              \
  GRETA_GPU_DEVICE T NAME(GRETA_GPU_MAYBE_UNSET T value, ARGUMENT argument, int width = warpSize, \
                          GRETA_SIMT_CALLER) {                                                    \
    return greta_simt::OPERATION(value, argument, width);                                         \
  }                                                                                               \
  template <class M, class T>                                                                     \
  GRETA_GPU_DEVICE T NAME##_sync(M, GRETA_GPU_MAYBE_UNSET T value, ARGUMENT argument,             \
                                 int width = warpSize) {                                          \
    static_assert(sizeof(M) == 8, "the mask of a wave of 64 lanes has 64 bits");                  \
    return greta_simt::OPERATION(value, argument, width);                                         \
  }
GRETA_GPU_SHUFFLE(__shfl, shuffle, int)
GRETA_GPU_SHUFFLE(__shfl_up, shuffle_up, unsigned)
GRETA_GPU_SHUFFLE(__shfl_down, shuffle_down, unsigned)
GRETA_GPU_SHUFFLE(__shfl_xor, shuffle_xor, int)
#undef GRETA_GPU_SHUFFLE
#undef GRETA_GPU_MAYBE_UNSET

GRETA_GPU_DEVICE unsigned long long __ballot(int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::ballot(predicate != 0);
}
GRETA_GPU_DEVICE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
GRETA_GPU_DEVICE unsigned long long __activemask(GRETA_SIMT_CALLER) { return __ballot(1); }
GRETA_GPU_DEVICE int __any(int predicate, GRETA_SIMT_CALLER) { return __ballot(predicate) != 0; }
GRETA_GPU_DEVICE int __all(int predicate, GRETA_SIMT_CALLER) { return __ballot(!predicate) == 0; }
template <class M>
GRETA_GPU_DEVICE unsigned long long __ballot_sync(M mask, int predicate) {
  return __ballot(predicate) & mask;
}
template <class M>
GRETA_GPU_DEVICE int __any_sync(M mask, int predicate) {
  return (__ballot(predicate) & mask) != 0;
}
template <class M>
GRETA_GPU_DEVICE int __all_sync(M mask, int predicate) {
  return (__ballot(!predicate) & mask) == 0;
}
template <class M, class T>
GRETA_GPU_DEVICE unsigned long long __match_any_sync(M mask, T value) {
  return greta_simt::match_any(value, mask);
}
template <class T>
GRETA_GPU_DEVICE unsigned long long __match_any(T value, GRETA_SIMT_CALLER) {
  return greta_simt::match_any(value, ~0ull);
}
template <class M, class T>
GRETA_GPU_DEVICE unsigned long long __match_all_sync(M mask, T value, int* predicate) {
  const unsigned long long all = __activemask() & mask;
  *predicate = greta_simt::match_any(value, mask) == all;
  *predicate = __all_sync(mask, *predicate);
  return *predicate ? all : 0;
}
template <class T>
GRETA_GPU_DEVICE unsigned long long __match_all(T value, int* predicate) {
  return __match_all_sync(~0ull, value, predicate);
}
GRETA_GPU_DEVICE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#define GRETA_GPU_REDUCTION(NAME, EXPRESSION)                                         \
  template <class M, class T>                                                         \
  GRETA_GPU_DEVICE T NAME(M mask, T value) {                                          \
    return greta_simt::reduce(value, mask, [](T a, T b) -> T { return EXPRESSION; }); \
  }
GRETA_GPU_REDUCTION(__reduce_add_sync, a + b)
GRETA_GPU_REDUCTION(__reduce_min_sync, b < a ? b : a)
GRETA_GPU_REDUCTION(__reduce_max_sync, a < b ? b : a)
GRETA_GPU_REDUCTION(__reduce_and_sync, a& b)
GRETA_GPU_REDUCTION(__reduce_or_sync, a | b)
GRETA_GPU_REDUCTION(__reduce_xor_sync, a ^ b)
#undef GRETA_GPU_REDUCTION

#endif
