// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipFuncSetAttribute(void* func, int attr, int value) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFuncSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFuncSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(func, attr, value);
  call.word(0) = widened(func);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(func, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleGetGlobal(void* dptr, void* bytes, void* hmod, void* name) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleGetGlobal, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleGetGlobal, GRETA_CALLER, 0);
  if (!call) return real(dptr, bytes, hmod, name);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(hmod);
  call.word(3) = text_id(name);
  call.begin();
  const auto result = real(dptr, bytes, hmod, name);
  if (result == 0) call.word(0) = filled<void*>(dptr);
  if (result == 0) call.word(1) = filled<size_t>(bytes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLoad(void* module, void* fname) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLoad, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleLoad, GRETA_CALLER, 0);
  if (!call) return real(module, fname);
  call.word(0) = 0;
  call.word(1) = text_id(fname);
  call.begin();
  const auto result = real(module, fname);
  if (result == 0) call.word(0) = filled<void*>(module);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_MODULE, call.word(0), 0, 0);
  if (result == 0) modules().loaded_file(filled(module), fname);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleUnload(void* module) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleUnload, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleUnload, GRETA_CALLER, 0);
  if (!call) return real(module);
  call.word(0) = widened(module);
  const auto ended = live().end(module);
  call.begin();
  const auto result = real(module);
  call.finish(result);
  live().settle(ended, result == 0);
  if (result == 0) modules().unloaded(module);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleGetFunction(void* function, void* module, void* kname) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleGetFunction, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleGetFunction, GRETA_CALLER, 0);
  if (!call) return real(function, module, kname);
  call.word(0) = 0;
  call.word(1) = widened(module);
  call.word(2) = text_id(kname);
  call.begin();
  const auto result = real(function, module, kname);
  if (result == 0) call.word(0) = filled<void*>(function);
  call.finish(result);
  if (result == 0) modules().found_function(filled(function), module, kname);
  return result;
}

extern "C" GRETA_EXPORT int hipFuncGetAttributes(void* attr, void* func) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFuncGetAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFuncGetAttributes, GRETA_CALLER, 0);
  if (!call) return real(attr, func);
  call.word(0) = widened(attr);
  call.word(1) = widened(func);
  call.begin();
  const auto result = real(attr, func);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipFuncGetAttribute(void* value, int attrib, void* hfunc) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFuncGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFuncGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(value, attrib, hfunc);
  call.word(0) = 0;
  call.word(1) = widened(attrib);
  call.word(2) = widened(hfunc);
  call.begin();
  const auto result = real(value, attrib, hfunc);
  if (result == 0) call.word(0) = filled<int>(value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLoadData(void* module, void* image) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLoadData, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleLoadData, GRETA_CALLER, 0);
  if (!call) return real(module, image);
  call.word(0) = 0;
  call.word(1) = widened(image);
  call.begin();
  const auto result = real(module, image);
  if (result == 0) call.word(0) = filled<void*>(module);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_MODULE, call.word(0), 0, 0);
  if (result == 0) modules().loaded(filled(module), image);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLoadDataEx(void* module, void* image, unsigned int numOptions, void* options, void* optionValues) {
  using Function = int (*)(void*, void*, unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLoadDataEx, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleLoadDataEx, GRETA_CALLER, 0);
  if (!call) return real(module, image, numOptions, options, optionValues);
  call.word(0) = 0;
  call.word(1) = widened(image);
  call.word(2) = widened(numOptions);
  call.word(3) = widened(options);
  call.word(4) = widened(optionValues);
  call.begin();
  const auto result = real(module, image, numOptions, options, optionValues);
  if (result == 0) call.word(0) = filled<void*>(module);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_MODULE, call.word(0), 0, 0);
  if (result == 0) modules().loaded(filled(module), image);
  return result;
}

