// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/hook_table.h"

extern "C" void hipInit();
extern "C" void hipDriverGetVersion();
extern "C" void hipRuntimeGetVersion();
extern "C" void hipDeviceGet();
extern "C" void hipDeviceGetName();
extern "C" void hipDeviceGetPCIBusId();
extern "C" void hipDeviceTotalMem();
extern "C" void hipDeviceSynchronize();
extern "C" void hipDeviceReset();
extern "C" void hipSetDevice();
extern "C" void hipGetDevice();
extern "C" void hipGetDeviceCount();
extern "C" void hipDeviceGetAttribute();
extern "C" void hipDeviceGetStreamPriorityRange();
extern "C" void hipGetDevicePropertiesR0600();
extern "C" void hipDeviceComputeCapability();
extern "C" void hipDeviceGetUuid();
extern "C" void hipDeviceGetP2PAttribute();
extern "C" void hipDeviceGetByPCIBusId();
extern "C" void hipDeviceSetCacheConfig();
extern "C" void hipDeviceGetCacheConfig();
extern "C" void hipDeviceGetLimit();
extern "C" void hipDeviceSetLimit();
extern "C" void hipDeviceGetSharedMemConfig();
extern "C" void hipGetDeviceFlags();
extern "C" void hipDeviceSetSharedMemConfig();
extern "C" void hipSetDeviceFlags();
extern "C" void hipDeviceCanAccessPeer();
extern "C" void hipDeviceEnablePeerAccess();
extern "C" void hipDeviceDisablePeerAccess();
extern "C" void hipGetDeviceProperties();
extern "C" void hipGetDevicePropertiesR0000();
extern "C" void hipChooseDevice();
extern "C" void hipChooseDeviceR0000();
extern "C" void hipChooseDeviceR0600();
extern "C" void hipSetValidDevices();
extern "C" void hipExtGetLinkTypeAndHopCount();
extern "C" void hipCtxCreate();
extern "C" void hipCtxDestroy();
extern "C" void hipCtxPopCurrent();
extern "C" void hipCtxPushCurrent();
extern "C" void hipCtxSetCurrent();
extern "C" void hipCtxGetCurrent();
extern "C" void hipCtxGetDevice();
extern "C" void hipCtxSynchronize();
extern "C" void hipDevicePrimaryCtxGetState();
extern "C" void hipDevicePrimaryCtxRelease();
extern "C" void hipDevicePrimaryCtxRetain();
extern "C" void hipDevicePrimaryCtxReset();
extern "C" void hipCtxGetApiVersion();
extern "C" void hipCtxGetCacheConfig();
extern "C" void hipCtxSetCacheConfig();
extern "C" void hipCtxSetSharedMemConfig();
extern "C" void hipCtxGetSharedMemConfig();
extern "C" void hipCtxGetFlags();
extern "C" void hipCtxEnablePeerAccess();
extern "C" void hipCtxDisablePeerAccess();
extern "C" void hipDevicePrimaryCtxSetFlags();
extern "C" void hipPointerGetAttributes();
extern "C" void hipPointerGetAttribute();
extern "C" void hipPointerSetAttribute();
extern "C" void hipMalloc();
extern "C" void hipExtMallocWithFlags();
extern "C" void hipHostMalloc();
extern "C" void hipMallocManaged();
extern "C" void hipHostAlloc();
extern "C" void hipHostGetDevicePointer();
extern "C" void hipHostGetFlags();
extern "C" void hipHostRegister();
extern "C" void hipHostUnregister();
extern "C" void hipMallocPitch();
extern "C" void hipFree();
extern "C" void hipFreeHost();
extern "C" void hipHostFree();
extern "C" void hipMemGetInfo();
extern "C" void hipMemGetAddressRange();
extern "C" void hipDrvPointerGetAttributes();
extern "C" void hipMallocHost();
extern "C" void hipMemPrefetchAsync();
extern "C" void hipMemPrefetchAsync_v2();
extern "C" void hipMemAdvise();
extern "C" void hipMemAdvise_v2();
extern "C" void hipMemPtrGetInfo();
extern "C" void hipMemAllocHost();
extern "C" void hipMemPrefetchBatchAsync();
extern "C" void hipMemDiscardBatchAsync();
extern "C" void hipDrvMemDiscardBatchAsync();
extern "C" void hipMemDiscardAndPrefetchBatchAsync();
extern "C" void hipDrvMemDiscardAndPrefetchBatchAsync();
extern "C" void hipMemRangeGetAttribute();
extern "C" void hipMemRangeGetAttributes();
extern "C" void hipStreamAttachMemAsync();
extern "C" void hipMemAllocPitch();
extern "C" void hipMalloc3D();
extern "C" void hipMemcpy();
extern "C" void hipMemcpy_spt();
extern "C" void hipMemcpyWithStream();
extern "C" void hipMemcpyHtoD();
extern "C" void hipMemcpyDtoH();
extern "C" void hipMemcpyDtoD();
extern "C" void hipMemcpyHtoDAsync();
extern "C" void hipMemcpyDtoHAsync();
extern "C" void hipMemcpyDtoDAsync();
extern "C" void hipMemcpyAsync();
extern "C" void hipMemcpyAsync_spt();
extern "C" void hipMemset();
extern "C" void hipMemset_spt();
extern "C" void hipMemsetD8();
extern "C" void hipMemsetD32();
extern "C" void hipMemsetAsync();
extern "C" void hipMemsetAsync_spt();
extern "C" void hipMemsetD32Async();
extern "C" void hipMemset2D();
extern "C" void hipMemset2D_spt();
extern "C" void hipMemset2DAsync();
extern "C" void hipMemset2DAsync_spt();
extern "C" void hipMemcpy2D();
extern "C" void hipMemcpy2D_spt();
extern "C" void hipMemcpy2DAsync();
extern "C" void hipMemcpy2DAsync_spt();
extern "C" void hipMemsetD8Async();
extern "C" void hipMemsetD16();
extern "C" void hipMemsetD16Async();
extern "C" void hipMemcpyPeer();
extern "C" void hipMemcpyPeerAsync();
extern "C" void hipMemset3D();
extern "C" void hipMemset3D_spt();
extern "C" void hipMemset3DAsync();
extern "C" void hipMemset3DAsync_spt();
extern "C" void hipMemsetD2D8();
extern "C" void hipMemsetD2D8Async();
extern "C" void hipMemsetD2D16();
extern "C" void hipMemsetD2D16Async();
extern "C" void hipMemsetD2D32();
extern "C" void hipMemsetD2D32Async();
extern "C" void hipMemcpyParam2D();
extern "C" void hipMemcpyParam2DAsync();
extern "C" void hipMemcpy3D();
extern "C" void hipMemcpy3D_spt();
extern "C" void hipMemcpy3DAsync();
extern "C" void hipMemcpy3DAsync_spt();
extern "C" void hipDrvMemcpy3D();
extern "C" void hipDrvMemcpy3DAsync();
extern "C" void hipMemcpyBatchAsync();
extern "C" void hipMemcpy3DBatchAsync();
extern "C" void hipMemcpy3DPeer();
extern "C" void hipMemcpy3DPeerAsync();
extern "C" void hipDrvMemcpy2DUnaligned();
extern "C" void hipGetSymbolAddress();
extern "C" void hipGetSymbolSize();
extern "C" void hipMemcpyToSymbol();
extern "C" void hipMemcpyToSymbol_spt();
extern "C" void hipMemcpyToSymbolAsync();
extern "C" void hipMemcpyToSymbolAsync_spt();
extern "C" void hipMemcpyFromSymbol();
extern "C" void hipMemcpyFromSymbol_spt();
extern "C" void hipMemcpyFromSymbolAsync();
extern "C" void hipMemcpyFromSymbolAsync_spt();
extern "C" void hipDeviceGetDefaultMemPool();
extern "C" void hipDeviceSetMemPool();
extern "C" void hipDeviceGetMemPool();
extern "C" void hipMallocAsync();
extern "C" void hipFreeAsync();
extern "C" void hipMemPoolTrimTo();
extern "C" void hipMemPoolSetAttribute();
extern "C" void hipMemPoolGetAttribute();
extern "C" void hipMemPoolCreate();
extern "C" void hipMemPoolDestroy();
extern "C" void hipMallocFromPoolAsync();
extern "C" void hipMemPoolSetAccess();
extern "C" void hipMemPoolGetAccess();
extern "C" void hipMemPoolExportToShareableHandle();
extern "C" void hipMemPoolImportFromShareableHandle();
extern "C" void hipMemPoolExportPointer();
extern "C" void hipMemPoolImportPointer();
extern "C" void hipMemSetMemPool();
extern "C" void hipMemGetMemPool();
extern "C" void hipMemGetDefaultMemPool();
extern "C" void hipMemGetHandleForAddressRange();
extern "C" void hipMemAddressFree();
extern "C" void hipMemAddressReserve();
extern "C" void hipMemCreate();
extern "C" void hipMemExportToShareableHandle();
extern "C" void hipMemGetAccess();
extern "C" void hipMemGetAllocationGranularity();
extern "C" void hipMemGetAllocationPropertiesFromHandle();
extern "C" void hipMemImportFromShareableHandle();
extern "C" void hipMemMap();
extern "C" void hipMemRelease();
extern "C" void hipMemRetainAllocationHandle();
extern "C" void hipMemSetAccess();
extern "C" void hipMemUnmap();
extern "C" void hipStreamCreate();
extern "C" void hipStreamCreateWithFlags();
extern "C" void hipStreamCreateWithPriority();
extern "C" void hipStreamDestroy();
extern "C" void hipStreamQuery();
extern "C" void hipStreamQuery_spt();
extern "C" void hipStreamSynchronize();
extern "C" void hipStreamSynchronize_spt();
extern "C" void hipStreamWaitEvent();
extern "C" void hipStreamWaitEvent_spt();
extern "C" void hipStreamGetFlags();
extern "C" void hipStreamGetFlags_spt();
extern "C" void hipStreamGetPriority();
extern "C" void hipStreamGetPriority_spt();
extern "C" void hipStreamGetDevice();
extern "C" void hipStreamAddCallback();
extern "C" void hipStreamAddCallback_spt();
extern "C" void hipLaunchHostFunc();
extern "C" void hipLaunchHostFunc_spt();
extern "C" void hipStreamGetId();
extern "C" void hipExtStreamCreateWithCUMask();
extern "C" void hipStreamWaitValue32();
extern "C" void hipStreamWaitValue64();
extern "C" void hipStreamWriteValue32();
extern "C" void hipStreamWriteValue64();
extern "C" void hipGetStreamDeviceId();
extern "C" void hipExtStreamGetCUMask();
extern "C" void hipStreamSetAttribute();
extern "C" void hipStreamGetAttribute();
extern "C" void hipStreamCopyAttributes();
extern "C" void hipStreamBatchMemOp();
extern "C" void hipEventCreateWithFlags();
extern "C" void hipEventCreate();
extern "C" void hipEventRecord();
extern "C" void hipEventRecord_spt();
extern "C" void hipEventDestroy();
extern "C" void hipEventSynchronize();
extern "C" void hipEventElapsedTime();
extern "C" void hipEventQuery();
extern "C" void hipEventRecordWithFlags();
extern "C" void hipFuncSetAttribute();
extern "C" void hipModuleGetGlobal();
extern "C" void hipModuleLoad();
extern "C" void hipModuleUnload();
extern "C" void hipModuleGetFunction();
extern "C" void hipFuncGetAttributes();
extern "C" void hipFuncGetAttribute();
extern "C" void hipModuleLoadData();
extern "C" void hipModuleLoadDataEx();
extern "C" void hipFuncSetCacheConfig();
extern "C" void hipFuncSetSharedMemConfig();
extern "C" void hipModuleLoadFatBinary();
extern "C" void hipModuleGetFunctionCount();
extern "C" void hipLinkAddData();
extern "C" void hipLinkAddFile();
extern "C" void hipLinkComplete();
extern "C" void hipLinkCreate();
extern "C" void hipLinkDestroy();
extern "C" void hipModuleLaunchKernel();
extern "C" void hipLaunchKernel();
extern "C" void hipLaunchKernel_spt();
extern "C" void hipExtLaunchKernel();
extern "C" void hipModuleLaunchCooperativeKernel();
extern "C" void hipLaunchCooperativeKernel();
extern "C" void hipLaunchCooperativeKernel_spt();
extern "C" void hipLaunchKernelExC();
extern "C" void hipDrvLaunchKernelEx();
extern "C" void hipExtModuleLaunchKernel();
extern "C" void hipHccModuleLaunchKernel();
extern "C" void hipModuleLaunchCooperativeKernelMultiDevice();
extern "C" void hipLaunchCooperativeKernelMultiDevice();
extern "C" void hipExtLaunchMultiKernelMultiDevice();
extern "C" void hipModuleOccupancyMaxPotentialBlockSize();
extern "C" void hipModuleOccupancyMaxPotentialBlockSizeWithFlags();
extern "C" void hipModuleOccupancyMaxActiveBlocksPerMultiprocessor();
extern "C" void hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags();
extern "C" void hipOccupancyMaxActiveBlocksPerMultiprocessor();
extern "C" void hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags();
extern "C" void hipOccupancyMaxPotentialBlockSize();
extern "C" void hipOccupancyAvailableDynamicSMemPerBlock();
extern "C" void hipOccupancyMaxActiveClusters();
extern "C" void hipOccupancyMaxPotentialClusterSize();
extern "C" void hipStreamBeginCapture();
extern "C" void hipStreamBeginCapture_spt();
extern "C" void hipStreamEndCapture();
extern "C" void hipStreamEndCapture_spt();
extern "C" void hipStreamIsCapturing();
extern "C" void hipStreamIsCapturing_spt();
extern "C" void hipGraphCreate();
extern "C" void hipGraphDestroy();
extern "C" void hipGraphGetNodes();
extern "C" void hipGraphNodeGetType();
extern "C" void hipGraphInstantiate();
extern "C" void hipGraphInstantiateWithFlags();
extern "C" void hipGraphLaunch();
extern "C" void hipGraphLaunch_spt();
extern "C" void hipGraphExecDestroy();
extern "C" void hipGraphExecUpdate();
extern "C" void hipGraphKernelNodeGetParams();
extern "C" void hipStreamGetCaptureInfo();
extern "C" void hipStreamGetCaptureInfo_spt();
extern "C" void hipStreamGetCaptureInfo_v2();
extern "C" void hipStreamGetCaptureInfo_v2_spt();
extern "C" void hipThreadExchangeStreamCaptureMode();
extern "C" void hipGraphAddDependencies();
extern "C" void hipGraphGetEdges();
extern "C" void hipGraphGetRootNodes();
extern "C" void hipGraphNodeGetDependencies();
extern "C" void hipGraphNodeGetDependentNodes();
extern "C" void hipGraphDestroyNode();
extern "C" void hipGraphClone();
extern "C" void hipGraphUpload();
extern "C" void hipGraphAddKernelNode();
extern "C" void hipGraphKernelNodeSetParams();
extern "C" void hipGraphExecKernelNodeSetParams();
extern "C" void hipGraphAddMemcpyNode1D();
extern "C" void hipGraphMemcpyNodeSetParams1D();
extern "C" void hipGraphExecMemcpyNodeSetParams1D();
extern "C" void hipGraphAddMemsetNode();
extern "C" void hipGraphMemsetNodeGetParams();
extern "C" void hipGraphMemsetNodeSetParams();
extern "C" void hipGraphExecMemsetNodeSetParams();
extern "C" void hipGraphAddHostNode();
extern "C" void hipGraphHostNodeGetParams();
extern "C" void hipGraphHostNodeSetParams();
extern "C" void hipGraphAddEmptyNode();
extern "C" void hipGraphDebugDotPrint();
extern "C" void hipGraphAddBatchMemOpNode();
extern "C" void hipGraphBatchMemOpNodeGetParams();
extern "C" void hipGraphBatchMemOpNodeSetParams();
extern "C" void hipGraphExecBatchMemOpNodeSetParams();
extern "C" void hipStreamBeginCaptureToGraph();
extern "C" void hipStreamUpdateCaptureDependencies();
extern "C" void hipGraphRemoveDependencies();
extern "C" void hipGraphNodeFindInClone();
extern "C" void hipGraphInstantiateWithParams();
extern "C" void hipGraphAddNode();
extern "C" void hipGraphExecGetFlags();
extern "C" void hipGraphNodeSetParams();
extern "C" void hipGraphExecNodeSetParams();
extern "C" void hipDrvGraphAddMemcpyNode();
extern "C" void hipGraphAddMemcpyNode();
extern "C" void hipGraphMemcpyNodeGetParams();
extern "C" void hipGraphMemcpyNodeSetParams();
extern "C" void hipGraphKernelNodeSetAttribute();
extern "C" void hipGraphKernelNodeGetAttribute();
extern "C" void hipGraphExecMemcpyNodeSetParams();
extern "C" void hipGraphAddMemcpyNodeFromSymbol();
extern "C" void hipGraphMemcpyNodeSetParamsFromSymbol();
extern "C" void hipGraphExecMemcpyNodeSetParamsFromSymbol();
extern "C" void hipGraphAddMemcpyNodeToSymbol();
extern "C" void hipGraphMemcpyNodeSetParamsToSymbol();
extern "C" void hipGraphExecMemcpyNodeSetParamsToSymbol();
extern "C" void hipGraphExecHostNodeSetParams();
extern "C" void hipGraphAddChildGraphNode();
extern "C" void hipGraphChildGraphNodeGetGraph();
extern "C" void hipGraphExecChildGraphNodeSetParams();
extern "C" void hipGraphAddEventRecordNode();
extern "C" void hipGraphEventRecordNodeGetEvent();
extern "C" void hipGraphEventRecordNodeSetEvent();
extern "C" void hipGraphExecEventRecordNodeSetEvent();
extern "C" void hipGraphAddEventWaitNode();
extern "C" void hipGraphEventWaitNodeGetEvent();
extern "C" void hipGraphEventWaitNodeSetEvent();
extern "C" void hipGraphExecEventWaitNodeSetEvent();
extern "C" void hipGraphAddMemAllocNode();
extern "C" void hipGraphMemAllocNodeGetParams();
extern "C" void hipGraphAddMemFreeNode();
extern "C" void hipGraphMemFreeNodeGetParams();
extern "C" void hipDeviceGetGraphMemAttribute();
extern "C" void hipDeviceSetGraphMemAttribute();
extern "C" void hipDeviceGraphMemTrim();
extern "C" void hipUserObjectCreate();
extern "C" void hipUserObjectRelease();
extern "C" void hipUserObjectRetain();
extern "C" void hipGraphRetainUserObject();
extern "C" void hipGraphReleaseUserObject();
extern "C" void hipGraphKernelNodeCopyAttributes();
extern "C" void hipGraphNodeSetEnabled();
extern "C" void hipGraphNodeGetEnabled();
extern "C" void hipGraphAddExternalSemaphoresWaitNode();
extern "C" void hipGraphAddExternalSemaphoresSignalNode();
extern "C" void hipGraphExternalSemaphoresSignalNodeSetParams();
extern "C" void hipGraphExternalSemaphoresWaitNodeSetParams();
extern "C" void hipGraphExternalSemaphoresSignalNodeGetParams();
extern "C" void hipGraphExternalSemaphoresWaitNodeGetParams();
extern "C" void hipGraphExecExternalSemaphoresSignalNodeSetParams();
extern "C" void hipGraphExecExternalSemaphoresWaitNodeSetParams();
extern "C" void hipDrvGraphMemcpyNodeGetParams();
extern "C" void hipDrvGraphMemcpyNodeSetParams();
extern "C" void hipDrvGraphAddMemsetNode();
extern "C" void hipDrvGraphAddMemFreeNode();
extern "C" void hipDrvGraphExecMemcpyNodeSetParams();
extern "C" void hipDrvGraphExecMemsetNodeSetParams();
extern "C" void hipGetLastError();
extern "C" void hipExtGetLastError();
extern "C" void hipPeekAtLastError();
extern "C" void hipGetErrorName();
extern "C" void hipGetErrorString();
extern "C" void hipDrvGetErrorName();
extern "C" void hipDrvGetErrorString();
extern "C" void hipGetProcAddress();
extern "C" void hipGetProcAddress_spt();
extern "C" void hipGetFuncBySymbol();
extern "C" void hipGetDriverEntryPoint();
extern "C" void hipGetDriverEntryPoint_spt();
extern "C" void hipApiName();
extern "C" void hipKernelNameRef();
extern "C" void hipKernelNameRefByPtr();
extern "C" void __hipRegisterFatBinary();
extern "C" void __hipRegisterFunction();
extern "C" void __hipRegisterVar();
extern "C" void __hipRegisterManagedVar();
extern "C" void __hipUnregisterFatBinary();
extern "C" void __hipPushCallConfiguration();
extern "C" void __hipPopCallConfiguration();
extern "C" void hipConfigureCall();
extern "C" void hipSetupArgument();
extern "C" void hipLaunchByPtr();
extern "C" void __hipRegisterSurface();
extern "C" void __hipRegisterTexture();
extern "C" void hipProfilerStart();
extern "C" void hipProfilerStop();
extern "C" void hipMemcpyAtoD();
extern "C" void hipMemcpyDtoA();
extern "C" void hipMemcpyAtoA();
extern "C" void hipMemcpyAtoHAsync();
extern "C" void hipMemcpyHtoAAsync();
extern "C" void hipMallocArray();
extern "C" void hipArrayCreate();
extern "C" void hipArrayDestroy();
extern "C" void hipArray3DCreate();
extern "C" void hipFreeArray();
extern "C" void hipMalloc3DArray();
extern "C" void hipArrayGetInfo();
extern "C" void hipArrayGetDescriptor();
extern "C" void hipArray3DGetDescriptor();
extern "C" void hipMemcpy2DToArray();
extern "C" void hipMemcpy2DToArray_spt();
extern "C" void hipMemcpy2DToArrayAsync();
extern "C" void hipMemcpy2DToArrayAsync_spt();
extern "C" void hipMemcpy2DArrayToArray();
extern "C" void hipMemcpyToArray();
extern "C" void hipMemcpyFromArray();
extern "C" void hipMemcpyFromArray_spt();
extern "C" void hipMemcpy2DFromArray();
extern "C" void hipMemcpy2DFromArray_spt();
extern "C" void hipMemcpy2DFromArrayAsync();
extern "C" void hipMemcpy2DFromArrayAsync_spt();
extern "C" void hipMemcpyAtoH();
extern "C" void hipMemcpyHtoA();
extern "C" void hipMipmappedArrayGetMemoryRequirements();
extern "C" void hipMallocMipmappedArray();
extern "C" void hipFreeMipmappedArray();
extern "C" void hipGetMipmappedArrayLevel();
extern "C" void hipMipmappedArrayCreate();
extern "C" void hipMipmappedArrayDestroy();
extern "C" void hipMipmappedArrayGetLevel();
extern "C" void hipMemMapArrayAsync();
extern "C" void hipDeviceGetTexture1DLinearMaxWidth();
extern "C" void hipModuleGetTexRef();
extern "C" void hipCreateTextureObject();
extern "C" void hipDestroyTextureObject();
extern "C" void hipGetChannelDesc();
extern "C" void hipGetTextureObjectResourceDesc();
extern "C" void hipGetTextureObjectResourceViewDesc();
extern "C" void hipGetTextureObjectTextureDesc();
extern "C" void hipTexObjectCreate();
extern "C" void hipTexObjectDestroy();
extern "C" void hipTexObjectGetResourceDesc();
extern "C" void hipTexObjectGetResourceViewDesc();
extern "C" void hipTexObjectGetTextureDesc();
extern "C" void hipBindTextureToMipmappedArray();
extern "C" void hipGetTextureReference();
extern "C" void hipTexRefGetBorderColor();
extern "C" void hipTexRefGetArray();
extern "C" void hipTexRefSetAddressMode();
extern "C" void hipTexRefSetArray();
extern "C" void hipTexRefSetFilterMode();
extern "C" void hipTexRefSetFlags();
extern "C" void hipTexRefSetFormat();
extern "C" void hipBindTexture();
extern "C" void hipBindTexture2D();
extern "C" void hipBindTextureToArray();
extern "C" void hipGetTextureAlignmentOffset();
extern "C" void hipUnbindTexture();
extern "C" void hipTexRefGetAddress();
extern "C" void hipTexRefGetAddressMode();
extern "C" void hipTexRefGetFilterMode();
extern "C" void hipTexRefGetFlags();
extern "C" void hipTexRefGetFormat();
extern "C" void hipTexRefGetMaxAnisotropy();
extern "C" void hipTexRefGetMipmapFilterMode();
extern "C" void hipTexRefGetMipmapLevelBias();
extern "C" void hipTexRefGetMipmapLevelClamp();
extern "C" void hipTexRefGetMipMappedArray();
extern "C" void hipTexRefSetAddress();
extern "C" void hipTexRefSetAddress2D();
extern "C" void hipTexRefSetMaxAnisotropy();
extern "C" void hipTexRefSetBorderColor();
extern "C" void hipTexRefSetMipmapFilterMode();
extern "C" void hipTexRefSetMipmapLevelBias();
extern "C" void hipTexRefSetMipmapLevelClamp();
extern "C" void hipTexRefSetMipmappedArray();
extern "C" void hipCreateSurfaceObject();
extern "C" void hipDestroySurfaceObject();
extern "C" void hipImportExternalSemaphore();
extern "C" void hipSignalExternalSemaphoresAsync();
extern "C" void hipWaitExternalSemaphoresAsync();
extern "C" void hipDestroyExternalSemaphore();
extern "C" void hipImportExternalMemory();
extern "C" void hipExternalMemoryGetMappedBuffer();
extern "C" void hipDestroyExternalMemory();
extern "C" void hipExternalMemoryGetMappedMipmappedArray();
extern "C" void hipGraphicsMapResources();
extern "C" void hipGraphicsSubResourceGetMappedArray();
extern "C" void hipGraphicsResourceGetMappedPointer();
extern "C" void hipGraphicsUnmapResources();
extern "C" void hipGraphicsUnregisterResource();
extern "C" void hipGLGetDevices();
extern "C" void hipGraphicsGLRegisterBuffer();
extern "C" void hipGraphicsGLRegisterImage();
extern "C" void hipIpcGetMemHandle();
extern "C" void hipIpcOpenMemHandle();
extern "C" void hipIpcCloseMemHandle();
extern "C" void hipIpcGetEventHandle();
extern "C" void hipIpcOpenEventHandle();
extern "C" void hipKernelSetAttribute();
extern "C" void hipKernelGetFunction();
extern "C" void hipKernelGetAttribute();
extern "C" void hipLibraryLoadData();
extern "C" void hipLibraryLoadFromFile();
extern "C" void hipLibraryUnload();
extern "C" void hipLibraryGetKernel();
extern "C" void hipLibraryGetKernelCount();
extern "C" void hipLibraryGetGlobal();
extern "C" void hipLibraryGetManaged();
extern "C" void hipLibraryEnumerateKernels();
extern "C" void hipKernelGetLibrary();
extern "C" void hipKernelGetName();
extern "C" void hipKernelGetParamInfo();
extern "C" void hipDeviceGetDevResource();
extern "C" void hipDevSmResourceSplitByCount();
extern "C" void hipDevSmResourceSplit();
extern "C" void hipDevResourceGenerateDesc();
extern "C" void hipGreenCtxCreate();
extern "C" void hipExecutionCtxDestroy();
extern "C" void hipDeviceGetExecutionCtx();
extern "C" void hipExecutionCtxStreamCreate();
extern "C" void hipExecutionCtxGetDevResource();
extern "C" void hipExecutionCtxGetDevice();
extern "C" void hipExecutionCtxGetId();
extern "C" void hipStreamGetDevResource();
extern "C" void hipExecutionCtxRecordEvent();
extern "C" void hipExecutionCtxSynchronize();
extern "C" void hipExecutionCtxWaitEvent();
extern "C" void hipExtEnableLogging();
extern "C" void hipExtDisableLogging();
extern "C" void hipExtSetLoggingParams();
extern "C" void hipRegisterApiCallback();
extern "C" void hipRemoveApiCallback();
extern "C" void hipRegisterActivityCallback();
extern "C" void hipRemoveActivityCallback();

namespace greta::recorder {

const HookedCall kHooked[] = {
    {"hipInit", nullptr, &hipInit, false},
    {"hipDriverGetVersion", nullptr, &hipDriverGetVersion, false},
    {"hipRuntimeGetVersion", nullptr, &hipRuntimeGetVersion, false},
    {"hipDeviceGet", nullptr, &hipDeviceGet, false},
    {"hipDeviceGetName", nullptr, &hipDeviceGetName, false},
    {"hipDeviceGetPCIBusId", nullptr, &hipDeviceGetPCIBusId, false},
    {"hipDeviceTotalMem", nullptr, &hipDeviceTotalMem, false},
    {"hipDeviceSynchronize", nullptr, &hipDeviceSynchronize, false},
    {"hipDeviceReset", nullptr, &hipDeviceReset, false},
    {"hipSetDevice", nullptr, &hipSetDevice, false},
    {"hipGetDevice", nullptr, &hipGetDevice, false},
    {"hipGetDeviceCount", nullptr, &hipGetDeviceCount, false},
    {"hipDeviceGetAttribute", nullptr, &hipDeviceGetAttribute, false},
    {"hipDeviceGetStreamPriorityRange", nullptr, &hipDeviceGetStreamPriorityRange, false},
    {"hipGetDevicePropertiesR0600", nullptr, &hipGetDevicePropertiesR0600, false},
    {"hipDeviceComputeCapability", nullptr, &hipDeviceComputeCapability, false},
    {"hipDeviceGetUuid", nullptr, &hipDeviceGetUuid, false},
    {"hipDeviceGetP2PAttribute", nullptr, &hipDeviceGetP2PAttribute, false},
    {"hipDeviceGetByPCIBusId", nullptr, &hipDeviceGetByPCIBusId, false},
    {"hipDeviceSetCacheConfig", nullptr, &hipDeviceSetCacheConfig, false},
    {"hipDeviceGetCacheConfig", nullptr, &hipDeviceGetCacheConfig, false},
    {"hipDeviceGetLimit", nullptr, &hipDeviceGetLimit, false},
    {"hipDeviceSetLimit", nullptr, &hipDeviceSetLimit, false},
    {"hipDeviceGetSharedMemConfig", nullptr, &hipDeviceGetSharedMemConfig, false},
    {"hipGetDeviceFlags", nullptr, &hipGetDeviceFlags, false},
    {"hipDeviceSetSharedMemConfig", nullptr, &hipDeviceSetSharedMemConfig, false},
    {"hipSetDeviceFlags", nullptr, &hipSetDeviceFlags, false},
    {"hipDeviceCanAccessPeer", nullptr, &hipDeviceCanAccessPeer, false},
    {"hipDeviceEnablePeerAccess", nullptr, &hipDeviceEnablePeerAccess, false},
    {"hipDeviceDisablePeerAccess", nullptr, &hipDeviceDisablePeerAccess, false},
    {"hipGetDeviceProperties", nullptr, &hipGetDeviceProperties, false},
    {"hipGetDevicePropertiesR0000", nullptr, &hipGetDevicePropertiesR0000, false},
    {"hipChooseDevice", nullptr, &hipChooseDevice, false},
    {"hipChooseDeviceR0000", nullptr, &hipChooseDeviceR0000, false},
    {"hipChooseDeviceR0600", nullptr, &hipChooseDeviceR0600, false},
    {"hipSetValidDevices", nullptr, &hipSetValidDevices, false},
    {"hipExtGetLinkTypeAndHopCount", nullptr, &hipExtGetLinkTypeAndHopCount, false},
    {"hipCtxCreate", nullptr, &hipCtxCreate, false},
    {"hipCtxDestroy", nullptr, &hipCtxDestroy, false},
    {"hipCtxPopCurrent", nullptr, &hipCtxPopCurrent, false},
    {"hipCtxPushCurrent", nullptr, &hipCtxPushCurrent, false},
    {"hipCtxSetCurrent", nullptr, &hipCtxSetCurrent, false},
    {"hipCtxGetCurrent", nullptr, &hipCtxGetCurrent, false},
    {"hipCtxGetDevice", nullptr, &hipCtxGetDevice, false},
    {"hipCtxSynchronize", nullptr, &hipCtxSynchronize, false},
    {"hipDevicePrimaryCtxGetState", nullptr, &hipDevicePrimaryCtxGetState, false},
    {"hipDevicePrimaryCtxRelease", nullptr, &hipDevicePrimaryCtxRelease, false},
    {"hipDevicePrimaryCtxRetain", nullptr, &hipDevicePrimaryCtxRetain, false},
    {"hipDevicePrimaryCtxReset", nullptr, &hipDevicePrimaryCtxReset, false},
    {"hipCtxGetApiVersion", nullptr, &hipCtxGetApiVersion, false},
    {"hipCtxGetCacheConfig", nullptr, &hipCtxGetCacheConfig, false},
    {"hipCtxSetCacheConfig", nullptr, &hipCtxSetCacheConfig, false},
    {"hipCtxSetSharedMemConfig", nullptr, &hipCtxSetSharedMemConfig, false},
    {"hipCtxGetSharedMemConfig", nullptr, &hipCtxGetSharedMemConfig, false},
    {"hipCtxGetFlags", nullptr, &hipCtxGetFlags, false},
    {"hipCtxEnablePeerAccess", nullptr, &hipCtxEnablePeerAccess, false},
    {"hipCtxDisablePeerAccess", nullptr, &hipCtxDisablePeerAccess, false},
    {"hipDevicePrimaryCtxSetFlags", nullptr, &hipDevicePrimaryCtxSetFlags, false},
    {"hipPointerGetAttributes", nullptr, &hipPointerGetAttributes, false},
    {"hipPointerGetAttribute", nullptr, &hipPointerGetAttribute, false},
    {"hipPointerSetAttribute", nullptr, &hipPointerSetAttribute, false},
    {"hipMalloc", nullptr, &hipMalloc, false},
    {"hipExtMallocWithFlags", nullptr, &hipExtMallocWithFlags, false},
    {"hipHostMalloc", nullptr, &hipHostMalloc, false},
    {"hipMallocManaged", nullptr, &hipMallocManaged, false},
    {"hipHostAlloc", nullptr, &hipHostAlloc, false},
    {"hipHostGetDevicePointer", nullptr, &hipHostGetDevicePointer, false},
    {"hipHostGetFlags", nullptr, &hipHostGetFlags, false},
    {"hipHostRegister", nullptr, &hipHostRegister, false},
    {"hipHostUnregister", nullptr, &hipHostUnregister, false},
    {"hipMallocPitch", nullptr, &hipMallocPitch, false},
    {"hipFree", nullptr, &hipFree, false},
    {"hipFreeHost", nullptr, &hipFreeHost, false},
    {"hipHostFree", nullptr, &hipHostFree, false},
    {"hipMemGetInfo", nullptr, &hipMemGetInfo, false},
    {"hipMemGetAddressRange", nullptr, &hipMemGetAddressRange, false},
    {"hipDrvPointerGetAttributes", nullptr, &hipDrvPointerGetAttributes, false},
    {"hipMallocHost", nullptr, &hipMallocHost, false},
    {"hipMemPrefetchAsync", nullptr, &hipMemPrefetchAsync, false},
    {"hipMemPrefetchAsync_v2", nullptr, &hipMemPrefetchAsync_v2, false},
    {"hipMemAdvise", nullptr, &hipMemAdvise, false},
    {"hipMemAdvise_v2", nullptr, &hipMemAdvise_v2, false},
    {"hipMemPtrGetInfo", nullptr, &hipMemPtrGetInfo, false},
    {"hipMemAllocHost", nullptr, &hipMemAllocHost, false},
    {"hipMemPrefetchBatchAsync", nullptr, &hipMemPrefetchBatchAsync, false},
    {"hipMemDiscardBatchAsync", nullptr, &hipMemDiscardBatchAsync, false},
    {"hipDrvMemDiscardBatchAsync", nullptr, &hipDrvMemDiscardBatchAsync, false},
    {"hipMemDiscardAndPrefetchBatchAsync", nullptr, &hipMemDiscardAndPrefetchBatchAsync, false},
    {"hipDrvMemDiscardAndPrefetchBatchAsync", nullptr, &hipDrvMemDiscardAndPrefetchBatchAsync, false},
    {"hipMemRangeGetAttribute", nullptr, &hipMemRangeGetAttribute, false},
    {"hipMemRangeGetAttributes", nullptr, &hipMemRangeGetAttributes, false},
    {"hipStreamAttachMemAsync", nullptr, &hipStreamAttachMemAsync, false},
    {"hipMemAllocPitch", nullptr, &hipMemAllocPitch, false},
    {"hipMalloc3D", nullptr, &hipMalloc3D, false},
    {"hipMemcpy", nullptr, &hipMemcpy, false},
    {"hipMemcpy_spt", nullptr, &hipMemcpy_spt, false},
    {"hipMemcpyWithStream", nullptr, &hipMemcpyWithStream, false},
    {"hipMemcpyHtoD", nullptr, &hipMemcpyHtoD, false},
    {"hipMemcpyDtoH", nullptr, &hipMemcpyDtoH, false},
    {"hipMemcpyDtoD", nullptr, &hipMemcpyDtoD, false},
    {"hipMemcpyHtoDAsync", nullptr, &hipMemcpyHtoDAsync, false},
    {"hipMemcpyDtoHAsync", nullptr, &hipMemcpyDtoHAsync, false},
    {"hipMemcpyDtoDAsync", nullptr, &hipMemcpyDtoDAsync, false},
    {"hipMemcpyAsync", nullptr, &hipMemcpyAsync, false},
    {"hipMemcpyAsync_spt", nullptr, &hipMemcpyAsync_spt, false},
    {"hipMemset", nullptr, &hipMemset, false},
    {"hipMemset_spt", nullptr, &hipMemset_spt, false},
    {"hipMemsetD8", nullptr, &hipMemsetD8, false},
    {"hipMemsetD32", nullptr, &hipMemsetD32, false},
    {"hipMemsetAsync", nullptr, &hipMemsetAsync, false},
    {"hipMemsetAsync_spt", nullptr, &hipMemsetAsync_spt, false},
    {"hipMemsetD32Async", nullptr, &hipMemsetD32Async, false},
    {"hipMemset2D", nullptr, &hipMemset2D, false},
    {"hipMemset2D_spt", nullptr, &hipMemset2D_spt, false},
    {"hipMemset2DAsync", nullptr, &hipMemset2DAsync, false},
    {"hipMemset2DAsync_spt", nullptr, &hipMemset2DAsync_spt, false},
    {"hipMemcpy2D", nullptr, &hipMemcpy2D, false},
    {"hipMemcpy2D_spt", nullptr, &hipMemcpy2D_spt, false},
    {"hipMemcpy2DAsync", nullptr, &hipMemcpy2DAsync, false},
    {"hipMemcpy2DAsync_spt", nullptr, &hipMemcpy2DAsync_spt, false},
    {"hipMemsetD8Async", nullptr, &hipMemsetD8Async, false},
    {"hipMemsetD16", nullptr, &hipMemsetD16, false},
    {"hipMemsetD16Async", nullptr, &hipMemsetD16Async, false},
    {"hipMemcpyPeer", nullptr, &hipMemcpyPeer, false},
    {"hipMemcpyPeerAsync", nullptr, &hipMemcpyPeerAsync, false},
    {"hipMemset3D", nullptr, &hipMemset3D, false},
    {"hipMemset3D_spt", nullptr, &hipMemset3D_spt, false},
    {"hipMemset3DAsync", nullptr, &hipMemset3DAsync, false},
    {"hipMemset3DAsync_spt", nullptr, &hipMemset3DAsync_spt, false},
    {"hipMemsetD2D8", nullptr, &hipMemsetD2D8, false},
    {"hipMemsetD2D8Async", nullptr, &hipMemsetD2D8Async, false},
    {"hipMemsetD2D16", nullptr, &hipMemsetD2D16, false},
    {"hipMemsetD2D16Async", nullptr, &hipMemsetD2D16Async, false},
    {"hipMemsetD2D32", nullptr, &hipMemsetD2D32, false},
    {"hipMemsetD2D32Async", nullptr, &hipMemsetD2D32Async, false},
    {"hipMemcpyParam2D", nullptr, &hipMemcpyParam2D, false},
    {"hipMemcpyParam2DAsync", nullptr, &hipMemcpyParam2DAsync, false},
    {"hipMemcpy3D", nullptr, &hipMemcpy3D, false},
    {"hipMemcpy3D_spt", nullptr, &hipMemcpy3D_spt, false},
    {"hipMemcpy3DAsync", nullptr, &hipMemcpy3DAsync, false},
    {"hipMemcpy3DAsync_spt", nullptr, &hipMemcpy3DAsync_spt, false},
    {"hipDrvMemcpy3D", nullptr, &hipDrvMemcpy3D, false},
    {"hipDrvMemcpy3DAsync", nullptr, &hipDrvMemcpy3DAsync, false},
    {"hipMemcpyBatchAsync", nullptr, &hipMemcpyBatchAsync, false},
    {"hipMemcpy3DBatchAsync", nullptr, &hipMemcpy3DBatchAsync, false},
    {"hipMemcpy3DPeer", nullptr, &hipMemcpy3DPeer, false},
    {"hipMemcpy3DPeerAsync", nullptr, &hipMemcpy3DPeerAsync, false},
    {"hipDrvMemcpy2DUnaligned", nullptr, &hipDrvMemcpy2DUnaligned, false},
    {"hipGetSymbolAddress", nullptr, &hipGetSymbolAddress, false},
    {"hipGetSymbolSize", nullptr, &hipGetSymbolSize, false},
    {"hipMemcpyToSymbol", nullptr, &hipMemcpyToSymbol, false},
    {"hipMemcpyToSymbol_spt", nullptr, &hipMemcpyToSymbol_spt, false},
    {"hipMemcpyToSymbolAsync", nullptr, &hipMemcpyToSymbolAsync, false},
    {"hipMemcpyToSymbolAsync_spt", nullptr, &hipMemcpyToSymbolAsync_spt, false},
    {"hipMemcpyFromSymbol", nullptr, &hipMemcpyFromSymbol, false},
    {"hipMemcpyFromSymbol_spt", nullptr, &hipMemcpyFromSymbol_spt, false},
    {"hipMemcpyFromSymbolAsync", nullptr, &hipMemcpyFromSymbolAsync, false},
    {"hipMemcpyFromSymbolAsync_spt", nullptr, &hipMemcpyFromSymbolAsync_spt, false},
    {"hipDeviceGetDefaultMemPool", nullptr, &hipDeviceGetDefaultMemPool, false},
    {"hipDeviceSetMemPool", nullptr, &hipDeviceSetMemPool, false},
    {"hipDeviceGetMemPool", nullptr, &hipDeviceGetMemPool, false},
    {"hipMallocAsync", nullptr, &hipMallocAsync, false},
    {"hipFreeAsync", nullptr, &hipFreeAsync, false},
    {"hipMemPoolTrimTo", nullptr, &hipMemPoolTrimTo, false},
    {"hipMemPoolSetAttribute", nullptr, &hipMemPoolSetAttribute, false},
    {"hipMemPoolGetAttribute", nullptr, &hipMemPoolGetAttribute, false},
    {"hipMemPoolCreate", nullptr, &hipMemPoolCreate, false},
    {"hipMemPoolDestroy", nullptr, &hipMemPoolDestroy, false},
    {"hipMallocFromPoolAsync", nullptr, &hipMallocFromPoolAsync, false},
    {"hipMemPoolSetAccess", nullptr, &hipMemPoolSetAccess, false},
    {"hipMemPoolGetAccess", nullptr, &hipMemPoolGetAccess, false},
    {"hipMemPoolExportToShareableHandle", nullptr, &hipMemPoolExportToShareableHandle, false},
    {"hipMemPoolImportFromShareableHandle", nullptr, &hipMemPoolImportFromShareableHandle, false},
    {"hipMemPoolExportPointer", nullptr, &hipMemPoolExportPointer, false},
    {"hipMemPoolImportPointer", nullptr, &hipMemPoolImportPointer, false},
    {"hipMemSetMemPool", nullptr, &hipMemSetMemPool, false},
    {"hipMemGetMemPool", nullptr, &hipMemGetMemPool, false},
    {"hipMemGetDefaultMemPool", nullptr, &hipMemGetDefaultMemPool, false},
    {"hipMemGetHandleForAddressRange", nullptr, &hipMemGetHandleForAddressRange, false},
    {"hipMemAddressFree", nullptr, &hipMemAddressFree, false},
    {"hipMemAddressReserve", nullptr, &hipMemAddressReserve, false},
    {"hipMemCreate", nullptr, &hipMemCreate, false},
    {"hipMemExportToShareableHandle", nullptr, &hipMemExportToShareableHandle, false},
    {"hipMemGetAccess", nullptr, &hipMemGetAccess, false},
    {"hipMemGetAllocationGranularity", nullptr, &hipMemGetAllocationGranularity, false},
    {"hipMemGetAllocationPropertiesFromHandle", nullptr, &hipMemGetAllocationPropertiesFromHandle, false},
    {"hipMemImportFromShareableHandle", nullptr, &hipMemImportFromShareableHandle, false},
    {"hipMemMap", nullptr, &hipMemMap, false},
    {"hipMemRelease", nullptr, &hipMemRelease, false},
    {"hipMemRetainAllocationHandle", nullptr, &hipMemRetainAllocationHandle, false},
    {"hipMemSetAccess", nullptr, &hipMemSetAccess, false},
    {"hipMemUnmap", nullptr, &hipMemUnmap, false},
    {"hipStreamCreate", nullptr, &hipStreamCreate, false},
    {"hipStreamCreateWithFlags", nullptr, &hipStreamCreateWithFlags, false},
    {"hipStreamCreateWithPriority", nullptr, &hipStreamCreateWithPriority, false},
    {"hipStreamDestroy", nullptr, &hipStreamDestroy, false},
    {"hipStreamQuery", nullptr, &hipStreamQuery, false},
    {"hipStreamQuery_spt", nullptr, &hipStreamQuery_spt, false},
    {"hipStreamSynchronize", nullptr, &hipStreamSynchronize, false},
    {"hipStreamSynchronize_spt", nullptr, &hipStreamSynchronize_spt, false},
    {"hipStreamWaitEvent", nullptr, &hipStreamWaitEvent, false},
    {"hipStreamWaitEvent_spt", nullptr, &hipStreamWaitEvent_spt, false},
    {"hipStreamGetFlags", nullptr, &hipStreamGetFlags, false},
    {"hipStreamGetFlags_spt", nullptr, &hipStreamGetFlags_spt, false},
    {"hipStreamGetPriority", nullptr, &hipStreamGetPriority, false},
    {"hipStreamGetPriority_spt", nullptr, &hipStreamGetPriority_spt, false},
    {"hipStreamGetDevice", nullptr, &hipStreamGetDevice, false},
    {"hipStreamAddCallback", nullptr, &hipStreamAddCallback, false},
    {"hipStreamAddCallback_spt", nullptr, &hipStreamAddCallback_spt, false},
    {"hipLaunchHostFunc", nullptr, &hipLaunchHostFunc, false},
    {"hipLaunchHostFunc_spt", nullptr, &hipLaunchHostFunc_spt, false},
    {"hipStreamGetId", nullptr, &hipStreamGetId, false},
    {"hipExtStreamCreateWithCUMask", nullptr, &hipExtStreamCreateWithCUMask, false},
    {"hipStreamWaitValue32", nullptr, &hipStreamWaitValue32, false},
    {"hipStreamWaitValue64", nullptr, &hipStreamWaitValue64, false},
    {"hipStreamWriteValue32", nullptr, &hipStreamWriteValue32, false},
    {"hipStreamWriteValue64", nullptr, &hipStreamWriteValue64, false},
    {"hipGetStreamDeviceId", nullptr, &hipGetStreamDeviceId, false},
    {"hipExtStreamGetCUMask", nullptr, &hipExtStreamGetCUMask, false},
    {"hipStreamSetAttribute", nullptr, &hipStreamSetAttribute, false},
    {"hipStreamGetAttribute", nullptr, &hipStreamGetAttribute, false},
    {"hipStreamCopyAttributes", nullptr, &hipStreamCopyAttributes, false},
    {"hipStreamBatchMemOp", nullptr, &hipStreamBatchMemOp, false},
    {"hipEventCreateWithFlags", nullptr, &hipEventCreateWithFlags, false},
    {"hipEventCreate", nullptr, &hipEventCreate, false},
    {"hipEventRecord", nullptr, &hipEventRecord, false},
    {"hipEventRecord_spt", nullptr, &hipEventRecord_spt, false},
    {"hipEventDestroy", nullptr, &hipEventDestroy, false},
    {"hipEventSynchronize", nullptr, &hipEventSynchronize, false},
    {"hipEventElapsedTime", nullptr, &hipEventElapsedTime, false},
    {"hipEventQuery", nullptr, &hipEventQuery, false},
    {"hipEventRecordWithFlags", nullptr, &hipEventRecordWithFlags, false},
    {"hipFuncSetAttribute", nullptr, &hipFuncSetAttribute, false},
    {"hipModuleGetGlobal", nullptr, &hipModuleGetGlobal, false},
    {"hipModuleLoad", nullptr, &hipModuleLoad, false},
    {"hipModuleUnload", nullptr, &hipModuleUnload, false},
    {"hipModuleGetFunction", nullptr, &hipModuleGetFunction, false},
    {"hipFuncGetAttributes", nullptr, &hipFuncGetAttributes, false},
    {"hipFuncGetAttribute", nullptr, &hipFuncGetAttribute, false},
    {"hipModuleLoadData", nullptr, &hipModuleLoadData, false},
    {"hipModuleLoadDataEx", nullptr, &hipModuleLoadDataEx, false},
    {"hipFuncSetCacheConfig", nullptr, &hipFuncSetCacheConfig, false},
    {"hipFuncSetSharedMemConfig", nullptr, &hipFuncSetSharedMemConfig, false},
    {"hipModuleLoadFatBinary", nullptr, &hipModuleLoadFatBinary, false},
    {"hipModuleGetFunctionCount", nullptr, &hipModuleGetFunctionCount, false},
    {"hipLinkAddData", nullptr, &hipLinkAddData, false},
    {"hipLinkAddFile", nullptr, &hipLinkAddFile, false},
    {"hipLinkComplete", nullptr, &hipLinkComplete, false},
    {"hipLinkCreate", nullptr, &hipLinkCreate, false},
    {"hipLinkDestroy", nullptr, &hipLinkDestroy, false},
    {"hipModuleLaunchKernel", nullptr, &hipModuleLaunchKernel, false},
    {"hipLaunchKernel", nullptr, &hipLaunchKernel, false},
    {"hipLaunchKernel_spt", nullptr, &hipLaunchKernel_spt, false},
    {"hipExtLaunchKernel", nullptr, &hipExtLaunchKernel, false},
    {"hipModuleLaunchCooperativeKernel", nullptr, &hipModuleLaunchCooperativeKernel, false},
    {"hipLaunchCooperativeKernel", nullptr, &hipLaunchCooperativeKernel, false},
    {"hipLaunchCooperativeKernel_spt", nullptr, &hipLaunchCooperativeKernel_spt, false},
    {"hipLaunchKernelExC", nullptr, &hipLaunchKernelExC, false},
    {"hipDrvLaunchKernelEx", nullptr, &hipDrvLaunchKernelEx, false},
    {"hipExtModuleLaunchKernel", "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j", &hipExtModuleLaunchKernel, false},
    {"hipHccModuleLaunchKernel", "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_", &hipHccModuleLaunchKernel, false},
    {"hipModuleLaunchCooperativeKernelMultiDevice", nullptr, &hipModuleLaunchCooperativeKernelMultiDevice, false},
    {"hipLaunchCooperativeKernelMultiDevice", nullptr, &hipLaunchCooperativeKernelMultiDevice, false},
    {"hipExtLaunchMultiKernelMultiDevice", nullptr, &hipExtLaunchMultiKernelMultiDevice, false},
    {"hipModuleOccupancyMaxPotentialBlockSize", nullptr, &hipModuleOccupancyMaxPotentialBlockSize, false},
    {"hipModuleOccupancyMaxPotentialBlockSizeWithFlags", nullptr, &hipModuleOccupancyMaxPotentialBlockSizeWithFlags, false},
    {"hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", nullptr, &hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, false},
    {"hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", nullptr, &hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, false},
    {"hipOccupancyMaxActiveBlocksPerMultiprocessor", nullptr, &hipOccupancyMaxActiveBlocksPerMultiprocessor, false},
    {"hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", nullptr, &hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, false},
    {"hipOccupancyMaxPotentialBlockSize", nullptr, &hipOccupancyMaxPotentialBlockSize, false},
    {"hipOccupancyAvailableDynamicSMemPerBlock", nullptr, &hipOccupancyAvailableDynamicSMemPerBlock, false},
    {"hipOccupancyMaxActiveClusters", nullptr, &hipOccupancyMaxActiveClusters, false},
    {"hipOccupancyMaxPotentialClusterSize", nullptr, &hipOccupancyMaxPotentialClusterSize, false},
    {"hipStreamBeginCapture", nullptr, &hipStreamBeginCapture, false},
    {"hipStreamBeginCapture_spt", nullptr, &hipStreamBeginCapture_spt, false},
    {"hipStreamEndCapture", nullptr, &hipStreamEndCapture, false},
    {"hipStreamEndCapture_spt", nullptr, &hipStreamEndCapture_spt, false},
    {"hipStreamIsCapturing", nullptr, &hipStreamIsCapturing, false},
    {"hipStreamIsCapturing_spt", nullptr, &hipStreamIsCapturing_spt, false},
    {"hipGraphCreate", nullptr, &hipGraphCreate, false},
    {"hipGraphDestroy", nullptr, &hipGraphDestroy, false},
    {"hipGraphGetNodes", nullptr, &hipGraphGetNodes, false},
    {"hipGraphNodeGetType", nullptr, &hipGraphNodeGetType, false},
    {"hipGraphInstantiate", nullptr, &hipGraphInstantiate, false},
    {"hipGraphInstantiateWithFlags", nullptr, &hipGraphInstantiateWithFlags, false},
    {"hipGraphLaunch", nullptr, &hipGraphLaunch, false},
    {"hipGraphLaunch_spt", nullptr, &hipGraphLaunch_spt, false},
    {"hipGraphExecDestroy", nullptr, &hipGraphExecDestroy, false},
    {"hipGraphExecUpdate", nullptr, &hipGraphExecUpdate, false},
    {"hipGraphKernelNodeGetParams", nullptr, &hipGraphKernelNodeGetParams, false},
    {"hipStreamGetCaptureInfo", nullptr, &hipStreamGetCaptureInfo, false},
    {"hipStreamGetCaptureInfo_spt", nullptr, &hipStreamGetCaptureInfo_spt, false},
    {"hipStreamGetCaptureInfo_v2", nullptr, &hipStreamGetCaptureInfo_v2, false},
    {"hipStreamGetCaptureInfo_v2_spt", nullptr, &hipStreamGetCaptureInfo_v2_spt, false},
    {"hipThreadExchangeStreamCaptureMode", nullptr, &hipThreadExchangeStreamCaptureMode, false},
    {"hipGraphAddDependencies", nullptr, &hipGraphAddDependencies, false},
    {"hipGraphGetEdges", nullptr, &hipGraphGetEdges, false},
    {"hipGraphGetRootNodes", nullptr, &hipGraphGetRootNodes, false},
    {"hipGraphNodeGetDependencies", nullptr, &hipGraphNodeGetDependencies, false},
    {"hipGraphNodeGetDependentNodes", nullptr, &hipGraphNodeGetDependentNodes, false},
    {"hipGraphDestroyNode", nullptr, &hipGraphDestroyNode, false},
    {"hipGraphClone", nullptr, &hipGraphClone, false},
    {"hipGraphUpload", nullptr, &hipGraphUpload, false},
    {"hipGraphAddKernelNode", nullptr, &hipGraphAddKernelNode, false},
    {"hipGraphKernelNodeSetParams", nullptr, &hipGraphKernelNodeSetParams, false},
    {"hipGraphExecKernelNodeSetParams", nullptr, &hipGraphExecKernelNodeSetParams, false},
    {"hipGraphAddMemcpyNode1D", nullptr, &hipGraphAddMemcpyNode1D, false},
    {"hipGraphMemcpyNodeSetParams1D", nullptr, &hipGraphMemcpyNodeSetParams1D, false},
    {"hipGraphExecMemcpyNodeSetParams1D", nullptr, &hipGraphExecMemcpyNodeSetParams1D, false},
    {"hipGraphAddMemsetNode", nullptr, &hipGraphAddMemsetNode, false},
    {"hipGraphMemsetNodeGetParams", nullptr, &hipGraphMemsetNodeGetParams, false},
    {"hipGraphMemsetNodeSetParams", nullptr, &hipGraphMemsetNodeSetParams, false},
    {"hipGraphExecMemsetNodeSetParams", nullptr, &hipGraphExecMemsetNodeSetParams, false},
    {"hipGraphAddHostNode", nullptr, &hipGraphAddHostNode, false},
    {"hipGraphHostNodeGetParams", nullptr, &hipGraphHostNodeGetParams, false},
    {"hipGraphHostNodeSetParams", nullptr, &hipGraphHostNodeSetParams, false},
    {"hipGraphAddEmptyNode", nullptr, &hipGraphAddEmptyNode, false},
    {"hipGraphDebugDotPrint", nullptr, &hipGraphDebugDotPrint, false},
    {"hipGraphAddBatchMemOpNode", nullptr, &hipGraphAddBatchMemOpNode, false},
    {"hipGraphBatchMemOpNodeGetParams", nullptr, &hipGraphBatchMemOpNodeGetParams, false},
    {"hipGraphBatchMemOpNodeSetParams", nullptr, &hipGraphBatchMemOpNodeSetParams, false},
    {"hipGraphExecBatchMemOpNodeSetParams", nullptr, &hipGraphExecBatchMemOpNodeSetParams, false},
    {"hipStreamBeginCaptureToGraph", nullptr, &hipStreamBeginCaptureToGraph, false},
    {"hipStreamUpdateCaptureDependencies", nullptr, &hipStreamUpdateCaptureDependencies, false},
    {"hipGraphRemoveDependencies", nullptr, &hipGraphRemoveDependencies, false},
    {"hipGraphNodeFindInClone", nullptr, &hipGraphNodeFindInClone, false},
    {"hipGraphInstantiateWithParams", nullptr, &hipGraphInstantiateWithParams, false},
    {"hipGraphAddNode", nullptr, &hipGraphAddNode, false},
    {"hipGraphExecGetFlags", nullptr, &hipGraphExecGetFlags, false},
    {"hipGraphNodeSetParams", nullptr, &hipGraphNodeSetParams, false},
    {"hipGraphExecNodeSetParams", nullptr, &hipGraphExecNodeSetParams, false},
    {"hipDrvGraphAddMemcpyNode", nullptr, &hipDrvGraphAddMemcpyNode, false},
    {"hipGraphAddMemcpyNode", nullptr, &hipGraphAddMemcpyNode, false},
    {"hipGraphMemcpyNodeGetParams", nullptr, &hipGraphMemcpyNodeGetParams, false},
    {"hipGraphMemcpyNodeSetParams", nullptr, &hipGraphMemcpyNodeSetParams, false},
    {"hipGraphKernelNodeSetAttribute", nullptr, &hipGraphKernelNodeSetAttribute, false},
    {"hipGraphKernelNodeGetAttribute", nullptr, &hipGraphKernelNodeGetAttribute, false},
    {"hipGraphExecMemcpyNodeSetParams", nullptr, &hipGraphExecMemcpyNodeSetParams, false},
    {"hipGraphAddMemcpyNodeFromSymbol", nullptr, &hipGraphAddMemcpyNodeFromSymbol, false},
    {"hipGraphMemcpyNodeSetParamsFromSymbol", nullptr, &hipGraphMemcpyNodeSetParamsFromSymbol, false},
    {"hipGraphExecMemcpyNodeSetParamsFromSymbol", nullptr, &hipGraphExecMemcpyNodeSetParamsFromSymbol, false},
    {"hipGraphAddMemcpyNodeToSymbol", nullptr, &hipGraphAddMemcpyNodeToSymbol, false},
    {"hipGraphMemcpyNodeSetParamsToSymbol", nullptr, &hipGraphMemcpyNodeSetParamsToSymbol, false},
    {"hipGraphExecMemcpyNodeSetParamsToSymbol", nullptr, &hipGraphExecMemcpyNodeSetParamsToSymbol, false},
    {"hipGraphExecHostNodeSetParams", nullptr, &hipGraphExecHostNodeSetParams, false},
    {"hipGraphAddChildGraphNode", nullptr, &hipGraphAddChildGraphNode, false},
    {"hipGraphChildGraphNodeGetGraph", nullptr, &hipGraphChildGraphNodeGetGraph, false},
    {"hipGraphExecChildGraphNodeSetParams", nullptr, &hipGraphExecChildGraphNodeSetParams, false},
    {"hipGraphAddEventRecordNode", nullptr, &hipGraphAddEventRecordNode, false},
    {"hipGraphEventRecordNodeGetEvent", nullptr, &hipGraphEventRecordNodeGetEvent, false},
    {"hipGraphEventRecordNodeSetEvent", nullptr, &hipGraphEventRecordNodeSetEvent, false},
    {"hipGraphExecEventRecordNodeSetEvent", nullptr, &hipGraphExecEventRecordNodeSetEvent, false},
    {"hipGraphAddEventWaitNode", nullptr, &hipGraphAddEventWaitNode, false},
    {"hipGraphEventWaitNodeGetEvent", nullptr, &hipGraphEventWaitNodeGetEvent, false},
    {"hipGraphEventWaitNodeSetEvent", nullptr, &hipGraphEventWaitNodeSetEvent, false},
    {"hipGraphExecEventWaitNodeSetEvent", nullptr, &hipGraphExecEventWaitNodeSetEvent, false},
    {"hipGraphAddMemAllocNode", nullptr, &hipGraphAddMemAllocNode, false},
    {"hipGraphMemAllocNodeGetParams", nullptr, &hipGraphMemAllocNodeGetParams, false},
    {"hipGraphAddMemFreeNode", nullptr, &hipGraphAddMemFreeNode, false},
    {"hipGraphMemFreeNodeGetParams", nullptr, &hipGraphMemFreeNodeGetParams, false},
    {"hipDeviceGetGraphMemAttribute", nullptr, &hipDeviceGetGraphMemAttribute, false},
    {"hipDeviceSetGraphMemAttribute", nullptr, &hipDeviceSetGraphMemAttribute, false},
    {"hipDeviceGraphMemTrim", nullptr, &hipDeviceGraphMemTrim, false},
    {"hipUserObjectCreate", nullptr, &hipUserObjectCreate, false},
    {"hipUserObjectRelease", nullptr, &hipUserObjectRelease, false},
    {"hipUserObjectRetain", nullptr, &hipUserObjectRetain, false},
    {"hipGraphRetainUserObject", nullptr, &hipGraphRetainUserObject, false},
    {"hipGraphReleaseUserObject", nullptr, &hipGraphReleaseUserObject, false},
    {"hipGraphKernelNodeCopyAttributes", nullptr, &hipGraphKernelNodeCopyAttributes, false},
    {"hipGraphNodeSetEnabled", nullptr, &hipGraphNodeSetEnabled, false},
    {"hipGraphNodeGetEnabled", nullptr, &hipGraphNodeGetEnabled, false},
    {"hipGraphAddExternalSemaphoresWaitNode", nullptr, &hipGraphAddExternalSemaphoresWaitNode, false},
    {"hipGraphAddExternalSemaphoresSignalNode", nullptr, &hipGraphAddExternalSemaphoresSignalNode, false},
    {"hipGraphExternalSemaphoresSignalNodeSetParams", nullptr, &hipGraphExternalSemaphoresSignalNodeSetParams, false},
    {"hipGraphExternalSemaphoresWaitNodeSetParams", nullptr, &hipGraphExternalSemaphoresWaitNodeSetParams, false},
    {"hipGraphExternalSemaphoresSignalNodeGetParams", nullptr, &hipGraphExternalSemaphoresSignalNodeGetParams, false},
    {"hipGraphExternalSemaphoresWaitNodeGetParams", nullptr, &hipGraphExternalSemaphoresWaitNodeGetParams, false},
    {"hipGraphExecExternalSemaphoresSignalNodeSetParams", nullptr, &hipGraphExecExternalSemaphoresSignalNodeSetParams, false},
    {"hipGraphExecExternalSemaphoresWaitNodeSetParams", nullptr, &hipGraphExecExternalSemaphoresWaitNodeSetParams, false},
    {"hipDrvGraphMemcpyNodeGetParams", nullptr, &hipDrvGraphMemcpyNodeGetParams, false},
    {"hipDrvGraphMemcpyNodeSetParams", nullptr, &hipDrvGraphMemcpyNodeSetParams, false},
    {"hipDrvGraphAddMemsetNode", nullptr, &hipDrvGraphAddMemsetNode, false},
    {"hipDrvGraphAddMemFreeNode", nullptr, &hipDrvGraphAddMemFreeNode, false},
    {"hipDrvGraphExecMemcpyNodeSetParams", nullptr, &hipDrvGraphExecMemcpyNodeSetParams, false},
    {"hipDrvGraphExecMemsetNodeSetParams", nullptr, &hipDrvGraphExecMemsetNodeSetParams, false},
    {"hipGetLastError", nullptr, &hipGetLastError, false},
    {"hipExtGetLastError", nullptr, &hipExtGetLastError, false},
    {"hipPeekAtLastError", nullptr, &hipPeekAtLastError, false},
    {"hipGetErrorName", nullptr, &hipGetErrorName, true},
    {"hipGetErrorString", nullptr, &hipGetErrorString, true},
    {"hipDrvGetErrorName", nullptr, &hipDrvGetErrorName, false},
    {"hipDrvGetErrorString", nullptr, &hipDrvGetErrorString, false},
    {"hipGetProcAddress", nullptr, &hipGetProcAddress, false},
    {"hipGetProcAddress_spt", nullptr, &hipGetProcAddress_spt, false},
    {"hipGetFuncBySymbol", nullptr, &hipGetFuncBySymbol, false},
    {"hipGetDriverEntryPoint", nullptr, &hipGetDriverEntryPoint, false},
    {"hipGetDriverEntryPoint_spt", nullptr, &hipGetDriverEntryPoint_spt, false},
    {"hipApiName", nullptr, &hipApiName, true},
    {"hipKernelNameRef", nullptr, &hipKernelNameRef, true},
    {"hipKernelNameRefByPtr", nullptr, &hipKernelNameRefByPtr, true},
    {"__hipRegisterFatBinary", nullptr, &__hipRegisterFatBinary, true},
    {"__hipRegisterFunction", nullptr, &__hipRegisterFunction, false},
    {"__hipRegisterVar", nullptr, &__hipRegisterVar, false},
    {"__hipRegisterManagedVar", nullptr, &__hipRegisterManagedVar, false},
    {"__hipUnregisterFatBinary", nullptr, &__hipUnregisterFatBinary, false},
    {"__hipPushCallConfiguration", nullptr, &__hipPushCallConfiguration, false},
    {"__hipPopCallConfiguration", nullptr, &__hipPopCallConfiguration, false},
    {"hipConfigureCall", nullptr, &hipConfigureCall, false},
    {"hipSetupArgument", nullptr, &hipSetupArgument, false},
    {"hipLaunchByPtr", nullptr, &hipLaunchByPtr, false},
    {"__hipRegisterSurface", nullptr, &__hipRegisterSurface, false},
    {"__hipRegisterTexture", nullptr, &__hipRegisterTexture, false},
    {"hipProfilerStart", nullptr, &hipProfilerStart, false},
    {"hipProfilerStop", nullptr, &hipProfilerStop, false},
    {"hipMemcpyAtoD", nullptr, &hipMemcpyAtoD, false},
    {"hipMemcpyDtoA", nullptr, &hipMemcpyDtoA, false},
    {"hipMemcpyAtoA", nullptr, &hipMemcpyAtoA, false},
    {"hipMemcpyAtoHAsync", nullptr, &hipMemcpyAtoHAsync, false},
    {"hipMemcpyHtoAAsync", nullptr, &hipMemcpyHtoAAsync, false},
    {"hipMallocArray", nullptr, &hipMallocArray, false},
    {"hipArrayCreate", nullptr, &hipArrayCreate, false},
    {"hipArrayDestroy", nullptr, &hipArrayDestroy, false},
    {"hipArray3DCreate", nullptr, &hipArray3DCreate, false},
    {"hipFreeArray", nullptr, &hipFreeArray, false},
    {"hipMalloc3DArray", nullptr, &hipMalloc3DArray, false},
    {"hipArrayGetInfo", nullptr, &hipArrayGetInfo, false},
    {"hipArrayGetDescriptor", nullptr, &hipArrayGetDescriptor, false},
    {"hipArray3DGetDescriptor", nullptr, &hipArray3DGetDescriptor, false},
    {"hipMemcpy2DToArray", nullptr, &hipMemcpy2DToArray, false},
    {"hipMemcpy2DToArray_spt", nullptr, &hipMemcpy2DToArray_spt, false},
    {"hipMemcpy2DToArrayAsync", nullptr, &hipMemcpy2DToArrayAsync, false},
    {"hipMemcpy2DToArrayAsync_spt", nullptr, &hipMemcpy2DToArrayAsync_spt, false},
    {"hipMemcpy2DArrayToArray", nullptr, &hipMemcpy2DArrayToArray, false},
    {"hipMemcpyToArray", nullptr, &hipMemcpyToArray, false},
    {"hipMemcpyFromArray", nullptr, &hipMemcpyFromArray, false},
    {"hipMemcpyFromArray_spt", nullptr, &hipMemcpyFromArray_spt, false},
    {"hipMemcpy2DFromArray", nullptr, &hipMemcpy2DFromArray, false},
    {"hipMemcpy2DFromArray_spt", nullptr, &hipMemcpy2DFromArray_spt, false},
    {"hipMemcpy2DFromArrayAsync", nullptr, &hipMemcpy2DFromArrayAsync, false},
    {"hipMemcpy2DFromArrayAsync_spt", nullptr, &hipMemcpy2DFromArrayAsync_spt, false},
    {"hipMemcpyAtoH", nullptr, &hipMemcpyAtoH, false},
    {"hipMemcpyHtoA", nullptr, &hipMemcpyHtoA, false},
    {"hipMipmappedArrayGetMemoryRequirements", nullptr, &hipMipmappedArrayGetMemoryRequirements, false},
    {"hipMallocMipmappedArray", nullptr, &hipMallocMipmappedArray, false},
    {"hipFreeMipmappedArray", nullptr, &hipFreeMipmappedArray, false},
    {"hipGetMipmappedArrayLevel", nullptr, &hipGetMipmappedArrayLevel, false},
    {"hipMipmappedArrayCreate", nullptr, &hipMipmappedArrayCreate, false},
    {"hipMipmappedArrayDestroy", nullptr, &hipMipmappedArrayDestroy, false},
    {"hipMipmappedArrayGetLevel", nullptr, &hipMipmappedArrayGetLevel, false},
    {"hipMemMapArrayAsync", nullptr, &hipMemMapArrayAsync, false},
    {"hipDeviceGetTexture1DLinearMaxWidth", nullptr, &hipDeviceGetTexture1DLinearMaxWidth, false},
    {"hipModuleGetTexRef", nullptr, &hipModuleGetTexRef, false},
    {"hipCreateTextureObject", nullptr, &hipCreateTextureObject, false},
    {"hipDestroyTextureObject", nullptr, &hipDestroyTextureObject, false},
    {"hipGetChannelDesc", nullptr, &hipGetChannelDesc, false},
    {"hipGetTextureObjectResourceDesc", nullptr, &hipGetTextureObjectResourceDesc, false},
    {"hipGetTextureObjectResourceViewDesc", nullptr, &hipGetTextureObjectResourceViewDesc, false},
    {"hipGetTextureObjectTextureDesc", nullptr, &hipGetTextureObjectTextureDesc, false},
    {"hipTexObjectCreate", nullptr, &hipTexObjectCreate, false},
    {"hipTexObjectDestroy", nullptr, &hipTexObjectDestroy, false},
    {"hipTexObjectGetResourceDesc", nullptr, &hipTexObjectGetResourceDesc, false},
    {"hipTexObjectGetResourceViewDesc", nullptr, &hipTexObjectGetResourceViewDesc, false},
    {"hipTexObjectGetTextureDesc", nullptr, &hipTexObjectGetTextureDesc, false},
    {"hipBindTextureToMipmappedArray", nullptr, &hipBindTextureToMipmappedArray, false},
    {"hipGetTextureReference", nullptr, &hipGetTextureReference, false},
    {"hipTexRefGetBorderColor", nullptr, &hipTexRefGetBorderColor, false},
    {"hipTexRefGetArray", nullptr, &hipTexRefGetArray, false},
    {"hipTexRefSetAddressMode", nullptr, &hipTexRefSetAddressMode, false},
    {"hipTexRefSetArray", nullptr, &hipTexRefSetArray, false},
    {"hipTexRefSetFilterMode", nullptr, &hipTexRefSetFilterMode, false},
    {"hipTexRefSetFlags", nullptr, &hipTexRefSetFlags, false},
    {"hipTexRefSetFormat", nullptr, &hipTexRefSetFormat, false},
    {"hipBindTexture", nullptr, &hipBindTexture, false},
    {"hipBindTexture2D", nullptr, &hipBindTexture2D, false},
    {"hipBindTextureToArray", nullptr, &hipBindTextureToArray, false},
    {"hipGetTextureAlignmentOffset", nullptr, &hipGetTextureAlignmentOffset, false},
    {"hipUnbindTexture", nullptr, &hipUnbindTexture, false},
    {"hipTexRefGetAddress", nullptr, &hipTexRefGetAddress, false},
    {"hipTexRefGetAddressMode", nullptr, &hipTexRefGetAddressMode, false},
    {"hipTexRefGetFilterMode", nullptr, &hipTexRefGetFilterMode, false},
    {"hipTexRefGetFlags", nullptr, &hipTexRefGetFlags, false},
    {"hipTexRefGetFormat", nullptr, &hipTexRefGetFormat, false},
    {"hipTexRefGetMaxAnisotropy", nullptr, &hipTexRefGetMaxAnisotropy, false},
    {"hipTexRefGetMipmapFilterMode", nullptr, &hipTexRefGetMipmapFilterMode, false},
    {"hipTexRefGetMipmapLevelBias", nullptr, &hipTexRefGetMipmapLevelBias, false},
    {"hipTexRefGetMipmapLevelClamp", nullptr, &hipTexRefGetMipmapLevelClamp, false},
    {"hipTexRefGetMipMappedArray", nullptr, &hipTexRefGetMipMappedArray, false},
    {"hipTexRefSetAddress", nullptr, &hipTexRefSetAddress, false},
    {"hipTexRefSetAddress2D", nullptr, &hipTexRefSetAddress2D, false},
    {"hipTexRefSetMaxAnisotropy", nullptr, &hipTexRefSetMaxAnisotropy, false},
    {"hipTexRefSetBorderColor", nullptr, &hipTexRefSetBorderColor, false},
    {"hipTexRefSetMipmapFilterMode", nullptr, &hipTexRefSetMipmapFilterMode, false},
    {"hipTexRefSetMipmapLevelBias", nullptr, &hipTexRefSetMipmapLevelBias, false},
    {"hipTexRefSetMipmapLevelClamp", nullptr, &hipTexRefSetMipmapLevelClamp, false},
    {"hipTexRefSetMipmappedArray", nullptr, &hipTexRefSetMipmappedArray, false},
    {"hipCreateSurfaceObject", "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc", &hipCreateSurfaceObject, false},
    {"hipDestroySurfaceObject", "_Z23hipDestroySurfaceObjectP13__hip_surface", &hipDestroySurfaceObject, false},
    {"hipImportExternalSemaphore", nullptr, &hipImportExternalSemaphore, false},
    {"hipSignalExternalSemaphoresAsync", nullptr, &hipSignalExternalSemaphoresAsync, false},
    {"hipWaitExternalSemaphoresAsync", nullptr, &hipWaitExternalSemaphoresAsync, false},
    {"hipDestroyExternalSemaphore", nullptr, &hipDestroyExternalSemaphore, false},
    {"hipImportExternalMemory", nullptr, &hipImportExternalMemory, false},
    {"hipExternalMemoryGetMappedBuffer", nullptr, &hipExternalMemoryGetMappedBuffer, false},
    {"hipDestroyExternalMemory", nullptr, &hipDestroyExternalMemory, false},
    {"hipExternalMemoryGetMappedMipmappedArray", nullptr, &hipExternalMemoryGetMappedMipmappedArray, false},
    {"hipGraphicsMapResources", nullptr, &hipGraphicsMapResources, false},
    {"hipGraphicsSubResourceGetMappedArray", nullptr, &hipGraphicsSubResourceGetMappedArray, false},
    {"hipGraphicsResourceGetMappedPointer", nullptr, &hipGraphicsResourceGetMappedPointer, false},
    {"hipGraphicsUnmapResources", nullptr, &hipGraphicsUnmapResources, false},
    {"hipGraphicsUnregisterResource", nullptr, &hipGraphicsUnregisterResource, false},
    {"hipGLGetDevices", nullptr, &hipGLGetDevices, false},
    {"hipGraphicsGLRegisterBuffer", nullptr, &hipGraphicsGLRegisterBuffer, false},
    {"hipGraphicsGLRegisterImage", nullptr, &hipGraphicsGLRegisterImage, false},
    {"hipIpcGetMemHandle", nullptr, &hipIpcGetMemHandle, false},
    {"hipIpcOpenMemHandle", nullptr, &hipIpcOpenMemHandle, false},
    {"hipIpcCloseMemHandle", nullptr, &hipIpcCloseMemHandle, false},
    {"hipIpcGetEventHandle", nullptr, &hipIpcGetEventHandle, false},
    {"hipIpcOpenEventHandle", nullptr, &hipIpcOpenEventHandle, false},
    {"hipKernelSetAttribute", nullptr, &hipKernelSetAttribute, false},
    {"hipKernelGetFunction", nullptr, &hipKernelGetFunction, false},
    {"hipKernelGetAttribute", nullptr, &hipKernelGetAttribute, false},
    {"hipLibraryLoadData", nullptr, &hipLibraryLoadData, false},
    {"hipLibraryLoadFromFile", nullptr, &hipLibraryLoadFromFile, false},
    {"hipLibraryUnload", nullptr, &hipLibraryUnload, false},
    {"hipLibraryGetKernel", nullptr, &hipLibraryGetKernel, false},
    {"hipLibraryGetKernelCount", nullptr, &hipLibraryGetKernelCount, false},
    {"hipLibraryGetGlobal", nullptr, &hipLibraryGetGlobal, false},
    {"hipLibraryGetManaged", nullptr, &hipLibraryGetManaged, false},
    {"hipLibraryEnumerateKernels", nullptr, &hipLibraryEnumerateKernels, false},
    {"hipKernelGetLibrary", nullptr, &hipKernelGetLibrary, false},
    {"hipKernelGetName", nullptr, &hipKernelGetName, false},
    {"hipKernelGetParamInfo", nullptr, &hipKernelGetParamInfo, false},
    {"hipDeviceGetDevResource", nullptr, &hipDeviceGetDevResource, false},
    {"hipDevSmResourceSplitByCount", nullptr, &hipDevSmResourceSplitByCount, false},
    {"hipDevSmResourceSplit", nullptr, &hipDevSmResourceSplit, false},
    {"hipDevResourceGenerateDesc", nullptr, &hipDevResourceGenerateDesc, false},
    {"hipGreenCtxCreate", nullptr, &hipGreenCtxCreate, false},
    {"hipExecutionCtxDestroy", nullptr, &hipExecutionCtxDestroy, false},
    {"hipDeviceGetExecutionCtx", nullptr, &hipDeviceGetExecutionCtx, false},
    {"hipExecutionCtxStreamCreate", nullptr, &hipExecutionCtxStreamCreate, false},
    {"hipExecutionCtxGetDevResource", nullptr, &hipExecutionCtxGetDevResource, false},
    {"hipExecutionCtxGetDevice", nullptr, &hipExecutionCtxGetDevice, false},
    {"hipExecutionCtxGetId", nullptr, &hipExecutionCtxGetId, false},
    {"hipStreamGetDevResource", nullptr, &hipStreamGetDevResource, false},
    {"hipExecutionCtxRecordEvent", nullptr, &hipExecutionCtxRecordEvent, false},
    {"hipExecutionCtxSynchronize", nullptr, &hipExecutionCtxSynchronize, false},
    {"hipExecutionCtxWaitEvent", nullptr, &hipExecutionCtxWaitEvent, false},
    {"hipExtEnableLogging", nullptr, &hipExtEnableLogging, false},
    {"hipExtDisableLogging", nullptr, &hipExtDisableLogging, false},
    {"hipExtSetLoggingParams", nullptr, &hipExtSetLoggingParams, false},
    {"hipRegisterApiCallback", nullptr, &hipRegisterApiCallback, false},
    {"hipRemoveApiCallback", nullptr, &hipRemoveApiCallback, false},
    {"hipRegisterActivityCallback", nullptr, &hipRegisterActivityCallback, false},
    {"hipRemoveActivityCallback", nullptr, &hipRemoveActivityCallback, false},
};

const char kCallEntries[] =
    "{\"t\":\"call\",\"id\":1,\"name\":\"hipInit\",\"words\":[\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":2,\"name\":\"hipDriverGetVersion\",\"words\":[\"driverVersion:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":3,\"name\":\"hipRuntimeGetVersion\",\"words\":[\"runtimeVersion:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":4,\"name\":\"hipDeviceGet\",\"words\":[\"device:int:out\",\"ordinal:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":5,\"name\":\"hipDeviceGetName\",\"words\":[\"name:char*:in\",\"len:int:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":6,\"name\":\"hipDeviceGetPCIBusId\",\"words\":[\"pciBusId:char*:in\",\"len:int:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":7,\"name\":\"hipDeviceTotalMem\",\"words\":[\"bytes:size_t:out\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":8,\"name\":\"hipDeviceSynchronize\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":9,\"name\":\"hipDeviceReset\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":10,\"name\":\"hipSetDevice\",\"words\":[\"deviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":11,\"name\":\"hipGetDevice\",\"words\":[\"deviceId:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":12,\"name\":\"hipGetDeviceCount\",\"words\":[\"count:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":13,\"name\":\"hipDeviceGetAttribute\",\"words\":[\"pi:int:out\",\"attr:hipDeviceAttribute_t:in\",\"deviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":14,\"name\":\"hipDeviceGetStreamPriorityRange\",\"words\":[\"leastPriority:int:out\",\"greatestPriority:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":15,\"name\":\"hipGetDevicePropertiesR0600\",\"words\":[\"prop:hipDeviceProp_tR0600*:in\",\"deviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":16,\"name\":\"hipDeviceComputeCapability\",\"words\":[\"major:int:out\",\"minor:int:out\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":17,\"name\":\"hipDeviceGetUuid\",\"words\":[\"uuid:hipUUID_t*:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":18,\"name\":\"hipDeviceGetP2PAttribute\",\"words\":[\"value:int:out\",\"attr:hipDeviceP2PAttr:in\",\"srcDevice:int:in\",\"dstDevice:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":19,\"name\":\"hipDeviceGetByPCIBusId\",\"words\":[\"device:int:out\",\"pciBusId:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":20,\"name\":\"hipDeviceSetCacheConfig\",\"words\":[\"cacheConfig:hipFuncCache_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":21,\"name\":\"hipDeviceGetCacheConfig\",\"words\":[\"cacheConfig:hipFuncCache_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":22,\"name\":\"hipDeviceGetLimit\",\"words\":[\"pValue:size_t:out\",\"limit:hipLimit_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":23,\"name\":\"hipDeviceSetLimit\",\"words\":[\"limit:hipLimit_t:in\",\"value:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":24,\"name\":\"hipDeviceGetSharedMemConfig\",\"words\":[\"pConfig:hipSharedMemConfig:out\"]}\n"
    "{\"t\":\"call\",\"id\":25,\"name\":\"hipGetDeviceFlags\",\"words\":[\"flags:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":26,\"name\":\"hipDeviceSetSharedMemConfig\",\"words\":[\"config:hipSharedMemConfig:in\"]}\n"
    "{\"t\":\"call\",\"id\":27,\"name\":\"hipSetDeviceFlags\",\"words\":[\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":28,\"name\":\"hipDeviceCanAccessPeer\",\"words\":[\"canAccessPeer:int:out\",\"deviceId:int:in\",\"peerDeviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":29,\"name\":\"hipDeviceEnablePeerAccess\",\"words\":[\"peerDeviceId:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":30,\"name\":\"hipDeviceDisablePeerAccess\",\"words\":[\"peerDeviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":31,\"name\":\"hipGetDeviceProperties\",\"words\":[\"prop:hipDeviceProp_tR0000*:in\",\"deviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":32,\"name\":\"hipGetDevicePropertiesR0000\",\"words\":[\"prop:hipDeviceProp_tR0000*:in\",\"deviceId:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":33,\"name\":\"hipChooseDevice\",\"words\":[\"device:int:out\",\"prop:const hipDeviceProp_tR0000*:in\"]}\n"
    "{\"t\":\"call\",\"id\":34,\"name\":\"hipChooseDeviceR0000\",\"words\":[\"device:int:out\",\"prop:const hipDeviceProp_tR0000*:in\"]}\n"
    "{\"t\":\"call\",\"id\":35,\"name\":\"hipChooseDeviceR0600\",\"words\":[\"device:int:out\",\"prop:const hipDeviceProp_tR0600*:in\"]}\n"
    "{\"t\":\"call\",\"id\":36,\"name\":\"hipSetValidDevices\",\"words\":[\"device_arr:int*:in\",\"len:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":37,\"name\":\"hipExtGetLinkTypeAndHopCount\",\"words\":[\"device1:int:in\",\"device2:int:in\",\"linktype:uint32_t:out\",\"hopcount:uint32_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":38,\"name\":\"hipCtxCreate\",\"words\":[\"ctx:hipCtx_t:out\",\"flags:unsigned int:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":39,\"name\":\"hipCtxDestroy\",\"words\":[\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":40,\"name\":\"hipCtxPopCurrent\",\"words\":[\"ctx:hipCtx_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":41,\"name\":\"hipCtxPushCurrent\",\"words\":[\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":42,\"name\":\"hipCtxSetCurrent\",\"words\":[\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":43,\"name\":\"hipCtxGetCurrent\",\"words\":[\"ctx:hipCtx_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":44,\"name\":\"hipCtxGetDevice\",\"words\":[\"device:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":45,\"name\":\"hipCtxSynchronize\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":46,\"name\":\"hipDevicePrimaryCtxGetState\",\"words\":[\"dev:int:in\",\"flags:unsigned int:out\",\"active:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":47,\"name\":\"hipDevicePrimaryCtxRelease\",\"words\":[\"dev:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":48,\"name\":\"hipDevicePrimaryCtxRetain\",\"words\":[\"pctx:hipCtx_t:out\",\"dev:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":49,\"name\":\"hipDevicePrimaryCtxReset\",\"words\":[\"dev:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":50,\"name\":\"hipCtxGetApiVersion\",\"words\":[\"ctx:hipCtx_t:in\",\"apiVersion:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":51,\"name\":\"hipCtxGetCacheConfig\",\"words\":[\"cacheConfig:hipFuncCache_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":52,\"name\":\"hipCtxSetCacheConfig\",\"words\":[\"cacheConfig:hipFuncCache_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":53,\"name\":\"hipCtxSetSharedMemConfig\",\"words\":[\"config:hipSharedMemConfig:in\"]}\n"
    "{\"t\":\"call\",\"id\":54,\"name\":\"hipCtxGetSharedMemConfig\",\"words\":[\"pConfig:hipSharedMemConfig:out\"]}\n"
    "{\"t\":\"call\",\"id\":55,\"name\":\"hipCtxGetFlags\",\"words\":[\"flags:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":56,\"name\":\"hipCtxEnablePeerAccess\",\"words\":[\"peerCtx:hipCtx_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":57,\"name\":\"hipCtxDisablePeerAccess\",\"words\":[\"peerCtx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":58,\"name\":\"hipDevicePrimaryCtxSetFlags\",\"words\":[\"dev:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":59,\"name\":\"hipPointerGetAttributes\",\"words\":[\"attributes:hipPointerAttribute_t*:in\",\"ptr:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":60,\"name\":\"hipPointerGetAttribute\",\"words\":[\"data:void*:in\",\"attribute:hipPointer_attribute:in\",\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":61,\"name\":\"hipPointerSetAttribute\",\"words\":[\"value:const void*:in\",\"attribute:hipPointer_attribute:in\",\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":62,\"name\":\"hipMalloc\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":63,\"name\":\"hipExtMallocWithFlags\",\"words\":[\"ptr:void*:out\",\"sizeBytes:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":64,\"name\":\"hipHostMalloc\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":65,\"name\":\"hipMallocManaged\",\"words\":[\"dev_ptr:void*:out\",\"size:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":66,\"name\":\"hipHostAlloc\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":67,\"name\":\"hipHostGetDevicePointer\",\"words\":[\"devPtr:void*:out\",\"hstPtr:void*:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":68,\"name\":\"hipHostGetFlags\",\"words\":[\"flagsPtr:unsigned int:out\",\"hostPtr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":69,\"name\":\"hipHostRegister\",\"words\":[\"hostPtr:void*:in\",\"sizeBytes:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":70,\"name\":\"hipHostUnregister\",\"words\":[\"hostPtr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":71,\"name\":\"hipMallocPitch\",\"words\":[\"ptr:void*:out\",\"pitch:size_t:out\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":72,\"name\":\"hipFree\",\"words\":[\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":73,\"name\":\"hipFreeHost\",\"words\":[\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":74,\"name\":\"hipHostFree\",\"words\":[\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":75,\"name\":\"hipMemGetInfo\",\"words\":[\"free:size_t:out\",\"total:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":76,\"name\":\"hipMemGetAddressRange\",\"words\":[\"pbase:void*:out\",\"psize:size_t:out\",\"dptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":77,\"name\":\"hipDrvPointerGetAttributes\",\"words\":[\"numAttributes:unsigned int:in\",\"attributes:hipPointer_attribute*:in\",\"data:void*:out\",\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":78,\"name\":\"hipMallocHost\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":79,\"name\":\"hipMemPrefetchAsync\",\"words\":[\"dev_ptr:const void*:in\",\"count:size_t:in\",\"device:int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":80,\"name\":\"hipMemPrefetchAsync_v2\",\"words\":[\"dev_ptr:const void*:in\",\"count:size_t:in\",\"location.type:int:in\",\"location.id:int:in\",\"flags:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":81,\"name\":\"hipMemAdvise\",\"words\":[\"dev_ptr:const void*:in\",\"count:size_t:in\",\"advice:hipMemoryAdvise:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":82,\"name\":\"hipMemAdvise_v2\",\"words\":[\"dev_ptr:const void*:in\",\"count:size_t:in\",\"advice:hipMemoryAdvise:in\",\"location.type:int:in\",\"location.id:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":83,\"name\":\"hipMemPtrGetInfo\",\"words\":[\"ptr:void*:in\",\"size:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":84,\"name\":\"hipMemAllocHost\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":85,\"name\":\"hipMemPrefetchBatchAsync\",\"words\":[\"dev_ptrs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"prefetch_locs:hipMemLocation*:in\",\"prefetch_loc_idxs:size_t*:in\",\"num_prefetch_locs:size_t:in\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":86,\"name\":\"hipMemDiscardBatchAsync\",\"words\":[\"dev_ptrs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":87,\"name\":\"hipDrvMemDiscardBatchAsync\",\"words\":[\"dptrs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":88,\"name\":\"hipMemDiscardAndPrefetchBatchAsync\",\"words\":[\"dptrs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"prefetchLocs:hipMemLocation*:in\",\"prefetchLocIdxs:size_t*:in\",\"numPrefetchLocs:size_t:in\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":89,\"name\":\"hipDrvMemDiscardAndPrefetchBatchAsync\",\"words\":[\"dptrs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"prefetchLocs:hipMemLocation*:in\",\"prefetchLocIdxs:size_t*:in\",\"numPrefetchLocs:size_t:in\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":90,\"name\":\"hipMemRangeGetAttribute\",\"words\":[\"data:void*:in\",\"data_size:size_t:in\",\"attribute:hipMemRangeAttribute:in\",\"dev_ptr:const void*:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":91,\"name\":\"hipMemRangeGetAttributes\",\"words\":[\"data:void*:out\",\"data_sizes:size_t*:in\",\"attributes:hipMemRangeAttribute*:in\",\"num_attributes:size_t:in\",\"dev_ptr:const void*:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":92,\"name\":\"hipStreamAttachMemAsync\",\"words\":[\"stream:hipStream_t:in\",\"dev_ptr:void*:in\",\"length:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":93,\"name\":\"hipMemAllocPitch\",\"words\":[\"dptr:void*:out\",\"pitch:size_t:out\",\"widthInBytes:size_t:in\",\"height:size_t:in\",\"elementSizeBytes:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":94,\"name\":\"hipMalloc3D\",\"words\":[\"pitchedDevPtr.ptr:void*:out\",\"pitchedDevPtr.pitch:size_t:out\",\"pitchedDevPtr.xsize:size_t:out\",\"pitchedDevPtr.ysize:size_t:out\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":95,\"name\":\"hipMemcpy\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":96,\"name\":\"hipMemcpy_spt\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":97,\"name\":\"hipMemcpyWithStream\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":98,\"name\":\"hipMemcpyHtoD\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":99,\"name\":\"hipMemcpyDtoH\",\"words\":[\"dst:void*:in\",\"src:void*:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":100,\"name\":\"hipMemcpyDtoD\",\"words\":[\"dst:void*:in\",\"src:void*:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":101,\"name\":\"hipMemcpyHtoDAsync\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":102,\"name\":\"hipMemcpyDtoHAsync\",\"words\":[\"dst:void*:in\",\"src:void*:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":103,\"name\":\"hipMemcpyDtoDAsync\",\"words\":[\"dst:void*:in\",\"src:void*:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":104,\"name\":\"hipMemcpyAsync\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":105,\"name\":\"hipMemcpyAsync_spt\",\"words\":[\"dst:void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":106,\"name\":\"hipMemset\",\"words\":[\"dst:void*:in\",\"value:int:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":107,\"name\":\"hipMemset_spt\",\"words\":[\"dst:void*:in\",\"value:int:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":108,\"name\":\"hipMemsetD8\",\"words\":[\"dest:void*:in\",\"value:unsigned char:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":109,\"name\":\"hipMemsetD32\",\"words\":[\"dest:void*:in\",\"value:int:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":110,\"name\":\"hipMemsetAsync\",\"words\":[\"dst:void*:in\",\"value:int:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":111,\"name\":\"hipMemsetAsync_spt\",\"words\":[\"dst:void*:in\",\"value:int:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":112,\"name\":\"hipMemsetD32Async\",\"words\":[\"dst:void*:in\",\"value:int:in\",\"count:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":113,\"name\":\"hipMemset2D\",\"words\":[\"dst:void*:in\",\"pitch:size_t:in\",\"value:int:in\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":114,\"name\":\"hipMemset2D_spt\",\"words\":[\"dst:void*:in\",\"pitch:size_t:in\",\"value:int:in\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":115,\"name\":\"hipMemset2DAsync\",\"words\":[\"dst:void*:in\",\"pitch:size_t:in\",\"value:int:in\",\"width:size_t:in\",\"height:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":116,\"name\":\"hipMemset2DAsync_spt\",\"words\":[\"dst:void*:in\",\"pitch:size_t:in\",\"value:int:in\",\"width:size_t:in\",\"height:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":117,\"name\":\"hipMemcpy2D\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":118,\"name\":\"hipMemcpy2D_spt\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":119,\"name\":\"hipMemcpy2DAsync\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":120,\"name\":\"hipMemcpy2DAsync_spt\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":121,\"name\":\"hipMemsetD8Async\",\"words\":[\"dest:void*:in\",\"value:unsigned char:in\",\"count:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":122,\"name\":\"hipMemsetD16\",\"words\":[\"dest:void*:in\",\"value:unsigned short:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":123,\"name\":\"hipMemsetD16Async\",\"words\":[\"dest:void*:in\",\"value:unsigned short:in\",\"count:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":124,\"name\":\"hipMemcpyPeer\",\"words\":[\"dst:void*:in\",\"dstDeviceId:int:in\",\"src:const void*:in\",\"srcDeviceId:int:in\",\"sizeBytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":125,\"name\":\"hipMemcpyPeerAsync\",\"words\":[\"dst:void*:in\",\"dstDeviceId:int:in\",\"src:const void*:in\",\"srcDevice:int:in\",\"sizeBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":126,\"name\":\"hipMemset3D\",\"words\":[\"pitchedDevPtr.ptr:void*:in\",\"pitchedDevPtr.pitch:size_t:in\",\"pitchedDevPtr.xsize:size_t:in\",\"pitchedDevPtr.ysize:size_t:in\",\"value:int:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":127,\"name\":\"hipMemset3D_spt\",\"words\":[\"pitchedDevPtr.ptr:void*:in\",\"pitchedDevPtr.pitch:size_t:in\",\"pitchedDevPtr.xsize:size_t:in\",\"pitchedDevPtr.ysize:size_t:in\",\"value:int:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":128,\"name\":\"hipMemset3DAsync\",\"words\":[\"pitchedDevPtr.ptr:void*:in\",\"pitchedDevPtr.pitch:size_t:in\",\"pitchedDevPtr.xsize:size_t:in\",\"pitchedDevPtr.ysize:size_t:in\",\"value:int:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":129,\"name\":\"hipMemset3DAsync_spt\",\"words\":[\"pitchedDevPtr.ptr:void*:in\",\"pitchedDevPtr.pitch:size_t:in\",\"pitchedDevPtr.xsize:size_t:in\",\"pitchedDevPtr.ysize:size_t:in\",\"value:int:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":130,\"name\":\"hipMemsetD2D8\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned char:in\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":131,\"name\":\"hipMemsetD2D8Async\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned char:in\",\"width:size_t:in\",\"height:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":132,\"name\":\"hipMemsetD2D16\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned short:in\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":133,\"name\":\"hipMemsetD2D16Async\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned short:in\",\"width:size_t:in\",\"height:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":134,\"name\":\"hipMemsetD2D32\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned int:in\",\"width:size_t:in\",\"height:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":135,\"name\":\"hipMemsetD2D32Async\",\"words\":[\"dst:void*:in\",\"dstPitch:size_t:in\",\"value:unsigned int:in\",\"width:size_t:in\",\"height:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":136,\"name\":\"hipMemcpyParam2D\",\"words\":[\"pCopy:const hip_Memcpy2D*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":137,\"name\":\"hipMemcpyParam2DAsync\",\"words\":[\"pCopy:const hip_Memcpy2D*:in:struct\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":138,\"name\":\"hipMemcpy3D\",\"words\":[\"p:const hipMemcpy3DParms*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":139,\"name\":\"hipMemcpy3D_spt\",\"words\":[\"p:const hipMemcpy3DParms*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":140,\"name\":\"hipMemcpy3DAsync\",\"words\":[\"p:const hipMemcpy3DParms*:in:struct\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":141,\"name\":\"hipMemcpy3DAsync_spt\",\"words\":[\"p:const hipMemcpy3DParms*:in:struct\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":142,\"name\":\"hipDrvMemcpy3D\",\"words\":[\"pCopy:const HIP_MEMCPY3D*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":143,\"name\":\"hipDrvMemcpy3DAsync\",\"words\":[\"pCopy:const HIP_MEMCPY3D*:in:struct\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":144,\"name\":\"hipMemcpyBatchAsync\",\"words\":[\"dsts:void**:in\",\"srcs:void**:in\",\"sizes:size_t*:in\",\"count:size_t:in\",\"attrs:hipMemcpyAttributes*:in\",\"attrsIdxs:size_t*:in\",\"numAttrs:size_t:in\",\"failIdx:size_t:out\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":145,\"name\":\"hipMemcpy3DBatchAsync\",\"words\":[\"numOps:size_t:in\",\"opList:hipMemcpy3DBatchOp*:in\",\"failIdx:size_t:out\",\"flags:unsigned long long:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":146,\"name\":\"hipMemcpy3DPeer\",\"words\":[\"p:hipMemcpy3DPeerParms*:in\"]}\n"
    "{\"t\":\"call\",\"id\":147,\"name\":\"hipMemcpy3DPeerAsync\",\"words\":[\"p:hipMemcpy3DPeerParms*:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":148,\"name\":\"hipDrvMemcpy2DUnaligned\",\"words\":[\"pCopy:const hip_Memcpy2D*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":149,\"name\":\"hipGetSymbolAddress\",\"words\":[\"devPtr:void*:out\",\"symbol:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":150,\"name\":\"hipGetSymbolSize\",\"words\":[\"size:size_t:out\",\"symbol:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":151,\"name\":\"hipMemcpyToSymbol\",\"words\":[\"symbol:const void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":152,\"name\":\"hipMemcpyToSymbol_spt\",\"words\":[\"symbol:const void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":153,\"name\":\"hipMemcpyToSymbolAsync\",\"words\":[\"symbol:const void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":154,\"name\":\"hipMemcpyToSymbolAsync_spt\",\"words\":[\"symbol:const void*:in\",\"src:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":155,\"name\":\"hipMemcpyFromSymbol\",\"words\":[\"dst:void*:in\",\"symbol:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":156,\"name\":\"hipMemcpyFromSymbol_spt\",\"words\":[\"dst:void*:in\",\"symbol:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":157,\"name\":\"hipMemcpyFromSymbolAsync\",\"words\":[\"dst:void*:in\",\"symbol:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":158,\"name\":\"hipMemcpyFromSymbolAsync_spt\",\"words\":[\"dst:void*:in\",\"symbol:const void*:in\",\"sizeBytes:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":159,\"name\":\"hipDeviceGetDefaultMemPool\",\"words\":[\"mem_pool:hipMemPool_t:out\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":160,\"name\":\"hipDeviceSetMemPool\",\"words\":[\"device:int:in\",\"mem_pool:hipMemPool_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":161,\"name\":\"hipDeviceGetMemPool\",\"words\":[\"mem_pool:hipMemPool_t:out\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":162,\"name\":\"hipMallocAsync\",\"words\":[\"dev_ptr:void*:out\",\"size:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":163,\"name\":\"hipFreeAsync\",\"words\":[\"dev_ptr:void*:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":164,\"name\":\"hipMemPoolTrimTo\",\"words\":[\"mem_pool:hipMemPool_t:in\",\"min_bytes_to_hold:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":165,\"name\":\"hipMemPoolSetAttribute\",\"words\":[\"mem_pool:hipMemPool_t:in\",\"attr:hipMemPoolAttr:in\",\"value:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":166,\"name\":\"hipMemPoolGetAttribute\",\"words\":[\"mem_pool:hipMemPool_t:in\",\"attr:hipMemPoolAttr:in\",\"value:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":167,\"name\":\"hipMemPoolCreate\",\"words\":[\"mem_pool:hipMemPool_t:out\",\"pool_props:const hipMemPoolProps*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":168,\"name\":\"hipMemPoolDestroy\",\"words\":[\"mem_pool:hipMemPool_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":169,\"name\":\"hipMallocFromPoolAsync\",\"words\":[\"dev_ptr:void*:out\",\"size:size_t:in\",\"mem_pool:hipMemPool_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":170,\"name\":\"hipMemPoolSetAccess\",\"words\":[\"mem_pool:hipMemPool_t:in\",\"desc_list:const hipMemAccessDesc*:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":171,\"name\":\"hipMemPoolGetAccess\",\"words\":[\"flags:hipMemAccessFlags:out\",\"mem_pool:hipMemPool_t:in\",\"location:hipMemLocation*:in\"]}\n"
    "{\"t\":\"call\",\"id\":172,\"name\":\"hipMemPoolExportToShareableHandle\",\"words\":[\"shared_handle:void*:in\",\"mem_pool:hipMemPool_t:in\",\"handle_type:hipMemAllocationHandleType:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":173,\"name\":\"hipMemPoolImportFromShareableHandle\",\"words\":[\"mem_pool:hipMemPool_t:out\",\"shared_handle:void*:in\",\"handle_type:hipMemAllocationHandleType:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":174,\"name\":\"hipMemPoolExportPointer\",\"words\":[\"export_data:hipMemPoolPtrExportData*:in\",\"dev_ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":175,\"name\":\"hipMemPoolImportPointer\",\"words\":[\"dev_ptr:void*:out\",\"mem_pool:hipMemPool_t:in\",\"export_data:hipMemPoolPtrExportData*:in\"]}\n"
    "{\"t\":\"call\",\"id\":176,\"name\":\"hipMemSetMemPool\",\"words\":[\"location:hipMemLocation*:in\",\"type:hipMemAllocationType:in\",\"pool:hipMemPool_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":177,\"name\":\"hipMemGetMemPool\",\"words\":[\"pool:hipMemPool_t:out\",\"location:hipMemLocation*:in\",\"type:hipMemAllocationType:in\"]}\n"
    "{\"t\":\"call\",\"id\":178,\"name\":\"hipMemGetDefaultMemPool\",\"words\":[\"memPool:hipMemPool_t:out\",\"location:hipMemLocation*:in\",\"type:hipMemAllocationType:in\"]}\n"
    "{\"t\":\"call\",\"id\":179,\"name\":\"hipMemGetHandleForAddressRange\",\"words\":[\"handle:void*:in\",\"dptr:void*:in\",\"size:size_t:in\",\"handleType:hipMemRangeHandleType:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":180,\"name\":\"hipMemAddressFree\",\"words\":[\"devPtr:void*:in\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":181,\"name\":\"hipMemAddressReserve\",\"words\":[\"ptr:void*:out\",\"size:size_t:in\",\"alignment:size_t:in\",\"addr:void*:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":182,\"name\":\"hipMemCreate\",\"words\":[\"handle:hipMemGenericAllocationHandle_t:out\",\"size:size_t:in\",\"prop:const hipMemAllocationProp*:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":183,\"name\":\"hipMemExportToShareableHandle\",\"words\":[\"shareableHandle:void*:in\",\"handle:hipMemGenericAllocationHandle_t:in\",\"handleType:hipMemAllocationHandleType:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":184,\"name\":\"hipMemGetAccess\",\"words\":[\"flags:unsigned long long:out\",\"location:const hipMemLocation*:in\",\"ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":185,\"name\":\"hipMemGetAllocationGranularity\",\"words\":[\"granularity:size_t:out\",\"prop:const hipMemAllocationProp*:in\",\"option:hipMemAllocationGranularity_flags:in\"]}\n"
    "{\"t\":\"call\",\"id\":186,\"name\":\"hipMemGetAllocationPropertiesFromHandle\",\"words\":[\"prop:hipMemAllocationProp*:in\",\"handle:hipMemGenericAllocationHandle_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":187,\"name\":\"hipMemImportFromShareableHandle\",\"words\":[\"handle:hipMemGenericAllocationHandle_t:out\",\"osHandle:void*:in\",\"shHandleType:hipMemAllocationHandleType:in\"]}\n"
    "{\"t\":\"call\",\"id\":188,\"name\":\"hipMemMap\",\"words\":[\"ptr:void*:in\",\"size:size_t:in\",\"offset:size_t:in\",\"handle:hipMemGenericAllocationHandle_t:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":189,\"name\":\"hipMemRelease\",\"words\":[\"handle:hipMemGenericAllocationHandle_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":190,\"name\":\"hipMemRetainAllocationHandle\",\"words\":[\"handle:hipMemGenericAllocationHandle_t:out\",\"addr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":191,\"name\":\"hipMemSetAccess\",\"words\":[\"ptr:void*:in\",\"size:size_t:in\",\"desc:const hipMemAccessDesc*:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":192,\"name\":\"hipMemUnmap\",\"words\":[\"ptr:void*:in\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":193,\"name\":\"hipStreamCreate\",\"words\":[\"stream:hipStream_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":194,\"name\":\"hipStreamCreateWithFlags\",\"words\":[\"stream:hipStream_t:out\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":195,\"name\":\"hipStreamCreateWithPriority\",\"words\":[\"stream:hipStream_t:out\",\"flags:unsigned int:in\",\"priority:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":196,\"name\":\"hipStreamDestroy\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":197,\"name\":\"hipStreamQuery\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":198,\"name\":\"hipStreamQuery_spt\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":199,\"name\":\"hipStreamSynchronize\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":200,\"name\":\"hipStreamSynchronize_spt\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":201,\"name\":\"hipStreamWaitEvent\",\"words\":[\"stream:hipStream_t:in\",\"event:hipEvent_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":202,\"name\":\"hipStreamWaitEvent_spt\",\"words\":[\"stream:hipStream_t:in\",\"event:hipEvent_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":203,\"name\":\"hipStreamGetFlags\",\"words\":[\"stream:hipStream_t:in\",\"flags:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":204,\"name\":\"hipStreamGetFlags_spt\",\"words\":[\"stream:hipStream_t:in\",\"flags:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":205,\"name\":\"hipStreamGetPriority\",\"words\":[\"stream:hipStream_t:in\",\"priority:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":206,\"name\":\"hipStreamGetPriority_spt\",\"words\":[\"stream:hipStream_t:in\",\"priority:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":207,\"name\":\"hipStreamGetDevice\",\"words\":[\"stream:hipStream_t:in\",\"device:int:out\"]}\n"
    "{\"t\":\"call\",\"id\":208,\"name\":\"hipStreamAddCallback\",\"words\":[\"stream:hipStream_t:in\",\"callback:hipStreamCallback_t:in\",\"userData:void*:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":209,\"name\":\"hipStreamAddCallback_spt\",\"words\":[\"stream:hipStream_t:in\",\"callback:hipStreamCallback_t:in\",\"userData:void*:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":210,\"name\":\"hipLaunchHostFunc\",\"words\":[\"stream:hipStream_t:in\",\"fn:hipHostFn_t:in\",\"userData:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":211,\"name\":\"hipLaunchHostFunc_spt\",\"words\":[\"stream:hipStream_t:in\",\"fn:hipHostFn_t:in\",\"userData:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":212,\"name\":\"hipStreamGetId\",\"words\":[\"stream:hipStream_t:in\",\"streamId:unsigned long long:out\"]}\n"
    "{\"t\":\"call\",\"id\":213,\"name\":\"hipExtStreamCreateWithCUMask\",\"words\":[\"stream:hipStream_t:out\",\"cuMaskSize:uint32_t:in\",\"cuMask:const uint32_t*:in\"]}\n"
    "{\"t\":\"call\",\"id\":214,\"name\":\"hipStreamWaitValue32\",\"words\":[\"stream:hipStream_t:in\",\"ptr:void*:in\",\"value:uint32_t:in\",\"flags:unsigned int:in\",\"mask:uint32_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":215,\"name\":\"hipStreamWaitValue64\",\"words\":[\"stream:hipStream_t:in\",\"ptr:void*:in\",\"value:uint64_t:in\",\"flags:unsigned int:in\",\"mask:uint64_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":216,\"name\":\"hipStreamWriteValue32\",\"words\":[\"stream:hipStream_t:in\",\"ptr:void*:in\",\"value:uint32_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":217,\"name\":\"hipStreamWriteValue64\",\"words\":[\"stream:hipStream_t:in\",\"ptr:void*:in\",\"value:uint64_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":218,\"name\":\"hipGetStreamDeviceId\",\"words\":[\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":219,\"name\":\"hipExtStreamGetCUMask\",\"words\":[\"stream:hipStream_t:in\",\"cuMaskSize:uint32_t:in\",\"cuMask:uint32_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":220,\"name\":\"hipStreamSetAttribute\",\"words\":[\"stream:hipStream_t:in\",\"attr:hipLaunchAttributeID:in\",\"value:const hipLaunchAttributeValue*:in\"]}\n"
    "{\"t\":\"call\",\"id\":221,\"name\":\"hipStreamGetAttribute\",\"words\":[\"stream:hipStream_t:in\",\"attr:hipLaunchAttributeID:in\",\"value_out:hipLaunchAttributeValue*:in\"]}\n"
    "{\"t\":\"call\",\"id\":222,\"name\":\"hipStreamCopyAttributes\",\"words\":[\"dst:hipStream_t:in\",\"src:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":223,\"name\":\"hipStreamBatchMemOp\",\"words\":[\"stream:hipStream_t:in\",\"count:unsigned int:in\",\"paramArray:hipStreamBatchMemOpParams*:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":224,\"name\":\"hipEventCreateWithFlags\",\"words\":[\"event:hipEvent_t:out\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":225,\"name\":\"hipEventCreate\",\"words\":[\"event:hipEvent_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":226,\"name\":\"hipEventRecord\",\"words\":[\"event:hipEvent_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":227,\"name\":\"hipEventRecord_spt\",\"words\":[\"event:hipEvent_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":228,\"name\":\"hipEventDestroy\",\"words\":[\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":229,\"name\":\"hipEventSynchronize\",\"words\":[\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":230,\"name\":\"hipEventElapsedTime\",\"words\":[\"ms:float:out\",\"start:hipEvent_t:in\",\"stop:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":231,\"name\":\"hipEventQuery\",\"words\":[\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":232,\"name\":\"hipEventRecordWithFlags\",\"words\":[\"event:hipEvent_t:in\",\"stream:hipStream_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":233,\"name\":\"hipFuncSetAttribute\",\"words\":[\"func:const void*:in\",\"attr:hipFuncAttribute:in\",\"value:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":234,\"name\":\"hipModuleGetGlobal\",\"words\":[\"dptr:void*:out\",\"bytes:size_t:out\",\"hmod:hipModule_t:in\",\"name:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":235,\"name\":\"hipModuleLoad\",\"words\":[\"module:hipModule_t:out\",\"fname:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":236,\"name\":\"hipModuleUnload\",\"words\":[\"module:hipModule_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":237,\"name\":\"hipModuleGetFunction\",\"words\":[\"function:hipFunction_t:out\",\"module:hipModule_t:in\",\"kname:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":238,\"name\":\"hipFuncGetAttributes\",\"words\":[\"attr:hipFuncAttributes*:in\",\"func:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":239,\"name\":\"hipFuncGetAttribute\",\"words\":[\"value:int:out\",\"attrib:hipFunction_attribute:in\",\"hfunc:hipFunction_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":240,\"name\":\"hipModuleLoadData\",\"words\":[\"module:hipModule_t:out\",\"image:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":241,\"name\":\"hipModuleLoadDataEx\",\"words\":[\"module:hipModule_t:out\",\"image:const void*:in\",\"numOptions:unsigned int:in\",\"options:hipJitOption*:in\",\"optionValues:void**:in\"]}\n"
    "{\"t\":\"call\",\"id\":242,\"name\":\"hipFuncSetCacheConfig\",\"words\":[\"func:const void*:in\",\"config:hipFuncCache_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":243,\"name\":\"hipFuncSetSharedMemConfig\",\"words\":[\"func:const void*:in\",\"config:hipSharedMemConfig:in\"]}\n"
    "{\"t\":\"call\",\"id\":244,\"name\":\"hipModuleLoadFatBinary\",\"words\":[\"module:hipModule_t:out\",\"fatbin:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":245,\"name\":\"hipModuleGetFunctionCount\",\"words\":[\"count:unsigned int:out\",\"mod:hipModule_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":246,\"name\":\"hipLinkAddData\",\"words\":[\"state:hipLinkState_t:in\",\"type:hipJitInputType:in\",\"data:void*:in\",\"size:size_t:in\",\"name:const char*:in:text\",\"numOptions:unsigned int:in\",\"options:hipJitOption*:in\",\"optionValues:void**:in\"]}\n"
    "{\"t\":\"call\",\"id\":247,\"name\":\"hipLinkAddFile\",\"words\":[\"state:hipLinkState_t:in\",\"type:hipJitInputType:in\",\"path:const char*:in:text\",\"numOptions:unsigned int:in\",\"options:hipJitOption*:in\",\"optionValues:void**:in\"]}\n"
    "{\"t\":\"call\",\"id\":248,\"name\":\"hipLinkComplete\",\"words\":[\"state:hipLinkState_t:in\",\"hipBinOut:void*:out\",\"sizeOut:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":249,\"name\":\"hipLinkCreate\",\"words\":[\"numOptions:unsigned int:in\",\"options:hipJitOption*:in\",\"optionValues:void**:in\",\"stateOut:hipLinkState_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":250,\"name\":\"hipLinkDestroy\",\"words\":[\"state:hipLinkState_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":251,\"name\":\"hipModuleLaunchKernel\",\"words\":[\"f:hipFunction_t:in\",\"gridDimX:unsigned int:in\",\"gridDimY:unsigned int:in\",\"gridDimZ:unsigned int:in\",\"blockDimX:unsigned int:in\",\"blockDimY:unsigned int:in\",\"blockDimZ:unsigned int:in\",\"sharedMemBytes:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":252,\"name\":\"hipLaunchKernel\",\"words\":[\"function_address:const void*:in\",\"numBlocks.x:unsigned int:in\",\"numBlocks.y:unsigned int:in\",\"numBlocks.z:unsigned int:in\",\"dimBlocks.x:unsigned int:in\",\"dimBlocks.y:unsigned int:in\",\"dimBlocks.z:unsigned int:in\",\"sharedMemBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":253,\"name\":\"hipLaunchKernel_spt\",\"words\":[\"function_address:const void*:in\",\"numBlocks.x:unsigned int:in\",\"numBlocks.y:unsigned int:in\",\"numBlocks.z:unsigned int:in\",\"dimBlocks.x:unsigned int:in\",\"dimBlocks.y:unsigned int:in\",\"dimBlocks.z:unsigned int:in\",\"sharedMemBytes:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":254,\"name\":\"hipExtLaunchKernel\",\"words\":[\"function_address:const void*:in\",\"numBlocks.x:unsigned int:in\",\"numBlocks.y:unsigned int:in\",\"numBlocks.z:unsigned int:in\",\"dimBlocks.x:unsigned int:in\",\"dimBlocks.y:unsigned int:in\",\"dimBlocks.z:unsigned int:in\",\"sharedMemBytes:size_t:in\",\"stream:hipStream_t:in\",\"startEvent:hipEvent_t:in\",\"stopEvent:hipEvent_t:in\",\"flags:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":255,\"name\":\"hipModuleLaunchCooperativeKernel\",\"words\":[\"f:hipFunction_t:in\",\"gridDimX:unsigned int:in\",\"gridDimY:unsigned int:in\",\"gridDimZ:unsigned int:in\",\"blockDimX:unsigned int:in\",\"blockDimY:unsigned int:in\",\"blockDimZ:unsigned int:in\",\"sharedMemBytes:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":256,\"name\":\"hipLaunchCooperativeKernel\",\"words\":[\"f:const void*:in\",\"gridDim.x:unsigned int:in\",\"gridDim.y:unsigned int:in\",\"gridDim.z:unsigned int:in\",\"blockDimX.x:unsigned int:in\",\"blockDimX.y:unsigned int:in\",\"blockDimX.z:unsigned int:in\",\"sharedMemBytes:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":257,\"name\":\"hipLaunchCooperativeKernel_spt\",\"words\":[\"f:const void*:in\",\"gridDim.x:unsigned int:in\",\"gridDim.y:unsigned int:in\",\"gridDim.z:unsigned int:in\",\"blockDimX.x:unsigned int:in\",\"blockDimX.y:unsigned int:in\",\"blockDimX.z:unsigned int:in\",\"sharedMemBytes:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":258,\"name\":\"hipLaunchKernelExC\",\"words\":[\"config:const hipLaunchConfig_t*:in:struct\",\"fPtr:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":259,\"name\":\"hipDrvLaunchKernelEx\",\"words\":[\"config:const HIP_LAUNCH_CONFIG*:in:struct\",\"f:hipFunction_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":260,\"name\":\"hipExtModuleLaunchKernel\",\"words\":[\"f:hipFunction_t:in\",\"globalWorkSizeX:uint32_t:in\",\"globalWorkSizeY:uint32_t:in\",\"globalWorkSizeZ:uint32_t:in\",\"localWorkSizeX:uint32_t:in\",\"localWorkSizeY:uint32_t:in\",\"localWorkSizeZ:uint32_t:in\",\"sharedMemBytes:size_t:in\",\"hStream:hipStream_t:in\",\"startEvent:hipEvent_t:in\",\"stopEvent:hipEvent_t:in\",\"flags:uint32_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":261,\"name\":\"hipHccModuleLaunchKernel\",\"words\":[\"f:hipFunction_t:in\",\"globalWorkSizeX:uint32_t:in\",\"globalWorkSizeY:uint32_t:in\",\"globalWorkSizeZ:uint32_t:in\",\"localWorkSizeX:uint32_t:in\",\"localWorkSizeY:uint32_t:in\",\"localWorkSizeZ:uint32_t:in\",\"sharedMemBytes:size_t:in\",\"hStream:hipStream_t:in\",\"startEvent:hipEvent_t:in\",\"stopEvent:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":262,\"name\":\"hipModuleLaunchCooperativeKernelMultiDevice\",\"words\":[\"launchParamsList:hipFunctionLaunchParams*:in\",\"numDevices:unsigned int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":263,\"name\":\"hipLaunchCooperativeKernelMultiDevice\",\"words\":[\"launchParamsList:hipLaunchParams*:in\",\"numDevices:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":264,\"name\":\"hipExtLaunchMultiKernelMultiDevice\",\"words\":[\"launchParamsList:hipLaunchParams*:in\",\"numDevices:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":265,\"name\":\"hipModuleOccupancyMaxPotentialBlockSize\",\"words\":[\"gridSize:int:out\",\"blockSize:int:out\",\"f:hipFunction_t:in\",\"dynSharedMemPerBlk:size_t:in\",\"blockSizeLimit:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":266,\"name\":\"hipModuleOccupancyMaxPotentialBlockSizeWithFlags\",\"words\":[\"gridSize:int:out\",\"blockSize:int:out\",\"f:hipFunction_t:in\",\"dynSharedMemPerBlk:size_t:in\",\"blockSizeLimit:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":267,\"name\":\"hipModuleOccupancyMaxActiveBlocksPerMultiprocessor\",\"words\":[\"numBlocks:int:out\",\"f:hipFunction_t:in\",\"blockSize:int:in\",\"dynSharedMemPerBlk:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":268,\"name\":\"hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags\",\"words\":[\"numBlocks:int:out\",\"f:hipFunction_t:in\",\"blockSize:int:in\",\"dynSharedMemPerBlk:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":269,\"name\":\"hipOccupancyMaxActiveBlocksPerMultiprocessor\",\"words\":[\"numBlocks:int:out\",\"f:const void*:in\",\"blockSize:int:in\",\"dynSharedMemPerBlk:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":270,\"name\":\"hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags\",\"words\":[\"numBlocks:int:out\",\"f:const void*:in\",\"blockSize:int:in\",\"dynSharedMemPerBlk:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":271,\"name\":\"hipOccupancyMaxPotentialBlockSize\",\"words\":[\"gridSize:int:out\",\"blockSize:int:out\",\"f:const void*:in\",\"dynSharedMemPerBlk:size_t:in\",\"blockSizeLimit:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":272,\"name\":\"hipOccupancyAvailableDynamicSMemPerBlock\",\"words\":[\"dynamicSmemSize:size_t:out\",\"f:const void*:in\",\"numBlocks:int:in\",\"blockSize:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":273,\"name\":\"hipOccupancyMaxActiveClusters\",\"words\":[\"numClusters:int:out\",\"f:const void*:in\",\"config:const hipLaunchConfig_t*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":274,\"name\":\"hipOccupancyMaxPotentialClusterSize\",\"words\":[\"clusterSize:int:out\",\"f:const void*:in\",\"config:const hipLaunchConfig_t*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":275,\"name\":\"hipStreamBeginCapture\",\"words\":[\"stream:hipStream_t:in\",\"mode:hipStreamCaptureMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":276,\"name\":\"hipStreamBeginCapture_spt\",\"words\":[\"stream:hipStream_t:in\",\"mode:hipStreamCaptureMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":277,\"name\":\"hipStreamEndCapture\",\"words\":[\"stream:hipStream_t:in\",\"pGraph:hipGraph_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":278,\"name\":\"hipStreamEndCapture_spt\",\"words\":[\"stream:hipStream_t:in\",\"pGraph:hipGraph_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":279,\"name\":\"hipStreamIsCapturing\",\"words\":[\"stream:hipStream_t:in\",\"pCaptureStatus:hipStreamCaptureStatus:out\"]}\n"
    "{\"t\":\"call\",\"id\":280,\"name\":\"hipStreamIsCapturing_spt\",\"words\":[\"stream:hipStream_t:in\",\"pCaptureStatus:hipStreamCaptureStatus:out\"]}\n"
    "{\"t\":\"call\",\"id\":281,\"name\":\"hipGraphCreate\",\"words\":[\"pGraph:hipGraph_t:out\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":282,\"name\":\"hipGraphDestroy\",\"words\":[\"graph:hipGraph_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":283,\"name\":\"hipGraphGetNodes\",\"words\":[\"graph:hipGraph_t:in\",\"nodes:hipGraphNode_t*:in\",\"numNodes:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":284,\"name\":\"hipGraphNodeGetType\",\"words\":[\"node:hipGraphNode_t:in\",\"pType:hipGraphNodeType:out\"]}\n"
    "{\"t\":\"call\",\"id\":285,\"name\":\"hipGraphInstantiate\",\"words\":[\"pGraphExec:hipGraphExec_t:out\",\"graph:hipGraph_t:in\",\"pErrorNode:hipGraphNode_t:out\",\"pLogBuffer:char*:in\",\"bufferSize:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":286,\"name\":\"hipGraphInstantiateWithFlags\",\"words\":[\"pGraphExec:hipGraphExec_t:out\",\"graph:hipGraph_t:in\",\"flags:unsigned long long:in\"]}\n"
    "{\"t\":\"call\",\"id\":287,\"name\":\"hipGraphLaunch\",\"words\":[\"graphExec:hipGraphExec_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":288,\"name\":\"hipGraphLaunch_spt\",\"words\":[\"graphExec:hipGraphExec_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":289,\"name\":\"hipGraphExecDestroy\",\"words\":[\"graphExec:hipGraphExec_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":290,\"name\":\"hipGraphExecUpdate\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hGraph:hipGraph_t:in\",\"hErrorNode_out:hipGraphNode_t:out\",\"updateResult_out:hipGraphExecUpdateResult:out\"]}\n"
    "{\"t\":\"call\",\"id\":291,\"name\":\"hipGraphKernelNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:hipKernelNodeParams*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":292,\"name\":\"hipStreamGetCaptureInfo\",\"words\":[\"stream:hipStream_t:in\",\"pCaptureStatus:hipStreamCaptureStatus:out\",\"pId:unsigned long long:out\"]}\n"
    "{\"t\":\"call\",\"id\":293,\"name\":\"hipStreamGetCaptureInfo_spt\",\"words\":[\"stream:hipStream_t:in\",\"pCaptureStatus:hipStreamCaptureStatus:out\",\"pId:unsigned long long:out\"]}\n"
    "{\"t\":\"call\",\"id\":294,\"name\":\"hipStreamGetCaptureInfo_v2\",\"words\":[\"stream:hipStream_t:in\",\"captureStatus_out:hipStreamCaptureStatus:out\",\"id_out:unsigned long long:out\",\"graph_out:hipGraph_t:out\",\"dependencies_out:const hipGraphNode_t**:in\",\"numDependencies_out:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":295,\"name\":\"hipStreamGetCaptureInfo_v2_spt\",\"words\":[\"stream:hipStream_t:in\",\"captureStatus_out:hipStreamCaptureStatus:out\",\"id_out:unsigned long long:out\",\"graph_out:hipGraph_t:out\",\"dependencies_out:const hipGraphNode_t**:in\",\"numDependencies_out:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":296,\"name\":\"hipThreadExchangeStreamCaptureMode\",\"words\":[\"mode:hipStreamCaptureMode*:in\"]}\n"
    "{\"t\":\"call\",\"id\":297,\"name\":\"hipGraphAddDependencies\",\"words\":[\"graph:hipGraph_t:in\",\"from:const hipGraphNode_t*:in:array\",\"to:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":298,\"name\":\"hipGraphGetEdges\",\"words\":[\"graph:hipGraph_t:in\",\"from:hipGraphNode_t*:in\",\"to:hipGraphNode_t*:in\",\"numEdges:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":299,\"name\":\"hipGraphGetRootNodes\",\"words\":[\"graph:hipGraph_t:in\",\"pRootNodes:hipGraphNode_t*:in\",\"pNumRootNodes:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":300,\"name\":\"hipGraphNodeGetDependencies\",\"words\":[\"node:hipGraphNode_t:in\",\"pDependencies:hipGraphNode_t*:in\",\"pNumDependencies:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":301,\"name\":\"hipGraphNodeGetDependentNodes\",\"words\":[\"node:hipGraphNode_t:in\",\"pDependentNodes:hipGraphNode_t*:in\",\"pNumDependentNodes:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":302,\"name\":\"hipGraphDestroyNode\",\"words\":[\"node:hipGraphNode_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":303,\"name\":\"hipGraphClone\",\"words\":[\"pGraphClone:hipGraph_t:out\",\"originalGraph:hipGraph_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":304,\"name\":\"hipGraphUpload\",\"words\":[\"graphExec:hipGraphExec_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":305,\"name\":\"hipGraphAddKernelNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"pNodeParams:const hipKernelNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":306,\"name\":\"hipGraphKernelNodeSetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:const hipKernelNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":307,\"name\":\"hipGraphExecKernelNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"pNodeParams:const hipKernelNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":308,\"name\":\"hipGraphAddMemcpyNode1D\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"dst:void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":309,\"name\":\"hipGraphMemcpyNodeSetParams1D\",\"words\":[\"node:hipGraphNode_t:in\",\"dst:void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":310,\"name\":\"hipGraphExecMemcpyNodeSetParams1D\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"dst:void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":311,\"name\":\"hipGraphAddMemsetNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"pMemsetParams:const hipMemsetParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":312,\"name\":\"hipGraphMemsetNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:hipMemsetParams*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":313,\"name\":\"hipGraphMemsetNodeSetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:const hipMemsetParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":314,\"name\":\"hipGraphExecMemsetNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"pNodeParams:const hipMemsetParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":315,\"name\":\"hipGraphAddHostNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"pNodeParams:const hipHostNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":316,\"name\":\"hipGraphHostNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:hipHostNodeParams*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":317,\"name\":\"hipGraphHostNodeSetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:const hipHostNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":318,\"name\":\"hipGraphAddEmptyNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":319,\"name\":\"hipGraphDebugDotPrint\",\"words\":[\"graph:hipGraph_t:in\",\"path:const char*:in:text\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":320,\"name\":\"hipGraphAddBatchMemOpNode\",\"words\":[\"phGraphNode:hipGraphNode_t:out\",\"hGraph:hipGraph_t:in\",\"dependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"nodeParams:const hipBatchMemOpNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":321,\"name\":\"hipGraphBatchMemOpNodeGetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams_out:hipBatchMemOpNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":322,\"name\":\"hipGraphBatchMemOpNodeSetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams:hipBatchMemOpNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":323,\"name\":\"hipGraphExecBatchMemOpNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"nodeParams:const hipBatchMemOpNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":324,\"name\":\"hipStreamBeginCaptureToGraph\",\"words\":[\"stream:hipStream_t:in\",\"graph:hipGraph_t:in\",\"dependencies:const hipGraphNode_t*:in:array\",\"dependencyData:const hipGraphEdgeData*:in\",\"numDependencies:size_t:in\",\"mode:hipStreamCaptureMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":325,\"name\":\"hipStreamUpdateCaptureDependencies\",\"words\":[\"stream:hipStream_t:in\",\"dependencies:hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":326,\"name\":\"hipGraphRemoveDependencies\",\"words\":[\"graph:hipGraph_t:in\",\"from:const hipGraphNode_t*:in:array\",\"to:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":327,\"name\":\"hipGraphNodeFindInClone\",\"words\":[\"pNode:hipGraphNode_t:out\",\"originalNode:hipGraphNode_t:in\",\"clonedGraph:hipGraph_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":328,\"name\":\"hipGraphInstantiateWithParams\",\"words\":[\"pGraphExec:hipGraphExec_t:out\",\"graph:hipGraph_t:in\",\"instantiateParams:hipGraphInstantiateParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":329,\"name\":\"hipGraphAddNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"nodeParams:hipGraphNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":330,\"name\":\"hipGraphExecGetFlags\",\"words\":[\"graphExec:hipGraphExec_t:in\",\"flags:unsigned long long:out\"]}\n"
    "{\"t\":\"call\",\"id\":331,\"name\":\"hipGraphNodeSetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"nodeParams:hipGraphNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":332,\"name\":\"hipGraphExecNodeSetParams\",\"words\":[\"graphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"nodeParams:hipGraphNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":333,\"name\":\"hipDrvGraphAddMemcpyNode\",\"words\":[\"phGraphNode:hipGraphNode_t:out\",\"hGraph:hipGraph_t:in\",\"dependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"copyParams:const HIP_MEMCPY3D*:in:struct\",\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":334,\"name\":\"hipGraphAddMemcpyNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"pCopyParams:const hipMemcpy3DParms*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":335,\"name\":\"hipGraphMemcpyNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:hipMemcpy3DParms*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":336,\"name\":\"hipGraphMemcpyNodeSetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:const hipMemcpy3DParms*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":337,\"name\":\"hipGraphKernelNodeSetAttribute\",\"words\":[\"hNode:hipGraphNode_t:in\",\"attr:hipLaunchAttributeID:in\",\"value:const hipLaunchAttributeValue*:in\"]}\n"
    "{\"t\":\"call\",\"id\":338,\"name\":\"hipGraphKernelNodeGetAttribute\",\"words\":[\"hNode:hipGraphNode_t:in\",\"attr:hipLaunchAttributeID:in\",\"value:hipLaunchAttributeValue*:in\"]}\n"
    "{\"t\":\"call\",\"id\":339,\"name\":\"hipGraphExecMemcpyNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"pNodeParams:hipMemcpy3DParms*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":340,\"name\":\"hipGraphAddMemcpyNodeFromSymbol\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"dst:void*:in\",\"symbol:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":341,\"name\":\"hipGraphMemcpyNodeSetParamsFromSymbol\",\"words\":[\"node:hipGraphNode_t:in\",\"dst:void*:in\",\"symbol:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":342,\"name\":\"hipGraphExecMemcpyNodeSetParamsFromSymbol\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"dst:void*:in\",\"symbol:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":343,\"name\":\"hipGraphAddMemcpyNodeToSymbol\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"symbol:const void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":344,\"name\":\"hipGraphMemcpyNodeSetParamsToSymbol\",\"words\":[\"node:hipGraphNode_t:in\",\"symbol:const void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":345,\"name\":\"hipGraphExecMemcpyNodeSetParamsToSymbol\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"symbol:const void*:in\",\"src:const void*:in\",\"count:size_t:in\",\"offset:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":346,\"name\":\"hipGraphExecHostNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"pNodeParams:const hipHostNodeParams*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":347,\"name\":\"hipGraphAddChildGraphNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"childGraph:hipGraph_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":348,\"name\":\"hipGraphChildGraphNodeGetGraph\",\"words\":[\"node:hipGraphNode_t:in\",\"pGraph:hipGraph_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":349,\"name\":\"hipGraphExecChildGraphNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"node:hipGraphNode_t:in\",\"childGraph:hipGraph_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":350,\"name\":\"hipGraphAddEventRecordNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":351,\"name\":\"hipGraphEventRecordNodeGetEvent\",\"words\":[\"node:hipGraphNode_t:in\",\"event_out:hipEvent_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":352,\"name\":\"hipGraphEventRecordNodeSetEvent\",\"words\":[\"node:hipGraphNode_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":353,\"name\":\"hipGraphExecEventRecordNodeSetEvent\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":354,\"name\":\"hipGraphAddEventWaitNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":355,\"name\":\"hipGraphEventWaitNodeGetEvent\",\"words\":[\"node:hipGraphNode_t:in\",\"event_out:hipEvent_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":356,\"name\":\"hipGraphEventWaitNodeSetEvent\",\"words\":[\"node:hipGraphNode_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":357,\"name\":\"hipGraphExecEventWaitNodeSetEvent\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":358,\"name\":\"hipGraphAddMemAllocNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"pNodeParams:hipMemAllocNodeParams*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":359,\"name\":\"hipGraphMemAllocNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"pNodeParams:hipMemAllocNodeParams*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":360,\"name\":\"hipGraphAddMemFreeNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"dev_ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":361,\"name\":\"hipGraphMemFreeNodeGetParams\",\"words\":[\"node:hipGraphNode_t:in\",\"dev_ptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":362,\"name\":\"hipDeviceGetGraphMemAttribute\",\"words\":[\"device:int:in\",\"attr:hipGraphMemAttributeType:in\",\"value:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":363,\"name\":\"hipDeviceSetGraphMemAttribute\",\"words\":[\"device:int:in\",\"attr:hipGraphMemAttributeType:in\",\"value:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":364,\"name\":\"hipDeviceGraphMemTrim\",\"words\":[\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":365,\"name\":\"hipUserObjectCreate\",\"words\":[\"object_out:hipUserObject_t:out\",\"ptr:void*:in\",\"destroy:hipHostFn_t:in\",\"initialRefcount:unsigned int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":366,\"name\":\"hipUserObjectRelease\",\"words\":[\"object:hipUserObject_t:in\",\"count:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":367,\"name\":\"hipUserObjectRetain\",\"words\":[\"object:hipUserObject_t:in\",\"count:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":368,\"name\":\"hipGraphRetainUserObject\",\"words\":[\"graph:hipGraph_t:in\",\"object:hipUserObject_t:in\",\"count:unsigned int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":369,\"name\":\"hipGraphReleaseUserObject\",\"words\":[\"graph:hipGraph_t:in\",\"object:hipUserObject_t:in\",\"count:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":370,\"name\":\"hipGraphKernelNodeCopyAttributes\",\"words\":[\"hSrc:hipGraphNode_t:in\",\"hDst:hipGraphNode_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":371,\"name\":\"hipGraphNodeSetEnabled\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"isEnabled:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":372,\"name\":\"hipGraphNodeGetEnabled\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"isEnabled:unsigned int:out\"]}\n"
    "{\"t\":\"call\",\"id\":373,\"name\":\"hipGraphAddExternalSemaphoresWaitNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"nodeParams:const hipExternalSemaphoreWaitNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":374,\"name\":\"hipGraphAddExternalSemaphoresSignalNode\",\"words\":[\"pGraphNode:hipGraphNode_t:out\",\"graph:hipGraph_t:in\",\"pDependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"nodeParams:const hipExternalSemaphoreSignalNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":375,\"name\":\"hipGraphExternalSemaphoresSignalNodeSetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams:const hipExternalSemaphoreSignalNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":376,\"name\":\"hipGraphExternalSemaphoresWaitNodeSetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams:const hipExternalSemaphoreWaitNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":377,\"name\":\"hipGraphExternalSemaphoresSignalNodeGetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"params_out:hipExternalSemaphoreSignalNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":378,\"name\":\"hipGraphExternalSemaphoresWaitNodeGetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"params_out:hipExternalSemaphoreWaitNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":379,\"name\":\"hipGraphExecExternalSemaphoresSignalNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"nodeParams:const hipExternalSemaphoreSignalNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":380,\"name\":\"hipGraphExecExternalSemaphoresWaitNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"nodeParams:const hipExternalSemaphoreWaitNodeParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":381,\"name\":\"hipDrvGraphMemcpyNodeGetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams:HIP_MEMCPY3D*:out:struct\"]}\n"
    "{\"t\":\"call\",\"id\":382,\"name\":\"hipDrvGraphMemcpyNodeSetParams\",\"words\":[\"hNode:hipGraphNode_t:in\",\"nodeParams:const HIP_MEMCPY3D*:in:struct\"]}\n"
    "{\"t\":\"call\",\"id\":383,\"name\":\"hipDrvGraphAddMemsetNode\",\"words\":[\"phGraphNode:hipGraphNode_t:out\",\"hGraph:hipGraph_t:in\",\"dependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"memsetParams:const hipMemsetParams*:in:struct\",\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":384,\"name\":\"hipDrvGraphAddMemFreeNode\",\"words\":[\"phGraphNode:hipGraphNode_t:out\",\"hGraph:hipGraph_t:in\",\"dependencies:const hipGraphNode_t*:in:array\",\"numDependencies:size_t:in\",\"dptr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":385,\"name\":\"hipDrvGraphExecMemcpyNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"copyParams:const HIP_MEMCPY3D*:in:struct\",\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":386,\"name\":\"hipDrvGraphExecMemsetNodeSetParams\",\"words\":[\"hGraphExec:hipGraphExec_t:in\",\"hNode:hipGraphNode_t:in\",\"memsetParams:const hipMemsetParams*:in:struct\",\"ctx:hipCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":387,\"name\":\"hipGetLastError\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":388,\"name\":\"hipExtGetLastError\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":389,\"name\":\"hipPeekAtLastError\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":390,\"name\":\"hipGetErrorName\",\"words\":[\"hip_error:hipError_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":391,\"name\":\"hipGetErrorString\",\"words\":[\"hipError:hipError_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":392,\"name\":\"hipDrvGetErrorName\",\"words\":[\"hipError:hipError_t:in\",\"errorString:const char**:in\"]}\n"
    "{\"t\":\"call\",\"id\":393,\"name\":\"hipDrvGetErrorString\",\"words\":[\"hipError:hipError_t:in\",\"errorString:const char**:in\"]}\n"
    "{\"t\":\"call\",\"id\":394,\"name\":\"hipGetProcAddress\",\"words\":[\"symbol:const char*:in:text\",\"pfn:void*:out\",\"hipVersion:int:in\",\"flags:uint64_t:in\",\"symbolStatus:hipDriverProcAddressQueryResult:out\"]}\n"
    "{\"t\":\"call\",\"id\":395,\"name\":\"hipGetProcAddress_spt\",\"words\":[\"symbol:const char*:in:text\",\"pfn:void*:out\",\"hipVersion:int:in\",\"flags:uint64_t:in\",\"symbolStatus:hipDriverProcAddressQueryResult:out\"]}\n"
    "{\"t\":\"call\",\"id\":396,\"name\":\"hipGetFuncBySymbol\",\"words\":[\"functionPtr:hipFunction_t:out\",\"symbolPtr:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":397,\"name\":\"hipGetDriverEntryPoint\",\"words\":[\"symbol:const char*:in:text\",\"funcPtr:void*:out\",\"flags:unsigned long long:in\",\"driverStatus:hipDriverEntryPointQueryResult:out\"]}\n"
    "{\"t\":\"call\",\"id\":398,\"name\":\"hipGetDriverEntryPoint_spt\",\"words\":[\"symbol:const char*:in:text\",\"funcPtr:void*:out\",\"flags:unsigned long long:in\",\"driverStatus:hipDriverEntryPointQueryResult:out\"]}\n"
    "{\"t\":\"call\",\"id\":399,\"name\":\"hipApiName\",\"words\":[\"id:uint32_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":400,\"name\":\"hipKernelNameRef\",\"words\":[\"f:const hipFunction_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":401,\"name\":\"hipKernelNameRefByPtr\",\"words\":[\"hostFunction:const void*:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":402,\"name\":\"__hipRegisterFatBinary\",\"words\":[\"wrapper:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":403,\"name\":\"__hipRegisterFunction\",\"words\":[\"modules:void**:in\",\"hostFunction:const void*:in\",\"deviceFunction:char*:in\",\"deviceName:const char*:in:text\",\"threadLimit:unsigned int:in\",\"tid:void*:in\",\"bid:void*:in\",\"blockDim:dim3*:in\",\"gridDim:dim3*:in\",\"wSize:int*:in\"]}\n"
    "{\"t\":\"call\",\"id\":404,\"name\":\"__hipRegisterVar\",\"words\":[\"modules:void**:in\",\"var:void*:in\",\"hostVar:char*:in\",\"deviceVar:char*:in\",\"ext:int:in\",\"size:size_t:in\",\"constant:int:in\",\"global:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":405,\"name\":\"__hipRegisterManagedVar\",\"words\":[\"module:void*:in\",\"pointer:void*:out\",\"initValue:void*:in\",\"name:const char*:in:text\",\"size:size_t:in\",\"align:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":406,\"name\":\"__hipUnregisterFatBinary\",\"words\":[\"modules:void**:in\"]}\n"
    "{\"t\":\"call\",\"id\":407,\"name\":\"__hipPushCallConfiguration\",\"words\":[\"gridDim.x:unsigned int:in\",\"gridDim.y:unsigned int:in\",\"gridDim.z:unsigned int:in\",\"blockDim.x:unsigned int:in\",\"blockDim.y:unsigned int:in\",\"blockDim.z:unsigned int:in\",\"sharedMem:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":408,\"name\":\"__hipPopCallConfiguration\",\"words\":[\"gridDim:dim3*:in\",\"blockDim:dim3*:in\",\"sharedMem:size_t:out\",\"stream:hipStream_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":409,\"name\":\"hipConfigureCall\",\"words\":[\"gridDim.x:unsigned int:in\",\"gridDim.y:unsigned int:in\",\"gridDim.z:unsigned int:in\",\"blockDim.x:unsigned int:in\",\"blockDim.y:unsigned int:in\",\"blockDim.z:unsigned int:in\",\"sharedMem:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":410,\"name\":\"hipSetupArgument\",\"words\":[\"arg:const void*:in\",\"size:size_t:in\",\"offset:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":411,\"name\":\"hipLaunchByPtr\",\"words\":[\"func:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":412,\"name\":\"__hipRegisterSurface\",\"words\":[\"modules:void**:in\",\"var:void*:in\",\"hostVar:char*:in\",\"deviceVar:char*:in\",\"type:int:in\",\"ext:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":413,\"name\":\"__hipRegisterTexture\",\"words\":[\"modules:void**:in\",\"var:void*:in\",\"hostVar:char*:in\",\"deviceVar:char*:in\",\"type:int:in\",\"norm:int:in\",\"ext:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":414,\"name\":\"hipProfilerStart\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":415,\"name\":\"hipProfilerStop\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":416,\"name\":\"hipMemcpyAtoD\",\"words\":[\"dstDevice:void*:in\",\"srcArray:hipArray_t:in\",\"srcOffset:size_t:in\",\"ByteCount:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":417,\"name\":\"hipMemcpyDtoA\",\"words\":[\"dstArray:hipArray_t:in\",\"dstOffset:size_t:in\",\"srcDevice:void*:in\",\"ByteCount:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":418,\"name\":\"hipMemcpyAtoA\",\"words\":[\"dstArray:hipArray_t:in\",\"dstOffset:size_t:in\",\"srcArray:hipArray_t:in\",\"srcOffset:size_t:in\",\"ByteCount:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":419,\"name\":\"hipMemcpyAtoHAsync\",\"words\":[\"dstHost:void*:in\",\"srcArray:hipArray_t:in\",\"srcOffset:size_t:in\",\"ByteCount:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":420,\"name\":\"hipMemcpyHtoAAsync\",\"words\":[\"dstArray:hipArray_t:in\",\"dstOffset:size_t:in\",\"srcHost:const void*:in\",\"ByteCount:size_t:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":421,\"name\":\"hipMallocArray\",\"words\":[\"array:hipArray_t:out\",\"desc:const hipChannelFormatDesc*:in\",\"width:size_t:in\",\"height:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":422,\"name\":\"hipArrayCreate\",\"words\":[\"pHandle:hipArray_t:out\",\"pAllocateArray:const HIP_ARRAY_DESCRIPTOR*:in\"]}\n"
    "{\"t\":\"call\",\"id\":423,\"name\":\"hipArrayDestroy\",\"words\":[\"array:hipArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":424,\"name\":\"hipArray3DCreate\",\"words\":[\"array:hipArray_t:out\",\"pAllocateArray:const HIP_ARRAY3D_DESCRIPTOR*:in\"]}\n"
    "{\"t\":\"call\",\"id\":425,\"name\":\"hipFreeArray\",\"words\":[\"array:hipArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":426,\"name\":\"hipMalloc3DArray\",\"words\":[\"array:hipArray_t:out\",\"desc:const hipChannelFormatDesc*:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":427,\"name\":\"hipArrayGetInfo\",\"words\":[\"desc:hipChannelFormatDesc*:in\",\"extent:hipExtent*:in\",\"flags:unsigned int:out\",\"array:hipArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":428,\"name\":\"hipArrayGetDescriptor\",\"words\":[\"pArrayDescriptor:HIP_ARRAY_DESCRIPTOR*:in\",\"array:hipArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":429,\"name\":\"hipArray3DGetDescriptor\",\"words\":[\"pArrayDescriptor:HIP_ARRAY3D_DESCRIPTOR*:in\",\"array:hipArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":430,\"name\":\"hipMemcpy2DToArray\",\"words\":[\"dst:hipArray_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":431,\"name\":\"hipMemcpy2DToArray_spt\",\"words\":[\"dst:hipArray_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":432,\"name\":\"hipMemcpy2DToArrayAsync\",\"words\":[\"dst:hipArray_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":433,\"name\":\"hipMemcpy2DToArrayAsync_spt\",\"words\":[\"dst:hipArray_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"src:const void*:in\",\"spitch:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":434,\"name\":\"hipMemcpy2DArrayToArray\",\"words\":[\"dst:hipArray_t:in\",\"wOffsetDst:size_t:in\",\"hOffsetDst:size_t:in\",\"src:hipArray_const_t:in\",\"wOffsetSrc:size_t:in\",\"hOffsetSrc:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":435,\"name\":\"hipMemcpyToArray\",\"words\":[\"dst:hipArray_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"src:const void*:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":436,\"name\":\"hipMemcpyFromArray\",\"words\":[\"dst:void*:in\",\"srcArray:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":437,\"name\":\"hipMemcpyFromArray_spt\",\"words\":[\"dst:void*:in\",\"srcArray:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"count:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":438,\"name\":\"hipMemcpy2DFromArray\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":439,\"name\":\"hipMemcpy2DFromArray_spt\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\"]}\n"
    "{\"t\":\"call\",\"id\":440,\"name\":\"hipMemcpy2DFromArrayAsync\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":441,\"name\":\"hipMemcpy2DFromArrayAsync_spt\",\"words\":[\"dst:void*:in\",\"dpitch:size_t:in\",\"src:hipArray_const_t:in\",\"wOffset:size_t:in\",\"hOffset:size_t:in\",\"width:size_t:in\",\"height:size_t:in\",\"kind:hipMemcpyKind:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":442,\"name\":\"hipMemcpyAtoH\",\"words\":[\"dst:void*:in\",\"srcArray:hipArray_t:in\",\"srcOffset:size_t:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":443,\"name\":\"hipMemcpyHtoA\",\"words\":[\"dstArray:hipArray_t:in\",\"dstOffset:size_t:in\",\"srcHost:const void*:in\",\"count:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":444,\"name\":\"hipMipmappedArrayGetMemoryRequirements\",\"words\":[\"memoryRequirements:hipArrayMemoryRequirements*:in\",\"mipmap:hipMipmappedArray_t:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":445,\"name\":\"hipMallocMipmappedArray\",\"words\":[\"mipmappedArray:hipMipmappedArray_t*:in\",\"desc:const hipChannelFormatDesc*:in\",\"extent.width:size_t:in\",\"extent.height:size_t:in\",\"extent.depth:size_t:in\",\"numLevels:unsigned int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":446,\"name\":\"hipFreeMipmappedArray\",\"words\":[\"mipmappedArray:hipMipmappedArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":447,\"name\":\"hipGetMipmappedArrayLevel\",\"words\":[\"levelArray:hipArray_t:out\",\"mipmappedArray:hipMipmappedArray_const_t:in\",\"level:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":448,\"name\":\"hipMipmappedArrayCreate\",\"words\":[\"pHandle:hipMipmappedArray_t:out\",\"pMipmappedArrayDesc:HIP_ARRAY3D_DESCRIPTOR*:in\",\"numMipmapLevels:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":449,\"name\":\"hipMipmappedArrayDestroy\",\"words\":[\"hMipmappedArray:hipMipmappedArray_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":450,\"name\":\"hipMipmappedArrayGetLevel\",\"words\":[\"pLevelArray:hipArray_t:out\",\"hMipMappedArray:hipMipmappedArray_t:in\",\"level:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":451,\"name\":\"hipMemMapArrayAsync\",\"words\":[\"mapInfoList:hipArrayMapInfo*:in\",\"count:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":452,\"name\":\"hipDeviceGetTexture1DLinearMaxWidth\",\"words\":[\"max_width:size_t:out\",\"desc:const hipChannelFormatDesc*:in\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":453,\"name\":\"hipModuleGetTexRef\",\"words\":[\"texRef:textureReference**:in\",\"hmod:hipModule_t:in\",\"name:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":454,\"name\":\"hipCreateTextureObject\",\"words\":[\"pTexObject:hipTextureObject_t:out\",\"pResDesc:const hipResourceDesc*:in\",\"pTexDesc:const hipTextureDesc*:in\",\"pResViewDesc:const hipResourceViewDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":455,\"name\":\"hipDestroyTextureObject\",\"words\":[\"textureObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":456,\"name\":\"hipGetChannelDesc\",\"words\":[\"desc:hipChannelFormatDesc*:in\",\"array:hipArray_const_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":457,\"name\":\"hipGetTextureObjectResourceDesc\",\"words\":[\"pResDesc:hipResourceDesc*:in\",\"textureObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":458,\"name\":\"hipGetTextureObjectResourceViewDesc\",\"words\":[\"pResViewDesc:hipResourceViewDesc*:in\",\"textureObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":459,\"name\":\"hipGetTextureObjectTextureDesc\",\"words\":[\"pTexDesc:hipTextureDesc*:in\",\"textureObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":460,\"name\":\"hipTexObjectCreate\",\"words\":[\"pTexObject:hipTextureObject_t:out\",\"pResDesc:const HIP_RESOURCE_DESC*:in\",\"pTexDesc:const HIP_TEXTURE_DESC*:in\",\"pResViewDesc:const HIP_RESOURCE_VIEW_DESC*:in\"]}\n"
    "{\"t\":\"call\",\"id\":461,\"name\":\"hipTexObjectDestroy\",\"words\":[\"texObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":462,\"name\":\"hipTexObjectGetResourceDesc\",\"words\":[\"pResDesc:HIP_RESOURCE_DESC*:in\",\"texObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":463,\"name\":\"hipTexObjectGetResourceViewDesc\",\"words\":[\"pResViewDesc:HIP_RESOURCE_VIEW_DESC*:in\",\"texObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":464,\"name\":\"hipTexObjectGetTextureDesc\",\"words\":[\"pTexDesc:HIP_TEXTURE_DESC*:in\",\"texObject:hipTextureObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":465,\"name\":\"hipBindTextureToMipmappedArray\",\"words\":[\"tex:const textureReference*:in\",\"mipmappedArray:hipMipmappedArray_const_t:in\",\"desc:const hipChannelFormatDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":466,\"name\":\"hipGetTextureReference\",\"words\":[\"texref:const textureReference**:in\",\"symbol:const void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":467,\"name\":\"hipTexRefGetBorderColor\",\"words\":[\"pBorderColor:float:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":468,\"name\":\"hipTexRefGetArray\",\"words\":[\"pArray:hipArray_t:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":469,\"name\":\"hipTexRefSetAddressMode\",\"words\":[\"texRef:textureReference*:in\",\"dim:int:in\",\"am:hipTextureAddressMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":470,\"name\":\"hipTexRefSetArray\",\"words\":[\"tex:textureReference*:in\",\"array:hipArray_const_t:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":471,\"name\":\"hipTexRefSetFilterMode\",\"words\":[\"texRef:textureReference*:in\",\"fm:hipTextureFilterMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":472,\"name\":\"hipTexRefSetFlags\",\"words\":[\"texRef:textureReference*:in\",\"Flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":473,\"name\":\"hipTexRefSetFormat\",\"words\":[\"texRef:textureReference*:in\",\"fmt:hipArray_Format:in\",\"NumPackedComponents:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":474,\"name\":\"hipBindTexture\",\"words\":[\"offset:size_t:out\",\"tex:const textureReference*:in\",\"devPtr:const void*:in\",\"desc:const hipChannelFormatDesc*:in\",\"size:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":475,\"name\":\"hipBindTexture2D\",\"words\":[\"offset:size_t:out\",\"tex:const textureReference*:in\",\"devPtr:const void*:in\",\"desc:const hipChannelFormatDesc*:in\",\"width:size_t:in\",\"height:size_t:in\",\"pitch:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":476,\"name\":\"hipBindTextureToArray\",\"words\":[\"tex:const textureReference*:in\",\"array:hipArray_const_t:in\",\"desc:const hipChannelFormatDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":477,\"name\":\"hipGetTextureAlignmentOffset\",\"words\":[\"offset:size_t:out\",\"texref:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":478,\"name\":\"hipUnbindTexture\",\"words\":[\"tex:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":479,\"name\":\"hipTexRefGetAddress\",\"words\":[\"dev_ptr:void*:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":480,\"name\":\"hipTexRefGetAddressMode\",\"words\":[\"pam:hipTextureAddressMode*:in\",\"texRef:const textureReference*:in\",\"dim:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":481,\"name\":\"hipTexRefGetFilterMode\",\"words\":[\"pfm:hipTextureFilterMode*:in\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":482,\"name\":\"hipTexRefGetFlags\",\"words\":[\"pFlags:unsigned int:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":483,\"name\":\"hipTexRefGetFormat\",\"words\":[\"pFormat:hipArray_Format*:in\",\"pNumChannels:int:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":484,\"name\":\"hipTexRefGetMaxAnisotropy\",\"words\":[\"pmaxAnsio:int:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":485,\"name\":\"hipTexRefGetMipmapFilterMode\",\"words\":[\"pfm:hipTextureFilterMode*:in\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":486,\"name\":\"hipTexRefGetMipmapLevelBias\",\"words\":[\"pbias:float:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":487,\"name\":\"hipTexRefGetMipmapLevelClamp\",\"words\":[\"pminMipmapLevelClamp:float:out\",\"pmaxMipmapLevelClamp:float:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":488,\"name\":\"hipTexRefGetMipMappedArray\",\"words\":[\"pArray:hipMipmappedArray_t:out\",\"texRef:const textureReference*:in\"]}\n"
    "{\"t\":\"call\",\"id\":489,\"name\":\"hipTexRefSetAddress\",\"words\":[\"ByteOffset:size_t:out\",\"texRef:textureReference*:in\",\"dptr:void*:in\",\"bytes:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":490,\"name\":\"hipTexRefSetAddress2D\",\"words\":[\"texRef:textureReference*:in\",\"desc:const HIP_ARRAY_DESCRIPTOR*:in\",\"dptr:void*:in\",\"Pitch:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":491,\"name\":\"hipTexRefSetMaxAnisotropy\",\"words\":[\"texRef:textureReference*:in\",\"maxAniso:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":492,\"name\":\"hipTexRefSetBorderColor\",\"words\":[\"texRef:textureReference*:in\",\"pBorderColor:float*:in\"]}\n"
    "{\"t\":\"call\",\"id\":493,\"name\":\"hipTexRefSetMipmapFilterMode\",\"words\":[\"texRef:textureReference*:in\",\"fm:hipTextureFilterMode:in\"]}\n"
    "{\"t\":\"call\",\"id\":494,\"name\":\"hipTexRefSetMipmapLevelBias\",\"words\":[\"texRef:textureReference*:in\",\"bias:float:in\"]}\n"
    "{\"t\":\"call\",\"id\":495,\"name\":\"hipTexRefSetMipmapLevelClamp\",\"words\":[\"texRef:textureReference*:in\",\"minMipMapLevelClamp:float:in\",\"maxMipMapLevelClamp:float:in\"]}\n"
    "{\"t\":\"call\",\"id\":496,\"name\":\"hipTexRefSetMipmappedArray\",\"words\":[\"texRef:textureReference*:in\",\"mipmappedArray:hipMipmappedArray*:in\",\"Flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":497,\"name\":\"hipCreateSurfaceObject\",\"words\":[\"pSurfObject:hipSurfaceObject_t:out\",\"pResDesc:const hipResourceDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":498,\"name\":\"hipDestroySurfaceObject\",\"words\":[\"surfaceObject:hipSurfaceObject_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":499,\"name\":\"hipImportExternalSemaphore\",\"words\":[\"extSem_out:void*:out\",\"semHandleDesc:const hipExternalSemaphoreHandleDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":500,\"name\":\"hipSignalExternalSemaphoresAsync\",\"words\":[\"extSemArray:void* const*:in\",\"paramsArray:const hipExternalSemaphoreSignalParams*:in\",\"numExtSems:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":501,\"name\":\"hipWaitExternalSemaphoresAsync\",\"words\":[\"extSemArray:void* const*:in\",\"paramsArray:const hipExternalSemaphoreWaitParams*:in\",\"numExtSems:unsigned int:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":502,\"name\":\"hipDestroyExternalSemaphore\",\"words\":[\"extSem:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":503,\"name\":\"hipImportExternalMemory\",\"words\":[\"extMem_out:void*:out\",\"memHandleDesc:const hipExternalMemoryHandleDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":504,\"name\":\"hipExternalMemoryGetMappedBuffer\",\"words\":[\"devPtr:void*:out\",\"extMem:void*:in\",\"bufferDesc:const hipExternalMemoryBufferDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":505,\"name\":\"hipDestroyExternalMemory\",\"words\":[\"extMem:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":506,\"name\":\"hipExternalMemoryGetMappedMipmappedArray\",\"words\":[\"mipmap:hipMipmappedArray_t:out\",\"extMem:void*:in\",\"mipmapDesc:const hipExternalMemoryMipmappedArrayDesc*:in\"]}\n"
    "{\"t\":\"call\",\"id\":507,\"name\":\"hipGraphicsMapResources\",\"words\":[\"count:int:in\",\"resources:hipGraphicsResource_t*:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":508,\"name\":\"hipGraphicsSubResourceGetMappedArray\",\"words\":[\"array:hipArray_t:out\",\"resource:hipGraphicsResource_t:in\",\"arrayIndex:unsigned int:in\",\"mipLevel:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":509,\"name\":\"hipGraphicsResourceGetMappedPointer\",\"words\":[\"devPtr:void*:out\",\"size:size_t:out\",\"resource:hipGraphicsResource_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":510,\"name\":\"hipGraphicsUnmapResources\",\"words\":[\"count:int:in\",\"resources:hipGraphicsResource_t*:in\",\"stream:hipStream_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":511,\"name\":\"hipGraphicsUnregisterResource\",\"words\":[\"resource:hipGraphicsResource_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":512,\"name\":\"hipGLGetDevices\",\"words\":[\"pHipDeviceCount:unsigned int:out\",\"pHipDevices:int:out\",\"hipDeviceCount:unsigned int:in\",\"deviceList:hipGLDeviceList:in\"]}\n"
    "{\"t\":\"call\",\"id\":513,\"name\":\"hipGraphicsGLRegisterBuffer\",\"words\":[\"resource:hipGraphicsResource_t:out\",\"buffer:GLuint:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":514,\"name\":\"hipGraphicsGLRegisterImage\",\"words\":[\"resource:hipGraphicsResource_t:out\",\"image:GLuint:in\",\"target:GLenum:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":515,\"name\":\"hipIpcGetMemHandle\",\"words\":[\"handle:hipIpcMemHandle_t*:in\",\"devPtr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":516,\"name\":\"hipIpcOpenMemHandle\",\"words\":[\"devPtr:void*:out\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":517,\"name\":\"hipIpcCloseMemHandle\",\"words\":[\"devPtr:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":518,\"name\":\"hipIpcGetEventHandle\",\"words\":[\"handle:hipIpcEventHandle_t*:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":519,\"name\":\"hipIpcOpenEventHandle\",\"words\":[\"event:hipEvent_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":520,\"name\":\"hipKernelSetAttribute\",\"words\":[\"attrib:hipFunction_attribute:in\",\"value:int:in\",\"kernel:hipKernel_t:in\",\"dev:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":521,\"name\":\"hipKernelGetFunction\",\"words\":[\"pFunc:hipFunction_t:out\",\"kernel:hipKernel_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":522,\"name\":\"hipKernelGetAttribute\",\"words\":[\"pi:int:out\",\"attrib:hipFunction_attribute:in\",\"kernel:hipKernel_t:in\",\"dev:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":523,\"name\":\"hipLibraryLoadData\",\"words\":[\"library:hipLibrary_t:out\",\"code:const void*:in\",\"jitOptions:hipJitOption*:in\",\"jitOptionsValues:void**:in\",\"numJitOptions:unsigned int:in\",\"libraryOptions:hipLibraryOption*:in\",\"libraryOptionValues:void**:in\",\"numLibraryOptions:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":524,\"name\":\"hipLibraryLoadFromFile\",\"words\":[\"library:hipLibrary_t:out\",\"fileName:const char*:in:text\",\"jitOptions:hipJitOption*:in\",\"jitOptionsValues:void**:in\",\"numJitOptions:unsigned int:in\",\"libraryOptions:hipLibraryOption*:in\",\"libraryOptionValues:void**:in\",\"numLibraryOptions:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":525,\"name\":\"hipLibraryUnload\",\"words\":[\"library:hipLibrary_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":526,\"name\":\"hipLibraryGetKernel\",\"words\":[\"pKernel:hipKernel_t:out\",\"library:hipLibrary_t:in\",\"name:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":527,\"name\":\"hipLibraryGetKernelCount\",\"words\":[\"count:unsigned int:out\",\"library:hipLibrary_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":528,\"name\":\"hipLibraryGetGlobal\",\"words\":[\"dptr:void*:out\",\"bytes:size_t:out\",\"library:hipLibrary_t:in\",\"name:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":529,\"name\":\"hipLibraryGetManaged\",\"words\":[\"dptr:void*:out\",\"bytes:size_t:out\",\"library:hipLibrary_t:in\",\"name:const char*:in:text\"]}\n"
    "{\"t\":\"call\",\"id\":530,\"name\":\"hipLibraryEnumerateKernels\",\"words\":[\"kernels:hipKernel_t:out\",\"numKernels:unsigned int:in\",\"library:hipLibrary_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":531,\"name\":\"hipKernelGetLibrary\",\"words\":[\"library:hipLibrary_t:out\",\"kernel:hipKernel_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":532,\"name\":\"hipKernelGetName\",\"words\":[\"name:const char**:in\",\"kernel:hipKernel_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":533,\"name\":\"hipKernelGetParamInfo\",\"words\":[\"kernel:hipKernel_t:in\",\"paramIndex:size_t:in\",\"paramOffset:size_t:out\",\"paramSize:size_t:out\"]}\n"
    "{\"t\":\"call\",\"id\":534,\"name\":\"hipDeviceGetDevResource\",\"words\":[\"device:int:in\",\"resource:hipDevResource*:in\",\"type:hipDevResourceType:in\"]}\n"
    "{\"t\":\"call\",\"id\":535,\"name\":\"hipDevSmResourceSplitByCount\",\"words\":[\"result:hipDevResource*:in\",\"nbGroups:unsigned int:out\",\"input:const hipDevResource*:in\",\"remainder:hipDevResource*:in\",\"flags:unsigned int:in\",\"minCount:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":536,\"name\":\"hipDevSmResourceSplit\",\"words\":[\"result:hipDevResource*:in\",\"nbGroups:unsigned int:in\",\"input:const hipDevResource*:in\",\"remainder:hipDevResource*:in\",\"flags:unsigned int:in\",\"groupParams:hipDevSmResourceGroupParams*:in\"]}\n"
    "{\"t\":\"call\",\"id\":537,\"name\":\"hipDevResourceGenerateDesc\",\"words\":[\"phDesc:hipDevResourceDesc_t:out\",\"resources:hipDevResource*:in\",\"nbResources:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":538,\"name\":\"hipGreenCtxCreate\",\"words\":[\"ctx:hipExecutionCtx_t:out\",\"desc:hipDevResourceDesc_t:in\",\"device:int:in\",\"flags:unsigned int:in\"]}\n"
    "{\"t\":\"call\",\"id\":539,\"name\":\"hipExecutionCtxDestroy\",\"words\":[\"ctx:hipExecutionCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":540,\"name\":\"hipDeviceGetExecutionCtx\",\"words\":[\"ctx:hipExecutionCtx_t:out\",\"device:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":541,\"name\":\"hipExecutionCtxStreamCreate\",\"words\":[\"stream:hipStream_t:out\",\"greenctx:hipExecutionCtx_t:in\",\"flags:unsigned int:in\",\"priority:int:in\"]}\n"
    "{\"t\":\"call\",\"id\":542,\"name\":\"hipExecutionCtxGetDevResource\",\"words\":[\"ctx:hipExecutionCtx_t:in\",\"resource:hipDevResource*:in\",\"type:hipDevResourceType:in\"]}\n"
    "{\"t\":\"call\",\"id\":543,\"name\":\"hipExecutionCtxGetDevice\",\"words\":[\"device:int:out\",\"ctx:hipExecutionCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":544,\"name\":\"hipExecutionCtxGetId\",\"words\":[\"ctx:hipExecutionCtx_t:in\",\"ctxId:unsigned long long:out\"]}\n"
    "{\"t\":\"call\",\"id\":545,\"name\":\"hipStreamGetDevResource\",\"words\":[\"hStream:hipStream_t:in\",\"resource:hipDevResource*:in\",\"type:hipDevResourceType:in\"]}\n"
    "{\"t\":\"call\",\"id\":546,\"name\":\"hipExecutionCtxRecordEvent\",\"words\":[\"ctx:hipExecutionCtx_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":547,\"name\":\"hipExecutionCtxSynchronize\",\"words\":[\"ctx:hipExecutionCtx_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":548,\"name\":\"hipExecutionCtxWaitEvent\",\"words\":[\"ctx:hipExecutionCtx_t:in\",\"event:hipEvent_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":549,\"name\":\"hipExtEnableLogging\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":550,\"name\":\"hipExtDisableLogging\",\"words\":[]}\n"
    "{\"t\":\"call\",\"id\":551,\"name\":\"hipExtSetLoggingParams\",\"words\":[\"log_level:size_t:in\",\"log_size:size_t:in\",\"log_mask:size_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":552,\"name\":\"hipRegisterApiCallback\",\"words\":[\"id:uint32_t:in\",\"fun:void*:in\",\"arg:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":553,\"name\":\"hipRemoveApiCallback\",\"words\":[\"id:uint32_t:in\"]}\n"
    "{\"t\":\"call\",\"id\":554,\"name\":\"hipRegisterActivityCallback\",\"words\":[\"id:uint32_t:in\",\"fun:void*:in\",\"arg:void*:in\"]}\n"
    "{\"t\":\"call\",\"id\":555,\"name\":\"hipRemoveActivityCallback\",\"words\":[\"id:uint32_t:in\"]}\n"
    ;

}  // namespace greta::recorder
