// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipMemcpyAtoD(void* dstDevice, void* srcArray, size_t srcOffset, size_t ByteCount) {
  using Function = int (*)(void*, void*, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAtoD, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAtoD, GRETA_CALLER, 0);
  if (!call) return real(dstDevice, srcArray, srcOffset, ByteCount);
  call.word(0) = widened(dstDevice);
  call.word(1) = widened(srcArray);
  call.word(2) = widened(srcOffset);
  call.word(3) = widened(ByteCount);
  call.begin();
  const auto result = real(dstDevice, srcArray, srcOffset, ByteCount);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyDtoA(void* dstArray, size_t dstOffset, void* srcDevice, size_t ByteCount) {
  using Function = int (*)(void*, size_t, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyDtoA, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyDtoA, GRETA_CALLER, 0);
  if (!call) return real(dstArray, dstOffset, srcDevice, ByteCount);
  call.word(0) = widened(dstArray);
  call.word(1) = widened(dstOffset);
  call.word(2) = widened(srcDevice);
  call.word(3) = widened(ByteCount);
  call.begin();
  const auto result = real(dstArray, dstOffset, srcDevice, ByteCount);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyAtoA(void* dstArray, size_t dstOffset, void* srcArray, size_t srcOffset, size_t ByteCount) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAtoA, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAtoA, GRETA_CALLER, 0);
  if (!call) return real(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
  call.word(0) = widened(dstArray);
  call.word(1) = widened(dstOffset);
  call.word(2) = widened(srcArray);
  call.word(3) = widened(srcOffset);
  call.word(4) = widened(ByteCount);
  call.begin();
  const auto result = real(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyAtoHAsync(void* dstHost, void* srcArray, size_t srcOffset, size_t ByteCount, void* stream) {
  using Function = int (*)(void*, void*, size_t, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAtoHAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAtoHAsync, GRETA_CALLER, 0);
  if (!call) return real(dstHost, srcArray, srcOffset, ByteCount, stream);
  call.word(0) = widened(dstHost);
  call.word(1) = widened(srcArray);
  call.word(2) = widened(srcOffset);
  call.word(3) = widened(ByteCount);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(dstHost, srcArray, srcOffset, ByteCount, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyHtoAAsync(void* dstArray, size_t dstOffset, void* srcHost, size_t ByteCount, void* stream) {
  using Function = int (*)(void*, size_t, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyHtoAAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyHtoAAsync, GRETA_CALLER, 0);
  if (!call) return real(dstArray, dstOffset, srcHost, ByteCount, stream);
  call.word(0) = widened(dstArray);
  call.word(1) = widened(dstOffset);
  call.word(2) = widened(srcHost);
  call.word(3) = widened(ByteCount);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(dstArray, dstOffset, srcHost, ByteCount, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMallocArray(void* array, void* desc, size_t width, size_t height, unsigned int flags) {
  using Function = int (*)(void*, void*, size_t, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocArray, GRETA_CALLER, 0);
  if (!call) return real(array, desc, width, height, flags);
  call.word(0) = 0;
  call.word(1) = widened(desc);
  call.word(2) = widened(width);
  call.word(3) = widened(height);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(array, desc, width, height, flags);
  if (result == 0) call.word(0) = filled<void*>(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArrayCreate(void* pHandle, void* pAllocateArray) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArrayCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArrayCreate, GRETA_CALLER, 0);
  if (!call) return real(pHandle, pAllocateArray);
  call.word(0) = 0;
  call.word(1) = widened(pAllocateArray);
  call.begin();
  const auto result = real(pHandle, pAllocateArray);
  if (result == 0) call.word(0) = filled<void*>(pHandle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArrayDestroy(void* array) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArrayDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArrayDestroy, GRETA_CALLER, 0);
  if (!call) return real(array);
  call.word(0) = widened(array);
  call.begin();
  const auto result = real(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArray3DCreate(void* array, void* pAllocateArray) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArray3DCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArray3DCreate, GRETA_CALLER, 0);
  if (!call) return real(array, pAllocateArray);
  call.word(0) = 0;
  call.word(1) = widened(pAllocateArray);
  call.begin();
  const auto result = real(array, pAllocateArray);
  if (result == 0) call.word(0) = filled<void*>(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipFreeArray(void* array) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFreeArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFreeArray, GRETA_CALLER, 0);
  if (!call) return real(array);
  call.word(0) = widened(array);
  call.begin();
  const auto result = real(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMalloc3DArray(void* array, void* desc, abi::hipExtent extent, unsigned int flags) {
  using Function = int (*)(void*, void*, abi::hipExtent, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMalloc3DArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMalloc3DArray, GRETA_CALLER, 0);
  if (!call) return real(array, desc, extent, flags);
  call.word(0) = 0;
  call.word(1) = widened(desc);
  call.word(2) = widened(extent.width);
  call.word(3) = widened(extent.height);
  call.word(4) = widened(extent.depth);
  call.word(5) = widened(flags);
  call.begin();
  const auto result = real(array, desc, extent, flags);
  if (result == 0) call.word(0) = filled<void*>(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArrayGetInfo(void* desc, void* extent, void* flags, void* array) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArrayGetInfo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArrayGetInfo, GRETA_CALLER, 0);
  if (!call) return real(desc, extent, flags, array);
  call.word(0) = widened(desc);
  call.word(1) = widened(extent);
  call.word(2) = 0;
  call.word(3) = widened(array);
  call.begin();
  const auto result = real(desc, extent, flags, array);
  if (result == 0) call.word(2) = filled<unsigned int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArrayGetDescriptor(void* pArrayDescriptor, void* array) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArrayGetDescriptor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArrayGetDescriptor, GRETA_CALLER, 0);
  if (!call) return real(pArrayDescriptor, array);
  call.word(0) = widened(pArrayDescriptor);
  call.word(1) = widened(array);
  call.begin();
  const auto result = real(pArrayDescriptor, array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipArray3DGetDescriptor(void* pArrayDescriptor, void* array) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipArray3DGetDescriptor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipArray3DGetDescriptor, GRETA_CALLER, 0);
  if (!call) return real(pArrayDescriptor, array);
  call.word(0) = widened(pArrayDescriptor);
  call.word(1) = widened(array);
  call.begin();
  const auto result = real(pArrayDescriptor, array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DToArray(void* dst, size_t wOffset, size_t hOffset, void* src, size_t spitch, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DToArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DToArray, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffset, hOffset, src, spitch, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffset);
  call.word(2) = widened(hOffset);
  call.word(3) = widened(src);
  call.word(4) = widened(spitch);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.begin();
  const auto result = real(dst, wOffset, hOffset, src, spitch, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DToArray_spt(void* dst, size_t wOffset, size_t hOffset, void* src, size_t spitch, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DToArray_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DToArray_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffset, hOffset, src, spitch, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffset);
  call.word(2) = widened(hOffset);
  call.word(3) = widened(src);
  call.word(4) = widened(spitch);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.begin();
  const auto result = real(dst, wOffset, hOffset, src, spitch, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DToArrayAsync(void* dst, size_t wOffset, size_t hOffset, void* src, size_t spitch, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DToArrayAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DToArrayAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffset);
  call.word(2) = widened(hOffset);
  call.word(3) = widened(src);
  call.word(4) = widened(spitch);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DToArrayAsync_spt(void* dst, size_t wOffset, size_t hOffset, void* src, size_t spitch, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DToArrayAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DToArrayAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffset);
  call.word(2) = widened(hOffset);
  call.word(3) = widened(src);
  call.word(4) = widened(spitch);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DArrayToArray(void* dst, size_t wOffsetDst, size_t hOffsetDst, void* src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DArrayToArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DArrayToArray, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffsetDst);
  call.word(2) = widened(hOffsetDst);
  call.word(3) = widened(src);
  call.word(4) = widened(wOffsetSrc);
  call.word(5) = widened(hOffsetSrc);
  call.word(6) = widened(width);
  call.word(7) = widened(height);
  call.word(8) = widened(kind);
  call.begin();
  const auto result = real(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyToArray(void* dst, size_t wOffset, size_t hOffset, void* src, size_t count, int kind) {
  using Function = int (*)(void*, size_t, size_t, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyToArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyToArray, GRETA_CALLER, 0);
  if (!call) return real(dst, wOffset, hOffset, src, count, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(wOffset);
  call.word(2) = widened(hOffset);
  call.word(3) = widened(src);
  call.word(4) = widened(count);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(dst, wOffset, hOffset, src, count, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromArray(void* dst, void* srcArray, size_t wOffset, size_t hOffset, size_t count, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromArray, GRETA_CALLER, 0);
  if (!call) return real(dst, srcArray, wOffset, hOffset, count, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(srcArray);
  call.word(2) = widened(wOffset);
  call.word(3) = widened(hOffset);
  call.word(4) = widened(count);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(dst, srcArray, wOffset, hOffset, count, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyFromArray_spt(void* dst, void* srcArray, size_t wOffset, size_t hOffset, size_t count, int kind) {
  using Function = int (*)(void*, void*, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyFromArray_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyFromArray_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, srcArray, wOffset, hOffset, count, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(srcArray);
  call.word(2) = widened(wOffset);
  call.word(3) = widened(hOffset);
  call.word(4) = widened(count);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(dst, srcArray, wOffset, hOffset, count, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DFromArray(void* dst, size_t dpitch, void* src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DFromArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DFromArray, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, wOffset, hOffset, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(wOffset);
  call.word(4) = widened(hOffset);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.begin();
  const auto result = real(dst, dpitch, src, wOffset, hOffset, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DFromArray_spt(void* dst, size_t dpitch, void* src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DFromArray_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DFromArray_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, wOffset, hOffset, width, height, kind);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(wOffset);
  call.word(4) = widened(hOffset);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.begin();
  const auto result = real(dst, dpitch, src, wOffset, hOffset, width, height, kind);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(nullptr), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DFromArrayAsync(void* dst, size_t dpitch, void* src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DFromArrayAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DFromArrayAsync, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(wOffset);
  call.word(4) = widened(hOffset);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpy2DFromArrayAsync_spt(void* dst, size_t dpitch, void* src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind, void* stream) {
  using Function = int (*)(void*, size_t, void*, size_t, size_t, size_t, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpy2DFromArrayAsync_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpy2DFromArrayAsync_spt, GRETA_CALLER, 0);
  if (!call) return real(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
  call.word(0) = widened(dst);
  call.word(1) = widened(dpitch);
  call.word(2) = widened(src);
  call.word(3) = widened(wOffset);
  call.word(4) = widened(hOffset);
  call.word(5) = widened(width);
  call.word(6) = widened(height);
  call.word(7) = widened(kind);
  call.word(8) = widened(stream);
  call.begin();
  const auto result = real(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyAtoH(void* dst, void* srcArray, size_t srcOffset, size_t count) {
  using Function = int (*)(void*, void*, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyAtoH, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyAtoH, GRETA_CALLER, 0);
  if (!call) return real(dst, srcArray, srcOffset, count);
  call.word(0) = widened(dst);
  call.word(1) = widened(srcArray);
  call.word(2) = widened(srcOffset);
  call.word(3) = widened(count);
  call.begin();
  const auto result = real(dst, srcArray, srcOffset, count);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemcpyHtoA(void* dstArray, size_t dstOffset, void* srcHost, size_t count) {
  using Function = int (*)(void*, size_t, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemcpyHtoA, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemcpyHtoA, GRETA_CALLER, 0);
  if (!call) return real(dstArray, dstOffset, srcHost, count);
  call.word(0) = widened(dstArray);
  call.word(1) = widened(dstOffset);
  call.word(2) = widened(srcHost);
  call.word(3) = widened(count);
  call.begin();
  const auto result = real(dstArray, dstOffset, srcHost, count);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), nullptr, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMipmappedArrayGetMemoryRequirements(void* memoryRequirements, void* mipmap, int device) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMipmappedArrayGetMemoryRequirements, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMipmappedArrayGetMemoryRequirements, GRETA_CALLER, 0);
  if (!call) return real(memoryRequirements, mipmap, device);
  call.word(0) = widened(memoryRequirements);
  call.word(1) = widened(mipmap);
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(memoryRequirements, mipmap, device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMallocMipmappedArray(void* mipmappedArray, void* desc, abi::hipExtent extent, unsigned int numLevels, unsigned int flags) {
  using Function = int (*)(void*, void*, abi::hipExtent, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocMipmappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocMipmappedArray, GRETA_CALLER, 0);
  if (!call) return real(mipmappedArray, desc, extent, numLevels, flags);
  call.word(0) = widened(mipmappedArray);
  call.word(1) = widened(desc);
  call.word(2) = widened(extent.width);
  call.word(3) = widened(extent.height);
  call.word(4) = widened(extent.depth);
  call.word(5) = widened(numLevels);
  call.word(6) = widened(flags);
  call.begin();
  const auto result = real(mipmappedArray, desc, extent, numLevels, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipFreeMipmappedArray(void* mipmappedArray) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFreeMipmappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFreeMipmappedArray, GRETA_CALLER, 0);
  if (!call) return real(mipmappedArray);
  call.word(0) = widened(mipmappedArray);
  call.begin();
  const auto result = real(mipmappedArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetMipmappedArrayLevel(void* levelArray, void* mipmappedArray, unsigned int level) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetMipmappedArrayLevel, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetMipmappedArrayLevel, GRETA_CALLER, 0);
  if (!call) return real(levelArray, mipmappedArray, level);
  call.word(0) = 0;
  call.word(1) = widened(mipmappedArray);
  call.word(2) = widened(level);
  call.begin();
  const auto result = real(levelArray, mipmappedArray, level);
  if (result == 0) call.word(0) = filled<void*>(levelArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMipmappedArrayCreate(void* pHandle, void* pMipmappedArrayDesc, unsigned int numMipmapLevels) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMipmappedArrayCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMipmappedArrayCreate, GRETA_CALLER, 0);
  if (!call) return real(pHandle, pMipmappedArrayDesc, numMipmapLevels);
  call.word(0) = 0;
  call.word(1) = widened(pMipmappedArrayDesc);
  call.word(2) = widened(numMipmapLevels);
  call.begin();
  const auto result = real(pHandle, pMipmappedArrayDesc, numMipmapLevels);
  if (result == 0) call.word(0) = filled<void*>(pHandle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMipmappedArrayDestroy(void* hMipmappedArray) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMipmappedArrayDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMipmappedArrayDestroy, GRETA_CALLER, 0);
  if (!call) return real(hMipmappedArray);
  call.word(0) = widened(hMipmappedArray);
  call.begin();
  const auto result = real(hMipmappedArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMipmappedArrayGetLevel(void* pLevelArray, void* hMipMappedArray, unsigned int level) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMipmappedArrayGetLevel, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMipmappedArrayGetLevel, GRETA_CALLER, 0);
  if (!call) return real(pLevelArray, hMipMappedArray, level);
  call.word(0) = 0;
  call.word(1) = widened(hMipMappedArray);
  call.word(2) = widened(level);
  call.begin();
  const auto result = real(pLevelArray, hMipMappedArray, level);
  if (result == 0) call.word(0) = filled<void*>(pLevelArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemMapArrayAsync(void* mapInfoList, unsigned int count, void* stream) {
  using Function = int (*)(void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemMapArrayAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemMapArrayAsync, GRETA_CALLER, 0);
  if (!call) return real(mapInfoList, count, stream);
  call.word(0) = widened(mapInfoList);
  call.word(1) = widened(count);
  call.word(2) = widened(stream);
  call.begin();
  const auto result = real(mapInfoList, count, stream);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder