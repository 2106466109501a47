// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipChannelFormatDesc hipCreateChannelDesc(void) {
  greta::api::not_supported(greta::api::CallId::hipCreateChannelDesc);
  return {};
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetTexture1DLinearMaxWidth(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceGetTexture1DLinearMaxWidth);
}

extern "C" GRETA_EXPORT hipError_t hipModuleGetTexRef(void) {
  return greta::api::not_supported(greta::api::CallId::hipModuleGetTexRef);
}

extern "C" GRETA_EXPORT hipError_t hipCreateTextureObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipCreateTextureObject);
}

extern "C" GRETA_EXPORT hipError_t hipDestroyTextureObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipDestroyTextureObject);
}

extern "C" GRETA_EXPORT hipError_t hipGetChannelDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetChannelDesc);
}

extern "C" GRETA_EXPORT hipError_t hipGetTextureObjectResourceDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetTextureObjectResourceDesc);
}

extern "C" GRETA_EXPORT hipError_t hipGetTextureObjectResourceViewDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetTextureObjectResourceViewDesc);
}

extern "C" GRETA_EXPORT hipError_t hipGetTextureObjectTextureDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetTextureObjectTextureDesc);
}

extern "C" GRETA_EXPORT hipError_t hipTexObjectCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexObjectCreate);
}

extern "C" GRETA_EXPORT hipError_t hipTexObjectDestroy(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexObjectDestroy);
}

extern "C" GRETA_EXPORT hipError_t hipTexObjectGetResourceDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexObjectGetResourceDesc);
}

extern "C" GRETA_EXPORT hipError_t hipTexObjectGetResourceViewDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexObjectGetResourceViewDesc);
}

extern "C" GRETA_EXPORT hipError_t hipTexObjectGetTextureDesc(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexObjectGetTextureDesc);
}

extern "C" GRETA_EXPORT hipError_t hipBindTextureToMipmappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipBindTextureToMipmappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipGetTextureReference(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetTextureReference);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetBorderColor(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetBorderColor);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetArray);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetAddressMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetAddressMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetArray);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetFilterMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetFilterMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetFlags(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetFlags);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetFormat(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetFormat);
}

extern "C" GRETA_EXPORT hipError_t hipBindTexture(void) {
  return greta::api::not_supported(greta::api::CallId::hipBindTexture);
}

extern "C" GRETA_EXPORT hipError_t hipBindTexture2D(void) {
  return greta::api::not_supported(greta::api::CallId::hipBindTexture2D);
}

extern "C" GRETA_EXPORT hipError_t hipBindTextureToArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipBindTextureToArray);
}

extern "C" GRETA_EXPORT hipError_t hipGetTextureAlignmentOffset(void) {
  return greta::api::not_supported(greta::api::CallId::hipGetTextureAlignmentOffset);
}

extern "C" GRETA_EXPORT hipError_t hipUnbindTexture(void) {
  return greta::api::not_supported(greta::api::CallId::hipUnbindTexture);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetAddress(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetAddress);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetAddressMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetAddressMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetFilterMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetFilterMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetFlags(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetFlags);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetFormat(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetFormat);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetMaxAnisotropy(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetMaxAnisotropy);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetMipmapFilterMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetMipmapFilterMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetMipmapLevelBias(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetMipmapLevelBias);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetMipmapLevelClamp(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetMipmapLevelClamp);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefGetMipMappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefGetMipMappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetAddress(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetAddress);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetAddress2D(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetAddress2D);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetMaxAnisotropy(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetMaxAnisotropy);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetBorderColor(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetBorderColor);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetMipmapFilterMode(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetMipmapFilterMode);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetMipmapLevelBias(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetMipmapLevelBias);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetMipmapLevelClamp(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetMipmapLevelClamp);
}

extern "C" GRETA_EXPORT hipError_t hipTexRefSetMipmappedArray(void) {
  return greta::api::not_supported(greta::api::CallId::hipTexRefSetMipmappedArray);
}

extern "C" GRETA_EXPORT hipError_t hipCreateSurfaceObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipCreateSurfaceObject);
}
extern "C" GRETA_EXPORT hipError_t _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc(void)
    __attribute__((alias("hipCreateSurfaceObject")));

extern "C" GRETA_EXPORT hipError_t hipDestroySurfaceObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipDestroySurfaceObject);
}
extern "C" GRETA_EXPORT hipError_t _Z23hipDestroySurfaceObjectP13__hip_surface(void)
    __attribute__((alias("hipDestroySurfaceObject")));
