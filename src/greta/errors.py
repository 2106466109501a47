"""Every error that GRETA raises on purpose.

    GretaError                   carries the exit code of the command
     ├── UsageError              a flag, a file or a value that cannot be used
     ├── SimTreeMissingError     the simulated device's libraries are not there
     ├── DeviceChoiceError       the device asked for cannot be had
     ├── greta.recording.RecordingError  nothing there can be read as a recording
     ├── greta.lab.trouble.AuditStoppedError  going on with an audit would be of no use
     ├── greta.engine.EngineError        a request that the engine cannot meet
     ├── greta.engine.d2h.D2HError     a transfer to the host was refused or failed
     └── greta.hip.HipError      a HIP call failed: call, code, name, text
          └── greta.hip.CompileError   hipRTC refused a source: log

Each message is one sentence that names the thing and says what to do about it. Only the command
line prints errors.
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


class SimTreeMissingError(GretaError):
    """The libraries of the simulated device were not found."""

    exit_code = ExitCode.BAD_USAGE


class DeviceChoiceError(GretaError):
    """The device asked for is not there, or another one is already in use."""

    exit_code = ExitCode.BAD_USAGE
