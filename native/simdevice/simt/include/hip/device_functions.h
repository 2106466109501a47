// The device functions come with the device side of HIP.
#pragma GCC system_header
#include "hip/hip_runtime.h"
