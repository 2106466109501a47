// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipStreamCreate(hipStream_t* stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamCreate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamCreate(stream));
}

extern "C" GRETA_EXPORT hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamCreateWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, flags);
  return call.finish(greta::api::hipStreamCreateWithFlags(stream, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
  greta::api::CallScope call(greta::api::CallId::hipStreamCreateWithPriority);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, flags, priority);
  return call.finish(greta::api::hipStreamCreateWithPriority(stream, flags, priority));
}

extern "C" GRETA_EXPORT hipError_t hipStreamDestroy(hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamDestroy(stream));
}

extern "C" GRETA_EXPORT hipError_t hipStreamQuery(hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamQuery);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamQuery(stream));
}

extern "C" GRETA_EXPORT hipError_t hipStreamQuery_spt(hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamQuery_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamQuery(stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipStreamSynchronize(hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamSynchronize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamSynchronize(stream));
}

extern "C" GRETA_EXPORT hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipStreamSynchronize_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream);
  return call.finish(greta::api::hipStreamSynchronize(stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWaitEvent);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, event, flags);
  return call.finish(greta::api::hipStreamWaitEvent(stream, event, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWaitEvent_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, event, flags);
  return call.finish(greta::api::hipStreamWaitEvent(stream != nullptr ? stream : hipStreamPerThread, event, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, flags);
  return call.finish(greta::api::hipStreamGetFlags(stream, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int* flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetFlags_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, flags);
  return call.finish(greta::api::hipStreamGetFlags(stream != nullptr ? stream : hipStreamPerThread, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetPriority);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, priority);
  return call.finish(greta::api::hipStreamGetPriority(stream, priority));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetPriority_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, priority);
  return call.finish(greta::api::hipStreamGetPriority(stream != nullptr ? stream : hipStreamPerThread, priority));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetDevice(hipStream_t stream, int* device) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetDevice);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, device);
  return call.finish(greta::api::hipStreamGetDevice(stream, device));
}

extern "C" GRETA_EXPORT hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamAddCallback);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, callback, userData, flags);
  return call.finish(greta::api::hipStreamAddCallback(stream, callback, userData, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamAddCallback_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, callback, userData, flags);
  return call.finish(greta::api::hipStreamAddCallback(stream != nullptr ? stream : hipStreamPerThread, callback, userData, flags));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchHostFunc);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, fn, userData);
  return call.finish(greta::api::hipLaunchHostFunc(stream, fn, userData));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void* userData) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchHostFunc_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, fn, userData);
  return call.finish(greta::api::hipLaunchHostFunc(stream != nullptr ? stream : hipStreamPerThread, fn, userData));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* streamId) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetId);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, streamId);
  return call.finish(greta::api::hipStreamGetId(stream, streamId));
}

extern "C" GRETA_EXPORT hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cuMaskSize, const uint32_t* cuMask) {
  greta::api::CallScope call(greta::api::CallId::hipExtStreamCreateWithCUMask);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, cuMaskSize, cuMask);
  return call.finish(greta::api::hipExtStreamCreateWithCUMask(stream, cuMaskSize, cuMask));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags, uint32_t mask) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWaitValue32);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, ptr, value, flags, mask);
  return call.finish(greta::api::hipStreamWaitValue32(stream, ptr, value, flags, mask));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags, uint64_t mask) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWaitValue64);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, ptr, value, flags, mask);
  return call.finish(greta::api::hipStreamWaitValue64(stream, ptr, value, flags, mask));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWriteValue32);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, ptr, value, flags);
  return call.finish(greta::api::hipStreamWriteValue32(stream, ptr, value, flags));
}

extern "C" GRETA_EXPORT hipError_t hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipStreamWriteValue64);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, ptr, value, flags);
  return call.finish(greta::api::hipStreamWriteValue64(stream, ptr, value, flags));
}

extern "C" GRETA_EXPORT int hipGetStreamDeviceId(hipStream_t stream) {
  return greta::api::hipGetStreamDeviceId(stream);
}

extern "C" GRETA_EXPORT hipError_t hipExtStreamGetCUMask(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtStreamGetCUMask);
}

extern "C" GRETA_EXPORT hipError_t hipStreamSetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamSetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamGetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipStreamCopyAttributes(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamCopyAttributes);
}

extern "C" GRETA_EXPORT hipError_t hipStreamBatchMemOp(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamBatchMemOp);
}
