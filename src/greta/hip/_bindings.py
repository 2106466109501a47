"""The boundary to AMD's bindings: the only file that imports them to make HIP calls.

Their functions return a tuple with the error code first. `call` and `compile_call` take the code
off, raise when it is not success, and give back what is left. Beyond this file everything is
typed; here it is `Any`, since AMD's stubs say no more.
"""

from __future__ import annotations

import importlib
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from greta.errors import DeviceChoiceError, HipError
from greta.hip._choice import choose_device, loaded_hip_libraries

SUCCESS = 0
NOT_READY = 600
NOT_SUPPORTED = 801

_hip: Any = None
_hiprtc: Any = None


def hip() -> Any:
    """The module `rocm.bindings.hip`, with its library loaded for the device chosen."""
    global _hip
    if _hip is None:
        choice = choose_device()
        module = importlib.import_module("rocm.bindings.hip")
        try:
            module.hipRuntimeGetVersion()
        except RuntimeError as error:
            raise DeviceChoiceError(f"{choice.library} cannot be loaded: {error}") from None
        folders = {path.resolve().parent for path in loaded_hip_libraries()}
        if folders and choice.library.resolve().parent not in folders:
            found = ", ".join(str(path) for path in loaded_hip_libraries())
            raise DeviceChoiceError(
                f"the bindings loaded {found} instead of {choice.library}; remove the package that "
                "brings it from this Python environment"
            )
        _hip = module
    return _hip


def hiprtc() -> Any:
    """The module `rocm.bindings.hiprtc`."""
    global _hiprtc
    if _hiprtc is None:
        hip()
        _hiprtc = importlib.import_module("rocm.bindings.hiprtc")
    return _hiprtc


def call(function: str, *arguments: Any) -> Any:
    """Calls a HIP function; returns None, its one result, or the tuple of its results."""
    try:
        code, *results = getattr(_hip or hip(), function)(*arguments)
    except RuntimeError as error:
        raise _absent(function, error) from None
    except ValueError:
        # A call that fails leaves its results as they were, and the bindings stumble over an enum.
        # Its error code is lost on the way; HIP still knows it.
        raise hip_error(function, hip().hipPeekAtLastError()[0]) from None
    if code != SUCCESS:
        raise hip_error(function, code)
    if not results:  # as of most calls
        return None
    return results[0] if len(results) == 1 else tuple(results)


def call_is_ready(function: str, *arguments: Any) -> bool:
    """Calls a HIP query; hipErrorNotReady is an answer, not an error."""
    code = getattr(hip(), function)(*arguments)[0]
    if code not in (SUCCESS, NOT_READY):
        raise hip_error(function, code)
    return bool(code == SUCCESS)


def compile_call(function: str, *arguments: Any) -> Any:
    """Calls a hipRTC function, as `call` does for HIP."""
    try:
        code, *results = getattr(hiprtc(), function)(*arguments)
    except RuntimeError as error:
        raise _absent(function, error) from None
    if code != SUCCESS:
        raise HipError(function, *hiprtc_error(code))
    return results[0] if len(results) == 1 else tuple(results) or None


def replace_call(function: str, make: Callable[[Any], Any]) -> None:
    """Puts something in the place of a HIP function: `make` is given the one there is.

    For stress and staged faults. What was prepared before keeps the old one.
    """
    module = hip()
    setattr(module, function, make(getattr(module, function)))


def hip_error(function: str, code: Any) -> HipError:
    """The exception for a code that a HIP function returned."""
    name = _text(hip().hipGetErrorName(code)[1])
    text = _text(hip().hipGetErrorString(code)[1])
    return HipError(function, int(code), name or code.name, text or name)


def hiprtc_error(code: Any) -> tuple[int, str, str]:
    """Number, name and text of a hipRTC result."""
    return int(code), str(code.name), _text(hiprtc().hiprtcGetErrorString(code)[1])


@cache
def null_launch_extra() -> Any:
    """A NULL `extra` argument of hipModuleLaunchKernel, made once and passed many times."""
    helpers = importlib.import_module("rocm.bindings._hip_helpers")
    return helpers.HipModuleLaunchKernel_extra.fromObj(None)


def pointer_list(address: int) -> Any:
    """A `void**` argument that is already laid out in memory at `address`."""
    return _pointer_lists().fromObj(address)


@cache
def _pointer_lists() -> Any:
    return importlib.import_module("rocm.bindings.util.types").ListOfPointer


def _absent(function: str, error: RuntimeError) -> HipError:
    # The bindings raise it when the library, or the function in it, cannot be found.
    return HipError(function, NOT_SUPPORTED, "hipErrorNotSupported", str(error))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.decode() if isinstance(value, bytes) else str(value)


Self = TypeVar("Self", bound="OwnedHandle")


class OwnedHandle:
    """A HIP object and the call that gives it back.

    It is given back by `close`, at the end of a `with` block, or when nothing refers to it any
    more; at the end of the process it is left to the runtime.
    """

    def __init__(self, native: Any, destroy: str | None) -> None:
        self._native = native
        self._closed = False
        self._give_back = weakref.finalize(self, _give_back_quietly, native, destroy)
        self._give_back.atexit = False

    @property
    def native(self) -> Any:
        """The object as AMD's bindings take it."""
        if self._closed:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._native

    @property
    def handle(self) -> int:
        """The object as a number; 0 for NULL."""
        native = self.native
        return int(native) if native is not None else 0

    def close(self) -> None:
        """Gives the object back; a second call does nothing."""
        self._closed = True
        pending = self._give_back.detach()
        native, destroy = pending[2] if pending is not None else (None, None)
        if destroy is not None:
            call(destroy, native)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.close()
        else:
            # The first error is the one to see; after a fault every later call fails too.
            self._closed = True
            self._give_back()

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"{self.handle:#x}"
        return f"{type(self).__name__}({state})"


def _give_back_quietly(native: Any, destroy: str | None) -> None:
    if destroy is not None:
        getattr(hip(), destroy)(native)
