// Atomic operations on global and shared memory.
//
// Relaxed order, as HIP's are; the variants for a block and for the whole system are the same here.
#pragma GCC system_header
#ifndef GRETA_SIMT_ATOMICS_H
#define GRETA_SIMT_ATOMICS_H

#include "greta_simt/conversions.h"
#include "greta_simt/platform.h"

namespace greta_simt {

// The integer type that the CPU exchanges for a T.
template <unsigned Size>
struct atomic_word;
template <>
struct atomic_word<2> {
  using type = uint16_t;
};
template <>
struct atomic_word<4> {
  using type = uint32_t;
};
template <>
struct atomic_word<8> {
  using type = uint64_t;
};
template <class T>
using word_of = typename atomic_word<sizeof(T)>::type;

// Replaces *address by change(*address); gives what was there before.
template <class T, class F>
GRETA_SIMT_INLINE T atomic_update(T* address, F change) {
  word_of<T>* memory = reinterpret_cast<word_of<T>*>(address);
  word_of<T> seen = __atomic_load_n(memory, __ATOMIC_RELAXED);
  for (;;) {
    T before = bit_cast<T>(seen);
    word_of<T> wanted = bit_cast<word_of<T>>(static_cast<T>(change(before)));
    if (__atomic_compare_exchange_n(memory, &seen, wanted, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return before;
  }
}

template <class T>
GRETA_SIMT_INLINE T atomic_exchange(T* address, T value) {
  word_of<T> before = __atomic_exchange_n(reinterpret_cast<word_of<T>*>(address),
                                          bit_cast<word_of<T>>(value), __ATOMIC_RELAXED);
  return bit_cast<T>(before);
}

template <class T>
GRETA_SIMT_INLINE T atomic_compare_and_swap(T* address, T expected, T value) {
  word_of<T> seen = bit_cast<word_of<T>>(expected);
  __atomic_compare_exchange_n(reinterpret_cast<word_of<T>*>(address), &seen,
                              bit_cast<word_of<T>>(value), false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return bit_cast<T>(seen);
}

template <class T>
GRETA_SIMT_INLINE T atomic_add(T* address, T value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
GRETA_SIMT_INLINE float atomic_add(float* address, float value) {
  return atomic_update(address, [=](float old) { return old + value; });
}
GRETA_SIMT_INLINE double atomic_add(double* address, double value) {
  return atomic_update(address, [=](double old) { return old + value; });
}
template <class T>
GRETA_SIMT_INLINE T atomic_min(T* address, T value) {
  return atomic_update(address, [=](T old) { return value < old ? value : old; });
}
template <class T>
GRETA_SIMT_INLINE T atomic_max(T* address, T value) {
  return atomic_update(address, [=](T old) { return old < value ? value : old; });
}

}  // namespace greta_simt

// Defines NAME and its _block and _system variants.
#define GRETA_SIMT_ATOMIC(NAME, T, PARAMETERS, EXPRESSION)           \
  GRETA_SIMT_INLINE T NAME PARAMETERS { return EXPRESSION; }         \
  GRETA_SIMT_INLINE T NAME##_block PARAMETERS { return EXPRESSION; } \
  GRETA_SIMT_INLINE T NAME##_system PARAMETERS { return EXPRESSION; }

#define GRETA_SIMT_ATOMIC_NUMBER(T)                                                               \
  GRETA_SIMT_ATOMIC(atomicAdd, T, (T * address, T value), greta_simt::atomic_add(address, value)) \
  GRETA_SIMT_ATOMIC(atomicSub, T, (T * address, T value),                                         \
                    greta_simt::atomic_add(address, static_cast<T>(-value)))                      \
  GRETA_SIMT_ATOMIC(atomicExch, T, (T * address, T value),                                        \
                    greta_simt::atomic_exchange(address, value))                                  \
  GRETA_SIMT_ATOMIC(atomicMin, T, (T * address, T value), greta_simt::atomic_min(address, value)) \
  GRETA_SIMT_ATOMIC(atomicMax, T, (T * address, T value), greta_simt::atomic_max(address, value)) \
  GRETA_SIMT_ATOMIC(atomicCAS, T, (T * address, T compare, T value),                              \
                    greta_simt::atomic_compare_and_swap(address, compare, value))

#define GRETA_SIMT_ATOMIC_INTEGER(T)                                      \
  GRETA_SIMT_ATOMIC_NUMBER(T)                                             \
  GRETA_SIMT_ATOMIC(atomicAnd, T, (T * address, T value),                 \
                    __atomic_fetch_and(address, value, __ATOMIC_RELAXED)) \
  GRETA_SIMT_ATOMIC(atomicOr, T, (T * address, T value),                  \
                    __atomic_fetch_or(address, value, __ATOMIC_RELAXED))  \
  GRETA_SIMT_ATOMIC(atomicXor, T, (T * address, T value),                 \
                    __atomic_fetch_xor(address, value, __ATOMIC_RELAXED))

GRETA_SIMT_ATOMIC_INTEGER(int)
GRETA_SIMT_ATOMIC_INTEGER(unsigned)
GRETA_SIMT_ATOMIC_INTEGER(long)
GRETA_SIMT_ATOMIC_INTEGER(unsigned long)
GRETA_SIMT_ATOMIC_INTEGER(long long)
GRETA_SIMT_ATOMIC_INTEGER(unsigned long long)
GRETA_SIMT_ATOMIC_NUMBER(float)
GRETA_SIMT_ATOMIC_NUMBER(double)
GRETA_SIMT_ATOMIC(atomicCAS, unsigned short,
                  (unsigned short* address, unsigned short compare, unsigned short value),
                  greta_simt::atomic_compare_and_swap(address, compare, value))

GRETA_SIMT_ATOMIC(atomicInc, unsigned, (unsigned* address, unsigned limit),
                  greta_simt::atomic_update(address, [=](unsigned old) {
                    return old >= limit ? 0u : old + 1;
                  }))
GRETA_SIMT_ATOMIC(atomicDec, unsigned, (unsigned* address, unsigned limit),
                  greta_simt::atomic_update(address, [=](unsigned old) {
                    return old == 0 || old > limit ? limit : old - 1;
                  }))
#undef GRETA_SIMT_ATOMIC_INTEGER
#undef GRETA_SIMT_ATOMIC_NUMBER
#undef GRETA_SIMT_ATOMIC

GRETA_SIMT_INLINE float unsafeAtomicAdd(float* address, float value) {
  return greta_simt::atomic_add(address, value);
}
GRETA_SIMT_INLINE double unsafeAtomicAdd(double* address, double value) {
  return greta_simt::atomic_add(address, value);
}
GRETA_SIMT_INLINE float safeAtomicAdd(float* address, float value) {
  return greta_simt::atomic_add(address, value);
}
GRETA_SIMT_INLINE double safeAtomicAdd(double* address, double value) {
  return greta_simt::atomic_add(address, value);
}
GRETA_SIMT_INLINE void atomicAddNoRet(float* address, float value) {
  greta_simt::atomic_add(address, value);
}

// HIP's clang builtins with a scope. A CPU has one scope, and the order asked for is a minimum, so
// all are sequentially consistent.
#if defined(__has_builtin)
#if __has_builtin(__hip_atomic_load)
#define GRETA_SIMT_HAS_SCOPED_ATOMICS
#endif
#endif
#if !defined(GRETA_SIMT_HAS_SCOPED_ATOMICS)
template <class T>
GRETA_SIMT_INLINE T __hip_atomic_load(const T* address, int, int) {
  greta_simt::word_of<T> word =
      __atomic_load_n(reinterpret_cast<const greta_simt::word_of<T>*>(address), __ATOMIC_SEQ_CST);
  return greta_simt::bit_cast<T>(word);
}
template <class T, class U>
GRETA_SIMT_INLINE void __hip_atomic_store(T* address, U value, int, int) {
  __atomic_store_n(reinterpret_cast<greta_simt::word_of<T>*>(address),
                   greta_simt::bit_cast<greta_simt::word_of<T>>(static_cast<T>(value)),
                   __ATOMIC_SEQ_CST);
}
template <class T, class U>
GRETA_SIMT_INLINE T __hip_atomic_exchange(T* address, U value, int, int) {
  return greta_simt::atomic_exchange(address, static_cast<T>(value));
}
template <class T, class U>
GRETA_SIMT_INLINE bool __hip_atomic_compare_exchange_strong(T* address, T* expected, U value, int,
                                                            int, int) {
  T before = *expected;
  *expected = greta_simt::atomic_compare_and_swap(address, before, static_cast<T>(value));
  return greta_simt::bit_cast<greta_simt::word_of<T>>(*expected) ==
         greta_simt::bit_cast<greta_simt::word_of<T>>(before);
}
template <class T, class U>
GRETA_SIMT_INLINE bool __hip_atomic_compare_exchange_weak(T* address, T* expected, U value,
                                                          int success, int failure, int scope) {
  return __hip_atomic_compare_exchange_strong(address, expected, value, success, failure, scope);
}
#define GRETA_SIMT_SCOPED(NAME, EXPRESSION)                                        \
  template <class T, class U>                                                      \
  GRETA_SIMT_INLINE T __hip_atomic_fetch_##NAME(T* address, U operand, int, int) { \
    T value = static_cast<T>(operand);                                             \
    return greta_simt::atomic_update(address, [=](T old) { return EXPRESSION; });  \
  }
GRETA_SIMT_SCOPED(add, old + value)
GRETA_SIMT_SCOPED(sub, old - value)
GRETA_SIMT_SCOPED(and, old& value)
GRETA_SIMT_SCOPED(or, old | value)
GRETA_SIMT_SCOPED(xor, old ^ value)
GRETA_SIMT_SCOPED(min, value < old ? value : old)
GRETA_SIMT_SCOPED(max, old < value ? value : old)
#undef GRETA_SIMT_SCOPED
#elif defined(GRETA_SIMT_CHECKED)
// clang lets these pass unchecked: ThreadSanitizer has no function for them.
namespace greta_simt {
template <class T, class U>
GRETA_SIMT_INLINE T scoped_min(T* address, U value, int, int = 0) {
  return atomic_min(address, static_cast<T>(value));
}
template <class T, class U>
GRETA_SIMT_INLINE T scoped_max(T* address, U value, int, int = 0) {
  return atomic_max(address, static_cast<T>(value));
}
}  // namespace greta_simt
#define __hip_atomic_fetch_min ::greta_simt::scoped_min
#define __hip_atomic_fetch_max ::greta_simt::scoped_max
#define __atomic_fetch_min ::greta_simt::scoped_min
#define __atomic_fetch_max ::greta_simt::scoped_max
#endif

#endif
