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

}  // namespace greta::api
