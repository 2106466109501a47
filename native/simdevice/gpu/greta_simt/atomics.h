// Atomic operations, relaxed, of three scopes: the device, the block, the system.
#pragma GCC system_header
#ifndef GRETA_GPU_ATOMICS_H
#define GRETA_GPU_ATOMICS_H

#include "greta_simt/platform.h"

namespace greta_simt {

template <unsigned Bytes>
struct word;
template <>
struct word<4> {
  using type = unsigned;
};
template <>
struct word<8> {
  using type = unsigned long long;
};
template <class T>
using word_of = typename word<sizeof(T) <= 4 ? 4 : 8>::type;

// Any change, by comparing and swapping the word around the value.
template <class T, class F>
inline __attribute__((device)) T atomic_update(T* address, F change) {
  using W = word_of<T>;
  const auto at = reinterpret_cast<uintptr_t>(address);
  const unsigned shift = static_cast<unsigned>(at % sizeof(W)) * 8;
  W* const whole = reinterpret_cast<W*>(at - at % sizeof(W));
  W before = __hip_atomic_load(whole, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    T old;
    W part = before >> shift;
    __builtin_memcpy(static_cast<void*>(&old), &part, sizeof(T));
    const T changed = change(old);
    W bits = 0;
    __builtin_memcpy(&bits, &changed, sizeof(T));
    const W mask =
        (sizeof(T) == sizeof(W) ? ~W{0} : (W{1} << (sizeof(T) * 8 % (sizeof(W) * 8))) - 1) << shift;
    if (__hip_atomic_compare_exchange_strong(whole, &before, (before & ~mask) | bits << shift,
                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT))
      return old;
  }
}

}  // namespace greta_simt

#define GRETA_GPU_ATOMIC(NAME, T, OPERATION)                                          \
  GRETA_GPU_DEVICE T NAME(T* address, T value) {                                      \
    return OPERATION(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);     \
  }                                                                                   \
  GRETA_GPU_DEVICE T NAME##_block(T* address, T value) {                              \
    return OPERATION(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
  }                                                                                   \
  GRETA_GPU_DEVICE T NAME##_system(T* address, T value) {                             \
    return OPERATION(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);    \
  }
#define GRETA_GPU_INTEGER_ATOMIC(NAME, OPERATION)       \
  GRETA_GPU_ATOMIC(NAME, long, OPERATION)               \
  GRETA_GPU_ATOMIC(NAME, int, OPERATION)                \
  GRETA_GPU_ATOMIC(NAME, unsigned, OPERATION)           \
  GRETA_GPU_ATOMIC(NAME, unsigned long, OPERATION)      \
  GRETA_GPU_ATOMIC(NAME, unsigned long long, OPERATION) \
  GRETA_GPU_ATOMIC(NAME, long long, OPERATION)
#define GRETA_GPU_FLOAT_ATOMIC(NAME, OPERATION) \
  GRETA_GPU_ATOMIC(NAME, float, OPERATION)      \
  GRETA_GPU_ATOMIC(NAME, double, OPERATION)
GRETA_GPU_INTEGER_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
GRETA_GPU_FLOAT_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
GRETA_GPU_INTEGER_ATOMIC(atomicExch, __hip_atomic_exchange)
GRETA_GPU_FLOAT_ATOMIC(atomicExch, __hip_atomic_exchange)
GRETA_GPU_INTEGER_ATOMIC(atomicMin, __hip_atomic_fetch_min)
GRETA_GPU_FLOAT_ATOMIC(atomicMin, __hip_atomic_fetch_min)
GRETA_GPU_INTEGER_ATOMIC(atomicMax, __hip_atomic_fetch_max)
GRETA_GPU_FLOAT_ATOMIC(atomicMax, __hip_atomic_fetch_max)
GRETA_GPU_INTEGER_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
GRETA_GPU_INTEGER_ATOMIC(atomicOr, __hip_atomic_fetch_or)
GRETA_GPU_INTEGER_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
#undef GRETA_GPU_ATOMIC

// Subtraction adds the negative: not every release of clang has it as an operation of its own.
#define GRETA_GPU_ATOMIC_SUB(T)                                                            \
  GRETA_GPU_DEVICE T atomicSub(T* address, T value) { return atomicAdd(address, -value); } \
  GRETA_GPU_DEVICE T atomicSub_block(T* address, T value) {                                \
    return atomicAdd_block(address, -value);                                               \
  }                                                                                        \
  GRETA_GPU_DEVICE T atomicSub_system(T* address, T value) {                               \
    return atomicAdd_system(address, -value);                                              \
  }
