"""Which formats there are. A file is known by its lines, not by its name."""

from __future__ import annotations

from typing import Final

from greta.ingest.formats.amd_log import AmdLog
from greta.ingest.formats.clr_fault import ClrFault
from greta.ingest.formats.dmesg import Dmesg
from greta.ingest.formats.format import Format
from greta.ingest.formats.greta import GretaLog
from greta.ingest.formats.llama_cpp import LlamaCpp
from greta.ingest.formats.pytorch import PyTorch
from greta.ingest.formats.rocprof import RocprofCsv
from greta.ingest.formats.rocr import Rocr

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
