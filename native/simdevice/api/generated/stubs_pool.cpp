// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* mem_pool, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetDefaultMemPool);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, device);
  return call.finish(greta::api::hipDeviceGetDefaultMemPool(mem_pool, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceSetMemPool);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, mem_pool);
  return call.finish(greta::api::hipDeviceSetMemPool(device, mem_pool));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetMemPool(hipMemPool_t* mem_pool, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetMemPool);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, device);
  return call.finish(greta::api::hipDeviceGetMemPool(mem_pool, device));
}

extern "C" GRETA_EXPORT hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMallocAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, size, stream);
  return call.finish(greta::api::hipMallocAsync(dev_ptr, size, stream));
}

extern "C" GRETA_EXPORT hipError_t hipFreeAsync(void* dev_ptr, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipFreeAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, stream);
  return call.finish(greta::api::hipFreeAsync(dev_ptr, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolTrimTo);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, min_bytes_to_hold);
  return call.finish(greta::api::hipMemPoolTrimTo(mem_pool, min_bytes_to_hold));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolSetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, attr, value);
  return call.finish(greta::api::hipMemPoolSetAttribute(mem_pool, attr, value));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolGetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, attr, value);
  return call.finish(greta::api::hipMemPoolGetAttribute(mem_pool, attr, value));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolCreate(hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolCreate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, pool_props);
  return call.finish(greta::api::hipMemPoolCreate(mem_pool, pool_props));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool);
  return call.finish(greta::api::hipMemPoolDestroy(mem_pool));
}

extern "C" GRETA_EXPORT hipError_t hipMallocFromPoolAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMallocFromPoolAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dev_ptr, size, mem_pool, stream);
  return call.finish(greta::api::hipMallocFromPoolAsync(dev_ptr, size, mem_pool, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc* desc_list, size_t count) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolSetAccess);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mem_pool, desc_list, count);
  return call.finish(greta::api::hipMemPoolSetAccess(mem_pool, desc_list, count));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t mem_pool, hipMemLocation* location) {
  greta::api::CallScope call(greta::api::CallId::hipMemPoolGetAccess);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(flags, mem_pool, location);
  return call.finish(greta::api::hipMemPoolGetAccess(flags, mem_pool, location));
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolExportToShareableHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemPoolExportToShareableHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolImportFromShareableHandle(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemPoolImportFromShareableHandle);
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolExportPointer(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemPoolExportPointer);
}

extern "C" GRETA_EXPORT hipError_t hipMemPoolImportPointer(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemPoolImportPointer);
}

extern "C" GRETA_EXPORT hipError_t hipMemSetMemPool(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemSetMemPool);
}

extern "C" GRETA_EXPORT hipError_t hipMemGetMemPool(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetMemPool);
}

extern "C" GRETA_EXPORT hipError_t hipMemGetDefaultMemPool(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemGetDefaultMemPool);
}
