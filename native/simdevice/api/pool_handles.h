// From hipMemPool_t to the pool it names, and freeing to a pool from any call.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/pool.h"
#include "device/stream.h"

namespace greta::api {

// Stale if the program has destroyed the pool.
hipMemPool_t pool_handle(const sim::PoolRef& pool);
// Null if it names no pool.
sim::PoolRef find_pool(hipMemPool_t handle);

// The memory is no longer the program's; the pool may reuse it from this place of the stream on.
hipError_t free_to_pool(const sim::AllocationRef& allocation, const sim::StreamRef& stream);

}  // namespace greta::api
