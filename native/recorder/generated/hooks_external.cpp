// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipImportExternalSemaphore(void* extSem_out, void* semHandleDesc) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipImportExternalSemaphore, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipImportExternalSemaphore, GRETA_CALLER, 0);
  if (!call) return real(extSem_out, semHandleDesc);
  call.word(0) = 0;
  call.word(1) = widened(semHandleDesc);
  call.begin();
  const auto result = real(extSem_out, semHandleDesc);
  if (result == 0) call.word(0) = filled<void*>(extSem_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipSignalExternalSemaphoresAsync(void* extSemArray, void* paramsArray, unsigned int numExtSems, void* stream) {
  using Function = int (*)(void*, void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipSignalExternalSemaphoresAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipSignalExternalSemaphoresAsync, GRETA_CALLER, 0);
  if (!call) return real(extSemArray, paramsArray, numExtSems, stream);
  call.word(0) = widened(extSemArray);
  call.word(1) = widened(paramsArray);
  call.word(2) = widened(numExtSems);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(extSemArray, paramsArray, numExtSems, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipWaitExternalSemaphoresAsync(void* extSemArray, void* paramsArray, unsigned int numExtSems, void* stream) {
  using Function = int (*)(void*, void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipWaitExternalSemaphoresAsync, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipWaitExternalSemaphoresAsync, GRETA_CALLER, 0);
  if (!call) return real(extSemArray, paramsArray, numExtSems, stream);
  call.word(0) = widened(extSemArray);
  call.word(1) = widened(paramsArray);
  call.word(2) = widened(numExtSems);
  call.word(3) = widened(stream);
  call.begin();
  const auto result = real(extSemArray, paramsArray, numExtSems, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDestroyExternalSemaphore(void* extSem) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDestroyExternalSemaphore, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDestroyExternalSemaphore, GRETA_CALLER, 0);
  if (!call) return real(extSem);
  call.word(0) = widened(extSem);
  call.begin();
  const auto result = real(extSem);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipImportExternalMemory(void* extMem_out, void* memHandleDesc) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipImportExternalMemory, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipImportExternalMemory, GRETA_CALLER, 0);
  if (!call) return real(extMem_out, memHandleDesc);
  call.word(0) = 0;
  call.word(1) = widened(memHandleDesc);
  call.begin();
  const auto result = real(extMem_out, memHandleDesc);
  if (result == 0) call.word(0) = filled<void*>(extMem_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExternalMemoryGetMappedBuffer(void* devPtr, void* extMem, void* bufferDesc) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExternalMemoryGetMappedBuffer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExternalMemoryGetMappedBuffer, GRETA_CALLER, 0);
  if (!call) return real(devPtr, extMem, bufferDesc);
  call.word(0) = 0;
  call.word(1) = widened(extMem);
  call.word(2) = widened(bufferDesc);
  call.begin();
  const auto result = real(devPtr, extMem, bufferDesc);
  if (result == 0) call.word(0) = filled<void*>(devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDestroyExternalMemory(void* extMem) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDestroyExternalMemory, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDestroyExternalMemory, GRETA_CALLER, 0);
  if (!call) return real(extMem);
  call.word(0) = widened(extMem);
  call.begin();
  const auto result = real(extMem);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExternalMemoryGetMappedMipmappedArray(void* mipmap, void* extMem, void* mipmapDesc) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExternalMemoryGetMappedMipmappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExternalMemoryGetMappedMipmappedArray, GRETA_CALLER, 0);
  if (!call) return real(mipmap, extMem, mipmapDesc);
  call.word(0) = 0;
  call.word(1) = widened(extMem);
  call.word(2) = widened(mipmapDesc);
  call.begin();
  const auto result = real(mipmap, extMem, mipmapDesc);
  if (result == 0) call.word(0) = filled<void*>(mipmap);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsMapResources(int count, void* resources, void* stream) {
  using Function = int (*)(int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsMapResources, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsMapResources, GRETA_CALLER, 0);
  if (!call) return real(count, resources, stream);
  call.word(0) = widened(count);
  call.word(1) = widened(resources);
  call.word(2) = widened(stream);
  call.begin();
  const auto result = real(count, resources, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsSubResourceGetMappedArray(void* array, void* resource, unsigned int arrayIndex, unsigned int mipLevel) {
  using Function = int (*)(void*, void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsSubResourceGetMappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsSubResourceGetMappedArray, GRETA_CALLER, 0);
  if (!call) return real(array, resource, arrayIndex, mipLevel);
  call.word(0) = 0;
  call.word(1) = widened(resource);
  call.word(2) = widened(arrayIndex);
  call.word(3) = widened(mipLevel);
  call.begin();
  const auto result = real(array, resource, arrayIndex, mipLevel);
  if (result == 0) call.word(0) = filled<void*>(array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsResourceGetMappedPointer(void* devPtr, void* size, void* resource) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsResourceGetMappedPointer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsResourceGetMappedPointer, GRETA_CALLER, 0);
  if (!call) return real(devPtr, size, resource);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(resource);
  call.begin();
  const auto result = real(devPtr, size, resource);
  if (result == 0) call.word(0) = filled<void*>(devPtr);
  if (result == 0) call.word(1) = filled<size_t>(size);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsUnmapResources(int count, void* resources, void* stream) {
  using Function = int (*)(int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsUnmapResources, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsUnmapResources, GRETA_CALLER, 0);
  if (!call) return real(count, resources, stream);
  call.word(0) = widened(count);
  call.word(1) = widened(resources);
  call.word(2) = widened(stream);
  call.begin();
  const auto result = real(count, resources, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsUnregisterResource(void* resource) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsUnregisterResource, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsUnregisterResource, GRETA_CALLER, 0);
  if (!call) return real(resource);
  call.word(0) = widened(resource);
  call.begin();
  const auto result = real(resource);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGLGetDevices(void* pHipDeviceCount, void* pHipDevices, unsigned int hipDeviceCount, int deviceList) {
  using Function = int (*)(void*, void*, unsigned int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGLGetDevices, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGLGetDevices, GRETA_CALLER, 0);
  if (!call) return real(pHipDeviceCount, pHipDevices, hipDeviceCount, deviceList);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(hipDeviceCount);
  call.word(3) = widened(deviceList);
  call.begin();
  const auto result = real(pHipDeviceCount, pHipDevices, hipDeviceCount, deviceList);
  if (result == 0) call.word(0) = filled<unsigned int>(pHipDeviceCount);
  if (result == 0) call.word(1) = filled<int>(pHipDevices);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsGLRegisterBuffer(void* resource, unsigned int buffer, unsigned int flags) {
  using Function = int (*)(void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsGLRegisterBuffer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsGLRegisterBuffer, GRETA_CALLER, 0);
  if (!call) return real(resource, buffer, flags);
  call.word(0) = 0;
  call.word(1) = widened(buffer);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(resource, buffer, flags);
  if (result == 0) call.word(0) = filled<void*>(resource);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphicsGLRegisterImage(void* resource, unsigned int image, unsigned int target, unsigned int flags) {
  using Function = int (*)(void*, unsigned int, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphicsGLRegisterImage, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphicsGLRegisterImage, GRETA_CALLER, 0);
  if (!call) return real(resource, image, target, flags);
  call.word(0) = 0;
  call.word(1) = widened(image);
  call.word(2) = widened(target);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(resource, image, target, flags);
  if (result == 0) call.word(0) = filled<void*>(resource);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder