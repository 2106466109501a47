// From hipArray_t to the array it names.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/array.h"

namespace greta::api {

// Null for a handle that is null, stale or never was.
sim::ArrayRef find_array(hipArray_const_t handle);

}  // namespace greta::api
