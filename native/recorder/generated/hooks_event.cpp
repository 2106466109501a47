// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipEventCreateWithFlags(void* event, unsigned int flags) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventCreateWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventCreateWithFlags, GRETA_CALLER, 0);
  if (!call) return real(event, flags);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(event, flags);
  if (result == 0) call.word(0) = filled<void*>(event);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_EVENT, call.word(0), 0, call.word(1));
  return result;
}

extern "C" GRETA_EXPORT int hipEventCreate(void* event) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventCreate, GRETA_CALLER, 0);
  if (!call) return real(event);
  call.word(0) = 0;
  call.begin();
  const auto result = real(event);
  if (result == 0) call.word(0) = filled<void*>(event);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_EVENT, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipEventRecord(void* event, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventRecord, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventRecord, GRETA_CALLER, 0);
  if (!call) return real(event, stream);
  call.word(0) = widened(event);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(event, stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) event_was_recorded(event, stream);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipEventRecord_spt(void* event, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventRecord_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventRecord_spt, GRETA_CALLER, 0);
  if (!call) return real(event, stream);
  call.word(0) = widened(event);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(event, stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) event_was_recorded(event, own_stream(stream));
  }
  return result;
}

extern "C" GRETA_EXPORT int hipEventDestroy(void* event) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventDestroy, GRETA_CALLER, 0);
  if (!call) return real(event);
  call.word(0) = widened(event);
  const auto ended = live().end(event);
  call.begin();
  const auto result = real(event);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipEventSynchronize(void* event) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventSynchronize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventSynchronize, GRETA_CALLER, 0);
  if (!call) return real(event);
  call.word(0) = widened(event);
  call.begin();
  const auto result = real(event);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) event_was_waited_for(event);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipEventElapsedTime(void* ms, void* start, void* stop) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventElapsedTime, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventElapsedTime, GRETA_CALLER, 0);
  if (!call) return real(ms, start, stop);
  call.word(0) = 0;
  call.word(1) = widened(start);
  call.word(2) = widened(stop);
  call.begin();
  const auto result = real(ms, start, stop);
  if (result == 0) call.word(0) = filled<float>(ms);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipEventQuery(void* event) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventQuery, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventQuery, GRETA_CALLER, 0);
  if (!call) return real(event);
  call.word(0) = widened(event);
  call.begin();
  const auto result = real(event);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) event_was_waited_for(event);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipEventRecordWithFlags(void* event, void* stream, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipEventRecordWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipEventRecordWithFlags, GRETA_CALLER, 0);
  if (!call) return real(event, stream, flags);
  call.word(0) = widened(event);
  call.word(1) = widened(stream);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(event, stream, flags);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) event_was_recorded(event, stream);
  }
  return result;
}

}  // namespace greta::recorder