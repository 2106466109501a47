// What HIP's keywords mean on the CPU. Force-included when the preprocessed text is compiled.
#pragma GCC system_header

// A kernel is only ever inlined into its entry function (kernel.h). gnu_inline keeps the compiler
// from emitting it a second time, while a reference to it still carries its mangled name.
#define __global__ inline __attribute__((gnu_inline, always_inline))
// What hipRTC writes instead in explicit specializations, which are emitted once more.
#define __kernel__ __attribute__((always_inline))
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __hip_img_chk__

// The threads of a block share one OS thread, so shared memory is thread-local memory.
#define __shared__ thread_local

// What hipRTC writes instead after "extern": memory that needs no initialization. Without the
// attribute clang would call a function to see to that; GCC has an option.
#if defined(__clang__)
#define __dynamic_ __attribute__((require_constant_initialization)) thread_local
#else
#define __dynamic_ thread_local
#endif

#define __managed__ \
  _Pragma("GCC error \"__managed__ variables are not supported by the simulated device\"")
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

// In checked builds every copy of bytes is a call that is checked, except those that become a plain
// read and write, which are checked as such.
#if defined(GRETA_SIMT_CHECKED)
extern "C" void* greta_simt_memcpy(void*, const void*, __SIZE_TYPE__) __asm__("memcpy");
extern "C" void* greta_simt_memmove(void*, const void*, __SIZE_TYPE__) __asm__("memmove");
extern "C" void* greta_simt_memset(void*, int, __SIZE_TYPE__) __asm__("memset");
inline __attribute__((always_inline)) void* greta_simt_copy_bytes(void* to, const void* from,
                                                                  __SIZE_TYPE__ bytes) {
  if (__builtin_constant_p(bytes) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8))
    return __builtin_memcpy(to, from, bytes);
  return greta_simt_memcpy(to, from, bytes);
}
#define __builtin_memcpy greta_simt_copy_bytes
#define __builtin_memmove greta_simt_memmove
#define __builtin_memset greta_simt_memset
#endif
