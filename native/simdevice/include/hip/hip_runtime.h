/* What HIP host programs include. Kernels are not compiled here: a C or C++ compiler has no
 * <<<>>>; programs bring their kernels through hipRTC or as code objects. */
#ifndef GRETA_HIP_HIP_RUNTIME_H
#define GRETA_HIP_HIP_RUNTIME_H

#include "hip/channel_descriptor.h"
#include "hip/hip_runtime_api.h"
#include "hip/hip_vector_types.h"
#include "hip/library_types.h"

#endif
