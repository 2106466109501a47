// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol) {
  greta::api::CallScope call(greta::api::CallId::hipGetSymbolAddress);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(devPtr, symbol);
  return call.finish(greta::api::hipGetSymbolAddress(devPtr, symbol));
}

extern "C" GRETA_EXPORT hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  greta::api::CallScope call(greta::api::CallId::hipGetSymbolSize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(size, symbol);
  return call.finish(greta::api::hipGetSymbolSize(size, symbol));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyToSymbol);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, src, sizeBytes, offset, kind);
  return call.finish(greta::api::hipMemcpyToSymbol(symbol, src, sizeBytes, offset, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyToSymbol_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, src, sizeBytes, offset, kind);
  return call.finish(greta::api::hipMemcpyToSymbol_spt(symbol, src, sizeBytes, offset, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyToSymbolAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, src, sizeBytes, offset, kind, stream);
  return call.finish(greta::api::hipMemcpyToSymbolAsync(symbol, src, sizeBytes, offset, kind, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyToSymbolAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(symbol, src, sizeBytes, offset, kind, stream);
  return call.finish(greta::api::hipMemcpyToSymbolAsync(symbol, src, sizeBytes, offset, kind, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyFromSymbol);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, symbol, sizeBytes, offset, kind);
  return call.finish(greta::api::hipMemcpyFromSymbol(dst, symbol, sizeBytes, offset, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromSymbol_spt(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyFromSymbol_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, symbol, sizeBytes, offset, kind);
  return call.finish(greta::api::hipMemcpyFromSymbol_spt(dst, symbol, sizeBytes, offset, kind));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyFromSymbolAsync);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, symbol, sizeBytes, offset, kind, stream);
  return call.finish(greta::api::hipMemcpyFromSymbolAsync(dst, symbol, sizeBytes, offset, kind, stream));
}

extern "C" GRETA_EXPORT hipError_t hipMemcpyFromSymbolAsync_spt(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipMemcpyFromSymbolAsync_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dst, symbol, sizeBytes, offset, kind, stream);
  return call.finish(greta::api::hipMemcpyFromSymbolAsync(dst, symbol, sizeBytes, offset, kind, stream != nullptr ? stream : hipStreamPerThread));
}
