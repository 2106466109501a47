// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipDeviceGetDevResource(int device, void* resource, int type) {
  using Function = int (*)(int, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetDevResource, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetDevResource, GRETA_CALLER, 0);
  if (!call) return real(device, resource, type);
  call.word(0) = widened(device);
  call.word(1) = widened(resource);
  call.word(2) = widened(type);
  call.begin();
  const auto result = real(device, resource, type);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevSmResourceSplitByCount(void* result_, void* nbGroups, void* input, void* remainder, unsigned int flags, unsigned int minCount) {
  using Function = int (*)(void*, void*, void*, void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevSmResourceSplitByCount, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevSmResourceSplitByCount, GRETA_CALLER, 0);
  if (!call) return real(result_, nbGroups, input, remainder, flags, minCount);
  call.word(0) = widened(result_);
  call.word(1) = 0;
  call.word(2) = widened(input);
  call.word(3) = widened(remainder);
  call.word(4) = widened(flags);
  call.word(5) = widened(minCount);
  call.begin();
  const auto result = real(result_, nbGroups, input, remainder, flags, minCount);
  if (result == 0) call.word(1) = filled<unsigned int>(nbGroups);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevSmResourceSplit(void* result_, unsigned int nbGroups, void* input, void* remainder, unsigned int flags, void* groupParams) {
  using Function = int (*)(void*, unsigned int, void*, void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevSmResourceSplit, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevSmResourceSplit, GRETA_CALLER, 0);
  if (!call) return real(result_, nbGroups, input, remainder, flags, groupParams);
  call.word(0) = widened(result_);
  call.word(1) = widened(nbGroups);
  call.word(2) = widened(input);
  call.word(3) = widened(remainder);
  call.word(4) = widened(flags);
  call.word(5) = widened(groupParams);
  call.begin();
  const auto result = real(result_, nbGroups, input, remainder, flags, groupParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDevResourceGenerateDesc(void* phDesc, void* resources, unsigned int nbResources) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDevResourceGenerateDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDevResourceGenerateDesc, GRETA_CALLER, 0);
  if (!call) return real(phDesc, resources, nbResources);
  call.word(0) = 0;
  call.word(1) = widened(resources);
  call.word(2) = widened(nbResources);
  call.begin();
  const auto result = real(phDesc, resources, nbResources);
  if (result == 0) call.word(0) = filled<void*>(phDesc);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGreenCtxCreate(void* ctx, void* desc, int device, unsigned int flags) {
  using Function = int (*)(void*, void*, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGreenCtxCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGreenCtxCreate, GRETA_CALLER, 0);
  if (!call) return real(ctx, desc, device, flags);
  call.word(0) = 0;
  call.word(1) = widened(desc);
  call.word(2) = widened(device);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(ctx, desc, device, flags);
  if (result == 0) call.word(0) = filled<void*>(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxDestroy(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxDestroy, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = widened(ctx);
  call.begin();
  const auto result = real(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetExecutionCtx(void* ctx, int device) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetExecutionCtx, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetExecutionCtx, GRETA_CALLER, 0);
  if (!call) return real(ctx, device);
  call.word(0) = 0;
  call.word(1) = widened(device);
  call.begin();
  const auto result = real(ctx, device);
  if (result == 0) call.word(0) = filled<void*>(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxStreamCreate(void* stream, void* greenctx, unsigned int flags, int priority) {
  using Function = int (*)(void*, void*, unsigned int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxStreamCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxStreamCreate, GRETA_CALLER, 0);
  if (!call) return real(stream, greenctx, flags, priority);
  call.word(0) = 0;
  call.word(1) = widened(greenctx);
  call.word(2) = widened(flags);
  call.word(3) = widened(priority);
  call.begin();
  const auto result = real(stream, greenctx, flags, priority);
  if (result == 0) call.word(0) = filled<void*>(stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxGetDevResource(void* ctx, void* resource, int type) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxGetDevResource, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxGetDevResource, GRETA_CALLER, 0);
  if (!call) return real(ctx, resource, type);
  call.word(0) = widened(ctx);
  call.word(1) = widened(resource);
  call.word(2) = widened(type);
  call.begin();
  const auto result = real(ctx, resource, type);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxGetDevice(void* device, void* ctx) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxGetDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxGetDevice, GRETA_CALLER, 0);
  if (!call) return real(device, ctx);
  call.word(0) = 0;
  call.word(1) = widened(ctx);
  call.begin();
  const auto result = real(device, ctx);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxGetId(void* ctx, void* ctxId) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxGetId, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxGetId, GRETA_CALLER, 0);
  if (!call) return real(ctx, ctxId);
  call.word(0) = widened(ctx);
  call.word(1) = 0;
  call.begin();
  const auto result = real(ctx, ctxId);
  if (result == 0) call.word(1) = filled<unsigned long long>(ctxId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetDevResource(void* hStream, void* resource, int type) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetDevResource, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetDevResource, GRETA_CALLER, 0);
  if (!call) return real(hStream, resource, type);
  call.word(0) = widened(hStream);
  call.word(1) = widened(resource);
  call.word(2) = widened(type);
  call.begin();
  const auto result = real(hStream, resource, type);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxRecordEvent(void* ctx, void* event) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxRecordEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxRecordEvent, GRETA_CALLER, 0);
  if (!call) return real(ctx, event);
  call.word(0) = widened(ctx);
  call.word(1) = widened(event);
  call.begin();
  const auto result = real(ctx, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxSynchronize(void* ctx) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxSynchronize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxSynchronize, GRETA_CALLER, 0);
  if (!call) return real(ctx);
  call.word(0) = widened(ctx);
  call.begin();
  const auto result = real(ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExecutionCtxWaitEvent(void* ctx, void* event) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExecutionCtxWaitEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExecutionCtxWaitEvent, GRETA_CALLER, 0);
  if (!call) return real(ctx, event);
  call.word(0) = widened(ctx);
  call.word(1) = widened(event);
  call.begin();
  const auto result = real(ctx, event);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder