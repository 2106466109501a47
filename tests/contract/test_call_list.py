"""The contract knows every call that programs may ask the library for."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from contract import model

CALLS: dict[str, model.Call] = {call.name: call for call in model.load().calls}

# The calls that must work, without their "hip"; `A(B|C)` stands for A, AB and AC, and a trailing
# `!` means that the bare A does not exist.
MUST_WORK = """
Init DriverGetVersion RuntimeGetVersion GetDevice(Count) SetDevice
DeviceGet(Name|PCIBusId|Attribute) DeviceTotalMem GetDeviceProperties(R0000|R0600)
ChooseDevice(R0000|R0600) DeviceSynchronize
DeviceReset DeviceGetStreamPriorityRange DeviceGetUuid GetDeviceFlags SetDeviceFlags
DeviceCanAccessPeer DeviceEnablePeerAccess DeviceDisablePeerAccess DeviceGetLimit DeviceSetLimit
DeviceSetCacheConfig DeviceGetCacheConfig DeviceGetSharedMemConfig DeviceSetSharedMemConfig
DeviceGetByPCIBusId DeviceComputeCapability DeviceGetP2PAttribute
CtxGetCurrent CtxSetCurrent CtxGetDevice CtxCreate CtxDestroy CtxSynchronize CtxPushCurrent
CtxPopCurrent DevicePrimaryCtx(Retain|Release|GetState|Reset)!
Malloc(Pitch|Managed|Host|Async|FromPoolAsync) ExtMallocWithFlags Free(Host|Async) HostMalloc
HostAlloc HostFree HostRegister HostUnregister HostGetDevicePointer HostGetFlags
MemGetInfo MemGetAddressRange PointerGetAttribute(s) MemPtrGetInfo DrvPointerGetAttributes
MemAdvise(_v2) MemPrefetchAsync(_v2)
Memcpy(_spt|WithStream|HtoD|DtoH|DtoD|HtoDAsync|DtoHAsync|DtoDAsync|Peer|PeerAsync)
MemcpyAsync(_spt) Memcpy2D(_spt) Memcpy2DAsync(_spt)
Memset(_spt|D8|D16|D32|D8Async|D16Async|D32Async)
MemsetAsync(_spt) Memset2D(_spt) Memset2DAsync(_spt) MemcpyToSymbol(_spt) MemcpyFromSymbol(_spt)
MemcpyToSymbolAsync(_spt) MemcpyFromSymbolAsync(_spt) GetSymbolAddress GetSymbolSize
DeviceGetDefaultMemPool DeviceGetMemPool DeviceSetMemPool
MemPool(Create|Destroy|TrimTo|SetAttribute|GetAttribute|SetAccess|GetAccess)!
StreamCreate(WithFlags|WithPriority) StreamDestroy StreamSynchronize(_spt) StreamQuery(_spt)
StreamWaitEvent(_spt) StreamGetFlags(_spt) StreamGetPriority(_spt) StreamGetDevice StreamGetId
StreamAddCallback(_spt) LaunchHostFunc(_spt) StreamWriteValue(32|64)! StreamWaitValue(32|64)!
ExtStreamCreateWithCUMask EventCreate(WithFlags) EventDestroy EventRecord(_spt|WithFlags)
EventSynchronize EventQuery EventElapsedTime
ModuleLoad(Data|DataEx) ModuleUnload ModuleGetFunction ModuleGetGlobal FuncGetAttribute(s)
FuncSetAttribute FuncSetCacheConfig FuncSetSharedMemConfig ModuleLaunchKernel LaunchKernel(_spt)
ExtLaunchKernel ExtModuleLaunchKernel HccModuleLaunchKernel GetFuncBySymbol LaunchKernelExC
DrvLaunchKernelEx LaunchCooperativeKernel(_spt) ModuleLaunchCooperativeKernel
OccupancyMaxActiveBlocksPerMultiprocessor(WithFlags) OccupancyMaxPotentialBlockSize
ModuleOccupancyMaxActiveBlocksPerMultiprocessor ModuleOccupancyMaxPotentialBlockSize
StreamBeginCapture(_spt) StreamEndCapture(_spt) StreamIsCapturing(_spt)
StreamGetCaptureInfo(_spt|_v2|_v2_spt) ThreadExchangeStreamCaptureMode GraphCreate GraphDestroy
GraphInstantiate(WithFlags) GraphLaunch(_spt) GraphUpload GraphExec(Destroy|Update)! GraphGetNodes
GraphNodeGetType GraphKernelNode(Get|Set)Params GraphExecKernelNodeSetParams
GraphAdd(KernelNode|MemcpyNode1D|MemsetNode|EmptyNode|HostNode|Dependencies)! GraphGetEdges
GraphGetRootNodes GraphNodeGetDependencies GraphNodeGetDependentNodes GraphClone GraphDestroyNode
GraphMemcpyNodeSetParams1D GraphExecMemcpyNodeSetParams1D GraphMemsetNode(Get|Set)Params
GraphExecMemsetNodeSetParams GraphHostNode(Get|Set)Params GraphDebugDotPrint
GetLastError PeekAtLastError ExtGetLastError GetErrorName GetErrorString DrvGetErrorName
DrvGetErrorString GetProcAddress(_spt) GetDriverEntryPoint(_spt) ApiName KernelNameRef(ByPtr)
ProfilerStart ProfilerStop
"""
COMPILER_CALLS = """
__hipRegisterFatBinary __hipRegisterFunction __hipRegisterVar __hipRegisterManagedVar
__hipUnregisterFatBinary __hipPushCallConfiguration __hipPopCallConfiguration __hipOnError
"""
VIRTUAL_MEMORY = """
hipMemGetAllocationGranularity hipMemAddressReserve hipMemAddressFree hipMemCreate hipMemRelease
hipMemMap hipMemUnmap hipMemSetAccess
"""

# Of the program's own compiler; see the top of hip_api.toml.
NOT_OURS = {"__gnu_h2f_ieee", "__gnu_f2h_ieee"}
DEBIAN_LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5")


def expanded(pattern: str) -> list[str]:
    match = re.fullmatch(r"(\w*)(?:\(([\w|]+)\)(\w*))?(!?)", pattern)
    assert match, pattern
    head, endings, tail, no_bare = match.groups()
    names = [f"hip{head}{ending}{tail}" for ending in (endings or "").split("|") if endings]
    bare = [] if no_bare or tail else [f"hip{head}"]
    return bare + names


@pytest.mark.parametrize("pattern", MUST_WORK.split())
def test_what_must_work_is_supported(pattern: str) -> None:
    for name in expanded(pattern):
        assert name in CALLS, name
        assert CALLS[name].supported, name


@pytest.mark.parametrize("name", COMPILER_CALLS.split())
def test_what_compilers_emit_is_supported(name: str) -> None:
    assert CALLS[name].supported


@pytest.mark.parametrize("name", VIRTUAL_MEMORY.split())
def test_virtual_memory_is_supported(name: str) -> None:
    assert CALLS[name].supported


def test_every_name_amds_bindings_look_up_is_exported() -> None:
    source = (files("rocm.bindings") / "cyhip.pyx").read_text()
    names = set(re.findall(r'__init_symbol\(&\w+,"(\w+)"', source))
    assert len(names) > 500
    assert names - set(CALLS) == set()


def exported_by_debian() -> dict[str, str]:
    listing = subprocess.run(
        ["objdump", "-T", DEBIAN_LIBRARY], capture_output=True, text=True, check=True
    ).stdout
    return {
        name: node
        for node, name in re.findall(r"\.text\s.*?\(?hip_([\d.]+)\)?\s+(\w+)$", listing, re.M)
    }


@pytest.mark.skipif(
    not DEBIAN_LIBRARY.exists() or shutil.which("objdump") is None,
    reason="needs Debian's HIP 5.2.3 library and objdump",
)
def test_every_symbol_of_debians_library_has_its_node() -> None:
    ours = {name: call.node for name, call in CALLS.items()}
    ours |= {call.mangled: call.node for call in CALLS.values() if call.mangled}
    theirs = exported_by_debian()
    assert len(theirs) > 390
    wanted = {n: v for n, v in theirs.items() if n not in NOT_OURS and not n.startswith("hiprtc")}
    assert {name: ours.get(name) for name in wanted} == wanted


def test_twins_take_what_their_call_takes() -> None:
    twins = [call for call in CALLS.values() if call.twin_of]
    assert len(twins) > 30
    for twin in twins:
        assert twin.parameters == CALLS[str(twin.twin_of)].parameters
