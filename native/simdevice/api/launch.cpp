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
using sim::FunctionRef;
using sim::LaunchArguments;
using sim::StreamRef;

namespace {

struct LaunchCall {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes = 0;
  hipStream_t stream = nullptr;
  LaunchArguments arguments;
  const void* called_by = nullptr;  // hipFunction_t or host stub
  bool cooperative = false;
  hipEvent_t start = nullptr;
  hipEvent_t stop = nullptr;
};

Dim3 to_dim(const dim3& d) { return {d.x, d.y, d.z}; }

hipError_t record(const StreamRef& stream, hipEvent_t handle) {
  if (!handle) return hipSuccess;
  const sim::EventRef event = find_event(handle);
  return event ? sim::record_event(stream, event) : hipErrorInvalidHandle;
}

bool is_event_or_null(hipEvent_t handle) { return !handle || find_event(handle); }

hipError_t launch(const FunctionRef& function, const LaunchCall& call) {
  if (!is_event_or_null(call.start) || !is_event_or_null(call.stop)) return hipErrorInvalidHandle;
  hipError_t error;
  const StreamRef stream = find_stream(call.stream, &error);
  if (!stream) return error;
  sim::KernelWork work;
  error = sim::prepare_launch(function, call.grid, call.block, call.shared_bytes, call.arguments,
                              stream->device(), &work);
  if (error) return error;
  if (call.cooperative && sim::volume(call.grid) > sim::max_cooperative_blocks) {
    return hipErrorCooperativeLaunchTooLarge;
  }
  work.cooperative = call.cooperative;
  if ((error = record(stream, call.start))) return error;
  if ((error = sim::enqueue_kernel(stream, std::move(work), call.called_by))) return error;
  thread_errors().launched = !sim::settings().kernels.after;
  return record(stream, call.stop);
}

hipError_t launch_handle(hipFunction_t handle, LaunchCall call) {
  const FunctionRef function = function_from_handle(handle);
  if (!function) return hipErrorInvalidHandle;
  call.called_by = handle;
  return launch(function, call);
}

hipError_t launch_stub(const void* stub, LaunchCall call) {
  if (!stub) return hipErrorInvalidDeviceFunction;
  const StubLookup found = function_from_any(stub);
  if (!found.function) return found.error;
  call.called_by = stub;
  return launch(found.function, call);
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
  LaunchCall call;
  call.grid = {gridDimX, gridDimY, gridDimZ};
  call.block = {blockDimX, blockDimY, blockDimZ};
  call.shared_bytes = sharedMemBytes;
  call.stream = stream;
  call.arguments = {kernelParams, extra};
  return launch_handle(f, call);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX,
                                            unsigned int gridDimY, unsigned int gridDimZ,
                                            unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes,
                                            hipStream_t stream, void** kernelParams) {
  LaunchCall call;
  call.grid = {gridDimX, gridDimY, gridDimZ};
  call.block = {blockDimX, blockDimY, blockDimZ};
  call.shared_bytes = sharedMemBytes;
  call.stream = stream;
  call.arguments = {kernelParams, nullptr};
  call.cooperative = true;
  return launch_handle(f, call);
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** args,
                           size_t shared_bytes, hipStream_t stream) {
  LaunchCall call;
  call.grid = to_dim(grid);
  call.block = to_dim(block);
  call.shared_bytes = shared_bytes;
  call.stream = stream;
  call.arguments = {args, nullptr};
  return launch_stub(function, call);
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** args,
                              size_t shared_bytes, hipStream_t stream, hipEvent_t start,
                              hipEvent_t stop, int) {
  LaunchCall call;
  call.grid = to_dim(grid);
  call.block = to_dim(block);
  call.shared_bytes = shared_bytes;
  call.stream = stream;
  call.arguments = {args, nullptr};
  call.start = start;
  call.stop = stop;
  return launch_stub(function, call);
}

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** args,
                                      unsigned int shared_bytes, hipStream_t stream) {
  LaunchCall call;
  call.grid = to_dim(grid);
  call.block = to_dim(block);
  call.shared_bytes = shared_bytes;
  call.stream = stream;
  call.arguments = {args, nullptr};
  call.cooperative = true;
  return launch_stub(function, call);
}

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* function, void** args) {
  if (!config) return hipErrorInvalidValue;
  LaunchCall call;
  call.grid = to_dim(config->gridDim);
  call.block = to_dim(config->blockDim);
  call.shared_bytes = config->dynamicSmemBytes;
  call.stream = config->stream;
  call.arguments = {args, nullptr};
  call.cooperative = asks_cooperative(config->attrs, config->numAttrs);
  return launch_stub(function, call);
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t function,
                                void** params, void** extra) {
  if (!config) return hipErrorInvalidValue;
  LaunchCall call;
  call.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  call.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  call.shared_bytes = config->sharedMemBytes;
  call.stream = config->hStream;
  call.arguments = {params, extra};
  call.cooperative = asks_cooperative(config->attrs, config->numAttrs);
  return launch_handle(function, call);
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void** kernelParams, void** extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t) {
  LaunchCall call;
  call.block = {localWorkSizeX, localWorkSizeY, localWorkSizeZ};
  const hipError_t error =
      to_blocks({globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ}, call.block, &call.grid);
  if (error) return error;
  call.shared_bytes = sharedMemBytes;
  call.stream = hStream;
  call.arguments = {kernelParams, extra};
  call.start = startEvent;
  call.stop = stopEvent;
  return launch_handle(f, call);
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
