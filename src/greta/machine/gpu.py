"""AMD GPUs that the kernel driver knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from greta.hip import gpu_obstacle
from greta.machine.check import Check

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


def check_gpu() -> Check:
    """Is there a GPU that this user may use?"""
    gpus = find_gpus()
    found = ", ".join(f"{gpu.name} ({gpu.arch})" for gpu in gpus) or "none"
    details = {"gpus": [vars(gpu) for gpu in gpus]}
    obstacle = gpu_obstacle()
    if gpus and obstacle is None:
        return Check("gpu", "GPU", "ok", found, details=details)
    advice = obstacle or "the driver lists no GPU"
    return Check("gpu", "GPU", "note", found, f"{advice}; the simulated device is used", details)


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
