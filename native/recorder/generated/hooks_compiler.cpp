// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT void* __hipRegisterFatBinary(void* wrapper) {
  using Function = void* (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterFatBinary, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterFatBinary, GRETA_CALLER, 0);
  if (!call) return real(wrapper);
  call.word(0) = widened(wrapper);
  call.begin();
  const auto result = real(wrapper);
  call.finish(0);
  modules().registered_binary(result, wrapper);
  return result;
}

extern "C" GRETA_EXPORT void __hipRegisterFunction(void* modules_, void* hostFunction, void* deviceFunction, void* deviceName, unsigned int threadLimit, void* tid, void* bid, void* blockDim, void* gridDim, void* wSize) {
  using Function = void (*)(void*, void*, void*, void*, unsigned int, void*, void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterFunction, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterFunction, GRETA_CALLER, 0);
  if (!call) return real(modules_, hostFunction, deviceFunction, deviceName, threadLimit, tid, bid, blockDim, gridDim, wSize);
  call.word(0) = widened(modules_);
  call.word(1) = widened(hostFunction);
  call.word(2) = widened(deviceFunction);
  call.word(3) = text_id(deviceName);
  call.word(4) = widened(threadLimit);
  call.word(5) = widened(tid);
  call.word(6) = widened(bid);
  call.word(7) = widened(blockDim);
  call.word(8) = widened(gridDim);
  call.word(9) = widened(wSize);
  call.begin();
  real(modules_, hostFunction, deviceFunction, deviceName, threadLimit, tid, bid, blockDim, gridDim, wSize);
  call.finish(0);
  modules().registered_function(modules_, hostFunction, deviceName);
}

extern "C" GRETA_EXPORT void __hipRegisterVar(void* modules_, void* var, void* hostVar, void* deviceVar, int ext, size_t size, int constant, int global) {
  using Function = void (*)(void*, void*, void*, void*, int, size_t, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterVar, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterVar, GRETA_CALLER, 0);
  if (!call) return real(modules_, var, hostVar, deviceVar, ext, size, constant, global);
  call.word(0) = widened(modules_);
  call.word(1) = widened(var);
  call.word(2) = widened(hostVar);
  call.word(3) = widened(deviceVar);
  call.word(4) = widened(ext);
  call.word(5) = widened(size);
  call.word(6) = widened(constant);
  call.word(7) = widened(global);
  call.begin();
  real(modules_, var, hostVar, deviceVar, ext, size, constant, global);
  call.finish(0);
}

extern "C" GRETA_EXPORT void __hipRegisterManagedVar(void* module, void* pointer, void* initValue, void* name, size_t size, unsigned int align) {
  using Function = void (*)(void*, void*, void*, void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterManagedVar, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterManagedVar, GRETA_CALLER, 0);
  if (!call) return real(module, pointer, initValue, name, size, align);
  call.word(0) = widened(module);
  call.word(1) = 0;
  call.word(2) = widened(initValue);
  call.word(3) = text_id(name);
  call.word(4) = widened(size);
  call.word(5) = widened(align);
  call.begin();
  real(module, pointer, initValue, name, size, align);
  call.word(1) = filled<void*>(pointer);
  call.finish(0);
}

extern "C" GRETA_EXPORT void __hipUnregisterFatBinary(void* modules_) {
  using Function = void (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipUnregisterFatBinary, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipUnregisterFatBinary, GRETA_CALLER, 0);
  if (!call) return real(modules_);
  call.word(0) = widened(modules_);
  call.begin();
  real(modules_);
  call.finish(0);
  modules().unloaded(modules_);
}

