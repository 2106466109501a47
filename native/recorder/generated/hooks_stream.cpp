// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipStreamCreate(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamCreate, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = 0;
  call.begin();
  const auto result = real(stream);
  if (result == 0) call.word(0) = filled<void*>(stream);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_STREAM, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamCreateWithFlags(void* stream, unsigned int flags) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamCreateWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamCreateWithFlags, GRETA_CALLER, 0);
  if (!call) return real(stream, flags);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(stream, flags);
  if (result == 0) call.word(0) = filled<void*>(stream);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_STREAM, call.word(0), 0, call.word(1));
  if (g_added_work) {
    if (result == 0) stream_was_made(filled(stream), flags);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamCreateWithPriority(void* stream, unsigned int flags, int priority) {
  using Function = int (*)(void*, unsigned int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamCreateWithPriority, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamCreateWithPriority, GRETA_CALLER, 0);
  if (!call) return real(stream, flags, priority);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.word(2) = widened(priority);
  call.begin();
  const auto result = real(stream, flags, priority);
  if (result == 0) call.word(0) = filled<void*>(stream);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_STREAM, call.word(0), 0, call.word(1));
  if (g_added_work) {
    if (result == 0) stream_was_made(filled(stream), flags);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamDestroy(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamDestroy, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  const auto ended = live().end(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  live().settle(ended, result == 0);
  if (g_added_work) {
    if (result == 0) stream_is_gone(stream);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamQuery(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamQuery, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamQuery, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(stream);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamQuery_spt(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamQuery_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamQuery_spt, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(stream));
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamSynchronize(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamSynchronize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamSynchronize, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(stream);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamSynchronize_spt(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamSynchronize_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamSynchronize_spt, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_was_waited_for(own_stream(stream));
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWaitEvent(void* stream, void* event, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWaitEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWaitEvent, GRETA_CALLER, 0);
  if (!call) return real(stream, event, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(event);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(stream, event, flags);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_will_wait(stream, event);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWaitEvent_spt(void* stream, void* event, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWaitEvent_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWaitEvent_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, event, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(event);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(stream, event, flags);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) stream_will_wait(own_stream(stream), event);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetFlags(void* stream, void* flags) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetFlags, GRETA_CALLER, 0);
  if (!call) return real(stream, flags);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, flags);
  if (result == 0) call.word(1) = filled<unsigned int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetFlags_spt(void* stream, void* flags) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetFlags_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetFlags_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, flags);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, flags);
  if (result == 0) call.word(1) = filled<unsigned int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetPriority(void* stream, void* priority) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetPriority, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetPriority, GRETA_CALLER, 0);
  if (!call) return real(stream, priority);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, priority);
  if (result == 0) call.word(1) = filled<int>(priority);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetPriority_spt(void* stream, void* priority) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetPriority_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetPriority_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, priority);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, priority);
  if (result == 0) call.word(1) = filled<int>(priority);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetDevice(void* stream, void* device) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetDevice, GRETA_CALLER, 0);
  if (!call) return real(stream, device);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, device);
  if (result == 0) call.word(1) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamAddCallback(void* stream, void* callback, void* userData, unsigned int flags) {
  using Function = int (*)(void*, void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamAddCallback, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamAddCallback, GRETA_CALLER, 0);
  if (!call) return real(stream, callback, userData, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(callback);
  call.word(2) = widened(userData);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, callback, userData, flags);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamAddCallback_spt(void* stream, void* callback, void* userData, unsigned int flags) {
  using Function = int (*)(void*, void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamAddCallback_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamAddCallback_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, callback, userData, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(callback);
  call.word(2) = widened(userData);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, callback, userData, flags);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchHostFunc(void* stream, void* fn, void* userData) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchHostFunc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLaunchHostFunc, GRETA_CALLER, 0);
  if (!call) return real(stream, fn, userData);
  call.word(0) = widened(stream);
  call.word(1) = widened(fn);
  call.word(2) = widened(userData);
  call.begin();
  const auto result = real(stream, fn, userData);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchHostFunc_spt(void* stream, void* fn, void* userData) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchHostFunc_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLaunchHostFunc_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, fn, userData);
  call.word(0) = widened(stream);
  call.word(1) = widened(fn);
  call.word(2) = widened(userData);
  call.begin();
  const auto result = real(stream, fn, userData);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetId(void* stream, void* streamId) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetId, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetId, GRETA_CALLER, 0);
  if (!call) return real(stream, streamId);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, streamId);
  if (result == 0) call.word(1) = filled<unsigned long long>(streamId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtStreamCreateWithCUMask(void* stream, unsigned int cuMaskSize, void* cuMask) {
  using Function = int (*)(void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtStreamCreateWithCUMask, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtStreamCreateWithCUMask, GRETA_CALLER, 0);
  if (!call) return real(stream, cuMaskSize, cuMask);
  call.word(0) = 0;
  call.word(1) = widened(cuMaskSize);
  call.word(2) = widened(cuMask);
  call.begin();
  const auto result = real(stream, cuMaskSize, cuMask);
  if (result == 0) call.word(0) = filled<void*>(stream);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_STREAM, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWaitValue32(void* stream, void* ptr, unsigned int value, unsigned int flags, unsigned int mask) {
  using Function = int (*)(void*, void*, unsigned int, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWaitValue32, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWaitValue32, GRETA_CALLER, 0);
  if (!call) return real(stream, ptr, value, flags, mask);
  call.word(0) = widened(stream);
  call.word(1) = widened(ptr);
  call.word(2) = widened(value);
  call.word(3) = widened(flags);
  call.word(4) = widened(mask);
  call.begin();
  const auto result = real(stream, ptr, value, flags, mask);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWaitValue64(void* stream, void* ptr, unsigned long value, unsigned int flags, unsigned long mask) {
  using Function = int (*)(void*, void*, unsigned long, unsigned int, unsigned long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWaitValue64, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWaitValue64, GRETA_CALLER, 0);
  if (!call) return real(stream, ptr, value, flags, mask);
  call.word(0) = widened(stream);
  call.word(1) = widened(ptr);
  call.word(2) = widened(value);
  call.word(3) = widened(flags);
  call.word(4) = widened(mask);
  call.begin();
  const auto result = real(stream, ptr, value, flags, mask);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWriteValue32(void* stream, void* ptr, unsigned int value, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWriteValue32, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWriteValue32, GRETA_CALLER, 0);
  if (!call) return real(stream, ptr, value, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(ptr);
  call.word(2) = widened(value);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, ptr, value, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamWriteValue64(void* stream, void* ptr, unsigned long value, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned long, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamWriteValue64, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamWriteValue64, GRETA_CALLER, 0);
  if (!call) return real(stream, ptr, value, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(ptr);
  call.word(2) = widened(value);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, ptr, value, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetStreamDeviceId(void* stream) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetStreamDeviceId, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetStreamDeviceId, GRETA_CALLER, 0);
  if (!call) return real(stream);
  call.word(0) = widened(stream);
  call.begin();
  const auto result = real(stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtStreamGetCUMask(void* stream, unsigned int cuMaskSize, void* cuMask) {
  using Function = int (*)(void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtStreamGetCUMask, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtStreamGetCUMask, GRETA_CALLER, 0);
  if (!call) return real(stream, cuMaskSize, cuMask);
  call.word(0) = widened(stream);
  call.word(1) = widened(cuMaskSize);
  call.word(2) = 0;
  call.begin();
  const auto result = real(stream, cuMaskSize, cuMask);
  if (result == 0) call.word(2) = filled<unsigned int>(cuMask);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamSetAttribute(void* stream, int attr, void* value) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(stream, attr, value);
  call.word(0) = widened(stream);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(stream, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetAttribute(void* stream, int attr, void* value_out) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(stream, attr, value_out);
  call.word(0) = widened(stream);
  call.word(1) = widened(attr);
  call.word(2) = widened(value_out);
  call.begin();
  const auto result = real(stream, attr, value_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamCopyAttributes(void* dst, void* src) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamCopyAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamCopyAttributes, GRETA_CALLER, 0);
  if (!call) return real(dst, src);
  call.word(0) = widened(dst);
  call.word(1) = widened(src);
  call.begin();
  const auto result = real(dst, src);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamBatchMemOp(void* stream, unsigned int count, void* paramArray, unsigned int flags) {
  using Function = int (*)(void*, unsigned int, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamBatchMemOp, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamBatchMemOp, GRETA_CALLER, 0);
  if (!call) return real(stream, count, paramArray, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(count);
  call.word(2) = widened(paramArray);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(stream, count, paramArray, flags);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder