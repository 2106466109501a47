// From the parameters a program gives for a graph node to what the node does. Checked as the
// stream calls check theirs; host memory is read at each launch, kernel arguments are copied now.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/graph.h"

namespace greta::api {

hipError_t kernel_content(const hipKernelNodeParams* params, int device, sim::NodeWork* content);
hipError_t fill_content(const hipMemsetParams* params, int device, sim::NodeWork* content);
hipError_t host_content(const hipHostNodeParams* params, int device, sim::NodeWork* content);

struct CopyParams {
  void* dst;
  const void* src;
  size_t bytes;
  hipMemcpyKind kind;
};

hipError_t copy_content(const CopyParams& params, int device, sim::NodeWork* content);
hipError_t copy_3d_content(const hipMemcpy3DParms* params, int device, sim::NodeWork* content);
hipError_t driver_copy_content(const HIP_MEMCPY3D* params, int device, sim::NodeWork* content);

// `other` is the side that is no variable.
struct SymbolCopy {
  const void* symbol;
  const void* other;
  size_t bytes;
  size_t offset;
  hipMemcpyKind kind;
  bool to_symbol;
};

hipError_t symbol_content(const SymbolCopy& copy, int device, sim::NodeWork* content);
hipError_t event_content(hipEvent_t event, bool waits, int device, sim::NodeWork* content);
// Fills in where the memory is.
hipError_t allocation_content(hipMemAllocNodeParams* params, sim::NodeWork* content);
hipError_t free_content(const void* pointer, int device, sim::NodeWork* content);
hipError_t child_content(hipGraph_t graph, int device, sim::NodeWork* content);
hipError_t batch_content(const hipBatchMemOpNodeParams* params, int device, sim::NodeWork* content);
hipError_t batch_work(const hipStreamBatchMemOpParams* operations, size_t count,
                      sim::BatchWork* work);

}  // namespace greta::api
