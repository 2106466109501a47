#include "api/node_content.h"

#include <utility>

#include "api/copy_box.h"
#include "api/event_handles.h"
#include "api/function_handles.h"
#include "api/graph_handles.h"
#include "api/registered_variables.h"
#include "api/stream_handles.h"
#include "device/copy.h"
#include "device/device.h"
#include "device/graph_allocation.h"
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

hipError_t copy_3d_content(const hipMemcpy3DParms* params, int device, sim::NodeWork* content) {
  sim::CopyWork box;
  if (const hipError_t error = box_of(params, &box)) return error;
  if (is_empty(box)) return hipErrorInvalidValue;
  sim::CopyPlan plan;
  if (const hipError_t error = sim::prepare_copy_3d(box, params->kind, &plan)) return error;
  *content = sim::copy_node_work(std::move(plan.work), params->kind, device);
  content->copy_params = std::make_shared<const hipMemcpy3DParms>(*params);
  return hipSuccess;
}

hipError_t driver_copy_content(const HIP_MEMCPY3D* params, int device, sim::NodeWork* content) {
  sim::CopyWork box;
  if (const hipError_t error = box_of(params, &box)) return error;
  if (is_empty(box)) return hipErrorInvalidValue;
  sim::CopyPlan plan;
  if (const hipError_t error = sim::prepare_copy_3d(box, hipMemcpyDefault, &plan)) return error;
  *content = sim::copy_node_work(std::move(plan.work), hipMemcpyDefault, device);
  content->driver_copy_params = std::make_shared<const HIP_MEMCPY3D>(*params);
  return hipSuccess;
}

hipError_t symbol_content(const SymbolCopy& copy, int device, sim::NodeWork* content) {
  if (!copy.symbol) return hipErrorInvalidSymbol;
  if (!copy.other || copy.bytes == 0 || copy.symbol == copy.other) return hipErrorInvalidValue;
  const hipMemcpyKind own = copy.to_symbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
  const bool possible = copy.kind == own || copy.kind == hipMemcpyDeviceToDevice ||
                        copy.kind == hipMemcpyDeviceToDeviceNoCU || copy.kind == hipMemcpyDefault;
  if (!possible) return hipErrorInvalidMemcpyDirection;
  const VariableLookup found = find_registered_variable(copy.symbol);
  if (found.error != hipSuccess) return found.error;
  if (copy.offset > found.bytes || copy.bytes > found.bytes - copy.offset) {
    return hipErrorInvalidValue;
  }
  char* variable = static_cast<char*>(found.address) + copy.offset;
  void* dst = copy.to_symbol ? variable : const_cast<void*>(copy.other);
  const void* src = copy.to_symbol ? copy.other : variable;
  return copy_content({dst, src, copy.bytes, copy.kind}, device, content);
}

hipError_t event_content(hipEvent_t handle, bool waits, int device, sim::NodeWork* content) {
  sim::EventRef event = find_event(handle);
  if (!event) return hipErrorInvalidValue;
  *content = sim::event_node_work(std::move(event), handle, waits, device);
  return hipSuccess;
}

hipError_t allocation_content(hipMemAllocNodeParams* params, sim::NodeWork* content) {
  if (!params) return hipErrorInvalidValue;
  params->dptr = nullptr;
  const hipMemPoolProps& pool = params->poolProps;
  if (params->bytesize == 0 || pool.allocType != hipMemAllocationTypePinned ||
      pool.location.type != hipMemLocationTypeDevice || !sim::is_device(pool.location.id)) {
    return hipErrorInvalidValue;
  }
  auto memory = sim::GraphAllocation::create(sim::device_at(pool.location.id), *params);
  if (!memory) return hipErrorOutOfMemory;
  params->dptr = reinterpret_cast<void*>(memory->allocation()->base);
  *content = sim::memory_node_work(std::move(memory), true, pool.location.id);
  return hipSuccess;
}

hipError_t free_content(const void* pointer, int device, sim::NodeWork* content) {
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  const sim::AllocationRef allocation = sim::address_map().find(base);
  if (!allocation || allocation->base != base) return hipErrorInvalidValue;
  auto memory = allocation->graph_allocation.lock();
  if (!memory || !memory->claim_free_node()) return hipErrorInvalidValue;
  *content = sim::memory_node_work(std::move(memory), false, device);
  return hipSuccess;
}

hipError_t child_content(hipGraph_t handle, int device, sim::NodeWork* content) {
  const auto lock = sim::graph_lock();
  const sim::GraphRef graph = find_graph(handle);
  if (!graph) return hipErrorInvalidValue;
  if (graph->has_memory_nodes()) return hipErrorNotSupported;
  *content = sim::child_node_work(graph->clone(), device);
  return hipSuccess;
}

namespace {

hipError_t add_operation(const hipStreamBatchMemOpParams& params, sim::BatchWork* work) {
  const hipStreamMemOpWaitValueParams_t& wait = params.waitValue;
  const auto address = reinterpret_cast<uintptr_t>(wait.address);
  switch (params.operation) {
    case hipStreamMemOpWaitValue32:
    case hipStreamMemOpWaitValue64: {
      const unsigned bytes = params.operation == hipStreamMemOpWaitValue64 ? 8 : 4;
      if (wait.flags > hipStreamWaitValueNor || !is_word(wait.address, bytes)) break;
      const uint64_t value = bytes == 8 ? wait.value64 : wait.value;
      const uint64_t mask = bytes == 8 ? ~uint64_t{0} : ~uint32_t{0};
      work->operations.emplace_back(sim::WaitValueWork{address, value, mask, wait.flags, bytes});
      return hipSuccess;
    }
    case hipStreamMemOpWriteValue32:
    case hipStreamMemOpWriteValue64: {
      const unsigned bytes = params.operation == hipStreamMemOpWriteValue64 ? 8 : 4;
      if (!is_word(wait.address, bytes)) break;
      const uint64_t value = bytes == 8 ? params.writeValue.value64 : params.writeValue.value;
      work->operations.emplace_back(sim::WriteValueWork{address, value, bytes});
      return hipSuccess;
    }
    // Work of a stream is in order and seen by all here.
    case hipStreamMemOpBarrier:
    case hipStreamMemOpFlushRemoteWrites:
      return hipErrorNotSupported;
  }
  return hipErrorInvalidValue;
}

}  // namespace

hipError_t batch_work(const hipStreamBatchMemOpParams* operations, size_t count,
                      sim::BatchWork* work) {
  constexpr size_t kMost = 256;
  if (!operations || count == 0 || count > kMost) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (const hipError_t error = add_operation(operations[i], work)) return error;
  }
  return hipSuccess;
}

hipError_t batch_content(const hipBatchMemOpNodeParams* params, int device,
                         sim::NodeWork* content) {
  if (!params || params->flags != 0 || !params->ctx) return hipErrorInvalidValue;
  sim::BatchWork work;
  const hipError_t error = batch_work(params->paramArray, params->count, &work);
  if (error != hipSuccess) return error;
  *content = sim::batch_node_work(std::move(work), device);
  content->batch_params = std::make_shared<const std::vector<hipStreamBatchMemOpParams>>(
      params->paramArray, params->paramArray + params->count);
  return hipSuccess;
}

}  // namespace greta::api
