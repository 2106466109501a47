// Launches.
#include "device/launch.h"

#include <vector>

#include "api/event_handles.h"
#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "api/thread_errors.h"
#include "device/device.h"
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

// Launches on several devices at once, one for each stream of the list. All are checked before any
// is queued. What they have in common is a point before which all earlier work of these streams is
// done, and one behind which no later work begins, unless the flags say otherwise.
class MultiDeviceLaunch {
 public:
  explicit MultiDeviceLaunch(unsigned flags, bool cooperative)
      : flags_(flags), cooperative_(cooperative) {}

  hipError_t add(sim::FunctionRef function, const void* called_by, const LaunchCall& call) {
    hipError_t error;
    const sim::StreamRef stream = call.stream ? find_stream(call.stream, &error) : nullptr;
    if (!stream) return hipErrorInvalidResourceHandle;
    if (!function) return hipErrorInvalidDeviceFunction;
    for (const Part& other : parts_) {
      if (&other.stream->device() == &stream->device()) return hipErrorInvalidDevice;
    }
    Part part{stream, std::move(function), called_by, {}};
    error = sim::prepare_launch(*part.function, call.grid, call.block, call.shared_bytes,
                                call.arguments, stream->device(), &part.work);
    if (error != hipSuccess) return error;
    if (cooperative_ && sim::volume(call.grid) > sim::max_cooperative_blocks) {
      return hipErrorCooperativeLaunchTooLarge;
    }
    part.work.cooperative = cooperative_;
    parts_.push_back(std::move(part));
    return hipSuccess;
  }

  hipError_t launch() {
    if ((flags_ & hipCooperativeLaunchMultiDeviceNoPreSync) == 0) meet();
    for (Part& part : parts_) {
      const hipError_t error =
          sim::enqueue_kernel(*part.stream, std::move(part.work), *part.function, part.called_by);
      if (error != hipSuccess) return error;
    }
    if ((flags_ & hipCooperativeLaunchMultiDeviceNoPostSync) == 0) meet();
    thread_errors().launched = true;
    return hipSuccess;
  }

 private:
  struct Part {
    sim::StreamRef stream;
    sim::FunctionRef function;
    const void* called_by;
    sim::KernelWork work;
  };

  void meet() {
    std::vector<sim::Marker> all;
    for (const Part& part : parts_) all.push_back(part.stream->last());
    for (const Part& part : parts_) part.stream->submit(sim::WaitWork{all});
  }

  const unsigned flags_;
  const bool cooperative_;
  std::vector<Part> parts_;
};

constexpr unsigned kMultiDeviceFlags =
    hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;

hipError_t launch_stubs(const hipLaunchParams* list, int count, unsigned flags, bool cooperative) {
  const bool possible = list && count > 0 && count <= sim::device_count();
  if (!possible || (flags & ~kMultiDeviceFlags) != 0) return hipErrorInvalidValue;
  MultiDeviceLaunch all(flags, cooperative);
  for (int i = 0; i < count; ++i) {
    const hipLaunchParams& one = list[i];
    hipError_t error;
    const sim::StreamRef stream = one.stream ? find_stream(one.stream, &error) : nullptr;
    if (!stream) return hipErrorInvalidResourceHandle;
    // A stub means another function on each device.
    const int current = sim::current_ordinal();
    sim::set_current_ordinal(stream->device().ordinal());
    const StubLookup found = function_from_any(one.func);
    sim::set_current_ordinal(current);
    const LaunchCall call{
        to_dim(one.gridDim), to_dim(one.blockDim), one.sharedMem, one.stream, {one.args, nullptr}};
    if ((error = all.add(found.function, one.func, call))) return error;
  }
  return all.launch();
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

hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* list, int count,
                                                 unsigned int flags) {
  return launch_stubs(list, count, flags, true);
}

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* list, int count,
                                              unsigned int flags) {
  return launch_stubs(list, count, flags, false);
}

hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* list,
                                                       unsigned int count, unsigned int flags) {
  const bool possible = list && count > 0 && count <= static_cast<unsigned>(sim::device_count());
  if (!possible || (flags & ~kMultiDeviceFlags) != 0) return hipErrorInvalidValue;
  MultiDeviceLaunch all(flags, true);
  for (unsigned i = 0; i < count; ++i) {
    const hipFunctionLaunchParams& one = list[i];
    const LaunchCall call{{one.gridDimX, one.gridDimY, one.gridDimZ},
                          {one.blockDimX, one.blockDimY, one.blockDimZ},
                          one.sharedMemBytes,
                          one.hStream,
                          {one.kernelParams, nullptr}};
    const hipError_t error = all.add(function_from_handle(one.function), one.function, call);
    if (error != hipSuccess) return error;
  }
  return all.launch();
}

}  // namespace greta::api
