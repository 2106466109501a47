// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipKernelSetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelSetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipKernelGetFunction(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelGetFunction);
}

extern "C" GRETA_EXPORT hipError_t hipKernelGetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelGetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryLoadData(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryLoadData);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryLoadFromFile(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryLoadFromFile);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryUnload(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryUnload);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryGetKernel(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryGetKernel);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryGetKernelCount(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryGetKernelCount);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryGetGlobal(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryGetGlobal);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryGetManaged(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryGetManaged);
}

extern "C" GRETA_EXPORT hipError_t hipLibraryEnumerateKernels(void) {
  return greta::api::not_supported(greta::api::CallId::hipLibraryEnumerateKernels);
}

extern "C" GRETA_EXPORT hipError_t hipKernelGetLibrary(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelGetLibrary);
}

extern "C" GRETA_EXPORT hipError_t hipKernelGetName(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelGetName);
}

extern "C" GRETA_EXPORT hipError_t hipKernelGetParamInfo(void) {
  return greta::api::not_supported(greta::api::CallId::hipKernelGetParamInfo);
}
