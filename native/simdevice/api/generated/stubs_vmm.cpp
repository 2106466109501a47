// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipMemGetHandleForAddressRange(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetHandleForAddressRange);
}

extern "C" GRETA_EXPORT hipError_t hipMemAddressFree(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemAddressFree);
}

extern "C" GRETA_EXPORT hipError_t hipMemAddressReserve(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemAddressReserve);
}

extern "C" GRETA_EXPORT hipError_t hipMemCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemCreate);
}

extern "C" GRETA_EXPORT hipError_t hipMemExportToShareableHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemExportToShareableHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemGetAccess(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetAccess);
}

extern "C" GRETA_EXPORT hipError_t hipMemGetAllocationGranularity(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetAllocationGranularity);
}

extern "C" GRETA_EXPORT hipError_t hipMemGetAllocationPropertiesFromHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetAllocationPropertiesFromHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemImportFromShareableHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemImportFromShareableHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemMap(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemMap);
}

extern "C" GRETA_EXPORT hipError_t hipMemRelease(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemRelease);
}

extern "C" GRETA_EXPORT hipError_t hipMemRetainAllocationHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemRetainAllocationHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemSetAccess(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemSetAccess);
}

extern "C" GRETA_EXPORT hipError_t hipMemUnmap(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemUnmap);
}
