// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipExtEnableLogging() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtEnableLogging, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtEnableLogging, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtDisableLogging() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtDisableLogging, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtDisableLogging, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask) {
  using Function = int (*)(size_t, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtSetLoggingParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtSetLoggingParams, GRETA_CALLER, 0);
  if (!call) return real(log_level, log_size, log_mask);
  call.word(0) = widened(log_level);
  call.word(1) = widened(log_size);
  call.word(2) = widened(log_mask);
  call.begin();
  const auto result = real(log_level, log_size, log_mask);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipRegisterApiCallback(unsigned int id, void* fun, void* arg) {
  using Function = int (*)(unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipRegisterApiCallback, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipRegisterApiCallback, GRETA_CALLER, 0);
  if (!call) return real(id, fun, arg);
  call.word(0) = widened(id);
  call.word(1) = widened(fun);
  call.word(2) = widened(arg);
  call.begin();
  const auto result = real(id, fun, arg);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipRemoveApiCallback(unsigned int id) {
  using Function = int (*)(unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipRemoveApiCallback, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipRemoveApiCallback, GRETA_CALLER, 0);
  if (!call) return real(id);
  call.word(0) = widened(id);
  call.begin();
  const auto result = real(id);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipRegisterActivityCallback(unsigned int id, void* fun, void* arg) {
  using Function = int (*)(unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipRegisterActivityCallback, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipRegisterActivityCallback, GRETA_CALLER, 0);
  if (!call) return real(id, fun, arg);
  call.word(0) = widened(id);
  call.word(1) = widened(fun);
  call.word(2) = widened(arg);
  call.begin();
  const auto result = real(id, fun, arg);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipRemoveActivityCallback(unsigned int id) {
  using Function = int (*)(unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipRemoveActivityCallback, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipRemoveActivityCallback, GRETA_CALLER, 0);
  if (!call) return real(id);
  call.word(0) = widened(id);
  call.begin();
  const auto result = real(id);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder