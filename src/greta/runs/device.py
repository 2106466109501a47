"""The device for a program that is run under the recorder.

Decided without loading AMD's library into this process, which has no use for a GPU of its own.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from greta.errors import UsageError
from greta.hip import DeviceKind, SimTree, amd_library, find_sim_tree, gpu_obstacle
from greta.trace.run_facts import DeviceFacts

_GPU_NODE = Path("/dev/kfd")
_VARIABLE = "GRETA_DEVICE"
MOST_SIMULATED = 16
_DEBUG_AGENT = "librocm-debug-agent.so.2"
_ASK = "from greta.hip import gpu_obstacle; print(gpu_obstacle() or '')"


@dataclass(frozen=True)
class RunDevice:
    """What a program will run on: the environment in which it does, and what run.json says."""

    environment: dict[str, str]
    facts: DeviceFacts


def sim_settings(
    devices: int | None = None,
    vram: int | None = None,
    *,
    strict: bool = False,
    footprints: bool = False,
    abort_on_fault: bool = False,
) -> dict[str, str]:
    """The variables that say so to the simulated device; `vram` in bytes."""
    settings = {
        "GRETA_SIM_DEVICES": devices,
        "GRETA_SIM_VRAM": vram,
        "GRETA_SIM_PLACEMENT": "strict" if strict else None,
        "GRETA_SIM_FOOTPRINTS": "1" if footprints else None,
        "HIP_SKIP_ABORT_ON_GPU_ERROR": "0" if abort_on_fault else None,
    }
    return {name: str(value) for name, value in settings.items() if value is not None}


def debug_agent_environment(base: Mapping[str, str], device: DeviceFacts) -> dict[str, str]:
    """What makes ROCr load AMD's debug agent; raises UsageError where that cannot be.

    It writes to stderr, and so into the run's stderr.log: a file of its own would be begun anew by
    each process of the program.
    """
    if device.kind == "sim":
        raise UsageError(
            "--debug-agent is for a GPU: the simulated device names the access that faulted by "
            "itself; leave it out"
        )
    library = Path(device.library) if device.library else None
    folders = [Path(one) for one in base.get("LD_LIBRARY_PATH", "").split(":") if one]
    folders += [library.parent] if library and library.is_absolute() else []
    folders += [Path(base[name]) / "lib" for name in ("ROCM_PATH", "HIP_PATH") if base.get(name)]
    folders.append(Path("/opt/rocm/lib"))
    found = next((one / _DEBUG_AGENT for one in folders if (one / _DEBUG_AGENT).is_file()), None)
    if found is None:
        raise UsageError(
            f"--debug-agent needs {_DEBUG_AGENT}, which is not installed here (not in "
            f"{', '.join(map(str, dict.fromkeys(folders)))}); install AMD's package "
            "rocm-debug-agent, or leave it out"
        )
    tools = [*base.get("HSA_TOOLS_LIB", "").split(), str(found)]
    return {"HSA_TOOLS_LIB": " ".join(dict.fromkeys(tools)), "HSA_ENABLE_DEBUG": "1"}


def sim_words(variables: Mapping[str, object]) -> list[str]:
    """The options that stand for these variables: what `sim_settings` does, back again."""
    words = []
    for option, name in (("--sim-devices", "GRETA_SIM_DEVICES"), ("--vram", "GRETA_SIM_VRAM")):
        if variables.get(name):
            words += [option, str(variables[name])]
    if variables.get("GRETA_SIM_PLACEMENT") == "strict":
        words.append("--strict")
    if variables.get("GRETA_SIM_FOOTPRINTS") == "1":
        words.append("--footprints")
    if variables.get("HIP_SKIP_ABORT_ON_GPU_ERROR") == "0":
        words.append("--abort-on-fault")
    return words


def sim_environment(tree: SimTree, base: Mapping[str, str]) -> dict[str, str]:
    """`base` with the variables by which HIP clients look for their library set to `tree`.

    ROCM_PATH and HIP_PATH serve AMD's bindings and build tools, LD_LIBRARY_PATH everything that
    was linked with -lamdhip64 or opens it by its bare name, GRETA_* our own programs.
    """
    environment = dict(base)
    environment["ROCM_PATH"] = environment["HIP_PATH"] = str(tree.root)
    environment["GRETA_SIM_TREE"] = str(tree.root)
    environment[_VARIABLE] = "sim"
    _put_first(environment, "LD_LIBRARY_PATH", tree.lib)
    if importlib.util.find_spec("rocm_sdk") is not None:
        _put_first(environment, "PYTHONPATH", Path(__file__).parent / "without_rocm_sdk")
    return environment


def _put_first(environment: dict[str, str], variable: str, folder: Path) -> None:
    entries = environment.get(variable, "").split(os.pathsep)
    others = [entry for entry in entries if entry and entry != str(folder)]
    environment[variable] = os.pathsep.join([str(folder), *others])


def choose_run_device(wanted: str | None, settings: Mapping[str, str]) -> RunDevice:
    """`wanted` is auto, hip, sim or None for GRETA_DEVICE; `settings` are the simulated device's.

    Where a GPU is asked for and cannot be used, the program is run all the same: how it fails is
    what the recording is for.
    """
    asked = _asked(wanted)
    obstacle = None if asked is DeviceKind.SIM else _gpu_obstacle()
    if asked is DeviceKind.SIM or (asked is DeviceKind.AUTO and obstacle):
        tree = find_sim_tree()
        environment = sim_environment(tree, {**os.environ, **settings})
        facts = _facts(asked, DeviceKind.SIM, obstacle or "asked for", tree.library)
        memory = _simulated_memory(environment.get("GRETA_SIM_VRAM", ""))
        return RunDevice(environment, replace(facts, name=_SIM_NAME, memory_bytes=memory))
    if settings:
        raise UsageError(
            "--sim-devices, --vram, --strict, --footprints and --abort-on-fault are for the "
            "simulated device; add --device sim"
        )
    reason = "asked for" if asked is DeviceKind.HIP else "a GPU and AMD's library are there"
    reason += f", although {obstacle}" if obstacle else ""
    name, total = _driven_gpu(_DRIVEN) if obstacle is None else (None, None)
    facts = replace(
        _facts(asked, DeviceKind.HIP, reason, amd_library()),
        obstacle=obstacle,
        name=name,
        memory_bytes=total,
    )
    return RunDevice({**os.environ, _VARIABLE: DeviceKind.HIP.value}, facts)


_SIM_NAME = "AMD Instinct MI300X (simulated by GRETA)"
_MOST_SIMULATED_MEMORY = 192 << 30
_LEAST_SIMULATED_MEMORY = 1 << 20
_DRIVEN = Path("/sys/class/drm")


def _simulated_memory(asked: str) -> int:
    """As native/simdevice/device/settings.cpp has it; a test compares the two."""
    host = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    match = re.fullmatch(r"(\d{1,15})([KMGT]?)", asked, re.IGNORECASE)
    size = int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ") if match else 0
    default = min(_MOST_SIMULATED_MEMORY, host // 4 * 3)
    return size if size >= _LEAST_SIMULATED_MEMORY else default


def _driven_gpu(cards: Path) -> tuple[str | None, int | None]:
    """Name and memory of the GPU, as the kernel's driver tells them without HIP."""
    found: set[tuple[str | None, int]] = set()
    for card in sorted(cards.glob("card[0-9]*/device")):
        try:
            memory = (card / "mem_info_vram_total").read_text().strip()
            name = (card / "product_name").read_text().strip()
        except OSError:
            continue  # a card of another kind, or one that does not say
        if memory.isdecimal():
            found.add((name or None, int(memory)))
    return found.pop() if len(found) == 1 else (None, None)  # else which one ran is not known


