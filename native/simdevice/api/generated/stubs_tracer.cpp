// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipExtEnableLogging(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtEnableLogging);
}

extern "C" GRETA_EXPORT hipError_t hipExtDisableLogging(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtDisableLogging);
}

extern "C" GRETA_EXPORT hipError_t hipExtSetLoggingParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtSetLoggingParams);
}

extern "C" GRETA_EXPORT const char* amd_dbgapi_get_build_name(void) {
  greta::api::not_supported(greta::api::CallId::amd_dbgapi_get_build_name);
  return {};
}

extern "C" GRETA_EXPORT const char* amd_dbgapi_get_git_hash(void) {
  greta::api::not_supported(greta::api::CallId::amd_dbgapi_get_git_hash);
  return {};
}

extern "C" GRETA_EXPORT size_t amd_dbgapi_get_build_id(void) {
  greta::api::not_supported(greta::api::CallId::amd_dbgapi_get_build_id);
  return {};
}

extern "C" GRETA_EXPORT hipError_t hipRegisterApiCallback(void) {
  return greta::api::not_supported(greta::api::CallId::hipRegisterApiCallback);
}

extern "C" GRETA_EXPORT hipError_t hipRemoveApiCallback(void) {
  return greta::api::not_supported(greta::api::CallId::hipRemoveApiCallback);
}

extern "C" GRETA_EXPORT hipError_t hipRegisterActivityCallback(void) {
  return greta::api::not_supported(greta::api::CallId::hipRegisterActivityCallback);
}

extern "C" GRETA_EXPORT hipError_t hipRemoveActivityCallback(void) {
  return greta::api::not_supported(greta::api::CallId::hipRemoveActivityCallback);
}

extern "C" GRETA_EXPORT void hipInitActivityCallback(void) {
  greta::api::not_supported(greta::api::CallId::hipInitActivityCallback);
}

extern "C" GRETA_EXPORT bool hipEnableActivityCallback(void) {
  greta::api::not_supported(greta::api::CallId::hipEnableActivityCallback);
  return {};
}

extern "C" GRETA_EXPORT const char* hipGetCmdName(void) {
  greta::api::not_supported(greta::api::CallId::hipGetCmdName);
  return {};
}

extern "C" GRETA_EXPORT void hipRegisterTracerCallback(void) {
  greta::api::not_supported(greta::api::CallId::hipRegisterTracerCallback);
}
