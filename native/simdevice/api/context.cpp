// Contexts. HIP keeps them for programs that came from CUDA's driver API; a context is a device.
#include <vector>

#include "api/generated/impl.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/thread_object.h"

namespace greta::api {
namespace {

// A handle that is not an address one could follow.
constexpr uintptr_t kFirstContext = uintptr_t{0x5d} << 40;

hipCtx_t context_of(int ordinal) {
  return reinterpret_cast<hipCtx_t>(kFirstContext + static_cast<uintptr_t>(ordinal) * 64);
}

// -1 if it is no context.
int ordinal_of(hipCtx_t context) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(context) - kFirstContext;
  const bool valid = offset % 64 == 0 && offset / 64 < static_cast<uintptr_t>(sim::device_count());
  return valid ? static_cast<int>(offset / 64) : -1;
}

// The devices to go back to.
struct ContextStack {
  std::vector<int> ordinals;
};

std::vector<int>& thread_stack() { return sim::ThreadObject<ContextStack>::get().ordinals; }

}  // namespace

hipError_t hipCtxCreate(hipCtx_t* context, unsigned int, hipDevice_t device) {
  if (!context) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  *context = context_of(device);
  return api::hipCtxPushCurrent(*context);
}

hipError_t hipCtxDestroy(hipCtx_t context) {
  return ordinal_of(context) < 0 ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipCtxPushCurrent(hipCtx_t context) {
  const int ordinal = ordinal_of(context);
  if (ordinal < 0) return hipErrorInvalidContext;
  thread_stack().push_back(sim::current_ordinal());
  sim::set_current_ordinal(ordinal);
  return hipSuccess;
}

hipError_t hipCtxPopCurrent(hipCtx_t* context) {
  if (thread_stack().empty()) return hipErrorInvalidContext;
  if (context) *context = context_of(sim::current_ordinal());
  sim::set_current_ordinal(thread_stack().back());
  thread_stack().pop_back();
  return hipSuccess;
}

hipError_t hipCtxSetCurrent(hipCtx_t context) {
  if (!context) return hipSuccess;
  const int ordinal = ordinal_of(context);
  if (ordinal < 0) return hipErrorInvalidContext;
  sim::set_current_ordinal(ordinal);
  return hipSuccess;
}

hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  if (!context) return hipErrorInvalidValue;
  *context = context_of(sim::current_ordinal());
  return hipSuccess;
}

hipError_t hipCtxGetDevice(hipDevice_t* device) {
  if (!device) return hipErrorInvalidValue;
  *device = sim::current_ordinal();
  return hipSuccess;
}

hipError_t hipCtxSynchronize() { return api::hipDeviceSynchronize(); }

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  if (!context) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  sim::device_at(device).primary_active = true;
  *context = context_of(device);
  return hipSuccess;
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return sim::is_device(device) ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return sim::is_device(device) ? hipSuccess : hipErrorInvalidDevice;
}

// A device's context is active from the beginning.
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int) {
  return sim::is_device(device) ? hipErrorContextAlreadyInUse : hipErrorInvalidDevice;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int* flags, int* active) {
  if (!flags || !active) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  *flags = sim::device_at(device).flags.load();
  *active = sim::device_at(device).primary_active.load();
  return hipSuccess;
}

}  // namespace greta::api
