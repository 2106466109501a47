"""What this machine has, looked at one thing at a time; `greta doctor` prints it.

On some machines, virtual ones mostly, the CPU's flags promise instructions that fail when they are
run. So each one is run once, in a process of its own, and the signal it dies of tells.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import greta
from greta.errors import (
    DeviceChoiceError,
    GretaError,
    OutsideError,
    SimTreeMissingError,
    UsageError,
)
from greta.hip import amd_library, decide_device, find_sim_tree, gpu_obstacle
from greta.hip.selftest import SelftestOutcome
from greta.printable import printable
from greta.runs.hip_compiler import CLANG_VARIABLE, device_library, look_for_clang
from greta.typed_json import JsonField, decode

State = Literal["ok", "note", "missing"]
Words = Callable[..., str]
"""Makes a sentence of a code and its data."""


@dataclass(frozen=True)
class MachineCheck:
    """What was found, and what to do if it is not what it should be.

    state: "ok" is there; "note" is not there, or is odd, and the product works all the same;
    "missing" must be put right before the product can work.
    """

    id: str
    state: State
    found: str
    advice: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


TOPOLOGY = Path("/sys/class/kfd/kfd/topology/nodes")


@dataclass(frozen=True)
class GpuNode:
    node: int
    name: str
    arch: str


def find_gpus(topology: Path = TOPOLOGY) -> list[GpuNode]:
    """The GPUs in the driver's topology; CPUs are listed there too and left out here."""
    if not topology.is_dir():
        return []
    nodes = sorted(topology.iterdir(), key=lambda folder: int(folder.name))
    return [gpu for folder in nodes if (gpu := _gpu(folder)) is not None]


def check_gpu(say: Words) -> MachineCheck:
    gpus = find_gpus()
    found = ", ".join(f"{gpu.name} ({gpu.arch})" for gpu in gpus) or say("doctor_gpu_none")
    details = {"gpus": [vars(gpu) for gpu in gpus]}
    obstacle = gpu_obstacle()
    if gpus and obstacle is None:
        return MachineCheck("gpu", "ok", found, details=details)
    advice = say("doctor_gpu_instead", why=obstacle or say("doctor_gpu_none_listed"))
    return MachineCheck("gpu", "note", found, advice, details)


def _gpu(folder: Path) -> GpuNode | None:
    pairs = (line.split() for line in _read(folder / "properties").splitlines())
    properties = {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}
    target = properties.get("gfx_target_version", 0)
    if not properties.get("simd_count", 0) or not target:
        return None
    # 90402 is gfx942, 110000 is gfx1100, 90010 is gfx90a: the last digit is hexadecimal.
    arch = f"gfx{target // 10000}{target // 100 % 100}{target % 100:x}"
    return GpuNode(int(folder.name), _read(folder / "name").strip() or "AMD GPU", arch)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def check_rocm(say: Words) -> MachineCheck:
    library = amd_library()
    if library is None:
        advice = say("doctor_rocm_advice")
        return MachineCheck("rocm", "note", say("doctor_not_found"), advice)
    release = _read(library.resolve().parent.parent / ".info" / "version").strip()
    found = f"{library} (ROCm {release})" if release else str(library)
    details = {"path": str(library), "version": release}
    return MachineCheck("rocm", "ok", found, details=details)


def check_choice(say: Words) -> MachineCheck:
    try:
        choice = decide_device()
    except SimTreeMissingError:
        return MachineCheck("device", "missing", say("doctor_none"), say("doctor_no_device"))
    except DeviceChoiceError as error:
        return MachineCheck("device", "missing", say("doctor_none"), str(error))
    details = {"kind": choice.kind.value, "library": str(choice.library), "reason": choice.reason}
    return MachineCheck("device", "ok", f"{choice.kind.value}: {choice.reason}", details=details)


SELFTEST_SECONDS = 120


def check_sim_tree(say: Words) -> MachineCheck:
    try:
        tree = find_sim_tree()
    except GretaError as error:
        return MachineCheck("sim_tree", "missing", say("doctor_not_found"), str(error))
    root = str(tree.root)
    return MachineCheck("sim_tree", "ok", root, details={"path": root})


def check_selftest(say: Words, timeout: float = SELFTEST_SECONDS) -> MachineCheck:
    if check_sim_tree(say).state == "missing":
        needs = say("doctor_selftest_needs")
        return MachineCheck("selftest", "missing", say("doctor_not_run"), needs)
    if find_compiler() is None or not _package_version(_BINDINGS):
        return MachineCheck("selftest", "note", say("doctor_not_run"), say("doctor_selftest_tools"))
    outcome = _run_selftest(timeout, say)
    if not outcome.ok:
        advice, facts = (outcome.error or "").partition("\n")[0], outcome.facts()
        return MachineCheck("selftest", "missing", say("doctor_failed"), advice, facts)
    found = say(
        "doctor_selftest_found",
        hip=outcome.hip_version,
        arch=outcome.arch,
        copy=f"{outcome.copy_ms:.1f}",
        compile=f"{outcome.compile_ms:.0f}",
        kernel=f"{outcome.kernel_ms:.1f}",
    )
    return MachineCheck("selftest", "ok", found, details=outcome.facts())


