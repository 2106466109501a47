/* Handles, callbacks and the small types that everything else uses. */
#ifndef GRETA_HIP_HIP_HANDLE_TYPES_H
#define GRETA_HIP_HIP_HANDLE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "hip/hip_error_codes.h"

typedef void* hipDeviceptr_t;
typedef int hipDevice_t;

typedef struct ihipCtx_t* hipCtx_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipLinkState_t* hipLinkState_t;
typedef struct ihipLibrary_t* hipLibrary_t;
typedef struct ihipKernel_t* hipKernel_t;
typedef struct ihipMemPoolHandle_t* hipMemPool_t;
typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef struct hipUserObject* hipUserObject_t;

/* Streams that have no handle of their own. NULL is the default stream of the program. */
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)

typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);
typedef void (*hipHostFn_t)(void* userData);

typedef struct dim3 {
  uint32_t x, y, z;
#ifdef __cplusplus
  constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
} dim3;

typedef struct hipUUID_t {
  char bytes[16];
} hipUUID;
#ifndef __cplusplus
typedef struct hipUUID_t hipUUID_t;
#endif

#endif
