#include "api/node_content.h"

#include <utility>

#include "api/function_handles.h"
#include "device/copy.h"
#include "device/device.h"
#include "device/launch.h"

namespace greta::api {
namespace {

sim::Dim3 dimensions(const dim3& dim) { return {dim.x, dim.y, dim.z}; }

bool is_element_size(unsigned bytes) { return bytes == 1 || bytes == 2 || bytes == 4; }

// Columns of two or four bytes are checked as bytes.
hipError_t prepare_rows(const hipMemsetParams& params, sim::FillPlan* plan) {
  size_t row_bytes;
  if (__builtin_mul_overflow(params.width, size_t{params.elementSize}, &row_bytes)) {
    return hipErrorInvalidValue;
  }
  const hipError_t error =
      sim::prepare_fill_2d(params.dst, params.pitch, 0, row_bytes, params.height, plan);
  if (error != hipSuccess) return error;
  plan->work.value = params.value;
  plan->work.element_bytes = params.elementSize;
  plan->work.width = params.width;
  return hipSuccess;
}

}  // namespace

hipError_t kernel_content(const hipKernelNodeParams* params, int device, sim::NodeWork* content) {
  if (!params || !params->func) return hipErrorInvalidValue;
  const StubLookup found = function_from_any(params->func);
  if (!found.function) return found.error;
  sim::KernelWork work;
  const hipError_t error = sim::prepare_launch(
      *found.function, dimensions(params->gridDim), dimensions(params->blockDim),
      params->sharedMemBytes, {params->kernelParams, params->extra}, sim::device_at(device), &work);
  if (error != hipSuccess) return error;
  *content = sim::kernel_node_work(std::move(work), found.function, params->func, device);
  return hipSuccess;
}

hipError_t fill_content(const hipMemsetParams* params, int device, sim::NodeWork* content) {
  if (!params || params->height == 0 || params->width == 0) return hipErrorInvalidValue;
  if (!is_element_size(params->elementSize)) return hipErrorInvalidValue;
  sim::FillPlan plan;
  const hipError_t error =
      params->height == 1
          ? sim::prepare_fill(params->dst, params->value, params->elementSize, params->width, &plan)
          : prepare_rows(*params, &plan);
  if (error != hipSuccess) return error;
  plan.work.pitch = params->pitch;  // of no meaning to a single row, but to be given back
  *content = sim::fill_node_work(plan.work, device);
  return hipSuccess;
}

hipError_t host_content(const hipHostNodeParams* params, int device, sim::NodeWork* content) {
  if (!params || !params->fn) return hipErrorInvalidValue;
  *content = sim::host_node_work({params->fn, params->userData}, device);
  return hipSuccess;
}

hipError_t copy_content(const CopyParams& params, int device, sim::NodeWork* content) {
  if (params.bytes == 0) return hipErrorInvalidValue;
  sim::CopyPlan plan;
  const hipError_t error =
      sim::prepare_copy(params.dst, params.src, params.bytes, params.kind, &plan);
  if (error != hipSuccess) return error;
  *content = sim::copy_node_work(std::move(plan.work), params.kind, device);
  return hipSuccess;
}

}  // namespace greta::api
