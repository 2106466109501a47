// Libraries: modules by another name. A kernel of one is a function of its module.
#include <algorithm>

#include "api/function_handles.h"
#include "api/generated/impl.h"

namespace greta::api {
namespace {

hipModule_t module_of(hipLibrary_t library) { return reinterpret_cast<hipModule_t>(library); }

hipFunction_t function_of(hipKernel_t kernel) { return reinterpret_cast<hipFunction_t>(kernel); }

// Options change how code is compiled; what there is here is compiled already.
template <typename Load>
hipError_t load(hipLibrary_t* out, Load load_module) {
  if (!out) return hipErrorInvalidValue;
  hipModule_t module = nullptr;
  const hipError_t error = load_module(&module);
  *out = reinterpret_cast<hipLibrary_t>(module);
  return error;
}

}  // namespace

hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption*, void**,
                              unsigned int, hipLibraryOption*, void**, unsigned int) {
  return load(library, [&](hipModule_t* module) { return api::hipModuleLoadData(module, code); });
}

hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* path, hipJitOption*, void**,
                                  unsigned int, hipLibraryOption*, void**, unsigned int) {
  return load(library, [&](hipModule_t* module) { return api::hipModuleLoad(module, path); });
}

hipError_t hipLibraryUnload(hipLibrary_t library) {
  return api::hipModuleUnload(module_of(library));
}

hipError_t hipLibraryGetKernel(hipKernel_t* kernel, hipLibrary_t library, const char* name) {
  return api::hipModuleGetFunction(reinterpret_cast<hipFunction_t*>(kernel), module_of(library),
                                   name);
}

hipError_t hipLibraryGetKernelCount(unsigned int* count, hipLibrary_t library) {
  return api::hipModuleGetFunctionCount(count, module_of(library));
}

hipError_t hipLibraryEnumerateKernels(hipKernel_t* kernels, unsigned int room,
                                      hipLibrary_t library) {
  std::vector<std::string> names;
  if (!kernels || room == 0) return hipErrorInvalidValue;
  if (!kernels_of(module_of(library), &names)) return hipErrorInvalidHandle;
  const size_t count = std::min<size_t>(room, names.size());
  for (size_t i = 0; i < count; ++i) {
    const hipError_t error = api::hipLibraryGetKernel(&kernels[i], library, names[i].c_str());
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

hipError_t hipLibraryGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipLibrary_t library,
                               const char* name) {
  return api::hipModuleGetGlobal(address, bytes, module_of(library), name);
}

hipError_t hipKernelGetFunction(hipFunction_t* function, hipKernel_t kernel) {
  if (!function) return hipErrorInvalidValue;
  if (!function_from_handle(function_of(kernel))) return hipErrorInvalidHandle;
  *function = function_of(kernel);
  return hipSuccess;
}

hipError_t hipKernelGetLibrary(hipLibrary_t* library, hipKernel_t kernel) {
  const sim::FunctionRef function = function_from_handle(function_of(kernel));
  if (!library) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidHandle;
  *library = reinterpret_cast<hipLibrary_t>(function->module);
  return hipSuccess;
}

hipError_t hipKernelGetName(const char** name, hipKernel_t kernel) {
  const sim::FunctionRef function = function_from_handle(function_of(kernel));
  if (!name) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidHandle;
  *name = function->kernel->name.c_str();
  return hipSuccess;
}

hipError_t hipKernelGetParamInfo(hipKernel_t kernel, size_t index, size_t* offset, size_t* bytes) {
  const sim::FunctionRef function = function_from_handle(function_of(kernel));
  if (!function) return hipErrorInvalidHandle;
  if (!offset) return hipErrorInvalidValue;
  size_t at = 0;
  for (const sim::KernelArgument& argument : function->kernel->arguments) {
    if (argument.kind == sim::ArgumentKind::hidden || at++ != index) continue;
    *offset = argument.offset;
    if (bytes) *bytes = argument.bytes;
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

hipError_t hipKernelGetAttribute(int* value, hipFunction_attribute attribute, hipKernel_t kernel,
                                 int) {
  return api::hipFuncGetAttribute(value, attribute, function_of(kernel));
}

hipError_t hipKernelSetAttribute(hipFunction_attribute attribute, int value, hipKernel_t kernel,
                                 int) {
  return api::hipFuncSetAttribute(kernel, static_cast<hipFuncAttribute>(attribute), value);
}

}  // namespace greta::api
