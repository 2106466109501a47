// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipKernelSetAttribute(int attrib, int value, void* kernel, int dev) {
  using Function = int (*)(int, int, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(attrib, value, kernel, dev);
  call.word(0) = widened(attrib);
  call.word(1) = widened(value);
  call.word(2) = widened(kernel);
  call.word(3) = widened(dev);
  call.begin();
  const auto result = real(attrib, value, kernel, dev);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipKernelGetFunction(void* pFunc, void* kernel) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelGetFunction, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelGetFunction, GRETA_CALLER, 0);
  if (!call) return real(pFunc, kernel);
  call.word(0) = 0;
  call.word(1) = widened(kernel);
  call.begin();
  const auto result = real(pFunc, kernel);
  if (result == 0) call.word(0) = filled<void*>(pFunc);
  call.finish(result);
  if (result == 0) modules().same_kernel(filled(pFunc), kernel);
  return result;
}

extern "C" GRETA_EXPORT int hipKernelGetAttribute(void* pi, int attrib, void* kernel, int dev) {
  using Function = int (*)(void*, int, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(pi, attrib, kernel, dev);
  call.word(0) = 0;
  call.word(1) = widened(attrib);
  call.word(2) = widened(kernel);
  call.word(3) = widened(dev);
  call.begin();
  const auto result = real(pi, attrib, kernel, dev);
  if (result == 0) call.word(0) = filled<int>(pi);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryLoadData(void* library, void* code, void* jitOptions, void* jitOptionsValues, unsigned int numJitOptions, void* libraryOptions, void* libraryOptionValues, unsigned int numLibraryOptions) {
  using Function = int (*)(void*, void*, void*, void*, unsigned int, void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryLoadData, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryLoadData, GRETA_CALLER, 0);
  if (!call) return real(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
  call.word(0) = 0;
  call.word(1) = widened(code);
  call.word(2) = widened(jitOptions);
  call.word(3) = widened(jitOptionsValues);
  call.word(4) = widened(numJitOptions);
  call.word(5) = widened(libraryOptions);
  call.word(6) = widened(libraryOptionValues);
  call.word(7) = widened(numLibraryOptions);
  call.begin();
  const auto result = real(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
  if (result == 0) call.word(0) = filled<void*>(library);
  call.finish(result);
  if (result == 0) modules().loaded(filled(library), code);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryLoadFromFile(void* library, void* fileName, void* jitOptions, void* jitOptionsValues, unsigned int numJitOptions, void* libraryOptions, void* libraryOptionValues, unsigned int numLibraryOptions) {
  using Function = int (*)(void*, void*, void*, void*, unsigned int, void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryLoadFromFile, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryLoadFromFile, GRETA_CALLER, 0);
  if (!call) return real(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
  call.word(0) = 0;
  call.word(1) = text_id(fileName);
  call.word(2) = widened(jitOptions);
  call.word(3) = widened(jitOptionsValues);
  call.word(4) = widened(numJitOptions);
  call.word(5) = widened(libraryOptions);
  call.word(6) = widened(libraryOptionValues);
  call.word(7) = widened(numLibraryOptions);
  call.begin();
  const auto result = real(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
  if (result == 0) call.word(0) = filled<void*>(library);
  call.finish(result);
  if (result == 0) modules().loaded_file(filled(library), fileName);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryUnload(void* library) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryUnload, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryUnload, GRETA_CALLER, 0);
  if (!call) return real(library);
  call.word(0) = widened(library);
  call.begin();
  const auto result = real(library);
  call.finish(result);
  if (result == 0) modules().unloaded(library);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryGetKernel(void* pKernel, void* library, void* name) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryGetKernel, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryGetKernel, GRETA_CALLER, 0);
  if (!call) return real(pKernel, library, name);
  call.word(0) = 0;
  call.word(1) = widened(library);
  call.word(2) = text_id(name);
  call.begin();
  const auto result = real(pKernel, library, name);
  if (result == 0) call.word(0) = filled<void*>(pKernel);
  call.finish(result);
  if (result == 0) modules().found_function(filled(pKernel), library, name);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryGetKernelCount(void* count, void* library) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryGetKernelCount, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryGetKernelCount, GRETA_CALLER, 0);
  if (!call) return real(count, library);
  call.word(0) = 0;
  call.word(1) = widened(library);
  call.begin();
  const auto result = real(count, library);
  if (result == 0) call.word(0) = filled<unsigned int>(count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryGetGlobal(void* dptr, void* bytes, void* library, void* name) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryGetGlobal, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryGetGlobal, GRETA_CALLER, 0);
  if (!call) return real(dptr, bytes, library, name);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(library);
  call.word(3) = text_id(name);
  call.begin();
  const auto result = real(dptr, bytes, library, name);
  if (result == 0) call.word(0) = filled<void*>(dptr);
  if (result == 0) call.word(1) = filled<size_t>(bytes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryGetManaged(void* dptr, void* bytes, void* library, void* name) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryGetManaged, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryGetManaged, GRETA_CALLER, 0);
  if (!call) return real(dptr, bytes, library, name);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(library);
  call.word(3) = text_id(name);
  call.begin();
  const auto result = real(dptr, bytes, library, name);
  if (result == 0) call.word(0) = filled<void*>(dptr);
  if (result == 0) call.word(1) = filled<size_t>(bytes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLibraryEnumerateKernels(void* kernels, unsigned int numKernels, void* library) {
  using Function = int (*)(void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLibraryEnumerateKernels, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLibraryEnumerateKernels, GRETA_CALLER, 0);
  if (!call) return real(kernels, numKernels, library);
  call.word(0) = 0;
  call.word(1) = widened(numKernels);
  call.word(2) = widened(library);
  call.begin();
  const auto result = real(kernels, numKernels, library);
  if (result == 0) call.word(0) = filled<void*>(kernels);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipKernelGetLibrary(void* library, void* kernel) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelGetLibrary, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelGetLibrary, GRETA_CALLER, 0);
  if (!call) return real(library, kernel);
  call.word(0) = 0;
  call.word(1) = widened(kernel);
  call.begin();
  const auto result = real(library, kernel);
  if (result == 0) call.word(0) = filled<void*>(library);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipKernelGetName(void* name, void* kernel) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelGetName, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelGetName, GRETA_CALLER, 0);
  if (!call) return real(name, kernel);
  call.word(0) = widened(name);
  call.word(1) = widened(kernel);
  call.begin();
  const auto result = real(name, kernel);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipKernelGetParamInfo(void* kernel, size_t paramIndex, void* paramOffset, void* paramSize) {
  using Function = int (*)(void*, size_t, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipKernelGetParamInfo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipKernelGetParamInfo, GRETA_CALLER, 0);
  if (!call) return real(kernel, paramIndex, paramOffset, paramSize);
  call.word(0) = widened(kernel);
  call.word(1) = widened(paramIndex);
  call.word(2) = 0;
  call.word(3) = 0;
  call.begin();
  const auto result = real(kernel, paramIndex, paramOffset, paramSize);
  if (result == 0) call.word(2) = filled<size_t>(paramOffset);
  if (result == 0) call.word(3) = filled<size_t>(paramSize);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder