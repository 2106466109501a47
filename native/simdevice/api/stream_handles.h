// From hipStream_t to the stream it names.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/handle_table.h"
#include "device/stream.h"

namespace greta::api {

sim::HandleTable<sim::Stream>& stream_table();

// NULL and hipStreamLegacy are the current device's default stream, hipStreamPerThread the calling
// thread's own. Null with *error set for a handle that is stale (709) or never was (400).
sim::StreamRef find_stream(hipStream_t handle, hipError_t* error);
// The same for the call at hand only.
sim::Stream* borrow_stream(hipStream_t handle, hipError_t* error);

// Whether the device owns the word; its size is its alignment.
bool is_word(const void* pointer, unsigned bytes);

}  // namespace greta::api
