"""From kernel source, by hipRTC, to modules and their kernels and variables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greta.errors import CompileError
from greta.hip._bindings import OwnedHandle, call, compile_call, hip, hiprtc, hiprtc_error
from greta.hip.buffer import Buffer
from greta.hip.device import device_properties
from greta.hip.launch import Argument, Extent, Launch
from greta.hip.stream import Stream


@dataclass(frozen=True)
class CodeObject:
    """A compiled source: the image to load, the compiler's log, and the names asked for."""

    image: bytes
    log: str = ""
    lowered_names: Mapping[str, str] = field(default_factory=dict)


def compile_source(
    source: str,
    name: str = "kernel.hip",
    *,
    options: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
    name_expressions: Sequence[str] = (),
) -> CodeObject:
    """Compiles HIP source for the current device.

    `headers` maps the names that the source includes to their texts. `name_expressions` are the
    template instances that will be asked for, such as "scale<float>". The architecture of the
    device is added to the options unless they name one. Raises CompileError with the log.
    """
    headers = headers or {}
    names, texts = _encoded(headers), _encoded(headers.values())
    program = compile_call(
        "hiprtcCreateProgram", source.encode(), name.encode(), len(texts), texts, names
    )
    try:
        for expression in name_expressions:
            compile_call("hiprtcAddNameExpression", program, expression.encode())
        log = _compile(program, options)
        lowered = {
            text: str(compile_call("hiprtcGetLoweredName", program, text.encode()))
            for text in name_expressions
        }
        image = bytearray(int(compile_call("hiprtcGetCodeSize", program)))
        compile_call("hiprtcGetCode", program, image)
        return CodeObject(bytes(image), log, lowered)
    finally:
        compile_call("hiprtcDestroyProgram", program.createRef())


def _compile(program: Any, options: Sequence[str]) -> str:
    encoded = _encoded(options)
    if not any(one.startswith(("--offload-arch", "--gpu-architecture")) for one in options):
        encoded.append(f"--offload-arch={device_properties().arch}".encode())
    (code,) = hiprtc().hiprtcCompileProgram(program, len(encoded), encoded)
    size = int(compile_call("hiprtcGetProgramLogSize", program))
    read = bytearray(max(size, 1))
    if size:
        compile_call("hiprtcGetProgramLog", program, read)
    log = read.split(b"\0", 1)[0].decode(errors="replace")
    if code != 0:
        raise CompileError("hiprtcCompileProgram", *hiprtc_error(code), log)
    return log


def _encoded(texts: Any) -> list[bytes]:
    return [text.encode() for text in texts]


class Module(OwnedHandle):
    """A code object loaded on the current device.

    >>> module = Module.compile('''
    ... extern "C" __global__ void scale(float* x, float factor, int n) {
    ...   int i = blockIdx.x * blockDim.x + threadIdx.x;
    ...   if (i < n) x[i] *= factor;
    ... }''')                                                         # doctest: +SKIP
    >>> scale = module.kernel("scale")                                # doctest: +SKIP
    >>> scale(4, 256, buffer, np.float32(2), np.int32(1000))          # doctest: +SKIP
    """

    def __init__(self, code: CodeObject | bytes) -> None:
        self._code = code if isinstance(code, CodeObject) else CodeObject(bytes(code))
        super().__init__(call("hipModuleLoadData", self._code.image), "hipModuleUnload")

    @classmethod
    def compile(
        cls,
        source: str,
        name: str = "kernel.hip",
        *,
        options: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        name_expressions: Sequence[str] = (),
    ) -> Module:
        """Compiles a source with hipRTC and loads it; the arguments are compile_source's."""
        return cls(
            compile_source(
                source, name, options=options, headers=headers, name_expressions=name_expressions
            )
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Module:
        """Loads a code object file, such as hipcc --genco writes."""
        return cls(Path(path).read_bytes())

    @property
    def log(self) -> str:
        """What the compiler said, warnings mostly; empty for a loaded file."""
        return self._code.log

    def kernel(self, name: str) -> Kernel:
        """A kernel by its name, or by the name expression it was compiled with."""
        lowered = self._code.lowered_names.get(name, name)
        return Kernel(self, name, call("hipModuleGetFunction", self.native, lowered.encode()))

    def variable(self, name: str) -> Buffer:
        """A `__device__` or `__constant__` variable; the module owns its memory."""
        pointer, nbytes = call("hipModuleGetGlobal", self.native, name.encode())
        return Buffer._borrowed(int(pointer), int(nbytes))


class Kernel:
    """A kernel of a module.

    Calling it is the short way to launch it once. A launch that is repeated costs less through
    `bind`, which packs the arguments once.
    """

    def __init__(self, module: Module, name: str, native: Any) -> None:
        self.name = name
        self.native = native
        self._module = module  # a kernel lives no longer than its module

    def __call__(
        self,
        grid: Extent,
        block: Extent,
        *arguments: Argument,
        shared_bytes: int = 0,
        stream: Stream | None = None,
    ) -> None:
        """Launches it: `grid` blocks of `block` threads."""
        self.bind(grid, block, *arguments, shared_bytes=shared_bytes, stream=stream)()

    def bind(
        self,
        grid: Extent,
        block: Extent,
        *arguments: Argument,
        shared_bytes: int = 0,
        stream: Stream | None = None,
    ) -> Launch:
        """A launch made ready, to be called any number of times."""
        return Launch(self, grid, block, arguments, shared_bytes, stream)

    def attribute(self, name: str) -> int:
        """A number that HIP knows about the kernel, such as "SHARED_SIZE_BYTES"."""
        attribute = hip().hipFunction_attribute[f"HIP_FUNC_ATTRIBUTE_{name}"]
        return int(call("hipFuncGetAttribute", attribute, self.native))

    def __repr__(self) -> str:
        return f"Kernel({self.name!r})"
