// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipMemGetHandleForAddressRange(void* handle, void* dptr, size_t size, int handleType, unsigned long long flags) {
  using Function = int (*)(void*, void*, size_t, int, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetHandleForAddressRange, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetHandleForAddressRange, GRETA_CALLER, 0);
  if (!call) return real(handle, dptr, size, handleType, flags);
  call.word(0) = widened(handle);
  call.word(1) = widened(dptr);
  call.word(2) = widened(size);
  call.word(3) = widened(handleType);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(handle, dptr, size, handleType, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAddressFree(void* devPtr, size_t size) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAddressFree, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAddressFree, GRETA_CALLER, 0);
  if (!call) return real(devPtr, size);
  call.word(0) = widened(devPtr);
  call.word(1) = widened(size);
  call.begin();
  const auto result = real(devPtr, size);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemAddressReserve(void* ptr, size_t size, size_t alignment, void* addr, unsigned long long flags) {
  using Function = int (*)(void*, size_t, size_t, void*, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemAddressReserve, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemAddressReserve, GRETA_CALLER, 0);
  if (!call) return real(ptr, size, alignment, addr, flags);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(alignment);
  call.word(3) = widened(addr);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(ptr, size, alignment, addr, flags);
  if (result == 0) call.word(0) = filled<void*>(ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemCreate(void* handle, size_t size, void* prop, unsigned long long flags) {
  using Function = int (*)(void*, size_t, void*, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemCreate, GRETA_CALLER, 0);
  if (!call) return real(handle, size, prop, flags);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(prop);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(handle, size, prop, flags);
  if (result == 0) call.word(0) = filled<void*>(handle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemExportToShareableHandle(void* shareableHandle, void* handle, int handleType, unsigned long long flags) {
  using Function = int (*)(void*, void*, int, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemExportToShareableHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemExportToShareableHandle, GRETA_CALLER, 0);
  if (!call) return real(shareableHandle, handle, handleType, flags);
  call.word(0) = widened(shareableHandle);
  call.word(1) = widened(handle);
  call.word(2) = widened(handleType);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(shareableHandle, handle, handleType, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetAccess(void* flags, void* location, void* ptr) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetAccess, GRETA_CALLER, 0);
  if (!call) return real(flags, location, ptr);
  call.word(0) = 0;
  call.word(1) = widened(location);
  call.word(2) = widened(ptr);
  call.begin();
  const auto result = real(flags, location, ptr);
  if (result == 0) call.word(0) = filled<unsigned long long>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetAllocationGranularity(void* granularity, void* prop, int option) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetAllocationGranularity, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetAllocationGranularity, GRETA_CALLER, 0);
  if (!call) return real(granularity, prop, option);
  call.word(0) = 0;
  call.word(1) = widened(prop);
  call.word(2) = widened(option);
  call.begin();
  const auto result = real(granularity, prop, option);
  if (result == 0) call.word(0) = filled<size_t>(granularity);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetAllocationPropertiesFromHandle(void* prop, void* handle) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetAllocationPropertiesFromHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetAllocationPropertiesFromHandle, GRETA_CALLER, 0);
  if (!call) return real(prop, handle);
  call.word(0) = widened(prop);
  call.word(1) = widened(handle);
  call.begin();
  const auto result = real(prop, handle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemImportFromShareableHandle(void* handle, void* osHandle, int shHandleType) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemImportFromShareableHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemImportFromShareableHandle, GRETA_CALLER, 0);
  if (!call) return real(handle, osHandle, shHandleType);
  call.word(0) = 0;
  call.word(1) = widened(osHandle);
  call.word(2) = widened(shHandleType);
  call.begin();
  const auto result = real(handle, osHandle, shHandleType);
  if (result == 0) call.word(0) = filled<void*>(handle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemMap(void* ptr, size_t size, size_t offset, void* handle, unsigned long long flags) {
  using Function = int (*)(void*, size_t, size_t, void*, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemMap, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemMap, GRETA_CALLER, 0);
  if (!call) return real(ptr, size, offset, handle, flags);
  call.word(0) = widened(ptr);
  call.word(1) = widened(size);
  call.word(2) = widened(offset);
  call.word(3) = widened(handle);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(ptr, size, offset, handle, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemRelease(void* handle) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemRelease, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemRelease, GRETA_CALLER, 0);
  if (!call) return real(handle);
  call.word(0) = widened(handle);
  call.begin();
  const auto result = real(handle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemRetainAllocationHandle(void* handle, void* addr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemRetainAllocationHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemRetainAllocationHandle, GRETA_CALLER, 0);
  if (!call) return real(handle, addr);
  call.word(0) = 0;
  call.word(1) = widened(addr);
  call.begin();
  const auto result = real(handle, addr);
  if (result == 0) call.word(0) = filled<void*>(handle);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemSetAccess(void* ptr, size_t size, void* desc, size_t count) {
  using Function = int (*)(void*, size_t, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemSetAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemSetAccess, GRETA_CALLER, 0);
  if (!call) return real(ptr, size, desc, count);
  call.word(0) = widened(ptr);
  call.word(1) = widened(size);
  call.word(2) = widened(desc);
  call.word(3) = widened(count);
  call.begin();
  const auto result = real(ptr, size, desc, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemUnmap(void* ptr, size_t size) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemUnmap, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemUnmap, GRETA_CALLER, 0);
  if (!call) return real(ptr, size);
  call.word(0) = widened(ptr);
  call.word(1) = widened(size);
  call.begin();
  const auto result = real(ptr, size);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder