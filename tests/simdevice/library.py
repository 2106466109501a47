"""libamdhip64.so through ctypes: every call of the contract, with the types it declares.

AMD's bindings give a friendlier form, but hide what the tests here need: the thread that calls,
the memory that is handed over, calls with arguments that make no sense. Nothing in this module
needs pytest or greta, so that a child process starts quickly with it.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from contract.model import Call, load

TREE_VARIABLE = "GRETA_SIM_TREE"

INTEGERS: dict[str, Any] = {
    "char": ctypes.c_char,
    "unsigned char": ctypes.c_ubyte,
    "unsigned short": ctypes.c_ushort,
    "short": ctypes.c_short,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "unsigned": ctypes.c_uint,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    "size_t": ctypes.c_size_t,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "float": ctypes.c_float,
}
# Opaque handles and function pointers, which the contract writes without a star.
HANDLES = frozenset(
    (
        *("hipStream_t", "hipEvent_t", "hipModule_t", "hipFunction_t", "hipMemPool_t", "hipCtx_t"),
        *("hipGraph_t", "hipGraphExec_t", "hipGraphNode_t", "hipArray_t", "hipHostFn_t"),
        *("hipStreamCallback_t", "hipMemGenericAllocationHandle_t", "hipDeviceptr_t"),
        *("hipUserObject_t", "hipArray_const_t", "hipLibrary_t", "hipKernel_t"),
    )
)


class Dim3(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint32), ("y", ctypes.c_uint32), ("z", ctypes.c_uint32))


class MemLocation(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


class PitchedPointer(ctypes.Structure):
    _fields_ = (
        ("ptr", ctypes.c_void_p),
        ("pitch", ctypes.c_size_t),
        ("xsize", ctypes.c_size_t),
        ("ysize", ctypes.c_size_t),
    )


class Extent(ctypes.Structure):
    _fields_ = (
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("depth", ctypes.c_size_t),
    )


class Channels(ctypes.Structure):
    """hipChannelFormatDesc."""

    _fields_ = tuple((name, ctypes.c_int) for name in "xyzwf")


class IpcHandle(ctypes.Structure):
    _fields_ = (("reserved", ctypes.c_ubyte * 64),)


STRUCTURES: dict[str, Any] = {
    "dim3": Dim3,
    "hipMemLocation": MemLocation,
    "hipPitchedPtr": PitchedPointer,
    "hipExtent": Extent,
    "hipChannelFormatDesc": Channels,
    "hipIpcMemHandle_t": IpcHandle,
    "hipIpcEventHandle_t": IpcHandle,
}

HostFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
StreamCallback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)


def ctype_of(declared: str) -> Any:
    """The ctypes type that passes what C declares so."""
    plain = declared.replace("const ", "").replace("struct ", "").strip()
    if plain.endswith("*") or plain in HANDLES:
        return ctypes.c_void_p
    return INTEGERS.get(plain) or STRUCTURES.get(plain) or ctypes.c_int  # the rest are enums


class Library:
    """The calls as attributes; each returns what the C function returns."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._library = ctypes.CDLL(path)
        self._calls = _contract_calls()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self._library, name)
        if name in self._calls:
            self._declare(function, self._calls[name])
        setattr(self, name, function)
        return function

    def _declare(self, function: Any, call: Call) -> None:
        function.argtypes = [ctype_of(parameter.type) for parameter in call.parameters]
        returned = {"const char*": ctypes.c_char_p, "void": None}
        function.restype = returned.get(call.returns, ctype_of(call.returns))


@functools.cache
def _contract_calls() -> dict[str, Call]:
    return {call.name: call for call in load().calls}


def library_folder() -> Path:
    """Where the libraries of the simulated device are."""
    if TREE_VARIABLE not in os.environ:
        from greta.hip import find_sim_tree

        os.environ[TREE_VARIABLE] = str(find_sim_tree().root)
    return Path(os.environ[TREE_VARIABLE]) / "lib"


@functools.cache
def hip_library() -> Library:
    return Library(str(library_folder() / "libamdhip64.so"))


class CallFailedError(AssertionError):
    """A call that must succeed did not."""

    def __init__(self, code: int) -> None:
        name = hip_library().hipGetErrorName(code).decode()
        super().__init__(f"{name} ({code})")
        self.code = code


def done(code: int) -> None:
    """For a call that must succeed."""
    if code != 0:
        raise CallFailedError(code)


def compile_kernels(source: str, options: Sequence[str] = ()) -> bytes:
    """A code object, from hipRTC."""
    rtc = ctypes.CDLL(str(library_folder() / "libhiprtc.so"))
    program = ctypes.c_void_p()
    text, name = source.encode(), b"kernels.hip"
    assert rtc.hiprtcCreateProgram(byref(program), text, name, 0, None, None) == 0
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    if rtc.hiprtcCompileProgram(program, len(options), words) != 0:
        raise AssertionError(_compile_log(rtc, program))
    size = ctypes.c_size_t()
    assert rtc.hiprtcGetCodeSize(program, byref(size)) == 0
    image = ctypes.create_string_buffer(size.value)
    assert rtc.hiprtcGetCode(program, image) == 0
    assert rtc.hiprtcDestroyProgram(byref(program)) == 0
    return image.raw


def _compile_log(rtc: ctypes.CDLL, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    rtc.hiprtcGetProgramLogSize(program, byref(size))
    text = ctypes.create_string_buffer(size.value + 1)
    rtc.hiprtcGetProgramLog(program, text)
    return text.value.decode()


def byref(value: Any) -> Any:
    return ctypes.byref(value)
