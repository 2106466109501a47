"""HIP for Python, typed: buffers, streams, events, kernels and graphs on AMD's own bindings.

This package is the one place that imports `rocm.bindings`. The same code runs on an AMD GPU and on
the simulated device; which one is fixed before the first HIP call, by `choose_device` or by the
variable GRETA_DEVICE (auto, hip or sim).

    import numpy as np
    from greta import hip

    hip.choose_device("sim")
    x = hip.Buffer.from_array(np.arange(1000, dtype=np.float32))
    kernel = hip.Module.compile(source).kernel("scale")
    kernel(4, 256, x, np.float32(2), np.int32(1000))
    print(x.to_array(np.float32))

A HIP call that fails raises HipError with the call, the code, its name and its text.
"""

from greta.errors import CompileError, HipError
from greta.hip._bindings import replace_call
from greta.hip._choice import (
    DeviceChoice,
    DeviceKind,
    SimTree,
    amd_library,
    choose_device,
    decide_device,
    find_sim_tree,
    gpu_obstacle,
)
from greta.hip.buffer import Array, Buffer, PinnedBuffer
from greta.hip.device import (
    DeviceOrdinal,
    DeviceProperties,
    MemoryInfo,
    current_device,
    device_count,
    device_properties,
    memory_info,
    runtime_version,
    set_device,
    synchronize,
)
from greta.hip.launch import Launch
from greta.hip.module import CodeObject, Kernel, Module, compile_source
from greta.hip.stream import Event, ExecutableGraph, Graph, Stream

__all__ = [
    "Array",
    "Buffer",
    "CodeObject",
    "CompileError",
    "DeviceChoice",
    "DeviceKind",
    "DeviceOrdinal",
    "DeviceProperties",
    "Event",
    "ExecutableGraph",
    "Graph",
    "HipError",
    "Kernel",
    "Launch",
    "MemoryInfo",
    "Module",
    "PinnedBuffer",
    "SimTree",
    "Stream",
    "amd_library",
    "choose_device",
    "compile_source",
    "current_device",
    "decide_device",
    "device_count",
    "device_properties",
    "find_sim_tree",
    "gpu_obstacle",
    "memory_info",
    "replace_call",
    "runtime_version",
    "set_device",
    "synchronize",
]
