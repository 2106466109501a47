// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipIpcGetMemHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipIpcGetMemHandle);
}

extern "C" GRETA_EXPORT hipError_t hipIpcOpenMemHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipIpcOpenMemHandle);
}

extern "C" GRETA_EXPORT hipError_t hipIpcCloseMemHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipIpcCloseMemHandle);
}

extern "C" GRETA_EXPORT hipError_t hipIpcGetEventHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipIpcGetEventHandle);
}

extern "C" GRETA_EXPORT hipError_t hipIpcOpenEventHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipIpcOpenEventHandle);
}