GRETA_GPU_ATOMIC_SUB(int)
GRETA_GPU_ATOMIC_SUB(unsigned)
GRETA_GPU_ATOMIC_SUB(long)
GRETA_GPU_ATOMIC_SUB(long long)
GRETA_GPU_ATOMIC_SUB(unsigned long)
GRETA_GPU_ATOMIC_SUB(unsigned long long)
GRETA_GPU_ATOMIC_SUB(float)
GRETA_GPU_ATOMIC_SUB(double)
#undef GRETA_GPU_ATOMIC_SUB

#define GRETA_GPU_ATOMIC_CAS(NAME, T, SCOPE)                                          \
  GRETA_GPU_DEVICE T NAME(T* address, T expected, T value) {                          \
    __hip_atomic_compare_exchange_strong(address, &expected, value, __ATOMIC_RELAXED, \
                                         __ATOMIC_RELAXED, SCOPE);                    \
    return expected;                                                                  \
  }
#define GRETA_GPU_ATOMIC_CAS_OF(T)                                       \
  GRETA_GPU_ATOMIC_CAS(atomicCAS, T, __HIP_MEMORY_SCOPE_AGENT)           \
  GRETA_GPU_ATOMIC_CAS(atomicCAS_block, T, __HIP_MEMORY_SCOPE_WORKGROUP) \
  GRETA_GPU_ATOMIC_CAS(atomicCAS_system, T, __HIP_MEMORY_SCOPE_SYSTEM)
GRETA_GPU_ATOMIC_CAS_OF(int)
GRETA_GPU_ATOMIC_CAS_OF(unsigned)
GRETA_GPU_ATOMIC_CAS_OF(long)
GRETA_GPU_ATOMIC_CAS_OF(long long)
GRETA_GPU_ATOMIC_CAS_OF(unsigned long)
GRETA_GPU_ATOMIC_CAS_OF(unsigned short)
GRETA_GPU_ATOMIC_CAS_OF(unsigned long long)
GRETA_GPU_ATOMIC_CAS_OF(float)
GRETA_GPU_ATOMIC_CAS_OF(double)
#undef GRETA_GPU_ATOMIC_CAS_OF
#undef GRETA_GPU_ATOMIC_CAS
#undef GRETA_GPU_FLOAT_ATOMIC
#undef GRETA_GPU_INTEGER_ATOMIC

#define GRETA_GPU_ATOMIC_WRAP(SUFFIX, SCOPE)                                       \
  GRETA_GPU_DEVICE unsigned atomicInc##SUFFIX(unsigned* address, unsigned limit) { \
    return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, SCOPE); \
  }                                                                                \
  GRETA_GPU_DEVICE unsigned atomicDec##SUFFIX(unsigned* address, unsigned limit) { \
    return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, SCOPE); \
  }
GRETA_GPU_ATOMIC_WRAP(, "agent")
GRETA_GPU_ATOMIC_WRAP(_block, "workgroup")
GRETA_GPU_ATOMIC_WRAP(_system, "")
#undef GRETA_GPU_ATOMIC_WRAP
GRETA_GPU_DEVICE float unsafeAtomicAdd(float* address, float value) {
  return atomicAdd(address, value);
}
GRETA_GPU_DEVICE double unsafeAtomicAdd(double* address, double value) {
  return atomicAdd(address, value);
}
GRETA_GPU_DEVICE float safeAtomicAdd(float* address, float value) {
  return atomicAdd(address, value);
}
GRETA_GPU_DEVICE double safeAtomicAdd(double* address, double value) {
  return atomicAdd(address, value);
}
#define GRETA_GPU_UNSAFE_EXTREME(NAME, T)                      \
  GRETA_GPU_DEVICE T unsafeAtomic##NAME(T* address, T value) { \
    return atomic##NAME(address, value);                       \
  }                                                            \
  GRETA_GPU_DEVICE T safeAtomic##NAME(T* address, T value) { return atomic##NAME(address, value); }
GRETA_GPU_UNSAFE_EXTREME(Min, float)
GRETA_GPU_UNSAFE_EXTREME(Min, double)
GRETA_GPU_UNSAFE_EXTREME(Max, float)
GRETA_GPU_UNSAFE_EXTREME(Max, double)
#undef GRETA_GPU_UNSAFE_EXTREME
GRETA_GPU_DEVICE void atomicAddNoRet(float* address, float value) { atomicAdd(address, value); }

#endif
