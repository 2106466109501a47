"""What a call means beyond its record: what it makes, what it ends, what it launches.

Names on the right are parameters of the call; a product is of words (see recorder_model.words).
{stream} stands for the stream of the call, whatever its parameter is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Made:
    """On success something is live that was not before; see greta_live in recording.h."""

    kind: str
    handle: str
    bytes: str = "0"
    flags: str = "0"


@dataclass(frozen=True)
class Launch:
    """A kernel is launched, or made a node: whose arguments, and where their values are."""

    finder: str  # kernel_of_function, kernel_of_stub, kernel_of_either
    function: str
    params: str
    extra: str = "nullptr"


MADE = {
    "hipMalloc": Made("DEVICE_MEMORY", "ptr", "size"),
    "hipExtMallocWithFlags": Made("DEVICE_MEMORY", "ptr", "sizeBytes", "flags"),
    "hipMallocPitch": Made("DEVICE_MEMORY", "ptr", "pitch * height"),
    "hipMemAllocPitch": Made("DEVICE_MEMORY", "dptr", "pitch * height"),
    "hipMalloc3D": Made(
        "DEVICE_MEMORY", "pitchedDevPtr.ptr", "pitchedDevPtr.pitch * extent.height * extent.depth"
    ),
    "hipMallocManaged": Made("MANAGED_MEMORY", "dev_ptr", "size", "flags"),
    "hipHostMalloc": Made("HOST_MEMORY", "ptr", "size", "flags"),
    "hipHostAlloc": Made("HOST_MEMORY", "ptr", "size", "flags"),
    "hipMallocHost": Made("HOST_MEMORY", "ptr", "size"),
    "hipMemAllocHost": Made("HOST_MEMORY", "ptr", "size"),
    "hipHostRegister": Made("REGISTERED_MEMORY", "hostPtr", "sizeBytes", "flags"),
    "hipMallocAsync": Made("POOL_MEMORY", "dev_ptr", "size"),
    "hipMallocFromPoolAsync": Made("POOL_MEMORY", "dev_ptr", "size"),
    "hipStreamCreate": Made("STREAM", "stream"),
    "hipStreamCreateWithFlags": Made("STREAM", "stream", flags="flags"),
    "hipStreamCreateWithPriority": Made("STREAM", "stream", flags="flags"),
    "hipExtStreamCreateWithCUMask": Made("STREAM", "stream"),
    "hipEventCreate": Made("EVENT", "event"),
    "hipEventCreateWithFlags": Made("EVENT", "event", flags="flags"),
    "hipModuleLoad": Made("MODULE", "module"),
    "hipModuleLoadData": Made("MODULE", "module"),
    "hipModuleLoadDataEx": Made("MODULE", "module"),
    "hipModuleLoadFatBinary": Made("MODULE", "module"),
    "hipGraphCreate": Made("GRAPH", "pGraph", flags="flags"),
    "hipGraphClone": Made("GRAPH", "pGraphClone"),
    "hipStreamEndCapture": Made("GRAPH", "pGraph"),
    "hipGraphInstantiate": Made("GRAPH_EXEC", "pGraphExec"),
    "hipGraphInstantiateWithFlags": Made("GRAPH_EXEC", "pGraphExec", flags="flags"),
    "hipGraphInstantiateWithParams": Made("GRAPH_EXEC", "pGraphExec"),
    "hipMemPoolCreate": Made("POOL", "mem_pool"),
}

# What is given up, and by which parameter. It is gone when the call begins: another thread may be
# given the same address before it returns.
ENDED = {
    "hipFree": "ptr",
    "hipFreeAsync": "dev_ptr",
    "hipFreeHost": "ptr",
    "hipHostFree": "ptr",
    "hipHostUnregister": "hostPtr",
    "hipStreamDestroy": "stream",
    "hipEventDestroy": "event",
    "hipModuleUnload": "module",
    "hipGraphDestroy": "graph",
    "hipGraphExecDestroy": "graphExec",
    "hipMemPoolDestroy": "mem_pool",
}

LAUNCHES = {
    "hipModuleLaunchKernel": Launch("kernel_of_function", "f", "kernelParams", "extra"),
    "hipModuleLaunchCooperativeKernel": Launch("kernel_of_function", "f", "kernelParams"),
    "hipExtModuleLaunchKernel": Launch("kernel_of_function", "f", "kernelParams", "extra"),
    "hipHccModuleLaunchKernel": Launch("kernel_of_function", "f", "kernelParams", "extra"),
    "hipDrvLaunchKernelEx": Launch("kernel_of_function", "f", "params", "extra"),
    "hipLaunchKernel": Launch("kernel_of_either", "function_address", "args"),
    "hipExtLaunchKernel": Launch("kernel_of_either", "function_address", "args"),
    "hipLaunchCooperativeKernel": Launch("kernel_of_either", "f", "kernelParams"),
    "hipLaunchKernelExC": Launch("kernel_of_either", "fPtr", "args"),
    "hipGraphAddKernelNode": Launch(
        *("kernel_of_either", "node_function(pNodeParams)"),
        *("node_params(pNodeParams)", "node_extra(pNodeParams)"),
    ),
    "hipGraphKernelNodeSetParams": Launch(
        *("kernel_of_either", "node_function(pNodeParams)"),
        *("node_params(pNodeParams)", "node_extra(pNodeParams)"),
    ),
    "hipGraphExecKernelNodeSetParams": Launch(
        *("kernel_of_either", "node_function(pNodeParams)"),
        *("node_params(pNodeParams)", "node_extra(pNodeParams)"),
    ),
}

# C++ for what only few calls need, run after a call that succeeded.
AFTER = {
    "hipModuleLoad": "modules().loaded_file(filled(module), fname);",
    "hipModuleLoadData": "modules().loaded(filled(module), image);",
    "hipModuleLoadDataEx": "modules().loaded(filled(module), image);",
    "hipModuleLoadFatBinary": "modules().loaded(filled(module), fatbin);",
    "hipModuleGetFunction": "modules().found_function(filled(function), module, kname);",
    "hipModuleUnload": "modules().unloaded(module);",
    "hipLibraryLoadData": "modules().loaded(filled(library), code);",
    "hipLibraryLoadFromFile": "modules().loaded_file(filled(library), fileName);",
    "hipLibraryGetKernel": "modules().found_function(filled(pKernel), library, name);",
    "hipLibraryUnload": "modules().unloaded(library);",
    "hipKernelGetFunction": "modules().same_kernel(filled(pFunc), kernel);",
    "hipGetFuncBySymbol": "modules().same_kernel(filled(functionPtr), symbolPtr);",
    "__hipRegisterFatBinary": "modules().registered_binary(result, wrapper);",
    "__hipRegisterFunction": "modules().registered_function(modules_, hostFunction, deviceName);",
    "__hipUnregisterFatBinary": "modules().unloaded(modules_);",
    "hipSetDevice": "set_current_device(deviceId);",
    "hipDeviceReset": "live().reset(current_device());",
    "hipGetProcAddress": "put_hook_in_place(pfn, symbol);",
    "hipGetDriverEntryPoint": "put_hook_in_place(funcPtr, symbol);",
}

# --- what is only done when the run asks for it (native/recorder/added_work.h) --------------------

# Calls that put work on a stream, apart from launches; those of `greta pin` are counted by them.
ENQUEUES = re.compile(
    r"hip(Drv)?Mem(cpy|set)\w*|hipGraphLaunch|hipLaunchHostFunc|hipStreamAddCallback"
)


def enqueues(name: str) -> bool:
    """Whether a call puts work on a stream; a twin goes by the name of the call it is a twin of."""
    launches = name in LAUNCHES and not name.startswith("hipGraph")
    return launches or ENQUEUES.fullmatch(name) is not None


# Copies that return while they are under way, and where their two sides lie.
IN_FLIGHT = {
    "hipMemcpyAsync": "plain_copy(dst, src, sizeBytes, kind)",
    "hipMemcpyHtoDAsync": "plain_copy(dst, src, sizeBytes, kHostToDevice)",
    "hipMemcpyDtoHAsync": "plain_copy(dst, src, sizeBytes, kDeviceToHost)",
    "hipMemcpy2DAsync": "HostCopy{dst, dpitch, src, spitch, width, height, kind}",
    "hipMemcpyToSymbolAsync": "plain_copy(nullptr, src, sizeBytes, kHostToDevice)",
    "hipMemcpyFromSymbolAsync": "plain_copy(dst, nullptr, sizeBytes, kDeviceToHost)",
}

# Before the call is forwarded.
WATCHED_BEFORE = {
    "hipFreeHost": "host_memory_ends(ptr);",
    "hipHostFree": "host_memory_ends(ptr);",
    "hipHostUnregister": "host_memory_ends(hostPtr);",
    "hipDeviceReset": "device_was_waited_for();",
}

# After a call that succeeded: host memory that comes, and how the host learns what has finished.
WATCHED_AFTER = {
    **dict.fromkeys(("hipHostMalloc", "hipHostAlloc"), "host_memory_made(filled(ptr), size);"),
    **dict.fromkeys(("hipMallocHost", "hipMemAllocHost"), "host_memory_made(filled(ptr), size);"),
    "hipHostRegister": "host_memory_registered(hostPtr, sizeBytes);",
    **dict.fromkeys(
        ("hipStreamCreateWithFlags", "hipStreamCreateWithPriority"),
        "stream_was_made(filled(stream), flags);",
    ),
    **dict.fromkeys(
        ("hipStreamSynchronize", "hipStreamQuery", "hipMemcpyWithStream"),
        "stream_was_waited_for({stream});",
    ),
    **dict.fromkeys(
        (
            *("hipMemcpy", "hipMemcpyHtoD", "hipMemcpyDtoH", "hipMemcpy2D"),
            *("hipMemcpyToSymbol", "hipMemcpyFromSymbol"),
        ),
        "stream_was_waited_for({stream});",
    ),
    **dict.fromkeys(("hipEventSynchronize", "hipEventQuery"), "event_was_waited_for(event);"),
    **dict.fromkeys(
        ("hipDeviceSynchronize", "hipCtxSynchronize", "hipFree"), "device_was_waited_for();"
    ),
    **dict.fromkeys(
        ("hipEventRecord", "hipEventRecordWithFlags"), "event_was_recorded(event, {stream});"
    ),
    "hipStreamWaitEvent": "stream_will_wait({stream}, event);",
    "hipStreamDestroy": "stream_is_gone(stream);",
    **dict.fromkeys(("hipStreamBeginCapture", "hipStreamBeginCaptureToGraph"), "capture_began();"),
    "hipStreamEndCapture": "capture_ended();",
}
