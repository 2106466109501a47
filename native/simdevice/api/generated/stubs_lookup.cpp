// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags, hipDriverProcAddressQueryResult* symbolStatus) {
  greta::api::CallScope call(greta::api::CallId::hipGetProcAddress);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, pfn, hipVersion, flags, symbolStatus);
  return call.finish(greta::api::hipGetProcAddress(symbol, pfn, hipVersion, flags, symbolStatus));
}

extern "C" GRETA_EXPORT hipError_t hipGetProcAddress_spt(const char* symbol, void** pfn, int hipVersion, uint64_t flags, hipDriverProcAddressQueryResult* symbolStatus) {
  greta::api::CallScope call(greta::api::CallId::hipGetProcAddress_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, pfn, hipVersion, flags, symbolStatus);
  return call.finish(greta::api::hipGetProcAddress_spt(symbol, pfn, hipVersion, flags, symbolStatus));
}

extern "C" GRETA_EXPORT hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr) {
  greta::api::CallScope call(greta::api::CallId::hipGetFuncBySymbol);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(functionPtr, symbolPtr);
  return call.finish(greta::api::hipGetFuncBySymbol(functionPtr, symbolPtr));
}

extern "C" GRETA_EXPORT hipError_t hipGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags, hipDriverEntryPointQueryResult* driverStatus) {
  greta::api::CallScope call(greta::api::CallId::hipGetDriverEntryPoint);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, funcPtr, flags, driverStatus);
  return call.finish(greta::api::hipGetDriverEntryPoint(symbol, funcPtr, flags, driverStatus));
}

extern "C" GRETA_EXPORT hipError_t hipGetDriverEntryPoint_spt(const char* symbol, void** funcPtr, unsigned long long flags, hipDriverEntryPointQueryResult* driverStatus) {
  greta::api::CallScope call(greta::api::CallId::hipGetDriverEntryPoint_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, funcPtr, flags, driverStatus);
  return call.finish(greta::api::hipGetDriverEntryPoint_spt(symbol, funcPtr, flags, driverStatus));
}

extern "C" GRETA_EXPORT const char* hipApiName(uint32_t id) {
  return greta::api::hipApiName(id);
}

extern "C" GRETA_EXPORT const char* hipKernelNameRef(const hipFunction_t f) {
  return greta::api::hipKernelNameRef(f);
}

extern "C" GRETA_EXPORT const char* hipKernelNameRefByPtr(const void* hostFunction, hipStream_t stream) {
  return greta::api::hipKernelNameRefByPtr(hostFunction, stream);
}
