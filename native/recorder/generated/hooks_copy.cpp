// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipMemcpy(void* dst, void* src, size_t sizeBytes, int kind) {
  using Function = int (*)(void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(kind);
  call.begin();
  const auto result = real(dst, src, sizeBytes, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy_spt(void* dst, void* src, size_t sizeBytes, int kind) {
  using Function = int (*)(void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(kind);
  call.begin();
  const auto result = real(dst, src, sizeBytes, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(nullptr));
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyWithStream(void* dst, void* src, size_t sizeBytes, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyWithStream, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyWithStream, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(kind);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(dst, src, sizeBytes, kind, stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(stream);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyHtoD(void* dst, void* src, size_t sizeBytes) {
  using Function = int (*)(void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyHtoD, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyHtoD, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, src, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyDtoH(void* dst, void* src, size_t sizeBytes) {
  using Function = int (*)(void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyDtoH, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyDtoH, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, src, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyDtoD(void* dst, void* src, size_t sizeBytes) {
  using Function = int (*)(void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyDtoD, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyDtoD, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, src, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyHtoDAsync(void* dst, void* src, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyHtoDAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyHtoDAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, src, sizeBytes, kHostToDevice), stream);
  }
  const auto result = real(dst, src, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyDtoHAsync(void* dst, void* src, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyDtoHAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyDtoHAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, src, sizeBytes, kDeviceToHost), stream);
  }
  const auto result = real(dst, src, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyDtoDAsync(void* dst, void* src, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyDtoDAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyDtoDAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dst, src, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyAsync(void* dst, void* src, size_t sizeBytes, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(kind);
  call.word(4) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, src, sizeBytes, kind), stream);
  }
  const auto result = real(dst, src, sizeBytes, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyAsync_spt(void* dst, void* src, size_t sizeBytes, int kind, void* stream) {
  using Function = int (*)(void*, void*, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, src, sizeBytes, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(kind);
  call.word(4) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), plain_copy(dst, src, sizeBytes, kind), own_stream(stream));
  }
  const auto result = real(dst, src, sizeBytes, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset(void* dst, int value, size_t sizeBytes) {
  using Function = int (*)(void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset, GRETA_CALLER, 0);
  if (!call) return real(dst, value, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(value);
  call.word(2) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, value, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset_spt(void* dst, int value, size_t sizeBytes) {
  using Function = int (*)(void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, value, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(value);
  call.word(2) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, value, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD8(void* dest, unsigned char value, size_t count) {
  using Function = int (*)(void*, unsigned char, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD8, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD8, GRETA_CALLER, 0);
  if (!call) return real(dest, value, count);
  call.word(0) = widened(dest);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.begin();
  const auto result = real(dest, value, count);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD32(void* dest, int value, size_t count) {
  using Function = int (*)(void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD32, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD32, GRETA_CALLER, 0);
  if (!call) return real(dest, value, count);
  call.word(0) = widened(dest);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.begin();
  const auto result = real(dest, value, count);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetAsync(void* dst, int value, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, int, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, value, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(value);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dst, value, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetAsync_spt(void* dst, int value, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, int, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, value, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(value);
  call.word(2) = widened(sizeBytes);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dst, value, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD32Async(void* dst, int value, size_t count, void* stream) {
  using Function = int (*)(void*, int, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD32Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD32Async, GRETA_CALLER, 0);
  if (!call) return real(dst, value, count, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dst, value, count, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  using Function = int (*)(void*, size_t, int, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset2D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset2D, GRETA_CALLER, 0);
  if (!call) return real(dst, pitch, value, width, height);
  call.word(0) = widened(dst);
  call.word(1) = widened(pitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.begin();
  const auto result = real(dst, pitch, value, width, height);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  using Function = int (*)(void*, size_t, int, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset2D_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset2D_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, pitch, value, width, height);
  call.word(0) = widened(dst);
  call.word(1) = widened(pitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.begin();
  const auto result = real(dst, pitch, value, width, height);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, void* stream) {
  using Function = int (*)(void*, size_t, int, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset2DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset2DAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, pitch, value, width, height, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(pitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, pitch, value, width, height, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset2DAsync_spt(void* dst, size_t pitch, int value, size_t width, size_t height, void* stream) {
  using Function = int (*)(void*, size_t, int, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset2DAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset2DAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, pitch, value, width, height, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(pitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, pitch, value, width, height, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2D(void* dst, size_t dpitch, void* src, size_t spitch, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2D, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, spitch, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(spitch);
  call.word(4) = widened(width);
  call.word(5) = widened(height);
  call.word(6) = widened(kind);
  call.begin();
  const auto result = real(dst, dpitch, src, spitch, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(nullptr);
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2D_spt(void* dst, size_t dpitch, void* src, size_t spitch, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2D_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2D_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, spitch, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(spitch);
  call.word(4) = widened(width);
  call.word(5) = widened(height);
  call.word(6) = widened(kind);
  call.begin();
  const auto result = real(dst, dpitch, src, spitch, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(nullptr));
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DAsync(void* dst, size_t dpitch, void* src, size_t spitch, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, spitch, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(spitch);
  call.word(4) = widened(width);
  call.word(5) = widened(height);
  call.word(6) = widened(kind);
  call.word(7) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), HostCopy{dst, dpitch, src, spitch, width, height, kind}, stream);
  }
  const auto result = real(dst, dpitch, src, spitch, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DAsync_spt(void* dst, size_t dpitch, void* src, size_t spitch, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, spitch, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(spitch);
  call.word(4) = widened(width);
  call.word(5) = widened(height);
  call.word(6) = widened(kind);
  call.word(7) = widened(stream);
  call.begin();
  if (g_added_work) {
    copy_begins(call.record(), HostCopy{dst, dpitch, src, spitch, width, height, kind}, own_stream(stream));
  }
  const auto result = real(dst, dpitch, src, spitch, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    copy_was_enqueued(result);
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD8Async(void* dest, unsigned char value, size_t count, void* stream) {
  using Function = int (*)(void*, unsigned char, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD8Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD8Async, GRETA_CALLER, 0);
  if (!call) return real(dest, value, count, stream);
  call.word(0) = widened(dest);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dest, value, count, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD16(void* dest, unsigned short value, size_t count) {
  using Function = int (*)(void*, unsigned short, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD16, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD16, GRETA_CALLER, 0);
  if (!call) return real(dest, value, count);
  call.word(0) = widened(dest);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.begin();
  const auto result = real(dest, value, count);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD16Async(void* dest, unsigned short value, size_t count, void* stream) {
  using Function = int (*)(void*, unsigned short, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD16Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD16Async, GRETA_CALLER, 0);
  if (!call) return real(dest, value, count, stream);
  call.word(0) = widened(dest);
  call.word(1) = widened(value);
  call.word(2) = widened(count);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dest, value, count, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyPeer(void* dst, int dstDeviceId, void* src, int srcDeviceId, size_t sizeBytes) {
  using Function = int (*)(void*, int, void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyPeer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyPeer, GRETA_CALLER, 0);
  if (!call) return real(dst, dstDeviceId, src, srcDeviceId, sizeBytes);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstDeviceId);
  call.word(2) = widened(src);
  call.word(3) = widened(srcDeviceId);
  call.word(4) = widened(sizeBytes);
  call.begin();
  const auto result = real(dst, dstDeviceId, src, srcDeviceId, sizeBytes);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyPeerAsync(void* dst, int dstDeviceId, void* src, int srcDevice, size_t sizeBytes, void* stream) {
  using Function = int (*)(void*, int, void*, int, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyPeerAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyPeerAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, dstDeviceId, src, srcDevice, sizeBytes, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstDeviceId);
  call.word(2) = widened(src);
  call.word(3) = widened(srcDevice);
  call.word(4) = widened(sizeBytes);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, dstDeviceId, src, srcDevice, sizeBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset3D(abi::hipPitchedPtr pitchedDevPtr, int value, abi::hipExtent extent) {
  using Function = int (*)(abi::hipPitchedPtr, int, abi::hipExtent);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset3D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset3D, GRETA_CALLER, 0);
  if (!call) return real(pitchedDevPtr, value, extent);
  call.word(0) = widened(pitchedDevPtr.ptr);
  call.word(1) = widened(pitchedDevPtr.pitch);
  call.word(2) = widened(pitchedDevPtr.xsize);
  call.word(3) = widened(pitchedDevPtr.ysize);
  call.word(4) = widened(value);
  call.word(5) = widened(extent.width);
  call.word(6) = widened(extent.height);
  call.word(7) = widened(extent.depth);
  call.begin();
  const auto result = real(pitchedDevPtr, value, extent);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset3D_spt(abi::hipPitchedPtr pitchedDevPtr, int value, abi::hipExtent extent) {
  using Function = int (*)(abi::hipPitchedPtr, int, abi::hipExtent);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset3D_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset3D_spt, GRETA_CALLER, 0);
  if (!call) return real(pitchedDevPtr, value, extent);
  call.word(0) = widened(pitchedDevPtr.ptr);
  call.word(1) = widened(pitchedDevPtr.pitch);
  call.word(2) = widened(pitchedDevPtr.xsize);
  call.word(3) = widened(pitchedDevPtr.ysize);
  call.word(4) = widened(value);
  call.word(5) = widened(extent.width);
  call.word(6) = widened(extent.height);
  call.word(7) = widened(extent.depth);
  call.begin();
  const auto result = real(pitchedDevPtr, value, extent);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset3DAsync(abi::hipPitchedPtr pitchedDevPtr, int value, abi::hipExtent extent, void* stream) {
  using Function = int (*)(abi::hipPitchedPtr, int, abi::hipExtent, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset3DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset3DAsync, GRETA_CALLER, 0);
  if (!call) return real(pitchedDevPtr, value, extent, stream);
  call.word(0) = widened(pitchedDevPtr.ptr);
  call.word(1) = widened(pitchedDevPtr.pitch);
  call.word(2) = widened(pitchedDevPtr.xsize);
  call.word(3) = widened(pitchedDevPtr.ysize);
  call.word(4) = widened(value);
  call.word(5) = widened(extent.width);
  call.word(6) = widened(extent.height);
  call.word(7) = widened(extent.depth);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(pitchedDevPtr, value, extent, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemset3DAsync_spt(abi::hipPitchedPtr pitchedDevPtr, int value, abi::hipExtent extent, void* stream) {
  using Function = int (*)(abi::hipPitchedPtr, int, abi::hipExtent, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemset3DAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemset3DAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(pitchedDevPtr, value, extent, stream);
  call.word(0) = widened(pitchedDevPtr.ptr);
  call.word(1) = widened(pitchedDevPtr.pitch);
  call.word(2) = widened(pitchedDevPtr.xsize);
  call.word(3) = widened(pitchedDevPtr.ysize);
  call.word(4) = widened(value);
  call.word(5) = widened(extent.width);
  call.word(6) = widened(extent.height);
  call.word(7) = widened(extent.depth);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(pitchedDevPtr, value, extent, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D8(void* dst, size_t dstPitch, unsigned char value, size_t width, size_t height) {
  using Function = int (*)(void*, size_t, unsigned char, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D8, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D8, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D8Async(void* dst, size_t dstPitch, unsigned char value, size_t width, size_t height, void* stream) {
  using Function = int (*)(void*, size_t, unsigned char, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D8Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D8Async, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D16(void* dst, size_t dstPitch, unsigned short value, size_t width, size_t height) {
  using Function = int (*)(void*, size_t, unsigned short, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D16, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D16, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D16Async(void* dst, size_t dstPitch, unsigned short value, size_t width, size_t height, void* stream) {
  using Function = int (*)(void*, size_t, unsigned short, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D16Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D16Async, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D32(void* dst, size_t dstPitch, unsigned int value, size_t width, size_t height) {
  using Function = int (*)(void*, size_t, unsigned int, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D32, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D32, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemsetD2D32Async(void* dst, size_t dstPitch, unsigned int value, size_t width, size_t height, void* stream) {
  using Function = int (*)(void*, size_t, unsigned int, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemsetD2D32Async, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemsetD2D32Async, GRETA_CALLER, 0);
  if (!call) return real(dst, dstPitch, value, width, height, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dstPitch);
  call.word(2) = widened(value);
  call.word(3) = widened(width);
  call.word(4) = widened(height);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dst, dstPitch, value, width, height, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyParam2D(void* pCopy) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyParam2D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyParam2D, GRETA_CALLER, 2);
  if (!call) return real(pCopy);
  call.word(0) = widened(pCopy);
  call.keep_struct(0, pCopy, 128);
  call.begin();
  const auto result = real(pCopy);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyParam2DAsync(void* pCopy, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyParam2DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyParam2DAsync, GRETA_CALLER, 2);
  if (!call) return real(pCopy, stream);
  call.word(0) = widened(pCopy);
  call.word(1) = widened(stream);
  call.keep_struct(0, pCopy, 128);
  call.begin();
  const auto result = real(pCopy, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3D(void* p) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3D, GRETA_CALLER, 2);
  if (!call) return real(p);
  call.word(0) = widened(p);
  call.keep_struct(0, p, 160);
  call.begin();
  const auto result = real(p);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3D_spt(void* p) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3D_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3D_spt, GRETA_CALLER, 2);
  if (!call) return real(p);
  call.word(0) = widened(p);
  call.keep_struct(0, p, 160);
  call.begin();
  const auto result = real(p);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3DAsync(void* p, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3DAsync, GRETA_CALLER, 2);
  if (!call) return real(p, stream);
  call.word(0) = widened(p);
  call.word(1) = widened(stream);
  call.keep_struct(0, p, 160);
  call.begin();
  const auto result = real(p, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3DAsync_spt(void* p, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3DAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3DAsync_spt, GRETA_CALLER, 2);
  if (!call) return real(p, stream);
  call.word(0) = widened(p);
  call.word(1) = widened(stream);
  call.keep_struct(0, p, 160);
  call.begin();
  const auto result = real(p, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDrvMemcpy3D(void* pCopy) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvMemcpy3D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvMemcpy3D, GRETA_CALLER, 2);
  if (!call) return real(pCopy);
  call.word(0) = widened(pCopy);
  call.keep_struct(0, pCopy, 184);
  call.begin();
  const auto result = real(pCopy);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDrvMemcpy3DAsync(void* pCopy, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvMemcpy3DAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvMemcpy3DAsync, GRETA_CALLER, 2);
  if (!call) return real(pCopy, stream);
  call.word(0) = widened(pCopy);
  call.word(1) = widened(stream);
  call.keep_struct(0, pCopy, 184);
  call.begin();
  const auto result = real(pCopy, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyBatchAsync(void* dsts, void* srcs, void* sizes, size_t count, void* attrs, void* attrsIdxs, size_t numAttrs, void* failIdx, void* stream) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*, size_t, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, stream);
  call.word(0) = widened(dsts);
  call.word(1) = widened(srcs);
  call.word(2) = widened(sizes);
  call.word(3) = widened(count);
  call.word(4) = widened(attrs);
  call.word(5) = widened(attrsIdxs);
  call.word(6) = widened(numAttrs);
  call.word(7) = 0;
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, stream);
  if (result == 0) call.word(7) = filled<size_t>(failIdx);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3DBatchAsync(size_t numOps, void* opList, void* failIdx, unsigned long long flags, void* stream) {
  using Function = int (*)(size_t, void*, void*, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3DBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3DBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(numOps, opList, failIdx, flags, stream);
  call.word(0) = widened(numOps);
  call.word(1) = widened(opList);
  call.word(2) = 0;
  call.word(3) = widened(flags);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(numOps, opList, failIdx, flags, stream);
  if (result == 0) call.word(2) = filled<size_t>(failIdx);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3DPeer(void* p) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3DPeer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3DPeer, GRETA_CALLER, 0);
  if (!call) return real(p);
  call.word(0) = widened(p);
  call.begin();
  const auto result = real(p);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy3DPeerAsync(void* p, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy3DPeerAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy3DPeerAsync, GRETA_CALLER, 0);
  if (!call) return real(p, stream);
  call.word(0) = widened(p);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(p, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDrvMemcpy2DUnaligned(void* pCopy) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvMemcpy2DUnaligned, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvMemcpy2DUnaligned, GRETA_CALLER, 2);
  if (!call) return real(pCopy);
  call.word(0) = widened(pCopy);
  call.keep_struct(0, pCopy, 128);
  call.begin();
  const auto result = real(pCopy);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

}  // namespace greta::recorder