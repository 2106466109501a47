// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipGetSymbolAddress(void* devPtr, void* symbol) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetSymbolAddress, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetSymbolAddress, GRETA_CALLER, 0);
  if (!call) return real(devPtr, symbol);
  call.word(0) = 0;
  call.word(1) = widened(symbol);
  call.begin();
  const auto result = real(devPtr, symbol);
  if (result == 0) call.word(0) = filled<void*>(devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetSymbolSize(void* size, void* symbol) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetSymbolSize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetSymbolSize, GRETA_CALLER, 0);
  if (!call) return real(size, symbol);
  call.word(0) = 0;
  call.word(1) = widened(symbol);
  call.begin();
  const auto result = real(size, symbol);
  if (result == 0) call.word(0) = filled<size_t>(size);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyToSymbol(void* symbol, void* src, size_t sizeBytes, size_t offset, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyToSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyToSymbol, GRETA_CALLER, 0);
  if (!call) return real(symbol, src, sizeBytes, offset, kind);
  call.word(0) = widened(symbol);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.begin();
  const auto result = real(symbol, src, sizeBytes, offset, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyToSymbol_spt(void* symbol, void* src, size_t sizeBytes, size_t offset, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyToSymbol_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyToSymbol_spt, GRETA_CALLER, 0);
  if (!call) return real(symbol, src, sizeBytes, offset, kind);
  call.word(0) = widened(symbol);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.begin();
  const auto result = real(symbol, src, sizeBytes, offset, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(nullptr));
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyToSymbolAsync(void* symbol, void* src, size_t sizeBytes, size_t offset, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyToSymbolAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyToSymbolAsync, GRETA_CALLER, 0);
  if (!call) return real(symbol, src, sizeBytes, offset, kind, stream);
  call.word(0) = widened(symbol);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.word(5) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(nullptr, src, sizeBytes, kHostToDevice), stream);
  }
  const auto result = real(symbol, src, sizeBytes, offset, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyToSymbolAsync_spt(void* symbol, void* src, size_t sizeBytes, size_t offset, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyToSymbolAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyToSymbolAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(symbol, src, sizeBytes, offset, kind, stream);
  call.word(0) = widened(symbol);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.word(5) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(nullptr, src, sizeBytes, kHostToDevice), own_stream(stream));
  }
  const auto result = real(symbol, src, sizeBytes, offset, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromSymbol(void* dst, void* symbol, size_t sizeBytes, size_t offset, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromSymbol, GRETA_CALLER, 0);
  if (!call) return real(dst, symbol, sizeBytes, offset, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(symbol);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.begin();
  const auto result = real(dst, symbol, sizeBytes, offset, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromSymbol_spt(void* dst, void* symbol, size_t sizeBytes, size_t offset, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromSymbol_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromSymbol_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, symbol, sizeBytes, offset, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(symbol);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.begin();
  const auto result = real(dst, symbol, sizeBytes, offset, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(nullptr));
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromSymbolAsync(void* dst, void* symbol, size_t sizeBytes, size_t offset, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromSymbolAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromSymbolAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, symbol, sizeBytes, offset, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(symbol);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.word(5) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, nullptr, sizeBytes, kDeviceToHost), stream);
  }
  const auto result = real(dst, symbol, sizeBytes, offset, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromSymbolAsync_spt(void* dst, void* symbol, size_t sizeBytes, size_t offset, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromSymbolAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromSymbolAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, symbol, sizeBytes, offset, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(symbol);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(offset);
  call.word(4) = widened(kind);
  call.word(5) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, nullptr, sizeBytes, kDeviceToHost), own_stream(stream));
  }
  const auto result = real(dst, symbol, sizeBytes, offset, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

}  // namespace greta::recorder