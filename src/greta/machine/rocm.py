"""AMD's ROCm installation, and the device that is chosen."""

from __future__ import annotations

from pathlib import Path

from greta.errors import DeviceChoiceError, SimTreeMissingError
from greta.hip import amd_library, decide_device
from greta.machine.check import Check


def check_rocm() -> Check:
    """Is AMD's HIP library installed?"""
    library = amd_library()
    if library is None:
        advice = "needed only to run on a GPU: install ROCm from AMD"
        return Check("rocm", "AMD's library", "note", "not found", advice)
    version = _rocm_version(library)
    found = f"{library} (ROCm {version})" if version else str(library)
    return Check(
        "rocm", "AMD's library", "ok", found, details={"path": str(library), "version": version}
    )


def check_choice() -> Check:
    """Which device would a program use now, and why?"""
    try:
        choice = decide_device()
    except SimTreeMissingError:
        advice = "there is neither a GPU with ROCm nor the simulated device"
        return Check("device", "device chosen", "missing", "none", advice)
    except DeviceChoiceError as error:
        return Check("device", "device chosen", "missing", "none", str(error))
    details = {"kind": choice.kind.value, "library": str(choice.library), "reason": choice.reason}
    return Check(
        "device", "device chosen", "ok", f"{choice.kind.value}: {choice.reason}", details=details
    )


def _rocm_version(library: Path) -> str:
    path = library.resolve().parent.parent / ".info" / "version"
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
