// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipIpcGetMemHandle(void* handle, void* devPtr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipIpcGetMemHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipIpcGetMemHandle, GRETA_CALLER, 0);
  if (!call) return real(handle, devPtr);
  call.word(0) = widened(handle);
  call.word(1) = widened(devPtr);
  call.begin();
  const auto result = real(handle, devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipIpcOpenMemHandle(void* devPtr, abi::hipIpcMemHandle_t handle, unsigned int flags) {
  using Function = int (*)(void*, abi::hipIpcMemHandle_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipIpcOpenMemHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipIpcOpenMemHandle, GRETA_CALLER, 0);
  if (!call) return real(devPtr, handle, flags);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(devPtr, handle, flags);
  if (result == 0) call.word(0) = filled<void*>(devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipIpcCloseMemHandle(void* devPtr) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipIpcCloseMemHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipIpcCloseMemHandle, GRETA_CALLER, 0);
  if (!call) return real(devPtr);
  call.word(0) = widened(devPtr);
  call.begin();
  const auto result = real(devPtr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipIpcGetEventHandle(void* handle, void* event) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipIpcGetEventHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipIpcGetEventHandle, GRETA_CALLER, 0);
  if (!call) return real(handle, event);
  call.word(0) = widened(handle);
  call.word(1) = widened(event);
  call.begin();
  const auto result = real(handle, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipIpcOpenEventHandle(void* event, abi::hipIpcEventHandle_t handle) {
  using Function = int (*)(void*, abi::hipIpcEventHandle_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipIpcOpenEventHandle, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipIpcOpenEventHandle, GRETA_CALLER, 0);
  if (!call) return real(event, handle);
  call.word(0) = 0;
  call.begin();
  const auto result = real(event, handle);
  if (result == 0) call.word(0) = filled<void*>(event);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder