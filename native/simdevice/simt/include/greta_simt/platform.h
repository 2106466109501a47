// The macros and integer types that HIP's own device compiler provides without any include.
#pragma GCC system_header
#ifndef GRETA_SIMT_PLATFORM_H
#define GRETA_SIMT_PLATFORM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define __HIP__ 1
#define __HIPCC__ 1
#define __HIPCC_RTC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 1
#define __HIP_ARCH_HAS_3DGRID__ 1
#define __AMDGCN__ 1
#define __AMDGPU__ 1
#define __AMD__ 1
#define __GFX9__ 1
#define __gfx942__ 1
#define __GFX9_4_GENERIC__ 1
#define __amdgcn_processor__ "gfx942"
#define __AMDGCN_WAVEFRONT_SIZE__ 64
#define __AMDGCN_WAVEFRONT_SIZE 64

#include "hip/hip_version.h"

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

#define __align__(n) __attribute__((aligned(n)))

#define GRETA_SIMT_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define GRETA_SIMT_INDEPENDENT_THREADS _Pragma("clang loop vectorize(assume_safety)")
#else
#define GRETA_SIMT_INDEPENDENT_THREADS _Pragma("GCC ivdep")
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ulonglong;
typedef long long longlong;

#endif
