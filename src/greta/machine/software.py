"""Python, the packages we stand on, and the folder for what is worth keeping."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import greta
from greta.machine.check import Check
from greta.printable import printable

_PACKAGES = ("rocm-bindings-hip", "numpy", "rich")


def check_python() -> Check:
    """Which versions run here?"""
    versions = {name: _version(name) for name in _PACKAGES}
    absent = [name for name, found in versions.items() if not found]
    found = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    details = {"python": platform.python_version(), "greta": greta.__version__, **versions}
    found = f"{platform.python_version()}, greta {greta.__version__}, {found}"
    if not absent:
        return Check("python", "Python", "ok", found, details=details)
    advice = f"install what is missing: pip install {' '.join(absent)}"
    return Check("python", "Python", "missing", found, advice, details)


def cache_folder() -> Path:
    """Where downloaded models and compiled kernels are kept."""
    if named := os.environ.get("GRETA_CACHE_DIR"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "greta"


def check_cache() -> Check:
    """What has been kept from earlier runs?"""
    folder = cache_folder()
    models = sorted(path.name for path in _files(folder / "models") if path.suffix == ".gguf")
    kernels = len(_files(folder / "hiprtc"))
    names = ", ".join(map(printable, models)) or "none"
    found = f"{folder} (models: {names}; compiled kernels: {kernels})"
    details = {"path": str(folder), "models": models, "compiled_kernels": kernels}
    return Check("cache", "cache folder", "ok", found, details=details)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
