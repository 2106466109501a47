// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra) {
  greta::api::CallScope call(greta::api::CallId::hipModuleLaunchKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra);
  return call.finish(greta::api::hipModuleLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  return call.finish(greta::api::hipLaunchKernel(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchKernel_spt(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchKernel_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  return call.finish(greta::api::hipLaunchKernel(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipExtLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
  greta::api::CallScope call(greta::api::CallId::hipExtLaunchKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent, stopEvent, flags);
  return call.finish(greta::api::hipExtLaunchKernel(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent, stopEvent, flags));
}

extern "C" GRETA_EXPORT hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams) {
  greta::api::CallScope call(greta::api::CallId::hipModuleLaunchCooperativeKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams);
  return call.finish(greta::api::hipModuleLaunchCooperativeKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchCooperativeKernel(const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams, unsigned int sharedMemBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchCooperativeKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  return call.finish(greta::api::hipLaunchCooperativeKernel(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchCooperativeKernel_spt(const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams, unsigned int sharedMemBytes, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchCooperativeKernel_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  return call.finish(greta::api::hipLaunchCooperativeKernel(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* fPtr, void** args) {
  greta::api::CallScope call(greta::api::CallId::hipLaunchKernelExC);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(config, fPtr, args);
  return call.finish(greta::api::hipLaunchKernelExC(config, fPtr, args));
}

extern "C" GRETA_EXPORT hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t f, void** params, void** extra) {
  greta::api::CallScope call(greta::api::CallId::hipDrvLaunchKernelEx);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(config, f, params, extra);
  return call.finish(greta::api::hipDrvLaunchKernelEx(config, f, params, extra));
}

extern "C" GRETA_EXPORT hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t flags) {
  greta::api::CallScope call(greta::api::CallId::hipExtModuleLaunchKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
  return call.finish(greta::api::hipExtModuleLaunchKernel(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags));
}
extern "C" GRETA_EXPORT hipError_t _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t flags)
    __attribute__((alias("hipExtModuleLaunchKernel")));

extern "C" GRETA_EXPORT hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent) {
  greta::api::CallScope call(greta::api::CallId::hipHccModuleLaunchKernel);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent);
  return call.finish(greta::api::hipHccModuleLaunchKernel(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent));
}
extern "C" GRETA_EXPORT hipError_t _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent)
    __attribute__((alias("hipHccModuleLaunchKernel")));

extern "C" GRETA_EXPORT hipError_t hipModuleLaunchCooperativeKernelMultiDevice(void) {
  return greta::api::not_supported(greta::api::CallId::hipModuleLaunchCooperativeKernelMultiDevice);
}

extern "C" GRETA_EXPORT hipError_t hipLaunchCooperativeKernelMultiDevice(void) {
  return greta::api::not_supported(greta::api::CallId::hipLaunchCooperativeKernelMultiDevice);
}

extern "C" GRETA_EXPORT hipError_t hipExtLaunchMultiKernelMultiDevice(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtLaunchMultiKernelMultiDevice);
}
