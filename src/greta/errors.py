"""Every error that GRETA raises on purpose, and its place in the tree.

GretaError                                     carries the exit code of the command
├── UsageError                                 a flag, a file or a value that cannot be used
│   ├── OutsideError                           a file from outside that is not read
│   │   └── NotJsonError                       it holds no JSON object at all
│   └── greta.lab.summary_json.SummaryError    a file that is no summary and no verdict
├── SimTreeMissingError                        the simulated device's libraries are not there
├── DeviceChoiceError                          the device asked for cannot be had
├── greta.recording.files.RecordingError       nothing there can be read as a recording
├── LeftRunningError                           a run was ended, its program lives on: pid
├── greta.lab.trouble.AuditStoppedError        going on with an audit would be of no use
├── ModelError                                 a file that cannot be used as a model
│   ├── ModelUnavailableError                  it could not be fetched
│   └── greta.model.guard_rail.GuardRailError  it does not fit itself or the kernels
├── EngineError                                a request that the engine cannot meet
│   ├── ContextLimitError                      more tokens than the context has room for
│   ├── DeviceMemoryError                      more memory than the device has
│   └── NotANumberError                        logits that are not numbers
├── greta.engine.d2h.transfer.D2HError         a transfer to the host was refused or failed
└── HipError                                   a HIP call failed: call, code, name, text
    └── CompileError                           hipRTC refused a source: log

One that says something only its package understands is defined there. Each message is one sentence
that names the thing and says what to do about it. Only the command line prints errors.
"""

from __future__ import annotations

from greta.printable import printable


class ExitCode:
    """What a command's exit status means."""

    OK = 0
    FAULT = 1
    BAD_USAGE = 2
    INCONCLUSIVE = 3


class GretaError(Exception):
    """The base of all errors that GRETA raises on purpose."""

    exit_code: int = ExitCode.FAULT


class UsageError(GretaError):
    """A flag, a file or a value that cannot be used."""

    exit_code = ExitCode.BAD_USAGE


class OutsideError(UsageError):
    """A file from outside that is not read; the message is a whole sentence."""


class NotJsonError(OutsideError):
    """A file that holds no JSON object at all, such as half of one."""


class SimTreeMissingError(GretaError):
    """The libraries of the simulated device were not found."""

    exit_code = ExitCode.BAD_USAGE


class DeviceChoiceError(GretaError):
    """The device asked for is not there, or another one is already in use."""

    exit_code = ExitCode.BAD_USAGE


class LeftRunningError(GretaError):
    """A run that was to leave its program alive was ended by a signal."""

    def __init__(self, message: str, pid: int, signal: int) -> None:
        super().__init__(message)
        self.pid = pid
        self.exit_code = 128 + signal


class ModelError(GretaError):
    """A file that cannot be used as a model. No text of the file can pass for one of our lines."""

    exit_code = ExitCode.BAD_USAGE

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(printable, lines)))


class ModelUnavailableError(ModelError):
    """A model known by name that is not in the cache and could not be fetched."""


class EngineError(GretaError):
    """A request that the engine cannot meet. A device that fails while it works is a HipError."""

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


class HipError(GretaError):
    """A HIP or hipRTC call that did not succeed.

    >>> error = HipError("hipMemcpy", 700, "hipErrorIllegalAddress",
    ...                  "an illegal memory access was encountered")
    >>> str(error)
    'hipMemcpy failed: an illegal memory access was encountered (hipErrorIllegalAddress, 700)'
    >>> error.code
    700
    """

    exit_code = ExitCode.FAULT

    def __init__(self, call: str, code: int, name: str, text: str) -> None:
        super().__init__(call, code, name, text)
        self.call = call
        self.code = code
        self.name = name
        self.text = text

    def __str__(self) -> str:
        return f"{self.call} failed: {self.text} ({self.name}, {self.code})"


class CompileError(HipError):
    """A kernel source that hipRTC refused; `log` is what the compiler said."""

    def __init__(self, call: str, code: int, name: str, text: str, log: str) -> None:
        super().__init__(call, code, name, text)
        self.args = (call, code, name, text, log)
        self.log = log

    def __str__(self) -> str:
        summary = super().__str__()
        return f"{summary}\n{self.log}" if self.log else summary
