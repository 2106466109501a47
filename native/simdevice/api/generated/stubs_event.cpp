// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipEventCreateWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event, flags);
  return call.finish(greta::api::hipEventCreateWithFlags(event, flags));
}

extern "C" GRETA_EXPORT hipError_t hipEventCreate(hipEvent_t* event) {
  greta::api::CallScope call(greta::api::CallId::hipEventCreate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event);
  return call.finish(greta::api::hipEventCreate(event));
}

extern "C" GRETA_EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipEventRecord);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event, stream);
  return call.finish(greta::api::hipEventRecord(event, stream));
}

extern "C" GRETA_EXPORT hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipEventRecord_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event, stream);
  return call.finish(greta::api::hipEventRecord(event, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipEventDestroy(hipEvent_t event) {
  greta::api::CallScope call(greta::api::CallId::hipEventDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event);
  return call.finish(greta::api::hipEventDestroy(event));
}

extern "C" GRETA_EXPORT hipError_t hipEventSynchronize(hipEvent_t event) {
  greta::api::CallScope call(greta::api::CallId::hipEventSynchronize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event);
  return call.finish(greta::api::hipEventSynchronize(event));
}

extern "C" GRETA_EXPORT hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  greta::api::CallScope call(greta::api::CallId::hipEventElapsedTime);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ms, start, stop);
  return call.finish(greta::api::hipEventElapsedTime(ms, start, stop));
}

extern "C" GRETA_EXPORT hipError_t hipEventQuery(hipEvent_t event) {
  greta::api::CallScope call(greta::api::CallId::hipEventQuery);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event);
  return call.finish(greta::api::hipEventQuery(event));
}

extern "C" GRETA_EXPORT hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipEventRecordWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(event, stream, flags);
  return call.finish(greta::api::hipEventRecordWithFlags(event, stream, flags));
}