_VISIBLE = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")
_COUNT = "from greta.hip import device_count; print(device_count())"


def chosen_ordinals(text: str, device: RunDevice) -> tuple[int, ...]:
    """Of "0-3,5" or "all"; raises UsageError for one that is not there.

    The simulated device has as many as are asked for.
    """
    if text == "all":
        if not (count := _device_count(device)):
            raise UsageError("--devices all: there is no device")
        return tuple(range(count))
    ordinals: list[int] = []
    for part in text.split(","):
        if not (match := re.fullmatch(r"\s*(\d{1,4})(?:-(\d{1,4}))?\s*", part)):
            raise UsageError(f"--devices must be all, or ordinals such as 0-3,5, not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        ordinals += range(first, last + 1)
    if not ordinals or len(set(ordinals)) < len(ordinals):
        raise UsageError(f"--devices: {text!r} names a device twice, or none")
    simulated = device.facts.kind == DeviceKind.SIM and not any(map(os.environ.get, _VISIBLE))
    count = MOST_SIMULATED if simulated else _device_count(device)
    if max(ordinals) >= count:
        raise UsageError(f"--devices: there is no device {max(ordinals)}; the last is {count - 1}")
    return tuple(ordinals)


def _device_count(device: RunDevice) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _COUNT],
        env=device.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    text = done.stdout.strip()
    return int(text) if done.returncode == 0 and text.isdecimal() else 0


def visible_devices(environment: Mapping[str, str], ordinals: Sequence[int]) -> list[str]:
    """Which devices an audit has to itself; nothing if it may be any."""
    listed = _listed(environment)
    below = environment.get("ROCR_VISIBLE_DEVICES", "")
    names = [listed[one] if listed else str(one) for one in ordinals] or listed
    return [f"{below}/{one}" for one in names] or ([below] if below else [])


def _listed(environment: Mapping[str, str]) -> list[str]:
    found = next((environment[name] for name in _VISIBLE if environment.get(name)), "")
    return [one.strip() for one in found.split(",")] if found else []


def one_device(device: RunDevice, ordinal: int, ordinals: Sequence[int]) -> dict[str, str]:
    """The environment in which a program sees this device alone, as its device 0."""
    environment = dict(device.environment)
    listed = _listed(environment)
    for name in _VISIBLE:
        environment.pop(name, None)
    environment["HIP_VISIBLE_DEVICES"] = listed[ordinal] if listed else str(ordinal)
    if device.facts.kind == DeviceKind.SIM and not listed:
        there = environment.get("GRETA_SIM_DEVICES", "1")
        wanted = max(ordinals) + 1
        environment["GRETA_SIM_DEVICES"] = str(max(wanted, int(there) if there.isdecimal() else 1))
    return environment


def _asked(wanted: str | None) -> DeviceKind:
    named = wanted or os.environ.get(_VARIABLE) or DeviceKind.AUTO
    try:
        return DeviceKind(named)
    except ValueError:
        source = "the device" if wanted else _VARIABLE
        raise UsageError(f"{source} must be auto, hip or sim, not {named!r}") from None


def _facts(asked: DeviceKind, kind: DeviceKind, reason: str, library: Path | None) -> DeviceFacts:
    return DeviceFacts(asked.value, kind.value, reason, str(library) if library else None)


def _gpu_obstacle() -> str | None:
    if not _GPU_NODE.exists():
        return gpu_obstacle()  # which is all it looks at then
    done = subprocess.run([sys.executable, "-c", _ASK], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"AMD's library could not be tried (exit code {done.returncode})"
    return done.stdout.strip() or None
