"""hipRTC through ctypes, as a C program calls it."""

from __future__ import annotations

import ctypes
import enum
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.simdevice.library import library_folder


class Result(enum.IntEnum):
    SUCCESS = 0
    OUT_OF_MEMORY = 1
    PROGRAM_CREATION_FAILURE = 2
    INVALID_INPUT = 3
    INVALID_PROGRAM = 4
    INVALID_OPTION = 5
    COMPILATION = 6
    BUILTIN_OPERATION_FAILURE = 7
    NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8
    NO_LOWERED_NAMES_BEFORE_COMPILATION = 9
    NAME_EXPRESSION_NOT_VALID = 10
    INTERNAL_ERROR = 11
    LINKING = 100


@functools.cache
def hiprtc() -> ctypes.CDLL:
    library = ctypes.CDLL(str(library_folder() / "libhiprtc.so"))
    library.hiprtcGetErrorString.restype = ctypes.c_char_p
    return library


def _texts(texts: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * max(len(texts), 1))(*(text.encode() for text in texts))


class Program:
    """A hipRTC program; every method is one call."""

    def __init__(
        self, source: str, name: str | None = "user.hip", headers: Mapping[str, str] | None = None
    ) -> None:
        self.handle = ctypes.c_void_p()
        given = dict(headers or {})
        result = hiprtc().hiprtcCreateProgram(
            ctypes.byref(self.handle),
            source.encode(),
            None if name is None else name.encode(),
            len(given),
            _texts(list(given.values())),
            _texts(list(given)),
        )
        assert result == Result.SUCCESS

    def add_name(self, expression: str) -> Result:
        return Result(hiprtc().hiprtcAddNameExpression(self.handle, expression.encode()))

    def compile(self, *options: str) -> Result:
        return Result(
            hiprtc().hiprtcCompileProgram(self.handle, len(options), _texts(list(options)))
        )

    def lowered_name(self, expression: str) -> tuple[Result, str | None]:
        found = ctypes.c_char_p()
        result = hiprtc().hiprtcGetLoweredName(
            self.handle, expression.encode(), ctypes.byref(found)
        )
        return Result(result), found.value.decode() if found.value else None

    def log(self) -> str:
        size = ctypes.c_size_t()
        assert hiprtc().hiprtcGetProgramLogSize(self.handle, ctypes.byref(size)) == 0
        text = ctypes.create_string_buffer(size.value + 1)
        assert hiprtc().hiprtcGetProgramLog(self.handle, text) == 0
        return text.value.decode()

    def code(self) -> tuple[Result, bytes]:
        size = ctypes.c_size_t()
        result = hiprtc().hiprtcGetCodeSize(self.handle, ctypes.byref(size))
        if result != Result.SUCCESS:
            return Result(result), b""
        image = ctypes.create_string_buffer(size.value)
        return Result(hiprtc().hiprtcGetCode(self.handle, image)), image.raw

    def __del__(self) -> None:
        hiprtc().hiprtcDestroyProgram(ctypes.byref(self.handle))


@dataclass(frozen=True)
class Compiled:
    code: bytes
    log: str
    lowered: dict[str, str] = field(default_factory=dict)


def compile_program(
    source: str,
    *options: str,
    names: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
) -> Compiled:
    """What must compile: the code object, the log and the lowered names."""
    program = Program(source, headers=headers)
    for name in names:
        assert program.add_name(name) == Result.SUCCESS
    assert program.compile(*options) == Result.SUCCESS, program.log()
    lowered = {}
    for name in names:
        result, symbol = program.lowered_name(name)
        assert result == Result.SUCCESS
        assert symbol
        lowered[name] = symbol
    result, code = program.code()
    assert result == Result.SUCCESS
    return Compiled(code, program.log(), lowered)


def failed_log(source: str, *options: str, name: str | None = "user.hip") -> str:
    """The log of what must not compile."""
    program = Program(source, name)
    assert program.compile(*options) == Result.COMPILATION
    return program.log()
