"""NULL and 0 for everything, in every call that takes a pointer."""

from __future__ import annotations

import sys

from contract import model
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import STRUCTURES, ctype_of, hip_library

# Where NULL is a fine argument, or there is nothing to do.
NOTHING_TO_DO = """
hipFree hipFreeHost hipHostFree hipFreeAsync hipMemGetInfo hipDeviceGetStreamPriorityRange
hipCtxSetCurrent
hipMemcpy hipMemcpy_spt hipMemcpyWithStream hipMemcpyHtoD hipMemcpyDtoH hipMemcpyDtoD
hipMemcpyHtoDAsync hipMemcpyDtoHAsync hipMemcpyDtoDAsync hipMemcpyAsync hipMemcpyAsync_spt
hipMemcpy2D hipMemcpy2D_spt hipMemcpy2DAsync hipMemcpy2DAsync_spt hipMemcpyPeer hipMemcpyPeerAsync
hipMemset hipMemset_spt hipMemsetAsync hipMemsetAsync_spt hipMemset2D hipMemset2D_spt
hipMemset2DAsync hipMemset2DAsync_spt hipMemsetD8 hipMemsetD8Async hipMemsetD16 hipMemsetD16Async
hipMemsetD32 hipMemsetD32Async
hipStreamQuery hipStreamQuery_spt hipStreamSynchronize hipStreamSynchronize_spt
hipMemset3DAsync hipMemset3DAsync_spt hipMemsetD2D8 hipMemsetD2D8Async hipMemsetD2D16
hipMemsetD2D16Async hipMemsetD2D32 hipMemsetD2D32Async hipStreamCopyAttributes
"""
NO_HANDLE = """
hipStreamDestroy hipStreamWaitEvent hipStreamWaitEvent_spt
hipEventDestroy hipEventRecord hipEventRecord_spt hipEventRecordWithFlags hipEventQuery
hipEventSynchronize hipModuleUnload hipModuleLaunchKernel hipModuleLaunchCooperativeKernel
hipArrayGetInfo hipArrayGetDescriptor hipArray3DGetDescriptor hipLibraryUnload hipKernelGetParamInfo
"""
NO_FUNCTION = """
hipFuncSetAttribute hipFuncSetCacheConfig hipFuncSetSharedMemConfig
hipLaunchKernel hipLaunchKernel_spt hipExtLaunchKernel
hipLaunchCooperativeKernel hipLaunchCooperativeKernel_spt
hipKernelSetAttribute hipLaunchByPtr
"""
OTHERS = {
    "hipMemGetAddressRange": Code.NOT_FOUND,
    "hipCtxPushCurrent": Code.INVALID_CONTEXT,
    "hipCtxPopCurrent": Code.INVALID_CONTEXT,
    "hipExtStreamCreateWithCUMask": INVALID_HANDLE,
    "__hipPushCallConfiguration": SUCCESS,
    "hipConfigureCall": SUCCESS,
    "hipSetValidDevices": SUCCESS,
    "__hipPopCallConfiguration": SUCCESS,
    "hipMemcpyToSymbol": Code.INVALID_COPY_KIND,
    "hipMemcpyToSymbol_spt": Code.INVALID_COPY_KIND,
    "hipMemcpyToSymbolAsync": Code.INVALID_COPY_KIND,
    "hipMemcpyToSymbolAsync_spt": Code.INVALID_COPY_KIND,
    "hipMemcpyFromSymbol": Code.INVALID_COPY_KIND,
    "hipMemcpyFromSymbol_spt": Code.INVALID_COPY_KIND,
    "hipMemcpyFromSymbolAsync": Code.INVALID_COPY_KIND,
    "hipMemcpyFromSymbolAsync_spt": Code.INVALID_COPY_KIND,
    "hipDeviceGetPCIBusId": INVALID_VALUE,
    "hipMemcpy2DArrayToArray": Code.INVALID_COPY_KIND,
}


def takes_a_pointer(call: model.Call) -> bool:
    return any(ctype_of(parameter.type) is ctype_of("void*") for parameter in call.parameters)


def examined_calls() -> list[model.Call]:
    return [
        call
        for call in model.load().calls
        if call.supported
        and call.returns == "hipError_t"
        and call.chapter != "graph"
        and takes_a_pointer(call)
    ]


def expected() -> dict[str, int]:
    codes: dict[str, int] = {call.name: INVALID_VALUE for call in examined_calls()}
    for names, code in (
        (NOTHING_TO_DO, SUCCESS),
        (NO_HANDLE, INVALID_HANDLE),
        (NO_FUNCTION, Code.INVALID_DEVICE_FUNCTION),
    ):
        for name in names.split():
            assert name in codes, name
            codes[name] = code
    return {**codes, **OTHERS}


def call_everything_with_null() -> dict[str, int]:
    hip, codes = hip_library(), {}
    for call in examined_calls():
        print(call.name, file=sys.stderr, flush=True)  # the last one is the one that crashed
        types = [parameter.type for parameter in call.parameters]
        arguments = [STRUCTURES[name]() if name in STRUCTURES else 0 for name in types]
        codes[call.name] = getattr(hip, call.name)(*arguments)
    codes["afterwards"] = hip.hipDeviceSynchronize()
    return codes


def test_null_everywhere_is_an_error_or_nothing() -> None:
    codes = answer_of(call_everything_with_null)
    assert codes.pop("afterwards") == SUCCESS
    assert codes == expected()


def call_graph_calls_with_null() -> dict[str, int]:
    hip, codes = hip_library(), {}
    for call in model.load().calls:
        # The one that has something to do: it begins a capture of the calling thread's stream.
        if call.name == "hipStreamBeginCapture_spt":
            continue
        if call.supported and call.chapter == "graph" and call.returns == "hipError_t":
            print(call.name, file=sys.stderr, flush=True)
            codes[call.name] = getattr(hip, call.name)(*[0] * len(call.parameters))
    codes["afterwards"] = hip.hipDeviceSynchronize()
    return codes


def test_null_everywhere_is_an_error_in_graphs_too() -> None:
    codes = answer_of(call_graph_calls_with_null)
    assert codes.pop("afterwards") == SUCCESS
    succeeded = {name for name, code in codes.items() if code == SUCCESS}
    assert succeeded == {"hipDeviceGraphMemTrim"}  # of device 0


def call_with_wrong_devices() -> dict[str, list[int]]:
    hip, codes = hip_library(), {}
    for call in model.load().calls:
        places = [
            index
            for index, parameter in enumerate(call.parameters)
            if parameter.type == "int"
            and parameter.name in ("device", "deviceId", "dev", "ordinal", "peerDeviceId")
        ]
        if not call.supported or not places or len(call.parameters) != len(places):
            continue
        answers = {getattr(hip, call.name)(*[n] * len(places)) for n in (-1, 1, 99, -(1 << 31))}
        codes[call.name] = sorted(answers)
    return codes


def test_a_device_that_is_not_there_is_an_invalid_device() -> None:
    codes = answer_of(call_with_wrong_devices)
    assert codes
    assert codes == {name: [INVALID_DEVICE] for name in codes}
