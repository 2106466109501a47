// float4 and the others, with operators, and with AMD's names in the linker's eyes.
#pragma GCC system_header
#if !defined(__HIP__)
#include_next <hip/hip_vector_types.h>  // a file without kernels
#else
#include "greta_simt/vector_types.h"
#endif
