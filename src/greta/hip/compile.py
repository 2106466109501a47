"""From kernel source to a code object, with hipRTC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from greta.hip._bindings import compile_call, hiprtc, hiprtc_error
from greta.hip.device import device_properties
from greta.hip.errors import CompileError


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
        log = _compile(program, _with_architecture(options))
        lowered = {text: _lowered(program, text) for text in name_expressions}
        return CodeObject(_image(program), log, lowered)
    finally:
        compile_call("hiprtcDestroyProgram", program.createRef())


def _compile(program: Any, options: Sequence[str]) -> str:
    encoded = _encoded(options)
    (code,) = hiprtc().hiprtcCompileProgram(program, len(encoded), encoded)
    log = _log(program)
    if code != 0:
        raise CompileError("hiprtcCompileProgram", *hiprtc_error(code), log)
    return log


def _with_architecture(options: Sequence[str]) -> list[str]:
    if any(option.startswith(("--offload-arch", "--gpu-architecture")) for option in options):
        return list(options)
    return [*options, f"--offload-arch={device_properties().arch}"]


def _log(program: Any) -> str:
    size = int(compile_call("hiprtcGetProgramLogSize", program))
    log = bytearray(max(size, 1))
    if size:
        compile_call("hiprtcGetProgramLog", program, log)
    return log.split(b"\0", 1)[0].decode(errors="replace")


def _image(program: Any) -> bytes:
    image = bytearray(int(compile_call("hiprtcGetCodeSize", program)))
    compile_call("hiprtcGetCode", program, image)
    return bytes(image)


def _lowered(program: Any, expression: str) -> str:
    return str(compile_call("hiprtcGetLoweredName", program, expression.encode()))


def _encoded(texts: Any) -> list[bytes]:
    return [text.encode() for text in texts]
