// Kernels have no use for HIP's host calls; this makes the include harmless.
#pragma GCC system_header
#include "hip/hip_runtime.h"
