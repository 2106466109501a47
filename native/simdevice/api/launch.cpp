// Launches.
#include "device/launch.h"

#include "api/event_handles.h"
#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "api/thread_errors.h"
#include "device/enqueue.h"
#include "device/settings.h"

namespace greta::api {

using sim::Dim3;
using sim::LaunchArguments;

namespace {

struct LaunchCall {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;
  hipStream_t stream;
  LaunchArguments arguments;
  bool cooperative = false;
  hipEvent_t start = nullptr;
  hipEvent_t stop = nullptr;
};

Dim3 to_dim(const dim3& d) { return {d.x, d.y, d.z}; }

// Leaves the event null if there is none.
hipError_t find_event_for(const sim::Stream& stream, hipEvent_t handle, sim::EventRef* event) {
  if (!handle) return hipSuccess;
  *event = find_event(handle);
  const bool fits = *event && (*event)->device() == stream.device().ordinal();
  return fits ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t record(sim::Stream& stream, const sim::EventRef& event) {
  return event ? sim::record_event(stream.shared_from_this(), event) : hipSuccess;
}

// `called_by` is the hipFunction_t or host stub. Nothing is queued if it fails.
hipError_t launch(sim::Function& function, const void* called_by, const LaunchCall& call) {
  hipError_t error;
  sim::Stream* const stream = borrow_stream(call.stream, &error);
  if (!stream) return error;
  sim::EventRef start, stop;
  if ((error = find_event_for(*stream, call.start, &start))) return error;
  if ((error = find_event_for(*stream, call.stop, &stop))) return error;
  sim::KernelWork work;
  error = sim::prepare_launch(function, call.grid, call.block, call.shared_bytes, call.arguments,
                              stream->device(), &work);
  if (error) return error;
  if (call.cooperative && sim::volume(call.grid) > sim::max_cooperative_blocks) {
    return hipErrorCooperativeLaunchTooLarge;
  }
  work.cooperative = call.cooperative;
  if ((error = record(*stream, start))) return error;
  if ((error = sim::enqueue_kernel(*stream, std::move(work), function, called_by))) return error;
  thread_errors().launched = !sim::settings().kernels.after;
  return record(*stream, stop);
}

hipError_t launch_handle(hipFunction_t handle, const LaunchCall& call) {
  sim::Function* const function = function_table().borrow(handle);
  return function ? launch(*function, handle, call) : hipErrorInvalidHandle;
}

hipError_t launch_stub(const void* stub, const LaunchCall& call) {
  if (!stub) return hipErrorInvalidDeviceFunction;
  const StubLookup found = function_from_any(stub);
  return found.function ? launch(*found.function, stub, call) : found.error;
}

bool asks_cooperative(const hipLaunchAttribute* attributes, unsigned count) {
  for (unsigned i = 0; attributes && i < count; ++i) {
    if (attributes[i].id == hipLaunchAttributeCooperative) {
      return attributes[i].val.cooperative != 0;
    }
  }
  return false;
}

// Work sizes in threads. Incomplete last blocks are not simulated.
hipError_t to_blocks(Dim3 threads, Dim3 block, Dim3* grid) {
  if (sim::is_empty(block) || sim::is_empty(threads)) return hipErrorInvalidValue;
  if (threads.x % block.x || threads.y % block.y || threads.z % block.z) {
    return hipErrorInvalidValue;
  }
  *grid = {threads.x / block.x, threads.y / block.y, threads.z / block.z};
  return hipSuccess;
}

}  // namespace

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                 unsigned int gridDimZ, unsigned int blockDimX,
                                 unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream,
                                 void** kernelParams, void** extra) {
  return launch_handle(f, {{gridDimX, gridDimY, gridDimZ},
                           {blockDimX, blockDimY, blockDimZ},
                           sharedMemBytes,
                           stream,
                           {kernelParams, extra}});
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX,
                                            unsigned int gridDimY, unsigned int gridDimZ,
                                            unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes,
                                            hipStream_t stream, void** kernelParams) {
  return launch_handle(f, {{gridDimX, gridDimY, gridDimZ},
                           {blockDimX, blockDimY, blockDimZ},
                           sharedMemBytes,
                           stream,
                           {kernelParams, nullptr},
                           true});
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** args,
                           size_t shared_bytes, hipStream_t stream) {
  return launch_stub(function,
                     {to_dim(grid), to_dim(block), shared_bytes, stream, {args, nullptr}});
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** args,
                              size_t shared_bytes, hipStream_t stream, hipEvent_t start,
                              hipEvent_t stop, int) {
  return launch_stub(
      function,
      {to_dim(grid), to_dim(block), shared_bytes, stream, {args, nullptr}, false, start, stop});
}

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** args,
                                      unsigned int shared_bytes, hipStream_t stream) {
  return launch_stub(function,
                     {to_dim(grid), to_dim(block), shared_bytes, stream, {args, nullptr}, true});
}

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* function, void** args) {
  if (!config) return hipErrorInvalidValue;
  return launch_stub(function, {to_dim(config->gridDim),
                                to_dim(config->blockDim),
                                config->dynamicSmemBytes,
                                config->stream,
                                {args, nullptr},
                                asks_cooperative(config->attrs, config->numAttrs)});
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t function,
                                void** params, void** extra) {
  if (!config) return hipErrorInvalidValue;
  return launch_handle(function, {{config->gridDimX, config->gridDimY, config->gridDimZ},
                                  {config->blockDimX, config->blockDimY, config->blockDimZ},
                                  config->sharedMemBytes,
                                  config->hStream,
                                  {params, extra},
                                  asks_cooperative(config->attrs, config->numAttrs)});
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void** kernelParams, void** extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t) {
  const Dim3 block{localWorkSizeX, localWorkSizeY, localWorkSizeZ};
  Dim3 grid;
  const hipError_t error =
      to_blocks({globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ}, block, &grid);
  if (error) return error;
  return launch_handle(
      f,
      {grid, block, sharedMemBytes, hStream, {kernelParams, extra}, false, startEvent, stopEvent});
}

hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void** kernelParams, void** extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent) {
  return api::hipExtModuleLaunchKernel(
      f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY,
      localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, 0);
}

}  // namespace greta::api
