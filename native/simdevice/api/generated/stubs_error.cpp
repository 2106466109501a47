// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipGetLastError(void) {
  return greta::api::hipGetLastError();
}

extern "C" GRETA_EXPORT hipError_t hipExtGetLastError(void) {
  return greta::api::hipExtGetLastError();
}

extern "C" GRETA_EXPORT hipError_t hipPeekAtLastError(void) {
  return greta::api::hipPeekAtLastError();
}

extern "C" GRETA_EXPORT const char* hipGetErrorName(hipError_t hip_error) {
  return greta::api::hipGetErrorName(hip_error);
}

extern "C" GRETA_EXPORT const char* hipGetErrorString(hipError_t hipError) {
  return greta::api::hipGetErrorString(hipError);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGetErrorName(hipError_t hipError, const char** errorString) {
  greta::api::CallScope call(greta::api::CallId::hipDrvGetErrorName);
  if (call.logging()) call.log_arguments(hipError, errorString);
  return call.finish(greta::api::hipDrvGetErrorName(hipError, errorString));
}

extern "C" GRETA_EXPORT hipError_t hipDrvGetErrorString(hipError_t hipError, const char** errorString) {
  greta::api::CallScope call(greta::api::CallId::hipDrvGetErrorString);
  if (call.logging()) call.log_arguments(hipError, errorString);
  return call.finish(greta::api::hipDrvGetErrorString(hipError, errorString));
}
