// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipProfilerStart() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipProfilerStart, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipProfilerStart, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipProfilerStop() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipProfilerStop, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipProfilerStop, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  return result;
}

}  // namespace greta::recorder