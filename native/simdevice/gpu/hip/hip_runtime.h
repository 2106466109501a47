// HIP for C++ programs with kernels in them, compiled by clang: the host's calls, and what kernels
// are written with. Functions of mathematics come from clang's own headers.
#pragma GCC system_header
#if !defined(__HIP__)
#include_next <hip/hip_runtime.h>  // a file without kernels
#elif !defined(GRETA_GPU_HIP_RUNTIME_H)
#define GRETA_GPU_HIP_RUNTIME_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip/hip_runtime_api.h"

#include "greta_simt/atomics.h"
#include "greta_simt/block.h"
#include "greta_simt/conversions.h"
#include "greta_simt/device_math.h"
#include "greta_simt/integer.h"
#include "greta_simt/spellings.h"
#include "greta_simt/vector_types.h"
#include "greta_simt/wave.h"
#include "hip/channel_descriptor.h"
#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, blocks, threads, bytes, stream, ...) \
  do {                                                                  \
    kernel<<<blocks, threads, bytes, stream>>>(__VA_ARGS__);            \
  } while (0)
// The configuration and arguments of a launch that is given as one structure.
template <class... Parameters, class... Arguments>
inline __attribute__((always_inline)) hipError_t hipLaunchKernelEx(const hipLaunchConfig_t* config,
                                                                   void (*kernel)(Parameters...),
                                                                   Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* addresses[] = {static_cast<void*>(&values)..., nullptr};
    return hipLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), addresses);
  }(static_cast<Arguments&&>(arguments)...);
}
#define hipExtLaunchKernelGGL(kernel, blocks, threads, bytes, stream, start, stop, flags, ...) \
  greta_simt::launch_with_events(kernel, blocks, threads, bytes, stream, start, stop, flags,   \
                                 ##__VA_ARGS__)
namespace greta_simt {
template <class... Parameters, class... Arguments>
inline __attribute__((always_inline)) void launch_with_events(void (*kernel)(Parameters...),
                                                              const dim3& blocks,
                                                              const dim3& threads, unsigned bytes,
                                                              hipStream_t stream, hipEvent_t start,
                                                              hipEvent_t stop, unsigned flags,
                                                              Arguments&&... arguments) {
  [&](Parameters... values) {
    void* addresses[] = {static_cast<void*>(&values)..., nullptr};
    (void)hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), blocks, threads, addresses,
                             bytes, stream, start, stop, static_cast<int>(flags));
  }(static_cast<Arguments&&>(arguments)...);
}
}  // namespace greta_simt

GRETA_GPU_DEVICE long long __clock64() {
  return static_cast<long long>(__builtin_readcyclecounter());
}
GRETA_GPU_DEVICE long long clock64() { return __clock64(); }
GRETA_GPU_DEVICE long long __clock() { return __clock64(); }
GRETA_GPU_DEVICE long long wall_clock64() {
  return static_cast<long long>(__builtin_amdgcn_s_memrealtime());
}
GRETA_GPU_DEVICE void __trap() { __builtin_trap(); }
GRETA_GPU_DEVICE __attribute__((noreturn)) void abort() { __builtin_trap(); }

extern "C" {
GRETA_GPU_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
GRETA_GPU_DEVICE void* memmove(void* to, const void* from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
GRETA_GPU_DEVICE void* memset(void* to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
}

// Clang makes calls of the device's libraries of it.
extern "C" __attribute__((device)) int printf(const char* format, ...);

#if !defined(GRETA_NO_DEVICE_LIBRARY)
extern "C" __attribute__((device)) unsigned long __ockl_fprintf_stderr_begin();
extern "C" __attribute__((device)) unsigned long __ockl_fprintf_append_args(
    unsigned long message, unsigned count, unsigned long, unsigned long, unsigned long,
    unsigned long, unsigned long, unsigned long, unsigned long, unsigned is_last);
extern "C" __attribute__((device)) unsigned long __ockl_fprintf_append_string_n(
    unsigned long message, const char* text, unsigned long bytes, unsigned is_last);
#endif

namespace greta_simt {
// With the words of AMD's runtime, which tools look for.
inline __attribute__((device, noinline)) void tell_assertion(const char* condition,
                                                             const char* file, unsigned line,
                                                             const char* function) {
#if !defined(GRETA_NO_DEVICE_LIBRARY)
  unsigned long message = __ockl_fprintf_stderr_begin();
  const auto say = [&](const char* text, bool is_last) {
    unsigned long bytes = 1;
    for (const char* at = text; *at != 0; ++at) ++bytes;
    message = __ockl_fprintf_append_string_n(message, text, bytes, is_last);
  };
  say("%s:%u: %s: Device-side assertion `%s' failed.\n", false);
  say(file, false);
  message = __ockl_fprintf_append_args(message, 1, line, 0, 0, 0, 0, 0, 0, 0);
  say(function, false);
  say(condition, true);
#endif
}
}  // namespace greta_simt

// What assert() calls. It ends where the user's line is.
extern "C" inline __attribute__((device, always_inline, nodebug, noreturn)) void __assert_fail(
    const char* condition, const char* file, unsigned line, const char* function) noexcept {
  greta_simt::tell_assertion(condition, file, line, function);
  __builtin_trap();
}

#endif
