// printf, assert and abort of device code.
#pragma GCC system_header
#ifndef GRETA_SIMT_OUTPUT_H
#define GRETA_SIMT_OUTPUT_H

#include "greta_simt/block.h"

namespace greta_simt {

__attribute__((noreturn)) inline void trap(const char* message) {
  services().trap(current_block, linear_thread(), message);
  __builtin_unreachable();
}

}  // namespace greta_simt

// These names are libc's, so that programs may include <stdio.h>, <assert.h> and <stdlib.h>.
extern "C" {

inline __attribute__((format(printf, 1, 2))) int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = greta_simt::services().print(format, arguments);
  va_end(arguments);
  return written;
}

__attribute__((noreturn)) inline void __assert_fail(const char* assertion, const char* file,
                                                    unsigned line, const char* function) noexcept {
  // As HIP's device library words it.
  printf("%s:%u: %s: Device-side assertion `%s' failed.\n", file, line, function, assertion);
  greta_simt::trap(assertion);
}

__attribute__((noreturn)) inline void __assertfail() { greta_simt::trap("assertion failed"); }

__attribute__((noreturn)) inline void abort() noexcept { greta_simt::trap("abort"); }

}  // extern "C"

__attribute__((noreturn)) GRETA_SIMT_INLINE void __trap() { greta_simt::trap("trap"); }
#define __builtin_trap() greta_simt::trap("trap")

#if !defined(assert)
#if defined(NDEBUG)
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition)             \
  ((condition) ? static_cast<void>(0) \
               : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif

#endif
