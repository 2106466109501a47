// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipGetLastError() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetLastError, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetLastError, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtGetLastError() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtGetLastError, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtGetLastError, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipPeekAtLastError() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipPeekAtLastError, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipPeekAtLastError, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT void* hipGetErrorName(int hip_error) {
  using Function = void* (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetErrorName, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetErrorName, GRETA_CALLER, 0);
  if (!call) return real(hip_error);
  call.word(0) = widened(hip_error);
  call.begin();
  const auto result = real(hip_error);
  call.finish(0);
  return result;
}

extern "C" GRETA_EXPORT void* hipGetErrorString(int hipError) {
  using Function = void* (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetErrorString, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetErrorString, GRETA_CALLER, 0);
  if (!call) return real(hipError);
  call.word(0) = widened(hipError);
  call.begin();
  const auto result = real(hipError);
  call.finish(0);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGetErrorName(int hipError, void* errorString) {
  using Function = int (*)(int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGetErrorName, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGetErrorName, GRETA_CALLER, 0);
  if (!call) return real(hipError, errorString);
  call.word(0) = widened(hipError);
  call.word(1) = widened(errorString);
  call.begin();
  const auto result = real(hipError, errorString);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGetErrorString(int hipError, void* errorString) {
  using Function = int (*)(int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGetErrorString, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGetErrorString, GRETA_CALLER, 0);
  if (!call) return real(hipError, errorString);
  call.word(0) = widened(hipError);
  call.word(1) = widened(errorString);
  call.begin();
  const auto result = real(hipError, errorString);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder