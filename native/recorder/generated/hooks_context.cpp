// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipCtxCreate(void* ctx, unsigned int flags, int device) {
  using Function = int (*)(void*, unsigned int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxCreate, GRETA_CALLER, 0);
  if (!call) return real(ctx, flags, device);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(ctx, flags, device);
  if (result == 0) call.word(0) = filled<void*>(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxDestroy(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxDestroy, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = widened(ctx);
  call.begin();
  const auto result = real(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxPopCurrent(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxPopCurrent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxPopCurrent, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = 0;
  call.begin();
  const auto result = real(ctx);
  if (result == 0) call.word(0) = filled<void*>(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxPushCurrent(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxPushCurrent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxPushCurrent, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = widened(ctx);
  call.begin();
  const auto result = real(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxSetCurrent(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxSetCurrent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxSetCurrent, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = widened(ctx);
  call.begin();
  const auto result = real(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetCurrent(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetCurrent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetCurrent, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = 0;
  call.begin();
  const auto result = real(ctx);
  if (result == 0) call.word(0) = filled<void*>(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetDevice(void* device) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetDevice, GRETA_CALLER, 0);
  if (!call) return real(device);
  call.word(0) = 0;
  call.begin();
  const auto result = real(device);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxSynchronize() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxSynchronize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxSynchronize, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  if (g_added_work) {
    if (result == 0) device_was_waited_for();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDevicePrimaryCtxGetState(int dev, void* flags, void* active) {
  using Function = int (*)(int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevicePrimaryCtxGetState, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevicePrimaryCtxGetState, GRETA_CALLER, 0);
  if (!call) return real(dev, flags, active);
  call.word(0) = widened(dev);
  call.word(1) = 0;
  call.word(2) = 0;
  call.begin();
  const auto result = real(dev, flags, active);
  if (result == 0) call.word(1) = filled<unsigned int>(flags);
  if (result == 0) call.word(2) = filled<int>(active);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevicePrimaryCtxRelease(int dev) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevicePrimaryCtxRelease, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevicePrimaryCtxRelease, GRETA_CALLER, 0);
  if (!call) return real(dev);
  call.word(0) = widened(dev);
  call.begin();
  const auto result = real(dev);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevicePrimaryCtxRetain(void* pctx, int dev) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevicePrimaryCtxRetain, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevicePrimaryCtxRetain, GRETA_CALLER, 0);
  if (!call) return real(pctx, dev);
  call.word(0) = 0;
  call.word(1) = widened(dev);
  call.begin();
  const auto result = real(pctx, dev);
  if (result == 0) call.word(0) = filled<void*>(pctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevicePrimaryCtxReset(int dev) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevicePrimaryCtxReset, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevicePrimaryCtxReset, GRETA_CALLER, 0);
  if (!call) return real(dev);
  call.word(0) = widened(dev);
  call.begin();
  const auto result = real(dev);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetApiVersion(void* ctx, void* apiVersion) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetApiVersion, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetApiVersion, GRETA_CALLER, 0);
  if (!call) return real(ctx, apiVersion);
  call.word(0) = widened(ctx);
  call.word(1) = 0;
  call.begin();
  const auto result = real(ctx, apiVersion);
  if (result == 0) call.word(1) = filled<unsigned int>(apiVersion);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetCacheConfig(void* cacheConfig) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetCacheConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetCacheConfig, GRETA_CALLER, 0);
  if (!call) return real(cacheConfig);
  call.word(0) = 0;
  call.begin();
  const auto result = real(cacheConfig);
  if (result == 0) call.word(0) = filled<int>(cacheConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxSetCacheConfig(int cacheConfig) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxSetCacheConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxSetCacheConfig, GRETA_CALLER, 0);
  if (!call) return real(cacheConfig);
  call.word(0) = widened(cacheConfig);
  call.begin();
  const auto result = real(cacheConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxSetSharedMemConfig(int config) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxSetSharedMemConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxSetSharedMemConfig, GRETA_CALLER, 0);
  if (!call) return real(config);
  call.word(0) = widened(config);
  call.begin();
  const auto result = real(config);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetSharedMemConfig(void* pConfig) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetSharedMemConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetSharedMemConfig, GRETA_CALLER, 0);
  if (!call) return real(pConfig);
  call.word(0) = 0;
  call.begin();
  const auto result = real(pConfig);
  if (result == 0) call.word(0) = filled<int>(pConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxGetFlags(void* flags) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxGetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxGetFlags, GRETA_CALLER, 0);
  if (!call) return real(flags);
  call.word(0) = 0;
  call.begin();
  const auto result = real(flags);
  if (result == 0) call.word(0) = filled<unsigned int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxEnablePeerAccess(void* peerCtx, unsigned int flags) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxEnablePeerAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxEnablePeerAccess, GRETA_CALLER, 0);
  if (!call) return real(peerCtx, flags);
  call.word(0) = widened(peerCtx);
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(peerCtx, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCtxDisablePeerAccess(void* peerCtx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCtxDisablePeerAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCtxDisablePeerAccess, GRETA_CALLER, 0);
  if (!call) return real(peerCtx);
  call.word(0) = widened(peerCtx);
  call.begin();
  const auto result = real(peerCtx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevicePrimaryCtxSetFlags(int dev, unsigned int flags) {
  using Function = int (*)(int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevicePrimaryCtxSetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevicePrimaryCtxSetFlags, GRETA_CALLER, 0);
  if (!call) return real(dev, flags);
  call.word(0) = widened(dev);
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(dev, flags);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder