"""Calls that say nothing about memory or order, by why; a test compares with the contract.

A new call of HIP belongs here, or in `meanings`, or with a word on what is missing in `gaps`.
"""

from __future__ import annotations

from typing import Final

ASKS: Final = frozenset(
    (
        *("hipDriverGetVersion", "hipRuntimeGetVersion", "hipDeviceGet", "hipDeviceGetName"),
        *("hipDeviceGetPCIBusId", "hipDeviceTotalMem", "hipGetDevice", "hipGetDeviceCount"),
        *("hipDeviceGetAttribute", "hipDeviceGetStreamPriorityRange", "hipDeviceGetUuid"),
        *("hipGetDevicePropertiesR0600", "hipDeviceComputeCapability", "hipDeviceGetP2PAttribute"),
        *("hipDeviceGetByPCIBusId", "hipDeviceGetCacheConfig", "hipDeviceGetLimit"),
        *("hipDeviceGetSharedMemConfig", "hipGetDeviceFlags", "hipDeviceCanAccessPeer"),
        *("hipGetDeviceProperties", "hipGetDevicePropertiesR0000", "hipChooseDevice"),
        *("hipChooseDeviceR0000", "hipChooseDeviceR0600", "hipExtGetLinkTypeAndHopCount"),
        *("hipCtxGetCurrent", "hipCtxGetDevice", "hipDevicePrimaryCtxGetState"),
        *("hipCtxGetApiVersion", "hipCtxGetCacheConfig", "hipCtxGetSharedMemConfig"),
        *("hipCtxGetFlags", "hipPointerGetAttributes", "hipPointerGetAttribute"),
        *("hipHostGetFlags", "hipMemGetInfo", "hipMemGetAddressRange", "hipMemPtrGetInfo"),
        *("hipDrvPointerGetAttributes", "hipMemRangeGetAttribute", "hipMemRangeGetAttributes"),
        *("hipGetSymbolSize", "hipDeviceGetDefaultMemPool", "hipDeviceGetMemPool"),
        *("hipMemPoolGetAttribute", "hipMemPoolGetAccess", "hipMemGetMemPool"),
        *("hipMemGetDefaultMemPool", "hipMemGetHandleForAddressRange", "hipMemGetAccess"),
        *("hipMemGetAllocationGranularity", "hipMemGetAllocationPropertiesFromHandle"),
        *("hipStreamGetFlags", "hipStreamGetPriority", "hipStreamGetDevice", "hipStreamGetId"),
        *("hipGetStreamDeviceId", "hipExtStreamGetCUMask", "hipStreamGetAttribute"),
        *("hipStreamIsCapturing", "hipGraphGetNodes", "hipGraphNodeGetType"),
        *("hipGraphKernelNodeGetParams", "hipStreamGetCaptureInfo", "hipStreamGetCaptureInfo_v2"),
        *("hipGraphGetEdges", "hipGraphGetRootNodes", "hipGraphNodeGetDependencies"),
        *("hipGraphNodeGetDependentNodes", "hipGraphMemsetNodeGetParams"),
        *("hipGraphHostNodeGetParams", "hipGraphDebugDotPrint", "hipGraphExecGetFlags"),
        *("hipGraphBatchMemOpNodeGetParams", "hipGraphMemcpyNodeGetParams"),
        *("hipGraphKernelNodeGetAttribute", "hipGraphChildGraphNodeGetGraph"),
        *("hipGraphEventRecordNodeGetEvent", "hipGraphEventWaitNodeGetEvent"),
        *("hipGraphMemAllocNodeGetParams", "hipGraphMemFreeNodeGetParams"),
        *("hipDeviceGetGraphMemAttribute", "hipGraphNodeGetEnabled"),
        *("hipGraphExternalSemaphoresSignalNodeGetParams", "hipDrvGraphMemcpyNodeGetParams"),
        *("hipGraphExternalSemaphoresWaitNodeGetParams", "hipArrayGetInfo"),
        *("hipArrayGetDescriptor", "hipArray3DGetDescriptor", "hipGLGetDevices"),
        *("hipMipmappedArrayGetMemoryRequirements", "hipMipmappedArrayGetLevel"),
        *("hipGetMipmappedArrayLevel", "hipIpcGetMemHandle", "hipIpcGetEventHandle"),
    )
)
SETS_UP: Final = frozenset(
    (
        *("hipInit", "hipSetDevice", "hipDeviceSetCacheConfig", "hipDeviceSetLimit"),
        *("hipDeviceSetSharedMemConfig", "hipSetDeviceFlags", "hipDeviceEnablePeerAccess"),
        *("hipDeviceDisablePeerAccess", "hipSetValidDevices", "hipCtxCreate", "hipCtxDestroy"),
        *("hipCtxPopCurrent", "hipCtxPushCurrent", "hipCtxSetCurrent", "hipCtxSetCacheConfig"),
        *("hipDevicePrimaryCtxRelease", "hipDevicePrimaryCtxRetain", "hipDevicePrimaryCtxReset"),
        *("hipCtxSetSharedMemConfig", "hipCtxEnablePeerAccess", "hipCtxDisablePeerAccess"),
        *("hipDevicePrimaryCtxSetFlags", "hipPointerSetAttribute", "hipDeviceSetMemPool"),
        *("hipMemPoolTrimTo", "hipMemPoolSetAttribute", "hipMemPoolCreate", "hipMemPoolDestroy"),
        *("hipMemPoolSetAccess", "hipMemPoolExportToShareableHandle", "hipMemSetMemPool"),
        *("hipMemPoolImportFromShareableHandle", "hipMemPoolExportPointer", "hipMemSetAccess"),
        *("hipStreamSetAttribute", "hipStreamCopyAttributes", "hipDeviceGraphMemTrim"),
        *("hipDeviceSetGraphMemAttribute", "hipThreadExchangeStreamCaptureMode"),
        *("hipGraphKernelNodeSetAttribute", "hipGraphKernelNodeCopyAttributes"),
    )
)
# Lives of handles, which greta.recording follows, or of things that no access names.
HANDLES: Final = frozenset(
    (
        *("hipEventCreate", "hipEventCreateWithFlags", "hipEventDestroy"),
        *("hipGraphExecDestroy", "hipUserObjectCreate", "hipUserObjectRelease"),
        *("hipUserObjectRetain", "hipGraphRetainUserObject", "hipGraphReleaseUserObject"),
        *("hipMemAddressFree", "hipMemAddressReserve", "hipMemCreate", "hipMemRelease"),
        *("hipMemExportToShareableHandle", "hipMemImportFromShareableHandle"),
        *("hipMemRetainAllocationHandle", "hipMallocArray", "hipArrayCreate", "hipArrayDestroy"),
        *("hipArray3DCreate", "hipFreeArray", "hipMalloc3DArray", "hipMallocMipmappedArray"),
        *("hipFreeMipmappedArray", "hipMipmappedArrayCreate", "hipMipmappedArrayDestroy"),
        *("hipMemMapArrayAsync", "hipImportExternalSemaphore", "hipDestroyExternalSemaphore"),
        *("hipImportExternalMemory", "hipDestroyExternalMemory", "hipGraphicsUnregisterResource"),
        *("hipExternalMemoryGetMappedMipmappedArray", "hipGraphicsMapResources"),
        *("hipGraphicsSubResourceGetMappedArray", "hipGraphicsUnmapResources"),
        *("hipGraphicsGLRegisterBuffer", "hipGraphicsGLRegisterImage"),
    )
)
# Where memory is and what it is good for, not what is in it.
MOVES_NOTHING: Final = frozenset(
    (
        *("hipMemPrefetchAsync", "hipMemPrefetchAsync_v2", "hipMemAdvise", "hipMemAdvise_v2"),
        *("hipMemPrefetchBatchAsync", "hipMemDiscardBatchAsync", "hipDrvMemDiscardBatchAsync"),
        *("hipMemDiscardAndPrefetchBatchAsync", "hipDrvMemDiscardAndPrefetchBatchAsync"),
        *("hipStreamAttachMemAsync", "hipGraphUpload"),
    )
)
# Nodes that have no memory of theirs.
INSIDE_GRAPHS: Final = frozenset(
    (
        *("hipGraphBatchMemOpNodeSetParams", "hipGraphExecBatchMemOpNodeSetParams"),
        *("hipGraphEventRecordNodeSetEvent", "hipGraphExecEventRecordNodeSetEvent"),
        *("hipGraphEventWaitNodeSetEvent", "hipGraphExecEventWaitNodeSetEvent"),
        *("hipGraphAddMemFreeNode", "hipDrvGraphAddMemFreeNode"),
        *("hipGraphAddExternalSemaphoresSignalNode",),
        *("hipGraphExternalSemaphoresSignalNodeSetParams",),
        *("hipGraphExternalSemaphoresWaitNodeSetParams",),
        *("hipGraphExecExternalSemaphoresSignalNodeSetParams",),
        *("hipGraphExecExternalSemaphoresWaitNodeSetParams", "hipSignalExternalSemaphoresAsync"),
    )
)

WITHOUT_MEANING: Final = ASKS | SETS_UP | HANDLES | MOVES_NOTHING | INSIDE_GRAPHS
