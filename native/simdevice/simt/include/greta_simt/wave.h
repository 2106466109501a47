// Operations among the 64 threads of a wave: shuffles, votes, matches, reductions.
//
// The device gathers one 64-bit value from every lane that has arrived at the same place of the
// source; each lane then computes its own answer from them. A place is the file and line of the
// call (default arguments are evaluated there) and the kind of operation. It cannot be an address
// in the code: the compiler may have made several copies of it.
#pragma GCC system_header
#ifndef GRETA_SIMT_WAVE_H
#define GRETA_SIMT_WAVE_H

#include "greta_simt/block.h"

namespace greta_simt {

using lane_mask = unsigned long long;

enum class wave_operation : uintptr_t {
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  any,
  all,
  ballot,
  match_any,
  match_all,
  synchronize,
  reduce,
  read_lane,
};

// The line is in the highest bits: of several places where lanes wait, the device serves the lowest
// first, so lanes that are behind catch up.
GRETA_SIMT_INLINE const void* place(wave_operation operation, const char* file, unsigned line) {
  uintptr_t which_file = reinterpret_cast<uintptr_t>(file) & 0xffffffffff;
  uintptr_t in_file = static_cast<uintptr_t>(line) << 4 | static_cast<uintptr_t>(operation);
  return reinterpret_cast<const void*>(in_file << 40 | which_file);
}

inline const greta_simt_wave& exchange(uint64_t value, const void* place) {
  const greta_simt_wave* wave = nullptr;
  position_keeper position;
  position.resume(services().wave_exchange(current_block, linear_thread(), place, value, &wave));
  return *wave;
}

GRETA_SIMT_INLINE unsigned lane() { return linear_thread() % GRETA_SIMT_WAVE_SIZE; }

template <class T>
GRETA_SIMT_INLINE uint64_t to_bits(const T& value) {
  static_assert(sizeof(T) <= 8, "a lane exchanges at most 64 bits");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
GRETA_SIMT_INLINE T from_bits(uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

GRETA_SIMT_INLINE bool is_active(const greta_simt_wave& wave, unsigned lane) {
  return wave.active >> lane & 1;
}

// What a lane reads from lane `source`: zero, as on the GPU, where that lane takes no part.
template <class T>
GRETA_SIMT_INLINE T value_of(const greta_simt_wave& wave, int source) {
  unsigned from = static_cast<unsigned>(source) % GRETA_SIMT_WAVE_SIZE;
  return from_bits<T>(is_active(wave, from) ? wave.value[from] : 0);
}

template <class T>
inline T shuffle(const T& value, int source, int width, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  int self = static_cast<int>(lane());
  return value_of<T>(wave, (source & (width - 1)) + (self & ~(width - 1)));
}
template <class T>
inline T shuffle_up(const T& value, unsigned delta, int width, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  int self = static_cast<int>(lane());
  int source = self - static_cast<int>(delta);
  return value_of<T>(wave, source < (self & ~(width - 1)) ? self : source);
}
template <class T>
inline T shuffle_down(const T& value, unsigned delta, int width, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  int self = static_cast<int>(lane());
  unsigned within = static_cast<unsigned>(self & (width - 1)) + delta;
  bool outside = within >= static_cast<unsigned>(width);
  return value_of<T>(wave, outside ? self : self + static_cast<int>(delta));
}
template <class T>
inline T shuffle_xor(const T& value, int mask, int width, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  int self = static_cast<int>(lane());
  int source = self ^ mask;
  return value_of<T>(wave, source >= ((self + width) & ~(width - 1)) ? self : source);
}

inline lane_mask ballot(bool predicate, const void* place) {
  const greta_simt_wave& wave = exchange(predicate, place);
  lane_mask votes = 0;
  for (unsigned i = 0; i < GRETA_SIMT_WAVE_SIZE; ++i)
    if (is_active(wave, i) && wave.value[i]) votes |= 1ull << i;
  return votes;
}

inline bool vote_all(bool predicate, const void* place) {
  const greta_simt_wave& wave = exchange(predicate, place);
  for (unsigned i = 0; i < GRETA_SIMT_WAVE_SIZE; ++i)
    if (is_active(wave, i) && !wave.value[i]) return false;
  return true;
}

inline lane_mask match_any(uint64_t bits, lane_mask mask, const void* place) {
  const greta_simt_wave& wave = exchange(bits, place);
  lane_mask same = 0;
  for (unsigned i = 0; i < GRETA_SIMT_WAVE_SIZE; ++i)
    if (is_active(wave, i) && wave.value[i] == bits) same |= 1ull << i;
  return same & mask;
}

// Folds the values of the lanes in `mask`.
template <class T, class F>
inline T reduce(const T& value, lane_mask mask, F fold, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  T result = value;
  bool first = true;
  for (unsigned i = 0; i < GRETA_SIMT_WAVE_SIZE; ++i) {
    if (!(mask >> i & 1) || !is_active(wave, i)) continue;
    T other = from_bits<T>(wave.value[i]);
    result = first ? other : fold(result, other);
    first = false;
  }
  return result;
}

}  // namespace greta_simt

#define GRETA_SIMT_CALLER const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()
#define GRETA_SIMT_PLACE(OPERATION) \
  greta_simt::place(greta_simt::wave_operation::OPERATION, file, line)

GRETA_SIMT_INLINE unsigned __lane_id() { return greta_simt::lane(); }
GRETA_SIMT_INLINE unsigned long long __lanemask_eq() { return 1ull << greta_simt::lane(); }
GRETA_SIMT_INLINE unsigned long long __lanemask_lt() { return __lanemask_eq() - 1; }
GRETA_SIMT_INLINE unsigned long long __lanemask_gt() {
  return ~(__lanemask_lt() | __lanemask_eq());
}

#define GRETA_SIMT_SHUFFLE(NAME, OPERATION, ARGUMENT)                                             \
  template <class T>                                                                              \
  GRETA_SIMT_INLINE T NAME(T value, ARGUMENT argument, int width = warpSize, GRETA_SIMT_CALLER) { \
    return greta_simt::OPERATION(value, argument, width, GRETA_SIMT_PLACE(OPERATION));            \
  }                                                                                               \
  template <class M, class T>                                                                     \
  GRETA_SIMT_INLINE T NAME##_sync(M, T value, ARGUMENT argument, int width = warpSize,            \
                                  GRETA_SIMT_CALLER) {                                            \
    static_assert(sizeof(M) == 8, "the mask of a wave of 64 lanes has 64 bits");                  \
    return greta_simt::OPERATION(value, argument, width, GRETA_SIMT_PLACE(OPERATION));            \
  }
GRETA_SIMT_SHUFFLE(__shfl, shuffle, int)
GRETA_SIMT_SHUFFLE(__shfl_up, shuffle_up, unsigned)
GRETA_SIMT_SHUFFLE(__shfl_down, shuffle_down, unsigned)
GRETA_SIMT_SHUFFLE(__shfl_xor, shuffle_xor, int)
#undef GRETA_SIMT_SHUFFLE

GRETA_SIMT_INLINE unsigned long long __ballot(int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::ballot(predicate != 0, GRETA_SIMT_PLACE(ballot));
}
GRETA_SIMT_INLINE unsigned long long __ballot64(int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::ballot(predicate != 0, GRETA_SIMT_PLACE(ballot));
}
GRETA_SIMT_INLINE int __any(int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::ballot(predicate != 0, GRETA_SIMT_PLACE(any)) != 0;
}
GRETA_SIMT_INLINE int __all(int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::vote_all(predicate != 0, GRETA_SIMT_PLACE(all));
}
GRETA_SIMT_INLINE unsigned long long __activemask(GRETA_SIMT_CALLER) {
  return greta_simt::ballot(true, GRETA_SIMT_PLACE(ballot));
}

template <class M>
GRETA_SIMT_INLINE unsigned long long __ballot_sync(M mask, int predicate, GRETA_SIMT_CALLER) {
  return greta_simt::ballot(predicate != 0, GRETA_SIMT_PLACE(ballot)) & mask;
}
template <class M>
GRETA_SIMT_INLINE int __any_sync(M mask, int predicate, GRETA_SIMT_CALLER) {
  return (greta_simt::ballot(predicate != 0, GRETA_SIMT_PLACE(any)) & mask) != 0;
}
template <class M>
GRETA_SIMT_INLINE int __all_sync(M mask, int predicate, GRETA_SIMT_CALLER) {
  return (greta_simt::ballot(predicate == 0, GRETA_SIMT_PLACE(all)) & mask) == 0;
}
template <class M, class T>
GRETA_SIMT_INLINE unsigned long long __match_any_sync(M mask, T value, GRETA_SIMT_CALLER) {
  return greta_simt::match_any(greta_simt::to_bits(value), mask, GRETA_SIMT_PLACE(match_any));
}
template <class T>
GRETA_SIMT_INLINE unsigned long long __match_any(T value, GRETA_SIMT_CALLER) {
  return greta_simt::match_any(greta_simt::to_bits(value), ~0ull, GRETA_SIMT_PLACE(match_any));
}

namespace greta_simt {
template <class T>
inline lane_mask match_all(const T& value, lane_mask mask, int* predicate, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  lane_mask taking_part = wave.active & mask;
  bool same = true;
  for (unsigned i = 0; i < GRETA_SIMT_WAVE_SIZE; ++i)
    if (taking_part >> i & 1) same = same && wave.value[i] == to_bits(value);
  *predicate = same;
  return same ? taking_part : 0;
}
}  // namespace greta_simt

template <class M, class T>
GRETA_SIMT_INLINE unsigned long long __match_all_sync(M mask, T value, int* predicate,
                                                      GRETA_SIMT_CALLER) {
  return greta_simt::match_all(value, mask, predicate, GRETA_SIMT_PLACE(match_all));
}
template <class T>
GRETA_SIMT_INLINE unsigned long long __match_all(T value, int* predicate, GRETA_SIMT_CALLER) {
  return greta_simt::match_all(value, ~0ull, predicate, GRETA_SIMT_PLACE(match_all));
}

GRETA_SIMT_INLINE void __syncwarp(unsigned long long = ~0ull, GRETA_SIMT_CALLER) {
  greta_simt::exchange(0, GRETA_SIMT_PLACE(synchronize));
}

#define GRETA_SIMT_REDUCTION(NAME, EXPRESSION)                                            \
  template <class M, class T>                                                             \
  GRETA_SIMT_INLINE T NAME(M mask, T value, GRETA_SIMT_CALLER) {                          \
    return greta_simt::reduce(                                                            \
        value, mask, [](T a, T b) -> T { return EXPRESSION; }, GRETA_SIMT_PLACE(reduce)); \
  }
GRETA_SIMT_REDUCTION(__reduce_add_sync, a + b)
GRETA_SIMT_REDUCTION(__reduce_min_sync, b < a ? b : a)
GRETA_SIMT_REDUCTION(__reduce_max_sync, a < b ? b : a)
GRETA_SIMT_REDUCTION(__reduce_and_sync, a& b)
GRETA_SIMT_REDUCTION(__reduce_or_sync, a | b)
GRETA_SIMT_REDUCTION(__reduce_xor_sync, a ^ b)
#undef GRETA_SIMT_REDUCTION

#endif
