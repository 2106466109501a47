// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipGetProcAddress(void* symbol, void* pfn, int hipVersion, unsigned long flags, void* symbolStatus) {
  using Function = int (*)(void*, void*, int, unsigned long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetProcAddress, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetProcAddress, GRETA_CALLER, 0);
  if (!call) return real(symbol, pfn, hipVersion, flags, symbolStatus);
  call.word(0) = text_id(symbol);
  call.word(1) = 0;
  call.word(2) = widened(hipVersion);
  call.word(3) = widened(flags);
  call.word(4) = 0;
  call.begin();
  const auto result = real(symbol, pfn, hipVersion, flags, symbolStatus);
  if (result == 0) call.word(1) = filled<void*>(pfn);
  if (result == 0) call.word(4) = filled<int>(symbolStatus);
  call.finish(result);
  if (result == 0) put_hook_in_place(pfn, symbol);
  return result;
}

extern "C" GRETA_EXPORT int hipGetProcAddress_spt(void* symbol, void* pfn, int hipVersion, unsigned long flags, void* symbolStatus) {
  using Function = int (*)(void*, void*, int, unsigned long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetProcAddress_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetProcAddress_spt, GRETA_CALLER, 0);
  if (!call) return real(symbol, pfn, hipVersion, flags, symbolStatus);
  call.word(0) = text_id(symbol);
  call.word(1) = 0;
  call.word(2) = widened(hipVersion);
  call.word(3) = widened(flags);
  call.word(4) = 0;
  call.begin();
  const auto result = real(symbol, pfn, hipVersion, flags, symbolStatus);
  if (result == 0) call.word(1) = filled<void*>(pfn);
  if (result == 0) call.word(4) = filled<int>(symbolStatus);
  call.finish(result);
  if (result == 0) put_hook_in_place(pfn, symbol);
  return result;
}

extern "C" GRETA_EXPORT int hipGetFuncBySymbol(void* functionPtr, void* symbolPtr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetFuncBySymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetFuncBySymbol, GRETA_CALLER, 0);
  if (!call) return real(functionPtr, symbolPtr);
  call.word(0) = 0;
  call.word(1) = widened(symbolPtr);
  call.begin();
  const auto result = real(functionPtr, symbolPtr);
  if (result == 0) call.word(0) = filled<void*>(functionPtr);
  call.finish(result);
  if (result == 0) modules().same_kernel(filled(functionPtr), symbolPtr);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDriverEntryPoint(void* symbol, void* funcPtr, unsigned long long flags, void* driverStatus) {
  using Function = int (*)(void*, void*, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDriverEntryPoint, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDriverEntryPoint, GRETA_CALLER, 0);
  if (!call) return real(symbol, funcPtr, flags, driverStatus);
  call.word(0) = text_id(symbol);
  call.word(1) = 0;
  call.word(2) = widened(flags);
  call.word(3) = 0;
  call.begin();
  const auto result = real(symbol, funcPtr, flags, driverStatus);
  if (result == 0) call.word(1) = filled<void*>(funcPtr);
  if (result == 0) call.word(3) = filled<int>(driverStatus);
  call.finish(result);
  if (result == 0) put_hook_in_place(funcPtr, symbol);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDriverEntryPoint_spt(void* symbol, void* funcPtr, unsigned long long flags, void* driverStatus) {
  using Function = int (*)(void*, void*, unsigned long long, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDriverEntryPoint_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDriverEntryPoint_spt, GRETA_CALLER, 0);
  if (!call) return real(symbol, funcPtr, flags, driverStatus);
  call.word(0) = text_id(symbol);
  call.word(1) = 0;
  call.word(2) = widened(flags);
  call.word(3) = 0;
  call.begin();
  const auto result = real(symbol, funcPtr, flags, driverStatus);
  if (result == 0) call.word(1) = filled<void*>(funcPtr);
  if (result == 0) call.word(3) = filled<int>(driverStatus);
  call.finish(result);
  if (result == 0) put_hook_in_place(funcPtr, symbol);
  return result;
}

extern "C" GRETA_EXPORT void* hipApiName(unsigned int id) {
  using Function = void* (*)(unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipApiName, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipApiName, GRETA_CALLER, 0);
  if (!call) return real(id);
  call.word(0) = widened(id);
  call.begin();
  const auto result = real(id);
  call.finish(0);
  return result;
}

extern "C" GRETA_EXPORT void* hipKernelNameRef(void* f) {
  using Function = void* (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelNameRef, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelNameRef, GRETA_CALLER, 0);
  if (!call) return real(f);
  call.word(0) = widened(f);
  call.begin();
  const auto result = real(f);
  call.finish(0);
  return result;
}

extern "C" GRETA_EXPORT void* hipKernelNameRefByPtr(void* hostFunction, void* stream) {
  using Function = void* (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelNameRefByPtr, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelNameRefByPtr, GRETA_CALLER, 0);
  if (!call) return real(hostFunction, stream);
  call.word(0) = widened(hostFunction);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(hostFunction, stream);
  call.finish(0);
  return result;
}

}  // namespace greta::recorder