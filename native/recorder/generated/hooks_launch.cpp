// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipModuleLaunchKernel(void* f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, void* stream, void* kernelParams, void* extra) {
  using Function = int (*)(void*, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLaunchKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_function(f), kernelParams, extra);
  RecordedCall call(Call::hipModuleLaunchKernel, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra);
  call.word(0) = widened(f);
  call.word(1) = widened(gridDimX);
  call.word(2) = widened(gridDimY);
  call.word(3) = widened(gridDimZ);
  call.word(4) = widened(blockDimX);
  call.word(5) = widened(blockDimY);
  call.word(6) = widened(blockDimZ);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchKernel(void* function_address, abi::dim3 numBlocks, abi::dim3 dimBlocks, void* args, size_t sharedMemBytes, void* stream) {
  using Function = int (*)(void*, abi::dim3, abi::dim3, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(function_address), args, nullptr);
  RecordedCall call(Call::hipLaunchKernel, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  call.word(0) = widened(function_address);
  call.word(1) = widened(numBlocks.x);
  call.word(2) = widened(numBlocks.y);
  call.word(3) = widened(numBlocks.z);
  call.word(4) = widened(dimBlocks.x);
  call.word(5) = widened(dimBlocks.y);
  call.word(6) = widened(dimBlocks.z);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchKernel_spt(void* function_address, abi::dim3 numBlocks, abi::dim3 dimBlocks, void* args, size_t sharedMemBytes, void* stream) {
  using Function = int (*)(void*, abi::dim3, abi::dim3, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchKernel_spt, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(function_address), args, nullptr);
  RecordedCall call(Call::hipLaunchKernel_spt, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  call.word(0) = widened(function_address);
  call.word(1) = widened(numBlocks.x);
  call.word(2) = widened(numBlocks.y);
  call.word(3) = widened(numBlocks.z);
  call.word(4) = widened(dimBlocks.x);
  call.word(5) = widened(dimBlocks.y);
  call.word(6) = widened(dimBlocks.z);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipExtLaunchKernel(void* function_address, abi::dim3 numBlocks, abi::dim3 dimBlocks, void* args, size_t sharedMemBytes, void* stream, void* startEvent, void* stopEvent, int flags) {
  using Function = int (*)(void*, abi::dim3, abi::dim3, void*, size_t, void*, void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtLaunchKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(function_address), args, nullptr);
  RecordedCall call(Call::hipExtLaunchKernel, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent, stopEvent, flags);
  call.word(0) = widened(function_address);
  call.word(1) = widened(numBlocks.x);
  call.word(2) = widened(numBlocks.y);
  call.word(3) = widened(numBlocks.z);
  call.word(4) = widened(dimBlocks.x);
  call.word(5) = widened(dimBlocks.y);
  call.word(6) = widened(dimBlocks.z);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.word(9) = widened(startEvent);
  call.keep_words({widened(stopEvent), widened(flags)});
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent, stopEvent, flags);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLaunchCooperativeKernel(void* f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, void* stream, void* kernelParams) {
  using Function = int (*)(void*, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLaunchCooperativeKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_function(f), kernelParams, nullptr);
  RecordedCall call(Call::hipModuleLaunchCooperativeKernel, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams);
  call.word(0) = widened(f);
  call.word(1) = widened(gridDimX);
  call.word(2) = widened(gridDimY);
  call.word(3) = widened(gridDimZ);
  call.word(4) = widened(blockDimX);
  call.word(5) = widened(blockDimY);
  call.word(6) = widened(blockDimZ);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchCooperativeKernel(void* f, abi::dim3 gridDim, abi::dim3 blockDimX, void* kernelParams, unsigned int sharedMemBytes, void* stream) {
  using Function = int (*)(void*, abi::dim3, abi::dim3, void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchCooperativeKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(f), kernelParams, nullptr);
  RecordedCall call(Call::hipLaunchCooperativeKernel, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  call.word(0) = widened(f);
  call.word(1) = widened(gridDim.x);
  call.word(2) = widened(gridDim.y);
  call.word(3) = widened(gridDim.z);
  call.word(4) = widened(blockDimX.x);
  call.word(5) = widened(blockDimX.y);
  call.word(6) = widened(blockDimX.z);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchCooperativeKernel_spt(void* f, abi::dim3 gridDim, abi::dim3 blockDimX, void* kernelParams, unsigned int sharedMemBytes, void* stream) {
  using Function = int (*)(void*, abi::dim3, abi::dim3, void*, unsigned int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchCooperativeKernel_spt, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(f), kernelParams, nullptr);
  RecordedCall call(Call::hipLaunchCooperativeKernel_spt, GRETA_CALLER, 0 + arguments.parts());
  if (!call) return real(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  call.word(0) = widened(f);
  call.word(1) = widened(gridDim.x);
  call.word(2) = widened(gridDim.y);
  call.word(3) = widened(gridDim.z);
  call.word(4) = widened(blockDimX.x);
  call.word(5) = widened(blockDimX.y);
  call.word(6) = widened(blockDimX.z);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(stream);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchKernelExC(void* config, void* fPtr, void* args) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchKernelExC, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(fPtr), args, nullptr);
  RecordedCall call(Call::hipLaunchKernelExC, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(config, fPtr, args);
  call.word(0) = widened(config);
  call.word(1) = widened(fPtr);
  call.keep_struct(0, config, 56);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(config, fPtr, args);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), config_stream(config), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDrvLaunchKernelEx(void* config, void* f, void* params, void* extra) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvLaunchKernelEx, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_function(f), params, extra);
  RecordedCall call(Call::hipDrvLaunchKernelEx, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(config, f, params, extra);
  call.word(0) = widened(config);
  call.word(1) = widened(f);
  call.keep_struct(0, config, 56);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(config, f, params, extra);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), config_stream(config), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipExtModuleLaunchKernel(void* f, unsigned int globalWorkSizeX, unsigned int globalWorkSizeY, unsigned int globalWorkSizeZ, unsigned int localWorkSizeX, unsigned int localWorkSizeY, unsigned int localWorkSizeZ, size_t sharedMemBytes, void* hStream, void* kernelParams, void* extra, void* startEvent, void* stopEvent, unsigned int flags) {
  using Function = int (*)(void*, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, size_t, void*, void*, void*, void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtModuleLaunchKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_function(f), kernelParams, extra);
  RecordedCall call(Call::hipExtModuleLaunchKernel, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
  call.word(0) = widened(f);
  call.word(1) = widened(globalWorkSizeX);
  call.word(2) = widened(globalWorkSizeY);
  call.word(3) = widened(globalWorkSizeZ);
  call.word(4) = widened(localWorkSizeX);
  call.word(5) = widened(localWorkSizeY);
  call.word(6) = widened(localWorkSizeZ);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(hStream);
  call.word(9) = widened(startEvent);
  call.keep_words({widened(stopEvent), widened(flags)});
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), hStream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipHccModuleLaunchKernel(void* f, unsigned int globalWorkSizeX, unsigned int globalWorkSizeY, unsigned int globalWorkSizeZ, unsigned int localWorkSizeX, unsigned int localWorkSizeY, unsigned int localWorkSizeZ, size_t sharedMemBytes, void* hStream, void* kernelParams, void* extra, void* startEvent, void* stopEvent) {
  using Function = int (*)(void*, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, size_t, void*, void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipHccModuleLaunchKernel, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_function(f), kernelParams, extra);
  RecordedCall call(Call::hipHccModuleLaunchKernel, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent);
  call.word(0) = widened(f);
  call.word(1) = widened(globalWorkSizeX);
  call.word(2) = widened(globalWorkSizeY);
  call.word(3) = widened(globalWorkSizeZ);
  call.word(4) = widened(localWorkSizeX);
  call.word(5) = widened(localWorkSizeY);
  call.word(6) = widened(localWorkSizeZ);
  call.word(7) = widened(sharedMemBytes);
  call.word(8) = widened(hStream);
  call.word(9) = widened(startEvent);
  call.keep_words({widened(stopEvent)});
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), hStream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipModuleLaunchCooperativeKernelMultiDevice(void* launchParamsList, unsigned int numDevices, unsigned int flags) {
  using Function = int (*)(void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleLaunchCooperativeKernelMultiDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleLaunchCooperativeKernelMultiDevice, GRETA_CALLER, 0);
  if (!call) return real(launchParamsList, numDevices, flags);
  call.word(0) = widened(launchParamsList);
  call.word(1) = widened(numDevices);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(launchParamsList, numDevices, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipLaunchCooperativeKernelMultiDevice(void* launchParamsList, int numDevices, unsigned int flags) {
  using Function = int (*)(void*, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipLaunchCooperativeKernelMultiDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipLaunchCooperativeKernelMultiDevice, GRETA_CALLER, 0);
  if (!call) return real(launchParamsList, numDevices, flags);
  call.word(0) = widened(launchParamsList);
  call.word(1) = widened(numDevices);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(launchParamsList, numDevices, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtLaunchMultiKernelMultiDevice(void* launchParamsList, int numDevices, unsigned int flags) {
  using Function = int (*)(void*, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtLaunchMultiKernelMultiDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtLaunchMultiKernelMultiDevice, GRETA_CALLER, 0);
  if (!call) return real(launchParamsList, numDevices, flags);
  call.word(0) = widened(launchParamsList);
  call.word(1) = widened(numDevices);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(launchParamsList, numDevices, flags);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder
asm(".globl _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j\n.set _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j, hipExtModuleLaunchKernel");

asm(".globl _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_\n.set _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_, hipHccModuleLaunchKernel");
