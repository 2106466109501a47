// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipPointerGetAttributes(void* attributes, void* ptr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipPointerGetAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipPointerGetAttributes, GRETA_CALLER, 0);
  if (!call) return real(attributes, ptr);
  call.word(0) = widened(attributes);
  call.word(1) = widened(ptr);
  call.begin();
  const auto result = real(attributes, ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipPointerGetAttribute(void* data, int attribute, void* ptr) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipPointerGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipPointerGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(data, attribute, ptr);
  call.word(0) = widened(data);
  call.word(1) = widened(attribute);
  call.word(2) = widened(ptr);
  call.begin();
  const auto result = real(data, attribute, ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipPointerSetAttribute(void* value, int attribute, void* ptr) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipPointerSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipPointerSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(value, attribute, ptr);
  call.word(0) = widened(value);
  call.word(1) = widened(attribute);
  call.word(2) = widened(ptr);
  call.begin();
  const auto result = real(value, attribute, ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMalloc(void* ptr, size_t size) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMalloc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMalloc, GRETA_CALLER, 0);
  if (!call) return real(ptr, size);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.begin();
  const auto result = real(ptr, size);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_DEVICE_MEMORY, call.word(0), call.word(1), 0);
  return result;
}

extern "C" GRETA_EXPORT int hipExtMallocWithFlags(void* ptr, size_t sizeBytes, unsigned int flags) {
  using Function = int (*)(void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtMallocWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtMallocWithFlags, GRETA_CALLER, 0);
  if (!call) return real(ptr, sizeBytes, flags);
  call.word(0) = 0;
  call.word(1) = widened(sizeBytes);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(ptr, sizeBytes, flags);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_DEVICE_MEMORY, call.word(0), call.word(1), call.word(2));
  return result;
}

