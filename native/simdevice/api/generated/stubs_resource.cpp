// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipDeviceGetDevResource(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceGetDevResource);
}

extern "C" GRETA_EXPORT hipError_t hipDevSmResourceSplitByCount(void) {
  return greta::api::not_supported(greta::api::CallId::hipDevSmResourceSplitByCount);
}

extern "C" GRETA_EXPORT hipError_t hipDevSmResourceSplit(void) {
  return greta::api::not_supported(greta::api::CallId::hipDevSmResourceSplit);
}

extern "C" GRETA_EXPORT hipError_t hipDevResourceGenerateDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipDevResourceGenerateDesc);
}

extern "C" GRETA_EXPORT hipError_t hipGreenCtxCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipGreenCtxCreate);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxDestroy(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxDestroy);
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetExecutionCtx(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceGetExecutionCtx);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxStreamCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxStreamCreate);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxGetDevResource(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxGetDevResource);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxGetDevice(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxGetDevice);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxGetId(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxGetId);
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetDevResource(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamGetDevResource);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxRecordEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxRecordEvent);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxSynchronize(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxSynchronize);
}

extern "C" GRETA_EXPORT hipError_t hipExecutionCtxWaitEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipExecutionCtxWaitEvent);
}
