"""Python, the packages we stand on, and the folder for downloaded models."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import greta
from greta.machine.check import Check

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


def model_cache() -> Path:
    """Where downloaded models are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "greta" / "models"


def check_model_cache() -> Check:
    """Which models are there already?"""
    folder = model_cache()
    models = sorted(folder.glob("*.gguf")) if folder.is_dir() else []
    state = ", ".join(path.name for path in models) or "empty"
    details = {"path": str(folder), "models": [path.name for path in models]}
    return Check("model_cache", "model cache", "ok", f"{folder} ({state})", details=details)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
