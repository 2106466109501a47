// Checked builds: before every access outside its own stack a kernel asks the device.
//
// The compiler is told to instrument memory accesses as for ThreadSanitizer: it calls a function
// before each read and each write, and one in place of each atomic operation. (What it does for
// AddressSanitizer does not serve: of a read and a write of one place it checks the first alone,
// and it does not tell atomic operations from others.) This file defines those functions, inside
// the code object and for it alone.
#pragma GCC system_header
#ifndef GRETA_SIMT_CHECKED_H
#define GRETA_SIMT_CHECKED_H

#include "greta_simt/block.h"

#if defined(GRETA_SIMT_CHECKED)

#if defined(__clang__)
// no_sanitize("thread") would leave the atomic operations.
#define GRETA_SIMT_UNCHECKED __attribute__((disable_sanitizer_instrumentation))
#else
#define GRETA_SIMT_UNCHECKED __attribute__((no_sanitize_thread))
#endif

namespace greta_simt {

GRETA_SIMT_UNCHECKED __attribute__((noinline)) inline void check_access(uintptr_t address,
                                                                        uint64_t bytes, int kind,
                                                                        const void* site) {
  // From here up to the entry function lies the thread's private memory.
  uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (address - here < stack_top - here) return;
  service_table.check_access(current_block, checked_thread, reinterpret_cast<const void*>(address),
                             bytes, kind, site);
}

// Called by the code that the compiler generates, under the name LABEL. The compiler has its own
// ideas of how functions of those names are declared, so the C++ names are others.
#define GRETA_SIMT_CALLED(RESULT, LABEL, NAME, PARAMETERS) \
  RESULT NAME PARAMETERS __asm__(LABEL);                   \
  GRETA_SIMT_UNCHECKED __attribute__((used, noinline)) RESULT NAME PARAMETERS
#define GRETA_SIMT_SITE __builtin_return_address(0)

#define GRETA_SIMT_CHECK(LABEL, NAME, SIZE, KIND)                       \
  GRETA_SIMT_CALLED(void, "__tsan_" LABEL, NAME, (uintptr_t address)) { \
    check_access(address, SIZE, KIND, GRETA_SIMT_SITE);                 \
  }
#define GRETA_SIMT_CHECK_BOTH(NAME, SIZE, KIND)                               \
  GRETA_SIMT_CHECK(#NAME #SIZE, NAME##_##SIZE, SIZE, GRETA_SIMT_KIND_##KIND)  \
  GRETA_SIMT_CHECK("unaligned_" #NAME #SIZE, unaligned_##NAME##_##SIZE, SIZE, \
                   GRETA_SIMT_KIND_##KIND)
#define GRETA_SIMT_CHECKS(SIZE)                    \
  GRETA_SIMT_CHECK_BOTH(read, SIZE, READ)          \
  GRETA_SIMT_CHECK_BOTH(write, SIZE, WRITE)        \
  GRETA_SIMT_CHECK_BOTH(volatile_read, SIZE, READ) \
  GRETA_SIMT_CHECK_BOTH(volatile_write, SIZE, VOLATILE_WRITE)
GRETA_SIMT_CHECKS(1)
GRETA_SIMT_CHECKS(2)
GRETA_SIMT_CHECKS(4)
GRETA_SIMT_CHECKS(8)
GRETA_SIMT_CHECKS(16)
GRETA_SIMT_CHECK("vptr_read", vptr_read, sizeof(void*), GRETA_SIMT_KIND_READ)
#undef GRETA_SIMT_CHECKS
#undef GRETA_SIMT_CHECK_BOTH
#undef GRETA_SIMT_CHECK
GRETA_SIMT_CALLED(void, "__tsan_vptr_update", vptr_update, (uintptr_t address, void*)) {
  check_access(address, sizeof(void*), GRETA_SIMT_KIND_WRITE, GRETA_SIMT_SITE);
}
GRETA_SIMT_CALLED(void, "__tsan_read_range", read_range, (uintptr_t address, size_t bytes)) {
  check_access(address, bytes, GRETA_SIMT_KIND_READ, GRETA_SIMT_SITE);
}
GRETA_SIMT_CALLED(void, "__tsan_write_range", write_range, (uintptr_t address, size_t bytes)) {
  check_access(address, bytes, GRETA_SIMT_KIND_WRITE, GRETA_SIMT_SITE);
}
GRETA_SIMT_CALLED(void, "__tsan_init", sanitizer_init, ()) {}
GRETA_SIMT_CALLED(void, "__tsan_func_entry", function_entry, (void*)) {}
GRETA_SIMT_CALLED(void, "__tsan_func_exit", function_exit, ()) {}

// Atomic operations. The order that was asked for is a minimum; these give the strongest.
#define GRETA_SIMT_ATOMIC_CALL(RESULT, BITS, NAME, PARAMETERS, ACTION)                            \
  GRETA_SIMT_CALLED(RESULT, "__tsan_atomic" #BITS "_" #NAME, atomic##BITS##_##NAME, PARAMETERS) { \
    check_access(reinterpret_cast<uintptr_t>(at), BITS / 8, GRETA_SIMT_KIND_ATOMIC,               \
                 GRETA_SIMT_SITE);                                                                \
    ACTION;                                                                                       \
  }
#define GRETA_SIMT_ATOMIC_FETCH(BITS, T, NAME)                           \
  GRETA_SIMT_ATOMIC_CALL(T, BITS, NAME, (volatile T * at, T value, int), \
                         return __atomic_##NAME(at, value, __ATOMIC_SEQ_CST))
#define GRETA_SIMT_ATOMIC_EXCHANGE(BITS, T, NAME, WEAK)                                            \
  GRETA_SIMT_ATOMIC_CALL(                                                                          \
      int, BITS, NAME, (volatile T * at, T * expected, T value, int, int),                         \
      const auto other = reinterpret_cast<uintptr_t>(expected);                                    \
      check_access(other, sizeof(T), GRETA_SIMT_KIND_READ, GRETA_SIMT_SITE); T seen = *expected;   \
      const bool done =                                                                            \
          __atomic_compare_exchange_n(at, &seen, value, WEAK, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
      if (done) return 1; check_access(other, sizeof(T), GRETA_SIMT_KIND_WRITE, GRETA_SIMT_SITE);  \
      *expected = seen; return 0)
#define GRETA_SIMT_ATOMICS(BITS, T)                                                       \
  GRETA_SIMT_ATOMIC_CALL(T, BITS, load, (const volatile T* at, int),                      \
                         return __atomic_load_n(at, __ATOMIC_SEQ_CST))                    \
  GRETA_SIMT_ATOMIC_CALL(void, BITS, store, (volatile T * at, T value, int),              \
                         __atomic_store_n(at, value, __ATOMIC_SEQ_CST))                   \
  GRETA_SIMT_ATOMIC_CALL(T, BITS, exchange, (volatile T * at, T value, int),              \
                         return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST))         \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_add)                                             \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_sub)                                             \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_and)                                             \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_or)                                              \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_xor)                                             \
  GRETA_SIMT_ATOMIC_FETCH(BITS, T, fetch_nand)                                            \
  GRETA_SIMT_ATOMIC_EXCHANGE(BITS, T, compare_exchange_strong, false)                     \
  GRETA_SIMT_ATOMIC_EXCHANGE(BITS, T, compare_exchange_weak, true)                        \
  GRETA_SIMT_ATOMIC_CALL(T, BITS, compare_exchange_val,                                   \
                         (volatile T * at, T expected, T value, int, int),                \
                         __atomic_compare_exchange_n(at, &expected, value, false,         \
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
                         return expected)
GRETA_SIMT_ATOMICS(8, uint8_t)
GRETA_SIMT_ATOMICS(16, uint16_t)
GRETA_SIMT_ATOMICS(32, uint32_t)
GRETA_SIMT_ATOMICS(64, uint64_t)
#undef GRETA_SIMT_ATOMICS
#undef GRETA_SIMT_ATOMIC_EXCHANGE
#undef GRETA_SIMT_ATOMIC_FETCH
#undef GRETA_SIMT_ATOMIC_CALL
GRETA_SIMT_CALLED(void, "__tsan_atomic_thread_fence", thread_fence, (int)) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
GRETA_SIMT_CALLED(void, "__tsan_atomic_signal_fence", signal_fence, (int)) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// The block functions of libc check their whole range. In assembly, because a loop here would be
// recognised as a call of the very function it is in.
GRETA_SIMT_UNCHECKED inline void* copy_up(void* to, const void* from, size_t bytes) {
  void* at = to;
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
  return to;
}
GRETA_SIMT_UNCHECKED inline void* copy_down(void* to, const void* from, size_t bytes) {
  char* to_end = static_cast<char*>(to) + bytes - 1;
  const char* from_end = static_cast<const char*>(from) + bytes - 1;
  asm volatile("std\nrep movsb\ncld"
               : "+D"(to_end), "+S"(from_end), "+c"(bytes)
               :
               : "memory", "cc");
  return to;
}
GRETA_SIMT_UNCHECKED inline void* copy(void* to, const void* from, size_t bytes, const void* site) {
  if (bytes == 0) return to;
  check_access(reinterpret_cast<uintptr_t>(from), bytes, GRETA_SIMT_KIND_READ, site);
  check_access(reinterpret_cast<uintptr_t>(to), bytes, GRETA_SIMT_KIND_WRITE, site);
  size_t distance = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  return distance >= bytes ? copy_up(to, from, bytes) : copy_down(to, from, bytes);
}
GRETA_SIMT_UNCHECKED inline void* fill(void* to, int value, size_t bytes, const void* site) {
  if (bytes == 0) return to;
  check_access(reinterpret_cast<uintptr_t>(to), bytes, GRETA_SIMT_KIND_WRITE, site);
  void* at = to;
  asm volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(value) : "memory");
  return to;
}

