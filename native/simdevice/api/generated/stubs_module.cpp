// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value) {
  greta::api::CallScope call(greta::api::CallId::hipFuncSetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(func, attr, value);
  return call.finish(greta::api::hipFuncSetAttribute(func, attr, value));
}

extern "C" GRETA_EXPORT hipError_t hipModuleGetGlobal(void** dptr, size_t* bytes, hipModule_t hmod, const char* name) {
  greta::api::CallScope call(greta::api::CallId::hipModuleGetGlobal);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(dptr, bytes, hmod, name);
  return call.finish(greta::api::hipModuleGetGlobal(dptr, bytes, hmod, name));
}

extern "C" GRETA_EXPORT hipError_t hipModuleLoad(hipModule_t* module, const char* fname) {
  greta::api::CallScope call(greta::api::CallId::hipModuleLoad);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(module, fname);
  return call.finish(greta::api::hipModuleLoad(module, fname));
}

extern "C" GRETA_EXPORT hipError_t hipModuleUnload(hipModule_t module) {
  greta::api::CallScope call(greta::api::CallId::hipModuleUnload);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(module);
  return call.finish(greta::api::hipModuleUnload(module));
}

extern "C" GRETA_EXPORT hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname) {
  greta::api::CallScope call(greta::api::CallId::hipModuleGetFunction);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(function, module, kname);
  return call.finish(greta::api::hipModuleGetFunction(function, module, kname));
}

extern "C" GRETA_EXPORT hipError_t hipFuncGetAttributes(hipFuncAttributes* attr, const void* func) {
  greta::api::CallScope call(greta::api::CallId::hipFuncGetAttributes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(attr, func);
  return call.finish(greta::api::hipFuncGetAttributes(attr, func));
}

extern "C" GRETA_EXPORT hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc) {
  greta::api::CallScope call(greta::api::CallId::hipFuncGetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(value, attrib, hfunc);
  return call.finish(greta::api::hipFuncGetAttribute(value, attrib, hfunc));
}

extern "C" GRETA_EXPORT hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  greta::api::CallScope call(greta::api::CallId::hipModuleLoadData);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(module, image);
  return call.finish(greta::api::hipModuleLoadData(module, image));
}

extern "C" GRETA_EXPORT hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options, void** optionValues) {
  greta::api::CallScope call(greta::api::CallId::hipModuleLoadDataEx);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(module, image, numOptions, options, optionValues);
  return call.finish(greta::api::hipModuleLoadDataEx(module, image, numOptions, options, optionValues));
}

extern "C" GRETA_EXPORT hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config) {
  greta::api::CallScope call(greta::api::CallId::hipFuncSetCacheConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(func, config);
  return call.finish(greta::api::hipFuncSetCacheConfig(func, config));
}

extern "C" GRETA_EXPORT hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config) {
  greta::api::CallScope call(greta::api::CallId::hipFuncSetSharedMemConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(func, config);
  return call.finish(greta::api::hipFuncSetSharedMemConfig(func, config));
}

extern "C" GRETA_EXPORT hipError_t hipModuleLoadFatBinary(void) {
  return greta::api::not_supported(greta::api::CallId::hipModuleLoadFatBinary);
}

extern "C" GRETA_EXPORT hipError_t hipModuleGetFunctionCount(void) {
  return greta::api::not_supported(greta::api::CallId::hipModuleGetFunctionCount);
}

extern "C" GRETA_EXPORT hipError_t hipLinkAddData(void) {
  return greta::api::not_supported(greta::api::CallId::hipLinkAddData);
}

extern "C" GRETA_EXPORT hipError_t hipLinkAddFile(void) {
  return greta::api::not_supported(greta::api::CallId::hipLinkAddFile);
}

extern "C" GRETA_EXPORT hipError_t hipLinkComplete(void) {
  return greta::api::not_supported(greta::api::CallId::hipLinkComplete);
}

extern "C" GRETA_EXPORT hipError_t hipLinkCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipLinkCreate);
}

extern "C" GRETA_EXPORT hipError_t hipLinkDestroy(void) {
  return greta::api::not_supported(greta::api::CallId::hipLinkDestroy);
}
