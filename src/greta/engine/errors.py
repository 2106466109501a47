"""What the engine refuses.

GretaError
 └── EngineError             exit code 2: what was asked for cannot be done as asked
      ├── ContextLimitError    more tokens than the context has room for
      ├── DeviceMemoryError    more memory than the device has
      └── NotANumberError      exit code 1: logits that are not numbers

A device that fails while it works is a HipError, with exit code 1.
"""

from __future__ import annotations

from greta.errors import ExitCode, GretaError


class EngineError(GretaError):
    """A request that the engine cannot meet."""

    exit_code = ExitCode.BAD_USAGE


class ContextLimitError(EngineError):
    """The prompt and the tokens to generate do not fit into the context."""


class DeviceMemoryError(EngineError):
    """Weights, cache and activations do not fit into the device's memory."""


class NotANumberError(EngineError):
    """No token can be chosen, so a text would be made up."""

    exit_code = ExitCode.FAULT

    def __init__(self) -> None:
        super().__init__(
            "the model's logits are not numbers: its weights are damaged, or a kernel failed; "
            "--trace rmsnorm --trace logits shows where it begins"
        )