// GCC calls libc's names, clang names of its own.
#define GRETA_SIMT_BLOCK_FUNCTIONS(PREFIX, SUFFIX)                \
  GRETA_SIMT_CALLED(void*, PREFIX "memcpy", memcpy_##SUFFIX,      \
                    (void* to, const void* from, size_t bytes)) { \
    return copy(to, from, bytes, GRETA_SIMT_SITE);                \
  }                                                               \
  GRETA_SIMT_CALLED(void*, PREFIX "memmove", memmove_##SUFFIX,    \
                    (void* to, const void* from, size_t bytes)) { \
    return copy(to, from, bytes, GRETA_SIMT_SITE);                \
  }                                                               \
  GRETA_SIMT_CALLED(void*, PREFIX "memset", memset_##SUFFIX,      \
                    (void* to, int value, size_t bytes)) {        \
    return fill(to, value, bytes, GRETA_SIMT_SITE);               \
  }
GRETA_SIMT_BLOCK_FUNCTIONS("", of_libc)
GRETA_SIMT_BLOCK_FUNCTIONS("__tsan_", of_sanitizer)
#undef GRETA_SIMT_BLOCK_FUNCTIONS
#undef GRETA_SIMT_SITE
#undef GRETA_SIMT_CALLED

}  // namespace greta_simt

#endif
#endif
