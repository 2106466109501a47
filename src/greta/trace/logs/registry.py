"""Which formats there are. A file is known by its lines, not by its name."""

from __future__ import annotations

from typing import Final

from greta.trace.logs.formats.amd_log import AmdLog
from greta.trace.logs.formats.clr_fault import ClrFault
from greta.trace.logs.formats.dmesg import Dmesg
from greta.trace.logs.formats.format import Format
from greta.trace.logs.formats.greta import GretaLog
from greta.trace.logs.formats.llama_cpp import LlamaCpp
from greta.trace.logs.formats.pytorch import PyTorch
from greta.trace.logs.formats.rocprof import RocprofCsv
from greta.trace.logs.formats.rocr import Rocr

# A line goes to the first that takes it: fault lines of the runtime before its other lines,
# PyTorch's errors before those of llama.cpp, which have fewer marks of their own.
FORMATS: Final[tuple[type[Format], ...]] = (
    RocprofCsv,
    GretaLog,
    Rocr,
    ClrFault,
    AmdLog,
    Dmesg,
    PyTorch,
    LlamaCpp,
)
