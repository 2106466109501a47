/* The HIP runtime API, for host programs in C99 or C++11 and later.
 *
 * GRETA's own header for the interface of HIP 7.15. Link with -lamdhip64; the program then runs on
 * the simulated device, or on AMD's library of the same interface.
 *
 * HIP_TYPES_ONLY leaves out the functions, for code that defines them.
 */
#ifndef GRETA_HIP_HIP_RUNTIME_API_H
#define GRETA_HIP_HIP_RUNTIME_API_H

#include "hip/hip_kernel_keywords.h"
#include "hip/hip_types.h"
#include "hip/hip_version.h"

/* The structure of device properties changed in HIP 6.0 and the calls that take one changed their
 * names with it. The library still exports the plain names, with the old structure, for programs
 * that were built before; a program built with this header gets the new ones. */
#define hipDeviceProp_t hipDeviceProp_tR0600

#ifndef HIP_TYPES_ONLY
#define hipGetDeviceProperties hipGetDevicePropertiesR0600
#define hipChooseDevice hipChooseDeviceR0600

#include "hip/hip_functions.h"

#ifdef __cplusplus
#include "hip/hip_typed_allocation.h"
#include "hip/hip_typed_calls.h"
#endif

#ifdef HIP_API_PER_THREAD_DEFAULT_STREAM
#include "hip/hip_per_thread_stream.h"
#endif
#endif /* HIP_TYPES_ONLY */

#endif
