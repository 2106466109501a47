// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, int device) {
  greta::api::CallScope call(greta::api::CallId::hipCtxCreate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx, flags, device);
  return call.finish(greta::api::hipCtxCreate(ctx, flags, device));
}

extern "C" GRETA_EXPORT hipError_t hipCtxDestroy(hipCtx_t ctx) {
  greta::api::CallScope call(greta::api::CallId::hipCtxDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx);
  return call.finish(greta::api::hipCtxDestroy(ctx));
}

extern "C" GRETA_EXPORT hipError_t hipCtxPopCurrent(hipCtx_t* ctx) {
  greta::api::CallScope call(greta::api::CallId::hipCtxPopCurrent);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx);
  return call.finish(greta::api::hipCtxPopCurrent(ctx));
}

extern "C" GRETA_EXPORT hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  greta::api::CallScope call(greta::api::CallId::hipCtxPushCurrent);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx);
  return call.finish(greta::api::hipCtxPushCurrent(ctx));
}

extern "C" GRETA_EXPORT hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  greta::api::CallScope call(greta::api::CallId::hipCtxSetCurrent);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx);
  return call.finish(greta::api::hipCtxSetCurrent(ctx));
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetCurrent(hipCtx_t* ctx) {
  greta::api::CallScope call(greta::api::CallId::hipCtxGetCurrent);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ctx);
  return call.finish(greta::api::hipCtxGetCurrent(ctx));
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetDevice(int* device) {
  greta::api::CallScope call(greta::api::CallId::hipCtxGetDevice);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device);
  return call.finish(greta::api::hipCtxGetDevice(device));
}

extern "C" GRETA_EXPORT hipError_t hipCtxSynchronize(void) {
  greta::api::CallScope call(greta::api::CallId::hipCtxSynchronize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments();
  return call.finish(greta::api::hipCtxSynchronize());
}

extern "C" GRETA_EXPORT hipError_t hipDevicePrimaryCtxGetState(int dev, unsigned int* flags, int* active) {
  greta::api::CallScope call(greta::api::CallId::hipDevicePrimaryCtxGetState);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev, flags, active);
  return call.finish(greta::api::hipDevicePrimaryCtxGetState(dev, flags, active));
}

extern "C" GRETA_EXPORT hipError_t hipDevicePrimaryCtxRelease(int dev) {
  greta::api::CallScope call(greta::api::CallId::hipDevicePrimaryCtxRelease);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev);
  return call.finish(greta::api::hipDevicePrimaryCtxRelease(dev));
}

extern "C" GRETA_EXPORT hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* pctx, int dev) {
  greta::api::CallScope call(greta::api::CallId::hipDevicePrimaryCtxRetain);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pctx, dev);
  return call.finish(greta::api::hipDevicePrimaryCtxRetain(pctx, dev));
}

extern "C" GRETA_EXPORT hipError_t hipDevicePrimaryCtxReset(int dev) {
  greta::api::CallScope call(greta::api::CallId::hipDevicePrimaryCtxReset);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev);
  return call.finish(greta::api::hipDevicePrimaryCtxReset(dev));
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetApiVersion(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxGetApiVersion);
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetCacheConfig(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxGetCacheConfig);
}

extern "C" GRETA_EXPORT hipError_t hipCtxSetCacheConfig(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxSetCacheConfig);
}

extern "C" GRETA_EXPORT hipError_t hipCtxSetSharedMemConfig(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxSetSharedMemConfig);
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetSharedMemConfig(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxGetSharedMemConfig);
}

extern "C" GRETA_EXPORT hipError_t hipCtxGetFlags(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxGetFlags);
}

extern "C" GRETA_EXPORT hipError_t hipCtxEnablePeerAccess(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxEnablePeerAccess);
}

extern "C" GRETA_EXPORT hipError_t hipCtxDisablePeerAccess(void) {
  return greta::api::not_supported(greta::api::CallId::hipCtxDisablePeerAccess);
}

extern "C" GRETA_EXPORT hipError_t hipDevicePrimaryCtxSetFlags(void) {
  return greta::api::not_supported(greta::api::CallId::hipDevicePrimaryCtxSetFlags);
}
