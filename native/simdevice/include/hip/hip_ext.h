/* AMD's extensions to HIP; ours are declared with the rest. */
#ifndef GRETA_HIP_HIP_EXT_H
#define GRETA_HIP_HIP_EXT_H

#include "hip/hip_runtime_api.h"

#endif
