"""The exception of a transfer that was refused or that failed.

Its place in the tree of greta.errors:

    GretaError
     └── D2HError    transfer, reason, and the HipError beneath it if there was one
"""

from __future__ import annotations

from greta.engine.d2h.facts import Transfer
from greta.errors import ExitCode, GretaError
from greta.hip import HipError

MAYBE_EARLIER = (
    "the cause may be an earlier operation on the device, since errors surface at whatever call "
    "comes next: run it again with HIP_LAUNCH_BLOCKING=1, or under `greta run`, to find it"
)
THIS_CALL = "it was not tried again"


class D2HError(GretaError):
    """A transfer that was refused before anything was queued, or that failed; never retried.

    `error` is the HIP error of a failed transfer, and None of a refused one.
    """

    exit_code = ExitCode.FAULT

    def __init__(self, transfer: Transfer, reason: str, error: HipError | None = None) -> None:
        super().__init__(transfer, reason, error)
        self.transfer = transfer
        self.reason = reason
        self.error = error

    @property
    def refused(self) -> bool:
        """Nothing was queued."""
        return self.error is None

    def __str__(self) -> str:
        if self.error is None:
            return f"the D2H transfer of {self.transfer} was refused: {self.reason}"
        return f"the D2H transfer of {self.transfer} failed: {self.error}; {self.reason}"
