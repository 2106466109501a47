// How copies of every shape are carried out once they are checked.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/copy.h"

namespace greta::api {

// As hipMemcpy waits; the caller has asked capture_forbids_blocking_call.
hipError_t copy_blocking(hipStream_t stream, sim::CopyPlan plan);
// As hipMemcpyAsync; captured if the stream captures.
hipError_t copy_queued(hipStream_t stream, sim::CopyPlan plan);

}  // namespace greta::api
