"""Every error that GRETA raises on purpose, and its place in the tree.

GretaError                                     carries the exit code of the command
├── UsageError                                 a flag, a file or a value that cannot be used
│   ├── OutsideError                           a file from outside that is not read
│   │   └── NotJsonError                       it holds no JSON object at all
│   └── greta.lab.summary_json.SummaryError   a file that is no summary and no verdict
├── SimTreeMissingError                        the simulated device's libraries are not there
├── DeviceChoiceError                          the device asked for cannot be had
├── greta.recording.files.RecordingError    nothing there can be read as a recording
├── greta.lab.trouble.AuditStoppedError        going on with an audit would be of no use
├── greta.model.errors.ModelError              a file that cannot be used as a model
│   ├── greta.model.errors.ModelUnavailableError   it could not be fetched
│   └── greta.model.guard_rail.GuardRailError      it does not fit itself or the kernels
├── greta.engine.errors.EngineError            a request that the engine cannot meet
│   ├── greta.engine.errors.ContextLimitError      more tokens than the context has room for
│   ├── greta.engine.errors.DeviceMemoryError      more memory than the device has
│   └── greta.engine.errors.NotANumberError        logits that are not numbers
├── greta.engine.d2h.transfer.D2HError         a transfer to the host was refused or failed
└── greta.hip.errors.HipError                  a HIP call failed: call, code, name, text
    └── greta.hip.errors.CompileError          hipRTC refused a source: log

One that says something only its package understands is defined there. Each message is one sentence
that names the thing and says what to do about it. Only the command line prints errors.
"""

from __future__ import annotations


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
