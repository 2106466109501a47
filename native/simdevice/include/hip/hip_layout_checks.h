/* The layouts above are an agreement with programs compiled elsewhere; a change must not compile.
 */
#ifndef GRETA_HIP_HIP_LAYOUT_CHECKS_H
#define GRETA_HIP_HIP_LAYOUT_CHECKS_H

#include "hip/hip_array_types.h"
#include "hip/hip_device_types.h"
#include "hip/hip_graph_types.h"

#if defined(__cplusplus)
#define HIP_STATIC_CHECK(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define HIP_STATIC_CHECK(condition, text) _Static_assert(condition, text)
#else
#define HIP_STATIC_CHECK(condition, text) struct hip_static_check
#endif
#define HIP_CHECK_SIZE(type, bytes) HIP_STATIC_CHECK(sizeof(type) == bytes, "size of " #type)
#define HIP_CHECK_OFFSET(type, field, bytes) \
  HIP_STATIC_CHECK(offsetof(type, field) == bytes, "offset of " #type "." #field)

HIP_CHECK_SIZE(dim3, 12);
HIP_CHECK_SIZE(hipUUID, 16);
HIP_CHECK_SIZE(hipDeviceProp_tR0600, 1472);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, uuid, 256);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, totalGlobalMem, 288);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, sharedMemPerBlock, 296);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, regsPerBlock, 304);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, warpSize, 308);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, maxThreadsPerBlock, 320);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, maxGridSize, 336);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, clockRate, 348);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, totalConstMem, 352);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, major, 360);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, minor, 364);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, multiProcessorCount, 388);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, integrated, 396);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, canMapHostMemory, 400);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, concurrentKernels, 576);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, pciBusID, 584);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, asyncEngineCount, 600);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, memoryClockRate, 608);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, memoryBusWidth, 612);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, l2CacheSize, 616);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, maxThreadsPerMultiProcessor, 624);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, sharedMemPerMultiprocessor, 640);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, managedMemory, 652);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, cooperativeLaunch, 688);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, gcnArchName, 1160);
HIP_CHECK_OFFSET(hipDeviceProp_tR0600, asicRevision, 1468);
HIP_CHECK_SIZE(hipDeviceProp_tR0000, 792);
HIP_CHECK_OFFSET(hipDeviceProp_tR0000, totalGlobalMem, 256);
HIP_CHECK_OFFSET(hipDeviceProp_tR0000, warpSize, 276);
HIP_CHECK_OFFSET(hipDeviceProp_tR0000, gcnArchName, 396);
HIP_CHECK_SIZE(hipPointerAttribute_t, 32);
HIP_CHECK_OFFSET(hipPointerAttribute_t, device, 4);
HIP_CHECK_OFFSET(hipPointerAttribute_t, devicePointer, 8);
HIP_CHECK_OFFSET(hipPointerAttribute_t, hostPointer, 16);
HIP_CHECK_OFFSET(hipPointerAttribute_t, isManaged, 24);
HIP_CHECK_OFFSET(hipPointerAttribute_t, allocationFlags, 28);
HIP_CHECK_SIZE(hipMemPoolProps, 88);
HIP_CHECK_OFFSET(hipMemPoolProps, location, 8);
HIP_CHECK_OFFSET(hipMemPoolProps, maxSize, 24);
HIP_CHECK_SIZE(hipMemAccessDesc, 12);
HIP_CHECK_OFFSET(hipMemAccessDesc, flags, 8);
HIP_CHECK_SIZE(hipMemAllocationProp, 32);
HIP_CHECK_OFFSET(hipMemAllocationProp, location, 8);
HIP_CHECK_OFFSET(hipMemAllocationProp, win32HandleMetaData, 16);
HIP_CHECK_OFFSET(hipMemAllocationProp, allocFlags, 24);
HIP_CHECK_SIZE(hipMemcpy3DParms, 160);
HIP_CHECK_OFFSET(hipMemcpy3DParms, srcPtr, 32);
HIP_CHECK_OFFSET(hipMemcpy3DParms, dstArray, 64);
HIP_CHECK_OFFSET(hipMemcpy3DParms, extent, 128);
HIP_CHECK_OFFSET(hipMemcpy3DParms, kind, 152);
HIP_CHECK_SIZE(hip_Memcpy2D, 128);
HIP_CHECK_OFFSET(hip_Memcpy2D, Height, 120);
HIP_CHECK_SIZE(HIP_MEMCPY3D, 184);
HIP_CHECK_OFFSET(HIP_MEMCPY3D, Depth, 176);
HIP_CHECK_SIZE(hipFuncAttributes, 56);
HIP_CHECK_OFFSET(hipFuncAttributes, sharedSizeBytes, 48);
HIP_CHECK_SIZE(hipLaunchConfig_t, 56);
HIP_CHECK_OFFSET(hipLaunchConfig_t, dynamicSmemBytes, 24);
HIP_CHECK_OFFSET(hipLaunchConfig_t, numAttrs, 48);
HIP_CHECK_SIZE(HIP_LAUNCH_CONFIG, 56);
HIP_CHECK_OFFSET(HIP_LAUNCH_CONFIG, hStream, 32);
HIP_CHECK_OFFSET(HIP_LAUNCH_CONFIG, numAttrs, 48);
HIP_CHECK_SIZE(hipLaunchAttribute, 72);
HIP_CHECK_SIZE(hipLaunchParams, 56);
HIP_CHECK_SIZE(hipFunctionLaunchParams, 56);
HIP_CHECK_SIZE(hipKernelNodeParams, 64);
HIP_CHECK_OFFSET(hipKernelNodeParams, extra, 16);
HIP_CHECK_OFFSET(hipKernelNodeParams, func, 24);
HIP_CHECK_OFFSET(hipKernelNodeParams, gridDim, 32);
HIP_CHECK_OFFSET(hipKernelNodeParams, kernelParams, 48);
HIP_CHECK_OFFSET(hipKernelNodeParams, sharedMemBytes, 56);
HIP_CHECK_SIZE(hipMemsetParams, 48);
HIP_CHECK_OFFSET(hipMemsetParams, elementSize, 8);
HIP_CHECK_OFFSET(hipMemsetParams, height, 16);
HIP_CHECK_OFFSET(hipMemsetParams, pitch, 24);
HIP_CHECK_OFFSET(hipMemsetParams, value, 32);
HIP_CHECK_OFFSET(hipMemsetParams, width, 40);
HIP_CHECK_SIZE(hipHostNodeParams, 16);
HIP_CHECK_OFFSET(hipHostNodeParams, userData, 8);
HIP_CHECK_SIZE(hipMemAllocNodeParams, 120);
HIP_CHECK_OFFSET(hipMemAllocNodeParams, dptr, 112);
HIP_CHECK_SIZE(hipGraphInstantiateParams, 32);
HIP_CHECK_SIZE(hipGraphEdgeData, 8);

#undef HIP_CHECK_OFFSET
#undef HIP_CHECK_SIZE
#undef HIP_STATIC_CHECK

#endif
