"""The one exception for a HIP call that failed, and its child for a source that did not compile.

Their place in the tree of greta.errors:

    GretaError
     └── HipError            call, code, name, text
          └── CompileError   and hipRTC's log
"""

from __future__ import annotations

from greta.errors import ExitCode, GretaError


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