extern "C" GRETA_EXPORT int hipHostMalloc(void* ptr, size_t size, unsigned int flags) {
  using Function = int (*)(void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostMalloc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostMalloc, GRETA_CALLER, 0);
  if (!call) return real(ptr, size, flags);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(ptr, size, flags);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_HOST_MEMORY, call.word(0), call.word(1), call.word(2));
  if (g_added_work) {
    if (result == 0) host_memory_made(filled(ptr), size);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMallocManaged(void* dev_ptr, size_t size, unsigned int flags) {
  using Function = int (*)(void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocManaged, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocManaged, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, size, flags);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(dev_ptr, size, flags);
  if (result == 0) call.word(0) = filled<void*>(dev_ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_MANAGED_MEMORY, call.word(0), call.word(1), call.word(2));
  return result;
}

extern "C" GRETA_EXPORT int hipHostAlloc(void* ptr, size_t size, unsigned int flags) {
  using Function = int (*)(void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostAlloc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostAlloc, GRETA_CALLER, 0);
  if (!call) return real(ptr, size, flags);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(ptr, size, flags);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_HOST_MEMORY, call.word(0), call.word(1), call.word(2));
  if (g_added_work) {
    if (result == 0) host_memory_made(filled(ptr), size);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipHostGetDevicePointer(void* devPtr, void* hstPtr, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostGetDevicePointer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostGetDevicePointer, GRETA_CALLER, 0);
  if (!call) return real(devPtr, hstPtr, flags);
  call.word(0) = 0;
  call.word(1) = widened(hstPtr);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(devPtr, hstPtr, flags);
  if (result == 0) call.word(0) = filled<void*>(devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipHostGetFlags(void* flagsPtr, void* hostPtr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostGetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostGetFlags, GRETA_CALLER, 0);
  if (!call) return real(flagsPtr, hostPtr);
  call.word(0) = 0;
  call.word(1) = widened(hostPtr);
  call.begin();
  const auto result = real(flagsPtr, hostPtr);
  if (result == 0) call.word(0) = filled<unsigned int>(flagsPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags) {
  using Function = int (*)(void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostRegister, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostRegister, GRETA_CALLER, 0);
  if (!call) return real(hostPtr, sizeBytes, flags);
  call.word(0) = widened(hostPtr);
  call.word(1) = widened(sizeBytes);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(hostPtr, sizeBytes, flags);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_REGISTERED_MEMORY, call.word(0), call.word(1), call.word(2));
  if (g_added_work) {
    if (result == 0) host_memory_registered(hostPtr, sizeBytes);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipHostUnregister(void* hostPtr) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostUnregister, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostUnregister, GRETA_CALLER, 0);
  if (!call) return real(hostPtr);
  call.word(0) = widened(hostPtr);
  const auto ended = live().end(hostPtr);
  call.begin();
  if (g_added_work) {
    host_memory_ends(hostPtr);
  }
  const auto result = real(hostPtr);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMallocPitch(void* ptr, void* pitch, size_t width, size_t height) {
  using Function = int (*)(void*, void*, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocPitch, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocPitch, GRETA_CALLER, 0);
  if (!call) return real(ptr, pitch, width, height);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(width);
  call.word(3) = widened(height);
  call.begin();
  const auto result = real(ptr, pitch, width, height);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  if (result == 0) call.word(1) = filled<size_t>(pitch);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_DEVICE_MEMORY, call.word(0), call.word(1) * call.word(3), 0);
  return result;
}

extern "C" GRETA_EXPORT int hipFree(void* ptr) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFree, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFree, GRETA_CALLER, 0);
  if (!call) return real(ptr);
  call.word(0) = widened(ptr);
  const auto ended = live().end(ptr);
  call.begin();
  const auto result = real(ptr);
  call.finish(result);
  live().settle(ended, result == 0);
  if (g_added_work) {
    if (result == 0) device_was_waited_for();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipFreeHost(void* ptr) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFreeHost, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFreeHost, GRETA_CALLER, 0);
  if (!call) return real(ptr);
  call.word(0) = widened(ptr);
  const auto ended = live().end(ptr);
  call.begin();
  if (g_added_work) {
    host_memory_ends(ptr);
  }
  const auto result = real(ptr);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipHostFree(void* ptr) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHostFree, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipHostFree, GRETA_CALLER, 0);
  if (!call) return real(ptr);
  call.word(0) = widened(ptr);
  const auto ended = live().end(ptr);
  call.begin();
  if (g_added_work) {
    host_memory_ends(ptr);
  }
  const auto result = real(ptr);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetInfo(void* free, void* total) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetInfo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetInfo, GRETA_CALLER, 0);
  if (!call) return real(free, total);
  call.word(0) = 0;
  call.word(1) = 0;
  call.begin();
  const auto result = real(free, total);
  if (result == 0) call.word(0) = filled<size_t>(free);
  if (result == 0) call.word(1) = filled<size_t>(total);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetAddressRange(void* pbase, void* psize, void* dptr) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetAddressRange, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetAddressRange, GRETA_CALLER, 0);
  if (!call) return real(pbase, psize, dptr);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(dptr);
  call.begin();
  const auto result = real(pbase, psize, dptr);
  if (result == 0) call.word(0) = filled<void*>(pbase);
  if (result == 0) call.word(1) = filled<size_t>(psize);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvPointerGetAttributes(unsigned int numAttributes, void* attributes, void* data, void* ptr) {
  using Function = int (*)(unsigned int, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvPointerGetAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvPointerGetAttributes, GRETA_CALLER, 0);
  if (!call) return real(numAttributes, attributes, data, ptr);
  call.word(0) = widened(numAttributes);
  call.word(1) = widened(attributes);
  call.word(2) = 0;
  call.word(3) = widened(ptr);
  call.begin();
  const auto result = real(numAttributes, attributes, data, ptr);
  if (result == 0) call.word(2) = filled<void*>(data);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMallocHost(void* ptr, size_t size) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocHost, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocHost, GRETA_CALLER, 0);
  if (!call) return real(ptr, size);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.begin();
  const auto result = real(ptr, size);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_HOST_MEMORY, call.word(0), call.word(1), 0);
  if (g_added_work) {
    if (result == 0) host_memory_made(filled(ptr), size);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemPrefetchAsync(void* dev_ptr, size_t count, int device, void* stream) {
  using Function = int (*)(void*, size_t, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPrefetchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPrefetchAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, count, device, stream);
  call.word(0) = widened(dev_ptr);
  call.word(1) = widened(count);
  call.word(2) = widened(device);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dev_ptr, count, device, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPrefetchAsync_v2(void* dev_ptr, size_t count, abi::hipMemLocation location, unsigned int flags, void* stream) {
  using Function = int (*)(void*, size_t, abi::hipMemLocation, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPrefetchAsync_v2, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPrefetchAsync_v2, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, count, location, flags, stream);
  call.word(0) = widened(dev_ptr);
  call.word(1) = widened(count);
  call.word(2) = widened(location.type);
  call.word(3) = widened(location.id);
  call.word(4) = widened(flags);
  call.word(5) = widened(stream);
  call.begin();
  const auto result = real(dev_ptr, count, location, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAdvise(void* dev_ptr, size_t count, int advice, int device) {
  using Function = int (*)(void*, size_t, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAdvise, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAdvise, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, count, advice, device);
  call.word(0) = widened(dev_ptr);
  call.word(1) = widened(count);
  call.word(2) = widened(advice);
  call.word(3) = widened(device);
  call.begin();
  const auto result = real(dev_ptr, count, advice, device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAdvise_v2(void* dev_ptr, size_t count, int advice, abi::hipMemLocation location) {
  using Function = int (*)(void*, size_t, int, abi::hipMemLocation);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAdvise_v2, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAdvise_v2, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, count, advice, location);
  call.word(0) = widened(dev_ptr);
  call.word(1) = widened(count);
  call.word(2) = widened(advice);
  call.word(3) = widened(location.type);
  call.word(4) = widened(location.id);
  call.begin();
  const auto result = real(dev_ptr, count, advice, location);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPtrGetInfo(void* ptr, void* size) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPtrGetInfo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPtrGetInfo, GRETA_CALLER, 0);
  if (!call) return real(ptr, size);
  call.word(0) = widened(ptr);
  call.word(1) = 0;
  call.begin();
  const auto result = real(ptr, size);
  if (result == 0) call.word(1) = filled<size_t>(size);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAllocHost(void* ptr, size_t size) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAllocHost, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAllocHost, GRETA_CALLER, 0);
  if (!call) return real(ptr, size);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.begin();
  const auto result = real(ptr, size);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_HOST_MEMORY, call.word(0), call.word(1), 0);
  if (g_added_work) {
    if (result == 0) host_memory_made(filled(ptr), size);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipMemPrefetchBatchAsync(void* dev_ptrs, void* sizes, size_t count, void* prefetch_locs, void* prefetch_loc_idxs, size_t num_prefetch_locs, unsigned long long flags, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*, void*, size_t, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPrefetchBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPrefetchBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags, stream);
  call.word(0) = widened(dev_ptrs);
  call.word(1) = widened(sizes);
  call.word(2) = widened(count);
  call.word(3) = widened(prefetch_locs);
  call.word(4) = widened(prefetch_loc_idxs);
  call.word(5) = widened(num_prefetch_locs);
  call.word(6) = widened(flags);
  call.word(7) = widened(stream);
  call.begin();
  const auto result = real(dev_ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemDiscardBatchAsync(void* dev_ptrs, void* sizes, size_t count, unsigned long long flags, void* stream) {
  using Function = int (*)(void*, void*, size_t, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemDiscardBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemDiscardBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptrs, sizes, count, flags, stream);
  call.word(0) = widened(dev_ptrs);
  call.word(1) = widened(sizes);
  call.word(2) = widened(count);
  call.word(3) = widened(flags);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(dev_ptrs, sizes, count, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvMemDiscardBatchAsync(void* dptrs, void* sizes, size_t count, unsigned long long flags, void* stream) {
  using Function = int (*)(void*, void*, size_t, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvMemDiscardBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvMemDiscardBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dptrs, sizes, count, flags, stream);
  call.word(0) = widened(dptrs);
  call.word(1) = widened(sizes);
  call.word(2) = widened(count);
  call.word(3) = widened(flags);
  call.word(4) = widened(stream);
  call.begin();
  const auto result = real(dptrs, sizes, count, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemDiscardAndPrefetchBatchAsync(void* dptrs, void* sizes, size_t count, void* prefetchLocs, void* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*, void*, size_t, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemDiscardAndPrefetchBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemDiscardAndPrefetchBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  call.word(0) = widened(dptrs);
  call.word(1) = widened(sizes);
  call.word(2) = widened(count);
  call.word(3) = widened(prefetchLocs);
  call.word(4) = widened(prefetchLocIdxs);
  call.word(5) = widened(numPrefetchLocs);
  call.word(6) = widened(flags);
  call.word(7) = widened(stream);
  call.begin();
  const auto result = real(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvMemDiscardAndPrefetchBatchAsync(void* dptrs, void* sizes, size_t count, void* prefetchLocs, void* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, void* stream) {
  using Function = int (*)(void*, void*, size_t, void*, void*, size_t, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvMemDiscardAndPrefetchBatchAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvMemDiscardAndPrefetchBatchAsync, GRETA_CALLER, 0);
  if (!call) return real(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  call.word(0) = widened(dptrs);
  call.word(1) = widened(sizes);
  call.word(2) = widened(count);
  call.word(3) = widened(prefetchLocs);
  call.word(4) = widened(prefetchLocIdxs);
  call.word(5) = widened(numPrefetchLocs);
  call.word(6) = widened(flags);
  call.word(7) = widened(stream);
  call.begin();
  const auto result = real(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemRangeGetAttribute(void* data, size_t data_size, int attribute, void* dev_ptr, size_t count) {
  using Function = int (*)(void*, size_t, int, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemRangeGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemRangeGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(data, data_size, attribute, dev_ptr, count);
  call.word(0) = widened(data);
  call.word(1) = widened(data_size);
  call.word(2) = widened(attribute);
  call.word(3) = widened(dev_ptr);
  call.word(4) = widened(count);
  call.begin();
  const auto result = real(data, data_size, attribute, dev_ptr, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemRangeGetAttributes(void* data, void* data_sizes, void* attributes, size_t num_attributes, void* dev_ptr, size_t count) {
  using Function = int (*)(void*, void*, void*, size_t, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemRangeGetAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemRangeGetAttributes, GRETA_CALLER, 0);
  if (!call) return real(data, data_sizes, attributes, num_attributes, dev_ptr, count);
  call.word(0) = 0;
  call.word(1) = widened(data_sizes);
  call.word(2) = widened(attributes);
  call.word(3) = widened(num_attributes);
  call.word(4) = widened(dev_ptr);
  call.word(5) = widened(count);
  call.begin();
  const auto result = real(data, data_sizes, attributes, num_attributes, dev_ptr, count);
  if (result == 0) call.word(0) = filled<void*>(data);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamAttachMemAsync(void* stream, void* dev_ptr, size_t length, unsigned int flags) {
  using Function = int (*)(void*, void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamAttachMemAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamAttachMemAsync, GRETA_CALLER, 0);
  if (!call) return real(stream, dev_ptr, length, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(dev_ptr);
  call.word(2) = widened(length);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, dev_ptr, length, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAllocPitch(void* dptr, void* pitch, size_t widthInBytes, size_t height, unsigned int elementSizeBytes) {
  using Function = int (*)(void*, void*, size_t, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAllocPitch, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAllocPitch, GRETA_CALLER, 0);
  if (!call) return real(dptr, pitch, widthInBytes, height, elementSizeBytes);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(widthInBytes);
  call.word(3) = widened(height);
  call.word(4) = widened(elementSizeBytes);
  call.begin();
  const auto result = real(dptr, pitch, widthInBytes, height, elementSizeBytes);
  if (result == 0) call.word(0) = filled<void*>(dptr);
  if (result == 0) call.word(1) = filled<size_t>(pitch);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_DEVICE_MEMORY, call.word(0), call.word(1) * call.word(3), 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMalloc3D(void* pitchedDevPtr, abi::hipExtent extent) {
  using Function = int (*)(void*, abi::hipExtent);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMalloc3D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMalloc3D, GRETA_CALLER, 0);
  if (!call) return real(pitchedDevPtr, extent);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = 0;
  call.word(3) = 0;
  call.word(4) = widened(extent.width);
  call.word(5) = widened(extent.height);
  call.word(6) = widened(extent.depth);
  call.begin();
  const auto result = real(pitchedDevPtr, extent);
  if (result == 0) if (pitchedDevPtr) call.word(0) = widened(static_cast<const abi::hipPitchedPtr*>(pitchedDevPtr)->ptr);
  if (result == 0) if (pitchedDevPtr) call.word(1) = widened(static_cast<const abi::hipPitchedPtr*>(pitchedDevPtr)->pitch);
  if (result == 0) if (pitchedDevPtr) call.word(2) = widened(static_cast<const abi::hipPitchedPtr*>(pitchedDevPtr)->xsize);
  if (result == 0) if (pitchedDevPtr) call.word(3) = widened(static_cast<const abi::hipPitchedPtr*>(pitchedDevPtr)->ysize);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_DEVICE_MEMORY, call.word(0), call.word(1) * call.word(5) * call.word(6), 0);
  return result;
}

}  // namespace greta::recorder