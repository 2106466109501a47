"""Which device this process uses: AMD's library on a GPU, or the simulated one.

AMD's bindings open `libamdhip64.so` at the first HIP call and keep it. The choice is therefore
made once, before that call, by pointing ROCM_PATH at the tree to use. The simulated one is laid
out like a ROCm installation (lib/, include/, simt/).
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import greta
from greta.errors import DeviceChoiceError, GretaError, SimTreeMissingError

TREE_VARIABLE = "GRETA_SIM_TREE"


@dataclass(frozen=True)
class SimTree:
    """The simulated device's files, under one root folder.

    >>> tree = find_sim_tree()                                        # doctest: +SKIP
    >>> tree.library                                                  # doctest: +SKIP
    PosixPath('.../greta/_native/rocm/lib/libamdhip64.so')
    """

    root: Path

    @property
    def lib(self) -> Path:
        """The folder of the shared libraries."""
        return self.root / "lib"

    @property
    def include(self) -> Path:
        """The folder of the headers for host programs."""
        return self.root / "include"

    @property
    def library(self) -> Path:
        """The HIP runtime."""
        return self.lib / "libamdhip64.so"

    @property
    def compiler_library(self) -> Path:
        """hipRTC."""
        return self.lib / "libhiprtc.so"

    def is_complete(self) -> bool:
        """Both libraries are there."""
        return self.library.is_file() and self.compiler_library.is_file()


def find_sim_tree() -> SimTree:
    """The tree that GRETA_SIM_TREE names, else the installed one, else a checkout's build folder.

    Raises SimTreeMissingError when there is none.
    """
    named = os.environ.get(TREE_VARIABLE)
    if named:
        tree = SimTree(Path(named).absolute())
        if tree.is_complete():
            return tree
        raise SimTreeMissingError(
            f"{TREE_VARIABLE}={named} has no lib/libamdhip64.so and lib/libhiprtc.so; "
            "unset it or build the tree with `make native`"
        )
    for root in _candidates():
        tree = SimTree(root)
        if tree.is_complete():
            return tree
    raise SimTreeMissingError(
        "the simulated device's libraries are not installed; run `pip install .` in the source "
        f"folder, or set {TREE_VARIABLE} to a built tree"
    )


def _candidates() -> Iterator[Path]:
    # An editable install has two package folders: the sources and the built files.
    for package in greta.__path__:
        yield Path(package) / "_native" / "rocm"
    checkout = Path(greta.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        yield checkout / "build" / "rocm"


DEVICE_VARIABLE = "GRETA_DEVICE"
GPU_NODE = Path("/dev/kfd")


class DeviceKind(str, Enum):
    """What may be asked for."""

    AUTO = "auto"
    HIP = "hip"
    SIM = "sim"


@dataclass(frozen=True)
class DeviceChoice:
    """The device in use: its kind (never AUTO), the library it is reached through, and why."""

    kind: DeviceKind
    library: Path
    reason: str


_chosen: DeviceChoice | None = None


def choose_device(wanted: DeviceKind | str | None = None) -> DeviceChoice:
    """Fixes the device for this process and returns it.

    `wanted` is "auto", "hip" or "sim"; None means the variable GRETA_DEVICE, or "auto" where it is
    not set. Called with no argument again, it returns the earlier choice.

    >>> choose_device("sim").kind                                     # doctest: +SKIP
    <DeviceKind.SIM: 'sim'>
    """
    global _chosen
    if _chosen is not None and wanted is None:
        return _chosen
    choice = decide_device(wanted)
    for loaded in loaded_hip_libraries():
        # Beside libamdhip64.so there may be libamdhip64.so.6 and others of the same installation.
        if loaded.resolve().parent != choice.library.resolve().parent:
            raise DeviceChoiceError(
                f"device {choice.kind.value!r} was chosen too late: {loaded} is already loaded; "
                f"choose before the first HIP call, or set {DEVICE_VARIABLE}={choice.kind.value}"
            )
    if choice.kind is DeviceKind.SIM:
        os.environ["ROCM_PATH"] = str(find_sim_tree().root)
        # The bindings prefer the rocm_sdk package to ROCM_PATH; a None entry makes its import fail.
        sys.modules.setdefault("rocm_sdk", None)  # type: ignore[arg-type]
    _chosen = choice
    return choice


def decide_device(wanted: DeviceKind | str | None = None) -> DeviceChoice:
    """What choose_device would choose; changes nothing in this process' environment."""
    named = wanted if wanted is not None else os.environ.get(DEVICE_VARIABLE) or DeviceKind.AUTO
    try:
        kind = DeviceKind(named)
    except ValueError:
        source = "the device" if wanted is not None else DEVICE_VARIABLE
        raise DeviceChoiceError(f"{source} must be auto, hip or sim, not {str(named)!r}") from None
    if kind is DeviceKind.SIM:
        return _sim("asked for")
    obstacle = gpu_obstacle()
    if kind is DeviceKind.AUTO:
        return _sim(obstacle) if obstacle else _gpu("a GPU and AMD's library are there")
    if obstacle:
        raise DeviceChoiceError(
            f"device 'hip' cannot be used: {obstacle}; install ROCm and the GPU driver, or use the "
            f"simulated device ({DEVICE_VARIABLE}=sim)"
        )
    return _gpu("asked for")


def gpu_obstacle() -> str | None:
    """Why AMD's library cannot be used here, or None if it can."""
    if not GPU_NODE.exists():
        return f"there is no GPU driver ({GPU_NODE} does not exist)"
    if not os.access(GPU_NODE, os.R_OK | os.W_OK):
        return f"this user may not open {GPU_NODE} (join the groups render and video)"
    library = amd_library()
    if library is None:
        return "AMD's libamdhip64.so was not found"
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return f"{library} cannot be loaded ({error})"
    return None


def amd_library() -> Path | None:
    """The libamdhip64.so that a program would open without our help; None if only ours."""
    path = _library_path()
    if path.is_absolute():
        return None if _is_simulated(path) else path
    # The loader tells only by loading; that is done elsewhere, since it cannot be undone here.
    script = f"import ctypes; ctypes.CDLL({path.name!r}); print(open('/proc/self/maps').read())"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    return next((found for found in _hip_libraries(done.stdout) if not _is_simulated(found)), None)


def _library_path() -> Path:
    """As AMD's bindings find it; where they are not installed, ROCm's folder, then the loader."""
    try:
        from rocm.bindings.util.paths import get_library_path

        return Path(os.fsdecode(get_library_path("amdhip64")))
    except ModuleNotFoundError:
        library = Path(os.environ.get("ROCM_PATH") or "/opt/rocm", "lib", "libamdhip64.so")
        return library if library.is_file() else Path(library.name)


def loaded_hip_libraries() -> list[Path]:
    """The libamdhip64 files mapped into this process."""
    return _hip_libraries(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))


def _hip_libraries(maps: str) -> list[Path]:
    fields = (line.split(maxsplit=5) for line in maps.splitlines())
    paths = {Path(field[5]) for field in fields if len(field) == 6}
    return sorted(path for path in paths if path.name.startswith("libamdhip64.so"))


def _sim(reason: str) -> DeviceChoice:
    return DeviceChoice(DeviceKind.SIM, find_sim_tree().library, reason)


def _gpu(reason: str) -> DeviceChoice:
    library = amd_library() or Path("libamdhip64.so")
    return DeviceChoice(DeviceKind.HIP, library, reason)


def _is_simulated(library: Path) -> bool:
    try:
        return library.samefile(find_sim_tree().library)
    except (GretaError, OSError):
        return False
