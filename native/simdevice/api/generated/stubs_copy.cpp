// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipMemcpy(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, kind);
  return call.finish(greta::api::hipMemcpy(dst, src, sizeBytes, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy_spt(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, kind);
  return call.finish(greta::api::hipMemcpy_spt(dst, src, sizeBytes, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyWithStream);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, kind, stream);
  return call.finish(greta::api::hipMemcpyWithStream(dst, src, sizeBytes, kind, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyHtoD(void* dst, const void* src, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyHtoD);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes);
  return call.finish(greta::api::hipMemcpyHtoD(dst, src, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyDtoH(void* dst, void* src, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyDtoH);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes);
  return call.finish(greta::api::hipMemcpyDtoH(dst, src, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyDtoD(void* dst, void* src, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyDtoD);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes);
  return call.finish(greta::api::hipMemcpyDtoD(dst, src, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyHtoDAsync(void* dst, const void* src, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyHtoDAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, stream);
  return call.finish(greta::api::hipMemcpyHtoDAsync(dst, src, sizeBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyDtoHAsync(void* dst, void* src, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyDtoHAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, stream);
  return call.finish(greta::api::hipMemcpyDtoHAsync(dst, src, sizeBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyDtoDAsync(void* dst, void* src, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyDtoDAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, stream);
  return call.finish(greta::api::hipMemcpyDtoDAsync(dst, src, sizeBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyAsync(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, kind, stream);
  return call.finish(greta::api::hipMemcpyAsync(dst, src, sizeBytes, kind, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyAsync_spt(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, src, sizeBytes, kind, stream);
  return call.finish(greta::api::hipMemcpyAsync(dst, src, sizeBytes, kind, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipMemset(void* dst, int value, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemset);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, value, sizeBytes);
  return call.finish(greta::api::hipMemset(dst, value, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemset_spt(void* dst, int value, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemset_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, value, sizeBytes);
  return call.finish(greta::api::hipMemset_spt(dst, value, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD8(void* dest, unsigned char value, size_t count) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD8);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dest, value, count);
  return call.finish(greta::api::hipMemsetD8(dest, value, count));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD32(void* dest, int value, size_t count) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD32);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dest, value, count);
  return call.finish(greta::api::hipMemsetD32(dest, value, count));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetAsync(void* dst, int value, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, value, sizeBytes, stream);
  return call.finish(greta::api::hipMemsetAsync(dst, value, sizeBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetAsync_spt(void* dst, int value, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, value, sizeBytes, stream);
  return call.finish(greta::api::hipMemsetAsync(dst, value, sizeBytes, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD32Async(void* dst, int value, size_t count, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD32Async);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, value, count, stream);
  return call.finish(greta::api::hipMemsetD32Async(dst, value, count, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  greta::api::CallScope call(greta::api::CallId::hipMemset2D);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, pitch, value, width, height);
  return call.finish(greta::api::hipMemset2D(dst, pitch, value, width, height));
}

extern "C" GRETA_EXPORT hipError_t hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  greta::api::CallScope call(greta::api::CallId::hipMemset2D_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, pitch, value, width, height);
  return call.finish(greta::api::hipMemset2D_spt(dst, pitch, value, width, height));
}

extern "C" GRETA_EXPORT hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemset2DAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, pitch, value, width, height, stream);
  return call.finish(greta::api::hipMemset2DAsync(dst, pitch, value, width, height, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemset2DAsync_spt(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemset2DAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, pitch, value, width, height, stream);
  return call.finish(greta::api::hipMemset2DAsync(dst, pitch, value, width, height, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy2D);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dpitch, src, spitch, width, height, kind);
  return call.finish(greta::api::hipMemcpy2D(dst, dpitch, src, spitch, width, height, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2D_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy2D_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dpitch, src, spitch, width, height, kind);
  return call.finish(greta::api::hipMemcpy2D_spt(dst, dpitch, src, spitch, width, height, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy2DAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dpitch, src, spitch, width, height, kind, stream);
  return call.finish(greta::api::hipMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy2DAsync_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpy2DAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dpitch, src, spitch, width, height, kind, stream);
  return call.finish(greta::api::hipMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD8Async(void* dest, unsigned char value, size_t count, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD8Async);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dest, value, count, stream);
  return call.finish(greta::api::hipMemsetD8Async(dest, value, count, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD16(void* dest, unsigned short value, size_t count) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD16);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dest, value, count);
  return call.finish(greta::api::hipMemsetD16(dest, value, count));
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD16Async(void* dest, unsigned short value, size_t count, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemsetD16Async);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dest, value, count, stream);
  return call.finish(greta::api::hipMemsetD16Async(dest, value, count, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyPeer(void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t sizeBytes) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyPeer);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dstDeviceId, src, srcDeviceId, sizeBytes);
  return call.finish(greta::api::hipMemcpyPeer(dst, dstDeviceId, src, srcDeviceId, sizeBytes));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyPeerAsync(void* dst, int dstDeviceId, const void* src, int srcDevice, size_t sizeBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyPeerAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, dstDeviceId, src, srcDevice, sizeBytes, stream);
  return call.finish(greta::api::hipMemcpyPeerAsync(dst, dstDeviceId, src, srcDevice, sizeBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemset3D(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemset3D);
}

extern "C" GRETA_EXPORT hipError_t hipMemset3D_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemset3D_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemset3DAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemset3DAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemset3DAsync_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemset3DAsync_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D8(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D8);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D8Async(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D8Async);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D16(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D16);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D16Async(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D16Async);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D32(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D32);
}

extern "C" GRETA_EXPORT hipError_t hipMemsetD2D32Async(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemsetD2D32Async);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyParam2D(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyParam2D);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyParam2DAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyParam2DAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3D(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3D);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3D_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3D_spt);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3DAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3DAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3DAsync_spt(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3DAsync_spt);
}

extern "C" GRETA_EXPORT hipError_t hipDrvMemcpy3D(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvMemcpy3D);
}

extern "C" GRETA_EXPORT hipError_t hipDrvMemcpy3DAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvMemcpy3DAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpyBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3DBatchAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3DBatchAsync);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3DPeer(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3DPeer);
}

extern "C" GRETA_EXPORT hipError_t hipMemcpy3DPeerAsync(void) {
  return greta::api::not_supported(greta::api::CallId::hipMemcpy3DPeerAsync);
}

extern "C" GRETA_EXPORT hipError_t hipDrvMemcpy2DUnaligned(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvMemcpy2DUnaligned);
}
