"""The devices: AMD GPUs and their ROCm, the simulated device, and which is chosen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from greta.errors import DeviceChoiceError, GretaError, OutsideError, SimTreeMissingError
from greta.hip import amd_library, decide_device, find_sim_tree, gpu_obstacle
from greta.hip.selftest import SelftestOutcome
from greta.machine.check import MachineCheck
from greta.typed_json import JsonField, decode

TOPOLOGY = Path("/sys/class/kfd/kfd/topology/nodes")


@dataclass(frozen=True)
class GpuNode:
    """A GPU in the driver's topology."""

    node: int
    name: str
    arch: str


def find_gpus(topology: Path = TOPOLOGY) -> list[GpuNode]:
    """The GPUs in the driver's topology; CPUs are listed there too and left out here."""
    if not topology.is_dir():
        return []
    nodes = sorted(topology.iterdir(), key=lambda folder: int(folder.name))
    return [gpu for folder in nodes if (gpu := _gpu(folder)) is not None]


def check_gpu() -> MachineCheck:
    """Is there a GPU that this user may use?"""
    gpus = find_gpus()
    found = ", ".join(f"{gpu.name} ({gpu.arch})" for gpu in gpus) or "none"
    details = {"gpus": [vars(gpu) for gpu in gpus]}
    obstacle = gpu_obstacle()
    if gpus and obstacle is None:
        return MachineCheck("gpu", "GPU", "ok", found, details=details)
    advice = obstacle or "the driver lists no GPU"
    return MachineCheck(
        "gpu", "GPU", "note", found, f"{advice}; the simulated device is used", details
    )


def _gpu(folder: Path) -> GpuNode | None:
    properties = _properties(folder / "properties")
    version = properties.get("gfx_target_version", 0)
    if not properties.get("simd_count", 0) or not version:
        return None
    name = _read(folder / "name").strip() or "AMD GPU"
    return GpuNode(int(folder.name), name, _arch(version))


def _arch(version: int) -> str:
    # 90402 is gfx942, 110000 is gfx1100, 90010 is gfx90a: the last digit is hexadecimal.
    return f"gfx{version // 10000}{version // 100 % 100}{version % 100:x}"


def _properties(path: Path) -> dict[str, int]:
    pairs = (line.split() for line in _read(path).splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def check_rocm() -> MachineCheck:
    """Is AMD's HIP library installed?"""
    library = amd_library()
    if library is None:
        advice = "needed only to run on a GPU: install ROCm from AMD"
        return MachineCheck("rocm", "AMD's library", "note", "not found", advice)
    version = _rocm_version(library)
    found = f"{library} (ROCm {version})" if version else str(library)
    return MachineCheck(
        "rocm", "AMD's library", "ok", found, details={"path": str(library), "version": version}
    )


def check_choice() -> MachineCheck:
    """Which device would a program use now, and why?"""
    try:
        choice = decide_device()
    except SimTreeMissingError:
        advice = "there is neither a GPU with ROCm nor the simulated device"
        return MachineCheck("device", "device chosen", "missing", "none", advice)
    except DeviceChoiceError as error:
        return MachineCheck("device", "device chosen", "missing", "none", str(error))
    details = {"kind": choice.kind.value, "library": str(choice.library), "reason": choice.reason}
    return MachineCheck(
        "device", "device chosen", "ok", f"{choice.kind.value}: {choice.reason}", details=details
    )


def _rocm_version(library: Path) -> str:
    path = library.resolve().parent.parent / ".info" / "version"
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


SELFTEST_SECONDS = 120


def check_sim_tree() -> MachineCheck:
    """Are the simulated device's libraries there?"""
    try:
        tree = find_sim_tree()
    except GretaError as error:
        return MachineCheck("sim_tree", "simulated device", "missing", "not found", str(error))
    root = str(tree.root)
    return MachineCheck("sim_tree", "simulated device", "ok", root, details={"path": root})


def check_selftest(timeout: float = SELFTEST_SECONDS) -> MachineCheck:
    """Do a copy and a kernel work on the simulated device?"""
    if check_sim_tree().state == "missing":
        advice = "it needs the simulated device"
        return MachineCheck("selftest", "self-test", "missing", "not run", advice)
    outcome = _run_selftest(timeout)
    if not outcome.ok:
        advice = (outcome.error or "").partition("\n")[0]
        return MachineCheck(
            "selftest", "self-test", "missing", "failed", advice, details=outcome.facts()
        )
    found = (
        f"HIP {outcome.hip_version} on {outcome.arch}; copy {outcome.copy_ms:.1f} ms, "
        f"compile {outcome.compile_ms:.0f} ms, kernel {outcome.kernel_ms:.1f} ms"
    )
    return MachineCheck("selftest", "self-test", "ok", found, details=outcome.facts())


def _run_selftest(timeout: float) -> SelftestOutcome:
    command = [sys.executable, "-m", "greta.hip.selftest"]
    environment = {**os.environ, "GRETA_DEVICE": "sim"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return SelftestOutcome(ok=False, error=f"it did not finish in {timeout:g} s")
    return _outcome(done)


def _outcome(done: subprocess.CompletedProcess[str]) -> SelftestOutcome:
    lines = done.stdout.strip().splitlines()
    try:
        return decode(SelftestOutcome, json.loads(lines[-1]), JsonField(Path("the self-test")))
    except (IndexError, ValueError, OutsideError):
        said = done.stderr.strip().splitlines()
        reason = said[-1] if said else "it said nothing"
        error = f"it ended with exit code {done.returncode}: {reason}"
        return SelftestOutcome(ok=False, error=error)
