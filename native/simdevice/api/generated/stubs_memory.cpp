// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipPointerGetAttributes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(attributes, ptr);
  return call.finish(greta::api::hipPointerGetAttributes(attributes, ptr));
}

extern "C" GRETA_EXPORT hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipPointerGetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(data, attribute, ptr);
  return call.finish(greta::api::hipPointerGetAttribute(data, attribute, ptr));
}

extern "C" GRETA_EXPORT hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipPointerSetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(value, attribute, ptr);
  return call.finish(greta::api::hipPointerSetAttribute(value, attribute, ptr));
}

extern "C" GRETA_EXPORT hipError_t hipMalloc(void** ptr, size_t size) {
  greta::api::CallScope call(greta::api::CallId::hipMalloc);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, size);
  return call.finish(greta::api::hipMalloc(ptr, size));
}

extern "C" GRETA_EXPORT hipError_t hipExtMallocWithFlags(void** ptr, size_t sizeBytes, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipExtMallocWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, sizeBytes, flags);
  return call.finish(greta::api::hipExtMallocWithFlags(ptr, sizeBytes, flags));
}

extern "C" GRETA_EXPORT hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipHostMalloc);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, size, flags);
  return call.finish(greta::api::hipHostMalloc(ptr, size, flags));
}

extern "C" GRETA_EXPORT hipError_t hipMallocManaged(void** dev_ptr, size_t size, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipMallocManaged);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, size, flags);
  return call.finish(greta::api::hipMallocManaged(dev_ptr, size, flags));
}

extern "C" GRETA_EXPORT hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipHostAlloc);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, size, flags);
  return call.finish(greta::api::hipHostAlloc(ptr, size, flags));
}

extern "C" GRETA_EXPORT hipError_t hipHostGetDevicePointer(void** devPtr, void* hstPtr, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipHostGetDevicePointer);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(devPtr, hstPtr, flags);
  return call.finish(greta::api::hipHostGetDevicePointer(devPtr, hstPtr, flags));
}

extern "C" GRETA_EXPORT hipError_t hipHostGetFlags(unsigned int* flagsPtr, void* hostPtr) {
  greta::api::CallScope call(greta::api::CallId::hipHostGetFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(flagsPtr, hostPtr);
  return call.finish(greta::api::hipHostGetFlags(flagsPtr, hostPtr));
}

extern "C" GRETA_EXPORT hipError_t hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipHostRegister);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hostPtr, sizeBytes, flags);
  return call.finish(greta::api::hipHostRegister(hostPtr, sizeBytes, flags));
}

extern "C" GRETA_EXPORT hipError_t hipHostUnregister(void* hostPtr) {
  greta::api::CallScope call(greta::api::CallId::hipHostUnregister);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hostPtr);
  return call.finish(greta::api::hipHostUnregister(hostPtr));
}

extern "C" GRETA_EXPORT hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  greta::api::CallScope call(greta::api::CallId::hipMallocPitch);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, pitch, width, height);
  return call.finish(greta::api::hipMallocPitch(ptr, pitch, width, height));
}

extern "C" GRETA_EXPORT hipError_t hipFree(void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipFree);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr);
  return call.finish(greta::api::hipFree(ptr));
}

extern "C" GRETA_EXPORT hipError_t hipFreeHost(void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipFreeHost);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr);
  return call.finish(greta::api::hipFreeHost(ptr));
}

extern "C" GRETA_EXPORT hipError_t hipHostFree(void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipHostFree);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr);
  return call.finish(greta::api::hipHostFree(ptr));
}

extern "C" GRETA_EXPORT hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  greta::api::CallScope call(greta::api::CallId::hipMemGetInfo);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(free, total);
  return call.finish(greta::api::hipMemGetInfo(free, total));
}

extern "C" GRETA_EXPORT hipError_t hipMemGetAddressRange(void** pbase, size_t* psize, void* dptr) {
  greta::api::CallScope call(greta::api::CallId::hipMemGetAddressRange);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pbase, psize, dptr);
  return call.finish(greta::api::hipMemGetAddressRange(pbase, psize, dptr));
}

extern "C" GRETA_EXPORT hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute* attributes, void** data, void* ptr) {
  greta::api::CallScope call(greta::api::CallId::hipDrvPointerGetAttributes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(numAttributes, attributes, data, ptr);
  return call.finish(greta::api::hipDrvPointerGetAttributes(numAttributes, attributes, data, ptr));
}

extern "C" GRETA_EXPORT hipError_t hipMallocHost(void** ptr, size_t size) {
  greta::api::CallScope call(greta::api::CallId::hipMallocHost);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, size);
  return call.finish(greta::api::hipMallocHost(ptr, size));
}

extern "C" GRETA_EXPORT hipError_t hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemPrefetchAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, count, device, stream);
  return call.finish(greta::api::hipMemPrefetchAsync(dev_ptr, count, device, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemPrefetchAsync_v2(const void* dev_ptr, size_t count, hipMemLocation location, unsigned int flags, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemPrefetchAsync_v2);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, count, location, flags, stream);
  return call.finish(greta::api::hipMemPrefetchAsync_v2(dev_ptr, count, location, flags, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemAdvise(const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
  greta::api::CallScope call(greta::api::CallId::hipMemAdvise);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, count, advice, device);
  return call.finish(greta::api::hipMemAdvise(dev_ptr, count, advice, device));
}

extern "C" GRETA_EXPORT hipError_t hipMemAdvise_v2(const void* dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location) {
  greta::api::CallScope call(greta::api::CallId::hipMemAdvise_v2);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, count, advice, location);
  return call.finish(greta::api::hipMemAdvise_v2(dev_ptr, count, advice, location));
}

extern "C" GRETA_EXPORT hipError_t hipMemPtrGetInfo(void* ptr, size_t* size) {
  greta::api::CallScope call(greta::api::CallId::hipMemPtrGetInfo);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(ptr, size);
  return call.finish(greta::api::hipMemPtrGetInfo(ptr, size));
}

extern "C" GRETA_EXPORT hipError_t hipMemAllocHost(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemAllocHost);
}

extern "C" GRETA_EXPORT hipError_t hipMemPrefetchBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemPrefetchBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemDiscardBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemDiscardBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipDrvMemDiscardBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvMemDiscardBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemDiscardAndPrefetchBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemDiscardAndPrefetchBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvMemDiscardAndPrefetchBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemRangeGetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemRangeGetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipMemRangeGetAttributes(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemRangeGetAttributes);
}

extern "C" GRETA_EXPORT hipError_t hipStreamAttachMemAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamAttachMemAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemAllocPitch(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemAllocPitch);
}

extern "C" GRETA_EXPORT hipError_t hipMalloc3D(void) {
  return greta::api::not_supported(greta::api::CallId::hipMalloc3D);
}
