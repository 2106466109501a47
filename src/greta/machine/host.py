"""The host: what its CPU executes, its C++ compiler, Python and the cache.

On some machines, virtual ones mostly, the CPU's flags promise instructions that fail when they are
run. So each one is run once, in a process of its own, and the signal it dies of tells.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import shutil
import signal
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import greta
from greta.machine.check import MachineCheck
from greta.printable import printable

_CLEAN_UP_AND_RETURN = bytes.fromhex("c5f877 c3")  # vzeroupper; ret

# One instruction of each set, on register 0 alone.
INSTRUCTIONS = {
    "avx": bytes.fromhex("c5fc57c0"),  # vxorps ymm0, ymm0, ymm0
    "avx2": bytes.fromhex("c5fdfec0"),  # vpaddd ymm0, ymm0, ymm0
    "fma": bytes.fromhex("c4e27da8c0"),  # vfmadd213ps ymm0, ymm0, ymm0
    "f16c": bytes.fromhex("c4e27d13c0"),  # vcvtph2ps ymm0, xmm0
    "avx512f": bytes.fromhex("62f17d48fec0"),  # vpaddd zmm0, zmm0, zmm0
    "avx512bw": bytes.fromhex("62f17d48fcc0"),  # vpaddb zmm0, zmm0, zmm0
    "avx512_vnni": bytes.fromhex("62f27d4850c0"),  # vpdpbusd zmm0, zmm0, zmm0
    "avx512_bf16": bytes.fromhex("62f27e4852c0"),  # vdpbf16ps zmm0, zmm0, zmm0
}


def executed_features() -> list[str]:
    """The instruction sets of the table that this CPU executes."""
    script = "from greta.machine.host import print_executed; print_executed()"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.split()


def print_executed() -> None:
    """The other end of executed_features: it forks, so it has a process of its own."""
    print(*(name for name, code in INSTRUCTIONS.items() if _executes(code)))


def promised_features() -> list[str]:
    """The instruction sets of the table that the CPU's flags name."""
    flags = set(_cpuinfo("flags").split())
    return [name for name in INSTRUCTIONS if name in flags]


def check_cpu() -> MachineCheck:
    """Does the CPU execute what it promises?"""
    executed, promised = executed_features(), promised_features()
    broken = [name for name in promised if name not in executed]
    found = f"{_cpuinfo('model name') or platform.machine()}, {os.cpu_count()} threads"
    found += f"; runs {' '.join(executed) or 'no AVX'}"
    details = {"executed": executed, "promised": promised}
    if not broken:
        return MachineCheck("cpu", "CPU", "ok", found, details=details)
    advice = f"the flags promise {' '.join(broken)}, which it does not execute; they are not used"
    return MachineCheck("cpu", "CPU", "note", found, advice, details)


def _cpuinfo(field: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(field)), "")


def _executes(code: bytes) -> bool:
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGILL, signal.SIG_DFL)
        _run(code + _CLEAN_UP_AND_RETURN)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _run(code: bytes) -> None:
    memory = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    ctypes.CFUNCTYPE(None)(address)()


# The order in which hipRTC looks for them.
_VARIABLE = "GRETA_SIM_CXX"
_NAMES = ("c++", "g++", "clang++")


def find_compiler() -> str | None:
    """The compiler that GRETA_SIM_CXX names, else the first of the usual ones."""
    named = os.environ.get(_VARIABLE)
    found = (shutil.which(name) for name in ((named,) if named else _NAMES))
    return next(filter(None, found), None)


def check_compiler() -> MachineCheck:
    """Is there a C++17 compiler?"""
    path = find_compiler()
    if path is None:
        advice = "install one: apt-get install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora)"
        if named := os.environ.get(_VARIABLE):
            advice = f"{_VARIABLE} names no program that can be run: {named}"
        return MachineCheck("compiler", "C++ compiler", "missing", "not found", advice)
    version = _version(path)
    return MachineCheck(
        "compiler",
        "C++ compiler",
        "ok",
        f"{path} ({version})",
        details={"path": path, "version": version},
    )


def _version(path: str) -> str:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else "version unknown"


_PACKAGES = ("rocm-bindings-hip", "numpy", "rich")


def check_python() -> MachineCheck:
    """Which versions run here?"""
    versions = {name: _package_version(name) for name in _PACKAGES}
    absent = [name for name, found in versions.items() if not found]
    found = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    details = {"python": platform.python_version(), "greta": greta.__version__, **versions}
    found = f"{platform.python_version()}, greta {greta.__version__}, {found}"
    if not absent:
        return MachineCheck("python", "Python", "ok", found, details=details)
    advice = f"install what is missing: pip install {' '.join(absent)}"
    return MachineCheck("python", "Python", "missing", found, advice, details)


def cache_folder() -> Path:
    """Where downloaded models and compiled kernels are kept."""
    if named := os.environ.get("GRETA_CACHE_DIR"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "greta"


def check_cache() -> MachineCheck:
    """What has been kept from earlier runs?"""
    folder = cache_folder()
    models = sorted(path.name for path in _files(folder / "models") if path.suffix == ".gguf")
    kernels = len(_files(folder / "hiprtc"))
    names = ", ".join(map(printable, models)) or "none"
    found = f"{folder} (models: {names}; compiled kernels: {kernels})"
    details = {"path": str(folder), "models": models, "compiled_kernels": kernels}
    return MachineCheck("cache", "cache folder", "ok", found, details=details)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