extern "C" GRETA_EXPORT int hipFuncSetCacheConfig(void* func, int config) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFuncSetCacheConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFuncSetCacheConfig, GRETA_CALLER, 0);
  if (!call) return real(func, config);
  call.word(0) = widened(func);
  call.word(1) = widened(config);
  call.begin();
  const auto result = real(func, config);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipFuncSetSharedMemConfig(void* func, int config) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipFuncSetSharedMemConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipFuncSetSharedMemConfig, GRETA_CALLER, 0);
  if (!call) return real(func, config);
  call.word(0) = widened(func);
  call.word(1) = widened(config);
  call.begin();
  const auto result = real(func, config);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLoadFatBinary(void* module, void* fatbin) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLoadFatBinary, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleLoadFatBinary, GRETA_CALLER, 0);
  if (!call) return real(module, fatbin);
  call.word(0) = 0;
  call.word(1) = widened(fatbin);
  call.begin();
  const auto result = real(module, fatbin);
  if (result == 0) call.word(0) = filled<void*>(module);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_MODULE, call.word(0), 0, 0);
  if (result == 0) modules().loaded(filled(module), fatbin);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleGetFunctionCount(void* count, void* mod) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleGetFunctionCount, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleGetFunctionCount, GRETA_CALLER, 0);
  if (!call) return real(count, mod);
  call.word(0) = 0;
  call.word(1) = widened(mod);
  call.begin();
  const auto result = real(count, mod);
  if (result == 0) call.word(0) = filled<unsigned int>(count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLinkAddData(void* state, int type, void* data, size_t size, void* name, unsigned int numOptions, void* options, void* optionValues) {
  using Function = int (*)(void*, int, void*, size_t, void*, unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLinkAddData, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLinkAddData, GRETA_CALLER, 0);
  if (!call) return real(state, type, data, size, name, numOptions, options, optionValues);
  call.word(0) = widened(state);
  call.word(1) = widened(type);
  call.word(2) = widened(data);
  call.word(3) = widened(size);
  call.word(4) = text_id(name);
  call.word(5) = widened(numOptions);
  call.word(6) = widened(options);
  call.word(7) = widened(optionValues);
  call.begin();
  const auto result = real(state, type, data, size, name, numOptions, options, optionValues);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLinkAddFile(void* state, int type, void* path, unsigned int numOptions, void* options, void* optionValues) {
  using Function = int (*)(void*, int, void*, unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLinkAddFile, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLinkAddFile, GRETA_CALLER, 0);
  if (!call) return real(state, type, path, numOptions, options, optionValues);
  call.word(0) = widened(state);
  call.word(1) = widened(type);
  call.word(2) = text_id(path);
  call.word(3) = widened(numOptions);
  call.word(4) = widened(options);
  call.word(5) = widened(optionValues);
  call.begin();
  const auto result = real(state, type, path, numOptions, options, optionValues);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLinkComplete(void* state, void* hipBinOut, void* sizeOut) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLinkComplete, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLinkComplete, GRETA_CALLER, 0);
  if (!call) return real(state, hipBinOut, sizeOut);
  call.word(0) = widened(state);
  call.word(1) = 0;
  call.word(2) = 0;
  call.begin();
  const auto result = real(state, hipBinOut, sizeOut);
  if (result == 0) call.word(1) = filled<void*>(hipBinOut);
  if (result == 0) call.word(2) = filled<size_t>(sizeOut);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLinkCreate(unsigned int numOptions, void* options, void* optionValues, void* stateOut) {
  using Function = int (*)(unsigned int, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLinkCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLinkCreate, GRETA_CALLER, 0);
  if (!call) return real(numOptions, options, optionValues, stateOut);
  call.word(0) = widened(numOptions);
  call.word(1) = widened(options);
  call.word(2) = widened(optionValues);
  call.word(3) = 0;
  call.begin();
  const auto result = real(numOptions, options, optionValues, stateOut);
  if (result == 0) call.word(3) = filled<void*>(stateOut);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLinkDestroy(void* state) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLinkDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLinkDestroy, GRETA_CALLER, 0);
  if (!call) return real(state);
  call.word(0) = widened(state);
  call.begin();
  const auto result = real(state);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder