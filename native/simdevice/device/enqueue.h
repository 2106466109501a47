// How every asynchronous call of the API reaches its stream: run, or captured into a graph.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/event.h"
#include "device/stream.h"
#include "device/work.h"

namespace greta::sim {

// Queues the work on the stream, or makes it a node of the graph that the stream captures.
//
// A copy that may be captured must not be staged: a graph reads host memory at each launch. Ask
// is_capturing (capture.h) first; nor is there anything to wait for then.
hipError_t enqueue(const StreamRef& stream, Work work);
// The same for a kernel; `called_by` is what the program named it by (hipFunction_t or the address
// of the host stub), which hipGraphKernelNodeGetParams gives back.
hipError_t enqueue_kernel(Stream& stream, KernelWork&& work, Function& function,
                          const void* called_by);

hipError_t record_event(const StreamRef& stream, const EventRef& event);
// Later work of the stream comes after the event's record as it is now.
hipError_t wait_event(const StreamRef& stream, const EventRef& event);

}  // namespace greta::sim
