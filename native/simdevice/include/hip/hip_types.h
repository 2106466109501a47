/* Every type of the HIP runtime API. */
#ifndef GRETA_HIP_HIP_TYPES_H
#define GRETA_HIP_HIP_TYPES_H

#include "hip/hip_array_types.h"
#include "hip/hip_device_types.h"
#include "hip/hip_error_codes.h"
#include "hip/hip_graph_types.h"
#include "hip/hip_handle_types.h"
#include "hip/hip_launch_types.h"
#include "hip/hip_layout_checks.h"
#include "hip/hip_memory_types.h"

#endif
