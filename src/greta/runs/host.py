"""The machine a program ran on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

_GPU_DRIVER = Path("/sys/module/amdgpu/version")


def host_facts() -> dict[str, Any]:
    """Name, kernel, processor, memory, and the GPU driver's version where one is loaded."""
    return {
        "name": platform.node(),
        "kernel": f"{platform.system()} {platform.release()}",
        "kernel_build": platform.version(),
        "machine": platform.machine(),
        "cpu": _field("/proc/cpuinfo", "model name") or None,
        "cores": os.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)),
        "memory_bytes": _memory_bytes(),
        "gpu_driver": _read(_GPU_DRIVER).strip() or None,
    }


def _memory_bytes() -> int | None:
    words = _field("/proc/meminfo", "MemTotal").split()
    return int(words[0]) * 1024 if words and words[0].isdecimal() else None


def _field(path: str, name: str) -> str:
    lines = _read(Path(path)).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
