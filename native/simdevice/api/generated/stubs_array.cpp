// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipMemcpyAtoD(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyAtoD);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyDtoA(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyDtoA);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyAtoA(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyAtoA);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyAtoHAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyAtoHAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyHtoAAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyHtoAAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMallocArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMallocArray);
}

extern "C" GRETA_EXPORT hipError_t hipArrayCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipArrayCreate);
}

extern "C" GRETA_EXPORT hipError_t hipArrayDestroy(void) {
  return greta::api::not_supported(greta::api::CallId::hipArrayDestroy);
}

extern "C" GRETA_EXPORT hipError_t hipArray3DCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipArray3DCreate);
}

extern "C" GRETA_EXPORT hipError_t hipFreeArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipFreeArray);
}

extern "C" GRETA_EXPORT hipError_t hipMalloc3DArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMalloc3DArray);
}

extern "C" GRETA_EXPORT hipError_t hipArrayGetInfo(void) {
  return greta::api::not_supported(greta::api::CallId::hipArrayGetInfo);
}

extern "C" GRETA_EXPORT hipError_t hipArrayGetDescriptor(void) {
  return greta::api::not_supported(greta::api::CallId::hipArrayGetDescriptor);
}

extern "C" GRETA_EXPORT hipError_t hipArray3DGetDescriptor(void) {
  return greta::api::not_supported(greta::api::CallId::hipArray3DGetDescriptor);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DToArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DToArray);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DToArray_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DToArray_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DToArrayAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DToArrayAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DToArrayAsync_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DToArrayAsync_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DArrayToArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DArrayToArray);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyToArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyToArray);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyFromArray);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromArray_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyFromArray_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DFromArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DFromArray);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DFromArray_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DFromArray_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DFromArrayAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DFromArrayAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DFromArrayAsync_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy2DFromArrayAsync_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyAtoH(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyAtoH);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyHtoA(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyHtoA);
}

extern "C" GRETA_EXPORT hipError_t hipMipmappedArrayGetMemoryRequirements(void) {
  return greta::api::not_supported(greta::api::CallId::hipMipmappedArrayGetMemoryRequirements);
}

extern "C" GRETA_EXPORT hipError_t hipMallocMipmappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipMallocMipmappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipFreeMipmappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipFreeMipmappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipGetMipmappedArrayLevel(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetMipmappedArrayLevel);
}

extern "C" GRETA_EXPORT hipError_t hipMipmappedArrayCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipMipmappedArrayCreate);
}

extern "C" GRETA_EXPORT hipError_t hipMipmappedArrayDestroy(void) {
  return greta::api::not_supported(greta::api::CallId::hipMipmappedArrayDestroy);
}

extern "C" GRETA_EXPORT hipError_t hipMipmappedArrayGetLevel(void) {
  return greta::api::not_supported(greta::api::CallId::hipMipmappedArrayGetLevel);
}

extern "C" GRETA_EXPORT hipError_t hipMemMapArrayAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemMapArrayAsync);
}
