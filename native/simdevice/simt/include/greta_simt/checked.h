// Checked builds: before every access outside its own stack a kernel asks the device.
//
// The compiler is told to instrument memory accesses as for the Linux kernel's address sanitizer,
// with function calls. This file defines those functions, inside the code object and for it alone.
#pragma GCC system_header
#ifndef GRETA_SIMT_CHECKED_H
#define GRETA_SIMT_CHECKED_H

#include "greta_simt/block.h"

#if defined(GRETA_SIMT_CHECKED)

#if defined(__clang__)
#define GRETA_SIMT_UNCHECKED __attribute__((no_sanitize("kernel-address")))
#else
#define GRETA_SIMT_UNCHECKED __attribute__((no_sanitize_address))
#endif

namespace greta_simt {

GRETA_SIMT_UNCHECKED __attribute__((noinline)) inline void check_access(uintptr_t address,
                                                                        uint64_t bytes,
                                                                        int is_write) {
  // From here up to the entry function lies the thread's private memory.
  uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (address - here < stack_top - here) return;
  service_table.check_access(current_block, checked_thread, reinterpret_cast<const void*>(address),
                             bytes, is_write);
}

// Called by the code that the compiler generates, under the name LABEL. The compiler has its own
// ideas of how functions of those names are declared, so the C++ names are others.
#define GRETA_SIMT_CALLED(RESULT, LABEL, NAME, PARAMETERS) \
  RESULT NAME PARAMETERS __asm__(LABEL);                   \
  GRETA_SIMT_UNCHECKED __attribute__((used)) RESULT NAME PARAMETERS

#define GRETA_SIMT_CHECKS(SIZE)                                                                 \
  GRETA_SIMT_CALLED(void, "__asan_load" #SIZE "_noabort", load_##SIZE, (uintptr_t address)) {   \
    check_access(address, SIZE, 0);                                                             \
  }                                                                                             \
  GRETA_SIMT_CALLED(void, "__asan_store" #SIZE "_noabort", store_##SIZE, (uintptr_t address)) { \
    check_access(address, SIZE, 1);                                                             \
  }
GRETA_SIMT_CHECKS(1)
GRETA_SIMT_CHECKS(2)
GRETA_SIMT_CHECKS(4)
GRETA_SIMT_CHECKS(8)
GRETA_SIMT_CHECKS(16)
#undef GRETA_SIMT_CHECKS
GRETA_SIMT_CALLED(void, "__asan_loadN_noabort", load_n, (uintptr_t address, size_t bytes)) {
  check_access(address, bytes, 0);
}
GRETA_SIMT_CALLED(void, "__asan_storeN_noabort", store_n, (uintptr_t address, size_t bytes)) {
  check_access(address, bytes, 1);
}
GRETA_SIMT_CALLED(void, "__asan_handle_no_return", before_no_return, ()) {}

// The block functions of libc check their whole range. In assembly, because a loop here would be
// recognised as a call of the very function it is in.
GRETA_SIMT_UNCHECKED inline void* copy_up(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return to;
  check_access(reinterpret_cast<uintptr_t>(from), bytes, 0);
  check_access(reinterpret_cast<uintptr_t>(to), bytes, 1);
  void* at = to;
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
  return to;
}
GRETA_SIMT_UNCHECKED inline void* copy_down(void* to, const void* from, size_t bytes) {
  check_access(reinterpret_cast<uintptr_t>(from), bytes, 0);
  check_access(reinterpret_cast<uintptr_t>(to), bytes, 1);
  char* to_end = static_cast<char*>(to) + bytes - 1;
  const char* from_end = static_cast<const char*>(from) + bytes - 1;
  asm volatile("std\nrep movsb\ncld"
               : "+D"(to_end), "+S"(from_end), "+c"(bytes)
               :
               : "memory", "cc");
  return to;
}
GRETA_SIMT_UNCHECKED inline void* copy(void* to, const void* from, size_t bytes) {
  size_t distance = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  return distance >= bytes ? copy_up(to, from, bytes) : copy_down(to, from, bytes);
}
GRETA_SIMT_UNCHECKED inline void* fill(void* to, int value, size_t bytes) {
  if (bytes == 0) return to;
  check_access(reinterpret_cast<uintptr_t>(to), bytes, 1);
  void* at = to;
  asm volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(value) : "memory");
  return to;
}

// GCC calls libc's names, clang names of its own.
#define GRETA_SIMT_BLOCK_FUNCTIONS(PREFIX, SUFFIX)                \
  GRETA_SIMT_CALLED(void*, PREFIX "memcpy", memcpy_##SUFFIX,      \
                    (void* to, const void* from, size_t bytes)) { \
    return copy(to, from, bytes);                                 \
  }                                                               \
  GRETA_SIMT_CALLED(void*, PREFIX "memmove", memmove_##SUFFIX,    \
                    (void* to, const void* from, size_t bytes)) { \
    return copy(to, from, bytes);                                 \
  }                                                               \
  GRETA_SIMT_CALLED(void*, PREFIX "memset", memset_##SUFFIX,      \
                    (void* to, int value, size_t bytes)) {        \
    return fill(to, value, bytes);                                \
  }
GRETA_SIMT_BLOCK_FUNCTIONS("", of_libc)
GRETA_SIMT_BLOCK_FUNCTIONS("__asan_", of_sanitizer)
#undef GRETA_SIMT_BLOCK_FUNCTIONS
#undef GRETA_SIMT_CALLED

}  // namespace greta_simt

#endif
#endif
