// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipDeviceGetDefaultMemPool(void* mem_pool, int device) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetDefaultMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetDefaultMemPool, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, device);
  call.word(0) = 0;
  call.word(1) = widened(device);
  call.begin();
  const auto result = real(mem_pool, device);
  if (result == 0) call.word(0) = filled<void*>(mem_pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSetMemPool(int device, void* mem_pool) {
  using Function = int (*)(int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSetMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSetMemPool, GRETA_CALLER, 0);
  if (!call) return real(device, mem_pool);
  call.word(0) = widened(device);
  call.word(1) = widened(mem_pool);
  call.begin();
  const auto result = real(device, mem_pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetMemPool(void* mem_pool, int device) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetMemPool, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, device);
  call.word(0) = 0;
  call.word(1) = widened(device);
  call.begin();
  const auto result = real(mem_pool, device);
  if (result == 0) call.word(0) = filled<void*>(mem_pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMallocAsync(void* dev_ptr, size_t size, void* stream) {
  using Function = int (*)(void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, size, stream);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(stream);
  call.begin();
  const auto result = real(dev_ptr, size, stream);
  if (result == 0) call.word(0) = filled<void*>(dev_ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_POOL_MEMORY, call.word(0), call.word(1), 0);
  return result;
}

extern "C" GRETA_EXPORT int hipFreeAsync(void* dev_ptr, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFreeAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFreeAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, stream);
  call.word(0) = widened(dev_ptr);
  call.word(1) = widened(stream);
  const auto ended = live().end(dev_ptr);
  call.begin();
  const auto result = real(dev_ptr, stream);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolTrimTo(void* mem_pool, size_t min_bytes_to_hold) {
  using Function = int (*)(void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolTrimTo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolTrimTo, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, min_bytes_to_hold);
  call.word(0) = widened(mem_pool);
  call.word(1) = widened(min_bytes_to_hold);
  call.begin();
  const auto result = real(mem_pool, min_bytes_to_hold);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolSetAttribute(void* mem_pool, int attr, void* value) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, attr, value);
  call.word(0) = widened(mem_pool);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(mem_pool, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolGetAttribute(void* mem_pool, int attr, void* value) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, attr, value);
  call.word(0) = widened(mem_pool);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(mem_pool, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolCreate(void* mem_pool, void* pool_props) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolCreate, GRETA_CALLER, 1);
  if (!call) return real(mem_pool, pool_props);
  call.word(0) = 0;
  call.word(1) = widened(pool_props);
  call.keep_struct(1, pool_props, 88);
  call.begin();
  const auto result = real(mem_pool, pool_props);
  if (result == 0) call.word(0) = filled<void*>(mem_pool);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_POOL, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolDestroy(void* mem_pool) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolDestroy, GRETA_CALLER, 0);
  if (!call) return real(mem_pool);
  call.word(0) = widened(mem_pool);
  const auto ended = live().end(mem_pool);
  call.begin();
  const auto result = real(mem_pool);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMallocFromPoolAsync(void* dev_ptr, size_t size, void* mem_pool, void* stream) {
  using Function = int (*)(void*, size_t, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMallocFromPoolAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMallocFromPoolAsync, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, size, mem_pool, stream);
  call.word(0) = 0;
  call.word(1) = widened(size);
  call.word(2) = widened(mem_pool);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(dev_ptr, size, mem_pool, stream);
  if (result == 0) call.word(0) = filled<void*>(dev_ptr);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_POOL_MEMORY, call.word(0), call.word(1), 0);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolSetAccess(void* mem_pool, void* desc_list, size_t count) {
  using Function = int (*)(void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolSetAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolSetAccess, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, desc_list, count);
  call.word(0) = widened(mem_pool);
  call.word(1) = widened(desc_list);
  call.word(2) = widened(count);
  call.begin();
  const auto result = real(mem_pool, desc_list, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolGetAccess(void* flags, void* mem_pool, void* location) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolGetAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolGetAccess, GRETA_CALLER, 0);
  if (!call) return real(flags, mem_pool, location);
  call.word(0) = 0;
  call.word(1) = widened(mem_pool);
  call.word(2) = widened(location);
  call.begin();
  const auto result = real(flags, mem_pool, location);
  if (result == 0) call.word(0) = filled<int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolExportToShareableHandle(void* shared_handle, void* mem_pool, int handle_type, unsigned int flags) {
  using Function = int (*)(void*, void*, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolExportToShareableHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolExportToShareableHandle, GRETA_CALLER, 0);
  if (!call) return real(shared_handle, mem_pool, handle_type, flags);
  call.word(0) = widened(shared_handle);
  call.word(1) = widened(mem_pool);
  call.word(2) = widened(handle_type);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(shared_handle, mem_pool, handle_type, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolImportFromShareableHandle(void* mem_pool, void* shared_handle, int handle_type, unsigned int flags) {
  using Function = int (*)(void*, void*, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolImportFromShareableHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolImportFromShareableHandle, GRETA_CALLER, 0);
  if (!call) return real(mem_pool, shared_handle, handle_type, flags);
  call.word(0) = 0;
  call.word(1) = widened(shared_handle);
  call.word(2) = widened(handle_type);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(mem_pool, shared_handle, handle_type, flags);
  if (result == 0) call.word(0) = filled<void*>(mem_pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolExportPointer(void* export_data, void* dev_ptr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolExportPointer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolExportPointer, GRETA_CALLER, 0);
  if (!call) return real(export_data, dev_ptr);
  call.word(0) = widened(export_data);
  call.word(1) = widened(dev_ptr);
  call.begin();
  const auto result = real(export_data, dev_ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemPoolImportPointer(void* dev_ptr, void* mem_pool, void* export_data) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemPoolImportPointer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemPoolImportPointer, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, mem_pool, export_data);
  call.word(0) = 0;
  call.word(1) = widened(mem_pool);
  call.word(2) = widened(export_data);
  call.begin();
  const auto result = real(dev_ptr, mem_pool, export_data);
  if (result == 0) call.word(0) = filled<void*>(dev_ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemSetMemPool(void* location, int type, void* pool) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemSetMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemSetMemPool, GRETA_CALLER, 0);
  if (!call) return real(location, type, pool);
  call.word(0) = widened(location);
  call.word(1) = widened(type);
  call.word(2) = widened(pool);
  call.begin();
  const auto result = real(location, type, pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetMemPool(void* pool, void* location, int type) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetMemPool, GRETA_CALLER, 0);
  if (!call) return real(pool, location, type);
  call.word(0) = 0;
  call.word(1) = widened(location);
  call.word(2) = widened(type);
  call.begin();
  const auto result = real(pool, location, type);
  if (result == 0) call.word(0) = filled<void*>(pool);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipMemGetDefaultMemPool(void* memPool, void* location, int type) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipMemGetDefaultMemPool, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipMemGetDefaultMemPool, GRETA_CALLER, 0);
  if (!call) return real(memPool, location, type);
  call.word(0) = 0;
  call.word(1) = widened(location);
  call.word(2) = widened(type);
  call.begin();
  const auto result = real(memPool, location, type);
  if (result == 0) call.word(0) = filled<void*>(memPool);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder