"""Whether errors in CUDA's words are a HIP program's.

Builds for AMD keep CUDA's words here and there: "CUDA error: an illegal memory access ..." alone
may be anybody's, and RCCL has the names of NCCL. Where the file names what only CUDA has, and
nothing of AMD's, they are CUDA's: nothing of HIP failed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from greta.trace.logs.logged import ProcessLog

OF_CUDA: Final = (
    "reports CUDA errors and mentions nothing of HIP; if the program was built for AMD, record it "
    "with `greta run -- COMMAND`"
)

_AMDS: Final = re.compile(
    r"\b(?:hip|rocm|roc(?:blas|fft|sparse|solver|rand|prim)|miopen|rccl|hsa|amdgpu|instinct|radeon"
    r"|gfx\d{2,4}[a-z]?)(?![a-z])|\bamd(?! (?:ryzen|epyc|opteron|athlon))\b|\bhip(?-i:[A-Z])\w"
    r"|lib(?:amdhip|hip|roc)|(?:HIP|HSA|AMD|ROCR)_[A-Z]",
    re.IGNORECASE,
)
_CUDAS: Final = re.compile(
    r"\bcuda[A-Z]\w|\bcu(?:Mem|Stream|Ctx|Launch|Module|Event)[A-Z]\w|\bCUDA_ERROR_[A-Z]"
    r"|\bCUDA error \d|Triton Error \[CUDA\]|CUDA_LAUNCH_BLOCKING|TORCH_USE_CUDA_DSA|\bc10::cuda"
    r"|lib\w{0,40}cuda\w{0,20}\.so|\b(?:NVIDIA|GeForce|Tesla|nvcc|CUBLAS_STATUS)"
)
_PRINTED: Final = ("pytorch", "llama.cpp", "program")


class Platform:
    """Of one file."""

    def __init__(self) -> None:
        self._is_amds = self._is_cudas = False

    def see(self, text: str) -> None:
        if not self._is_amds:
            self._is_amds = _AMDS.search(text) is not None
            self._is_cudas |= _CUDAS.search(text) is not None

    def why(self, logs: Sequence[ProcessLog]) -> str | None:
        """Why it is no log of HIP; None if it may be one."""
        if self._is_amds or not self._is_cudas:
            return None
        is_printed = all(log.source in _PRINTED and not log.faults for log in logs)
        return OF_CUDA if is_printed else None
