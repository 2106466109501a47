// What the headers in simt/ are written with, for clang and a GPU. They are shared: the folder of
// this file comes before theirs, and what only fits one of the two machines is here once more.
#pragma GCC system_header
#ifndef GRETA_GPU_PLATFORM_H
#define GRETA_GPU_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif

#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))

// Without lines of their own: a fault in one is told with the line of the user's code.
#define GRETA_GPU_DEVICE static inline __attribute__((device, always_inline, nodebug))
// Both for the host and for the device.
#define GRETA_SIMT_INLINE inline __attribute__((host, device, always_inline, nodebug))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ulonglong;
typedef long long longlong;

constexpr int warpSize = 64;

// Which layout a kernel's hidden arguments have, by -mcode-object-version.
#ifndef GRETA_GPU_ABI
#define GRETA_GPU_ABI 500
#endif

#if defined(__HIP_DEVICE_COMPILE__)
#define GRETA_GPU_MACHINE 1
// What ocml asks about its machine. Constants, so that it is compiled for the answers.

#define GRETA_GPU_ANSWER inline __attribute__((constant, used, visibility("hidden"))) const
extern "C" {
GRETA_GPU_ANSWER int __oclc_ISA_version = 9402;
GRETA_GPU_ANSWER int __oclc_ABI_version = GRETA_GPU_ABI;
GRETA_GPU_ANSWER bool __oclc_wavefrontsize64 = true;
GRETA_GPU_ANSWER bool __oclc_finite_only_opt = false;
GRETA_GPU_ANSWER bool __oclc_unsafe_math_opt = false;
GRETA_GPU_ANSWER bool __oclc_daz_opt = false;
GRETA_GPU_ANSWER bool __oclc_correctly_rounded_sqrt32 = true;
}
#undef GRETA_GPU_ANSWER
#endif

#endif
