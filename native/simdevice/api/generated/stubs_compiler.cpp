// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT void** __hipRegisterFatBinary(const void* wrapper) {
  return greta::api::__hipRegisterFatBinary(wrapper);
}

extern "C" GRETA_EXPORT void __hipRegisterFunction(void** modules, const void* hostFunction, char* deviceFunction, const char* deviceName, unsigned int threadLimit, void* tid, void* bid, dim3* blockDim, dim3* gridDim, int* wSize) {
  greta::api::__hipRegisterFunction(modules, hostFunction, deviceFunction, deviceName, threadLimit, tid, bid, blockDim, gridDim, wSize);
}

extern "C" GRETA_EXPORT void __hipRegisterVar(void** modules, void* var, char* hostVar, char* deviceVar, int ext, size_t size, int constant, int global) {
  greta::api::__hipRegisterVar(modules, var, hostVar, deviceVar, ext, size, constant, global);
}

extern "C" GRETA_EXPORT void __hipRegisterManagedVar(void* module, void** pointer, void* initValue, const char* name, size_t size, unsigned int align) {
  greta::api::__hipRegisterManagedVar(module, pointer, initValue, name, size, align);
}

extern "C" GRETA_EXPORT void __hipUnregisterFatBinary(void** modules) {
  greta::api::__hipUnregisterFatBinary(modules);
}

extern "C" GRETA_EXPORT hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::__hipPushCallConfiguration);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(gridDim, blockDim, sharedMem, stream);
  return call.finish(greta::api::__hipPushCallConfiguration(gridDim, blockDim, sharedMem, stream));
}

extern "C" GRETA_EXPORT hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, hipStream_t* stream) {
  greta::api::CallScope call(greta::api::CallId::__hipPopCallConfiguration);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(gridDim, blockDim, sharedMem, stream);
  return call.finish(greta::api::__hipPopCallConfiguration(gridDim, blockDim, sharedMem, stream));
}

extern "C" GRETA_EXPORT void __hipOnError(const void* report) {
  greta::api::__hipOnError(report);
}

extern "C" GRETA_EXPORT hipError_t hipConfigureCall(void) {
  return greta::api::not_supported(greta::api::CallId::hipConfigureCall);
}

extern "C" GRETA_EXPORT hipError_t hipSetupArgument(void) {
  return greta::api::not_supported(greta::api::CallId::hipSetupArgument);
}

extern "C" GRETA_EXPORT hipError_t hipLaunchByPtr(void) {
  return greta::api::not_supported(greta::api::CallId::hipLaunchByPtr);
}

extern "C" GRETA_EXPORT void __hipRegisterSurface(void) {
  greta::api::not_supported(greta::api::CallId::__hipRegisterSurface);
}

extern "C" GRETA_EXPORT void __hipRegisterTexture(void) {
  greta::api::not_supported(greta::api::CallId::__hipRegisterTexture);
}

extern "C" GRETA_EXPORT void __hipGetPCH(void) {
  greta::api::not_supported(greta::api::CallId::__hipGetPCH);
}

extern "C" GRETA_EXPORT void _ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv(void) {
  greta::api::not_supported(greta::api::CallId::_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv);
}
