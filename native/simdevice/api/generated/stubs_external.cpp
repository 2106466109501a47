// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipImportExternalSemaphore(void) {
  return greta::api::not_supported(greta::api::CallId::hipImportExternalSemaphore);
}

extern "C" GRETA_EXPORT hipError_t hipSignalExternalSemaphoresAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipSignalExternalSemaphoresAsync);
}

extern "C" GRETA_EXPORT hipError_t hipWaitExternalSemaphoresAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipWaitExternalSemaphoresAsync);
}

extern "C" GRETA_EXPORT hipError_t hipDestroyExternalSemaphore(void) {
  return greta::api::not_supported(greta::api::CallId::hipDestroyExternalSemaphore);
}

extern "C" GRETA_EXPORT hipError_t hipImportExternalMemory(void) {
  return greta::api::not_supported(greta::api::CallId::hipImportExternalMemory);
}

extern "C" GRETA_EXPORT hipError_t hipExternalMemoryGetMappedBuffer(void) {
  return greta::api::not_supported(greta::api::CallId::hipExternalMemoryGetMappedBuffer);
}

extern "C" GRETA_EXPORT hipError_t hipDestroyExternalMemory(void) {
  return greta::api::not_supported(greta::api::CallId::hipDestroyExternalMemory);
}

extern "C" GRETA_EXPORT hipError_t hipExternalMemoryGetMappedMipmappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipExternalMemoryGetMappedMipmappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsMapResources(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsMapResources);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsSubResourceGetMappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsSubResourceGetMappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsResourceGetMappedPointer(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsResourceGetMappedPointer);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsUnmapResources(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsUnmapResources);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsUnregisterResource(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsUnregisterResource);
}

extern "C" GRETA_EXPORT hipError_t hipGLGetDevices(void) {
  return greta::api::not_supported(greta::api::CallId::hipGLGetDevices);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsGLRegisterBuffer(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsGLRegisterBuffer);
}

extern "C" GRETA_EXPORT hipError_t hipGraphicsGLRegisterImage(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphicsGLRegisterImage);
}