def _run_selftest(timeout: float, say: Words) -> SelftestOutcome:
    command = [sys.executable, "-m", "greta.hip.selftest"]
    environment = {**os.environ, "GRETA_DEVICE": "sim"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        slow = say("doctor_selftest_slow", seconds=f"{timeout:g}")
        return SelftestOutcome(ok=False, error=slow)
    return _outcome(done, say)


def _outcome(done: subprocess.CompletedProcess[str], say: Words) -> SelftestOutcome:
    lines = done.stdout.strip().splitlines()
    try:
        return decode(SelftestOutcome, json.loads(lines[-1]), JsonField(Path("the self-test")))
    except (IndexError, ValueError, OutsideError):
        said = done.stderr.strip().splitlines()
        reason = said[-1] if said else say("doctor_said_nothing")
        error = say("doctor_selftest_ended", code=done.returncode, reason=reason)
        return SelftestOutcome(ok=False, error=error)


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
    script = "from greta.machine import print_executed; print_executed()"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.split()


def print_executed() -> None:
    """The other end of executed_features: it forks, so it has a process of its own."""
    print(*(name for name, code in INSTRUCTIONS.items() if _executes(code)))


def promised_features() -> list[str]:
    flags = set(_cpuinfo("flags").split())
    return [name for name in INSTRUCTIONS if name in flags]


def check_cpu(say: Words) -> MachineCheck:
    executed, promised = executed_features(), promised_features()
    broken = [name for name in promised if name not in executed]
    found = say(
        "doctor_cpu_found",
        model=_cpuinfo("model name") or platform.machine(),
        threads=os.cpu_count(),
        features=" ".join(executed) or say("doctor_no_avx"),
    )
    details = {"executed": executed, "promised": promised}
    if not broken:
        return MachineCheck("cpu", "ok", found, details=details)
    advice = say("doctor_cpu_promises", features=" ".join(broken))
    return MachineCheck("cpu", "note", found, advice, details)


def _cpuinfo(name: str) -> str:
    lines = _read(Path("/proc/cpuinfo")).splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), "")


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
    named = os.environ.get(_VARIABLE)
    found = (shutil.which(name) for name in ((named,) if named else _NAMES))
    return next(filter(None, found), None)


def check_compiler(say: Words) -> MachineCheck:
    path = find_compiler()
    if path is None:
        if named := os.environ.get(_VARIABLE):
            advice = say("doctor_compiler_named", variable=_VARIABLE, named=named)
            return MachineCheck("compiler", "missing", say("doctor_not_found"), advice)
        advice = say("doctor_compiler_install")
        return MachineCheck("compiler", "note", say("doctor_not_found"), advice)
    said = _version_of(path, say)
    details = {"path": path, "version": said}
    return MachineCheck("compiler", "ok", f"{path} ({said})", details=details)


def _version_of(program: str, say: Words) -> str:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else say("doctor_version_unknown")


def check_gpu_compiler(say: Words) -> MachineCheck:
    """What `greta hipcc` and a part of racecheck need; all else does without."""
    try:
        path, missing = look_for_clang()
    except UsageError:
        named = os.environ.get(CLANG_VARIABLE, "")
        advice = say("doctor_clang_named", variable=CLANG_VARIABLE, named=named)
        return MachineCheck("gpu_compiler", "note", say("doctor_not_found"), advice)
    library = device_library()
    details = {
        "path": str(path) if path else None,
        "missing": missing,
        "device_library": str(library) if library else None,
    }
    if path is None or missing:
        lacks = say("doctor_lacks", path=str(path), missing=missing)
        found = lacks if path else say("doctor_not_found")
        advice = say("doctor_gpu_compiler_install")
        return MachineCheck("gpu_compiler", "note", found, advice, details)
    found = f"{path} ({_version_of(str(path), say)})"
    if library is None:
        advice = say("doctor_device_library")
        return MachineCheck("gpu_compiler", "note", found, advice, details)
    return MachineCheck("gpu_compiler", "ok", f"{found}, {library}", details=details)


_BINDINGS = "rocm-bindings-hip"
_PACKAGES = (_BINDINGS, "numpy", "rich")


def check_python(say: Words) -> MachineCheck:
    versions = {name: _package_version(name) for name in _PACKAGES}
    absent = [name for name, found in versions.items() if not found]
    found = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    details = {"python": platform.python_version(), "greta": greta.__version__, **versions}
    found = f"{platform.python_version()}, greta {greta.__version__}, {found}"
    if not absent:
        return MachineCheck("python", "ok", found, details=details)
    if absent == [_BINDINGS]:
        return MachineCheck("python", "note", found, say("doctor_python_bindings"), details)
    advice = say("doctor_python_install", packages=" ".join(absent))
    return MachineCheck("python", "missing", found, advice, details)


def cache_folder() -> Path:
    if named := os.environ.get("GRETA_CACHE_DIR"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "greta"


def check_cache(say: Words) -> MachineCheck:
    folder = cache_folder()
    models = sorted(path.name for path in _files(folder / "models") if path.suffix == ".gguf")
    kernels = len(_files(folder / "hiprtc"))
    names = ", ".join(map(printable, models)) or say("doctor_none")
    found = say("doctor_cache_found", folder=str(folder), models=names, kernels=kernels)
    details = {"path": str(folder), "models": models, "compiled_kernels": kernels}
    return MachineCheck("cache", "ok", found, details=details)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


CHECKS = (
    *(check_gpu, check_rocm, check_choice, check_sim_tree, check_compiler),
    *(check_gpu_compiler, check_selftest, check_cpu, check_python, check_cache),
)
"""In the order in which a reader wants them."""


def examine(say: Words) -> list[MachineCheck]:
    return [check(say) for check in CHECKS]