extern "C" GRETA_EXPORT int __hipPushCallConfiguration(abi::dim3 gridDim, abi::dim3 blockDim, size_t sharedMem, void* stream) {
  using Function = int (*)(abi::dim3, abi::dim3, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipPushCallConfiguration, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipPushCallConfiguration, GRETA_CALLER, 0);
  if (!call) return real(gridDim, blockDim, sharedMem, stream);
  call.word(0) = widened(gridDim.x);
  call.word(1) = widened(gridDim.y);
  call.word(2) = widened(gridDim.z);
  call.word(3) = widened(blockDim.x);
  call.word(4) = widened(blockDim.y);
  call.word(5) = widened(blockDim.z);
  call.word(6) = widened(sharedMem);
  call.word(7) = widened(stream);
  call.begin();
  const auto result = real(gridDim, blockDim, sharedMem, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int __hipPopCallConfiguration(void* gridDim, void* blockDim, void* sharedMem, void* stream) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipPopCallConfiguration, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipPopCallConfiguration, GRETA_CALLER, 0);
  if (!call) return real(gridDim, blockDim, sharedMem, stream);
  call.word(0) = widened(gridDim);
  call.word(1) = widened(blockDim);
  call.word(2) = 0;
  call.word(3) = 0;
  call.begin();
  const auto result = real(gridDim, blockDim, sharedMem, stream);
  if (result == 0) call.word(2) = filled<size_t>(sharedMem);
  if (result == 0) call.word(3) = filled<void*>(stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipConfigureCall(abi::dim3 gridDim, abi::dim3 blockDim, size_t sharedMem, void* stream) {
  using Function = int (*)(abi::dim3, abi::dim3, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipConfigureCall, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipConfigureCall, GRETA_CALLER, 0);
  if (!call) return real(gridDim, blockDim, sharedMem, stream);
  call.word(0) = widened(gridDim.x);
  call.word(1) = widened(gridDim.y);
  call.word(2) = widened(gridDim.z);
  call.word(3) = widened(blockDim.x);
  call.word(4) = widened(blockDim.y);
  call.word(5) = widened(blockDim.z);
  call.word(6) = widened(sharedMem);
  call.word(7) = widened(stream);
  call.begin();
  const auto result = real(gridDim, blockDim, sharedMem, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipSetupArgument(void* arg, size_t size, size_t offset) {
  using Function = int (*)(void*, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipSetupArgument, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipSetupArgument, GRETA_CALLER, 0);
  if (!call) return real(arg, size, offset);
  call.word(0) = widened(arg);
  call.word(1) = widened(size);
  call.word(2) = widened(offset);
  call.begin();
  const auto result = real(arg, size, offset);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchByPtr(void* func) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchByPtr, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLaunchByPtr, GRETA_CALLER, 0);
  if (!call) return real(func);
  call.word(0) = widened(func);
  call.begin();
  const auto result = real(func);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT void __hipRegisterSurface(void* modules_, void* var, void* hostVar, void* deviceVar, int type, int ext) {
  using Function = void (*)(void*, void*, void*, void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterSurface, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterSurface, GRETA_CALLER, 0);
  if (!call) return real(modules_, var, hostVar, deviceVar, type, ext);
  call.word(0) = widened(modules_);
  call.word(1) = widened(var);
  call.word(2) = widened(hostVar);
  call.word(3) = widened(deviceVar);
  call.word(4) = widened(type);
  call.word(5) = widened(ext);
  call.begin();
  real(modules_, var, hostVar, deviceVar, type, ext);
  call.finish(0);
}

extern "C" GRETA_EXPORT void __hipRegisterTexture(void* modules_, void* var, void* hostVar, void* deviceVar, int type, int norm, int ext) {
  using Function = void (*)(void*, void*, void*, void*, int, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::__hipRegisterTexture, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::__hipRegisterTexture, GRETA_CALLER, 0);
  if (!call) return real(modules_, var, hostVar, deviceVar, type, norm, ext);
  call.word(0) = widened(modules_);
  call.word(1) = widened(var);
  call.word(2) = widened(hostVar);
  call.word(3) = widened(deviceVar);
  call.word(4) = widened(type);
  call.word(5) = widened(norm);
  call.word(6) = widened(ext);
  call.begin();
  real(modules_, var, hostVar, deviceVar, type, norm, ext);
  call.finish(0);
}

}  // namespace greta::recorder