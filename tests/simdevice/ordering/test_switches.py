"""The switches of the environment. Each is read once, so each is tried in a process of its own."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.simdevice import memory
from tests.simdevice.child import answer_of, run_in_child
from tests.simdevice.launching import Kernels
from tests.simdevice.library import byref, compile_kernels, done, hip_library
from tests.simdevice.memory import DEVICE_TO_DEVICE, HOST_TO_DEVICE, DeviceBlock
from tests.simdevice.streams import (
    BLOCKING,
    DEFAULT_STREAM,
    NON_BLOCKING,
    held,
    is_done,
    new_stream,
    synchronize,
    waits_for,
)

if TYPE_CHECKING:  # children start quicker without it
    from greta.hip import SimTree

OUT_OF_MEMORY, NO_DEVICE, INVALID_DEVICE, ILLEGAL_ADDRESS = 2, 100, 101, 700
PEER_ALREADY_ENABLED, PEER_NOT_ENABLED = 704, 705
MIB = 1 << 20

SOURCE = """
extern "C" __global__ void nothing(int* word) {}
extern "C" __global__ void set(int* word) { *word = 1; }
extern "C" __global__ void wait_for(volatile int* word) { while (*word == 0) {} }
"""


@pytest.fixture(scope="module")
def code_object(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the compiled kernels."""
    path = tmp_path_factory.mktemp("switches") / "kernels.co"
    path.write_bytes(compile_kernels(SOURCE))
    return str(path)


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass


def load(path: str) -> Kernels:
    return Kernels(Path(path).read_bytes())


# --- which devices there are


def bus_ids() -> list[str]:
    hip, count = hip_library(), ctypes.c_int(-1)
    code = hip.hipGetDeviceCount(byref(count))
    assert code == (0 if count.value else NO_DEVICE)
    text = ctypes.create_string_buffer(32)
    found = []
    for ordinal in range(count.value):
        done(hip.hipDeviceGetPCIBusId(text, len(text), ordinal))
        found.append(text.value.decode())
    return found


def test_one_device_unless_asked_for_more() -> None:
    assert answer_of(bus_ids) == ["0000:01:00.0"]


def test_as_many_devices_as_asked_for() -> None:
    expected = ["0000:01:00.0", "0000:02:00.0", "0000:03:00.0"]
    assert answer_of(bus_ids, GRETA_SIM_DEVICES="3") == expected


@pytest.mark.parametrize(
    ("visible", "physical"),
    [
        ("0", [0]),
        ("2", [2]),
        ("2,0", [2, 0]),
        ("3,2,1,0", [3, 2, 1, 0]),
        ("1,9,2", [1]),  # what follows an ordinal that is not there is ignored
        ("1,-1,2", [1]),
        ("1,1,2", [1]),
        ("x", []),
        ("-1", []),
        ("", []),
    ],
)
@pytest.mark.parametrize("name", ["HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"])
def test_visible_devices(name: str, visible: str, physical: list[int]) -> None:
    seen = answer_of(bus_ids, GRETA_SIM_DEVICES="4", **{name: visible})
    assert seen == [f"0000:{number + 1:02x}:00.0" for number in physical]


def test_hips_own_variable_is_the_stronger_one() -> None:
    switches = {"HIP_VISIBLE_DEVICES": "1", "CUDA_VISIBLE_DEVICES": "2"}
    assert answer_of(bus_ids, GRETA_SIM_DEVICES="4", **switches) == ["0000:02:00.0"]


def calls_without_device() -> dict[str, int]:
    hip = hip_library()
    handle, number = ctypes.c_void_p(), ctypes.c_int(-1)
    return {
        "hipMalloc": hip.hipMalloc(byref(handle), 16),
        "hipStreamCreate": hip.hipStreamCreate(byref(handle)),
        "hipDeviceSynchronize": hip.hipDeviceSynchronize(),
        "hipStreamSynchronize": hip.hipStreamSynchronize(None),
        "hipSetDevice": hip.hipSetDevice(0),
        "hipGetDevice": hip.hipGetDevice(byref(number)),
        "hipMemcpy": hip.hipMemcpy(byref(number), byref(number), 4, 0),
        "hipInit": hip.hipInit(0),
    }


def test_without_a_visible_device_calls_say_so() -> None:
    codes = answer_of(calls_without_device, HIP_VISIBLE_DEVICES="")
    assert set(codes.values()) == {NO_DEVICE}, codes


def versions_without_device() -> list[int]:
    hip, runtime, driver = hip_library(), ctypes.c_int(), ctypes.c_int()
    done(hip.hipRuntimeGetVersion(byref(runtime)))
    done(hip.hipDriverGetVersion(byref(driver)))
    return [runtime.value, driver.value]


def test_the_version_is_known_without_a_device() -> None:
    runtime, driver = answer_of(versions_without_device, HIP_VISIBLE_DEVICES="")
    assert runtime == driver >= 70_000_000


# --- several devices


def use(device: int) -> None:
    done(hip_library().hipSetDevice(device))


def device_memory(device: int, size: int, value: int) -> DeviceBlock:
    use(device)
    block = memory.device(size)
    done(hip_library().hipMemset(block.address, value, size))
    done(hip_library().hipDeviceSynchronize())
    return block


def peer_copies() -> list[int]:
    hip, size = hip_library(), 3 * MIB + 1
    here, there, back = (device_memory(n, size, n + 1) for n in (0, 1, 2))
    seen = []
    done(hip.hipMemcpyPeer(there.address, 1, here.address, 0, size))
    seen.append(there.byte)
    use(1)
    stream = new_stream(NON_BLOCKING)
    done(hip.hipMemsetAsync(there.address, 7, size, stream))
    done(hip.hipMemcpyPeerAsync(back.address, 2, there.address, 1, size, stream))
    synchronize(stream)
    seen.append(back.byte)
    done(hip.hipMemcpy(here.address, back.address, size, DEVICE_TO_DEVICE))
    seen.append(here.byte)
    return seen


def test_copies_between_devices_need_no_peer_access() -> None:
    assert answer_of(peer_copies, GRETA_SIM_DEVICES="3") == [1, 7, 7]


def copy_to_the_other_device_waits() -> list[bool]:
    hip = hip_library()
    here, there = device_memory(0, 64, 1), device_memory(1, 64, 2)
    use(0)
    waited = []
    with held(DEFAULT_STREAM) as hold:
        copy = (there.address, here.address, 64, DEVICE_TO_DEVICE)
        waited.append(waits_for(hold, lambda: done(hip.hipMemcpy(*copy))))
        waited.append(there.byte == 1)
    return waited


def test_a_copy_to_another_device_is_complete_at_return() -> None:
    """Only a copy within one device is left to the device."""
    assert answer_of(copy_to_the_other_device_waits, GRETA_SIM_DEVICES="2") == [True, True]


def peer_access_states() -> list[int]:
    hip, can = hip_library(), ctypes.c_int(-1)
    states = []
    for device, peer in ((0, 1), (1, 0), (0, 0)):
        done(hip.hipDeviceCanAccessPeer(byref(can), device, peer))
        states.append(can.value)
    use(0)
    states += [
        hip.hipDeviceDisablePeerAccess(1),
        hip.hipDeviceEnablePeerAccess(1, 0),
        hip.hipDeviceEnablePeerAccess(1, 0),
        hip.hipDeviceDisablePeerAccess(1),
        hip.hipDeviceEnablePeerAccess(0, 0),
        hip.hipDeviceEnablePeerAccess(2, 0),
    ]
    return states


def test_peer_access_is_switched_on_and_off() -> None:
    assert answer_of(peer_access_states, GRETA_SIM_DEVICES="2") == [
        *(1, 1, 0),
        PEER_NOT_ENABLED,
        0,
        PEER_ALREADY_ENABLED,
        0,
        INVALID_DEVICE,
        INVALID_DEVICE,
    ]


def kernel_reaches_its_peer(path: str, enabled: bool) -> list[int]:
    word = device_memory(1, 4, 0)
    use(0)
    kernels = load(path)
    if enabled:
        done(hip_library().hipDeviceEnablePeerAccess(1, 0))
    done(kernels.launch("set", word.address))
    code = int(hip_library().hipDeviceSynchronize())
    return [code, 0 if code else word.read()[0]]


def test_a_kernel_reaches_a_peers_memory_only_with_access(code_object: str) -> None:
    def reach(enabled: bool) -> Any:
        return answer_of(kernel_reaches_its_peer, code_object, enabled, GRETA_SIM_DEVICES="2")

    assert reach(True) == [0, 1]
    assert reach(False) == [ILLEGAL_ADDRESS, 0]


def access_in_the_other_direction(path: str) -> int:
    """Access was given to device 1, not to device 0."""
    word = device_memory(1, 4, 0)
    use(1)
    done(hip_library().hipDeviceEnablePeerAccess(0, 0))
    use(0)
    done(load(path).launch("set", word.address))
    return int(hip_library().hipDeviceSynchronize())


def test_peer_access_has_a_direction(code_object: str) -> None:
    code = answer_of(access_in_the_other_direction, code_object, GRETA_SIM_DEVICES="2")
    assert code == ILLEGAL_ADDRESS


def devices_are_independent() -> dict[str, bool]:
    hip = hip_library()
    own, foreign = device_memory(1, 64, 0), device_memory(0, 64, 0)
    use(0)
    with held(DEFAULT_STREAM):
        use(1)
        done(hip.hipMemsetAsync(own.address, 1, 64, DEFAULT_STREAM))
        done(hip.hipMemsetAsync(own.address, 1, 64, new_stream(BLOCKING)))
        done(hip.hipDeviceSynchronize())
        facts = {"default streams": own.byte == 1, "query": is_done(DEFAULT_STREAM)}
        own.free()  # waits for device 1 alone
        use(0)
        facts["still held"] = not is_done(DEFAULT_STREAM)
    with held(DEFAULT_STREAM) as hold:
        facts["free waits for the owner"] = waits_for(hold, foreign.free)
    return facts


def test_devices_do_not_wait_for_each_other() -> None:
    facts = answer_of(devices_are_independent, GRETA_SIM_DEVICES="2")
    assert all(facts.values()), facts


# --- launches and copies that wait


def launch_waits(path: str) -> bool:
    """Whether a launch returns only when the work before it, and so itself, is done."""
    kernels, stream, word = load(path), new_stream(), memory.device(4)
    with held(stream) as hold:
        launch = lambda: done(kernels.launch("nothing", word.address, stream=stream))  # noqa: E731
        return waits_for(hold, launch)


def launch_waits_for_itself(path: str) -> bool:
    """Whether a launch returns only when the kernel, which waits for the host, has ended."""
    kernels, stream, word = load(path), new_stream(), memory.pinned(4)
    word.fill(0)

    class Kernel:
        def release(self) -> None:
            word.fill(1)

    launch = lambda: done(kernels.launch("wait_for", word.address, stream=stream))  # noqa: E731
    waited = waits_for(Kernel(), launch)  # type: ignore[arg-type]
    synchronize(stream)
    return waited


@pytest.mark.parametrize(
    ("switches", "for_earlier_work", "for_itself"),
    [
        ({}, False, False),
        ({"HIP_LAUNCH_BLOCKING": "0"}, False, False),
        ({"HIP_LAUNCH_BLOCKING": "1"}, True, True),
        ({"AMD_SERIALIZE_KERNEL": "0"}, False, False),
        ({"AMD_SERIALIZE_KERNEL": "1"}, True, False),
        ({"AMD_SERIALIZE_KERNEL": "2"}, True, True),
        ({"AMD_SERIALIZE_KERNEL": "3"}, True, True),
        ({"AMD_SERIALIZE_COPY": "3"}, False, False),
    ],
    ids=str,
)
def test_what_a_launch_waits_for(
    switches: dict[str, str], for_earlier_work: bool, for_itself: bool, code_object: str
) -> None:
    assert answer_of(launch_waits, code_object, **switches) == for_earlier_work
    assert answer_of(launch_waits_for_itself, code_object, **switches) == for_itself


def copy_waits() -> bool:
    stream, src, dst = new_stream(), memory.pinned(64), memory.device(64)
    copy = (dst.address, src.address, 64, HOST_TO_DEVICE, stream)
    with held(stream) as hold:
        return waits_for(hold, lambda: done(hip_library().hipMemcpyAsync(*copy)))


@pytest.mark.parametrize(
    ("switches", "waits"),
    [
        ({}, False),
        ({"AMD_SERIALIZE_COPY": "0"}, False),
        ({"AMD_SERIALIZE_COPY": "1"}, True),
        ({"AMD_SERIALIZE_COPY": "2"}, True),
        ({"AMD_SERIALIZE_COPY": "3"}, True),
        ({"AMD_SERIALIZE_KERNEL": "3"}, False),
        ({"HIP_LAUNCH_BLOCKING": "1"}, False),
    ],
    ids=str,
)
def test_what_a_copy_waits_for(switches: dict[str, str], waits: bool) -> None:
    assert answer_of(copy_waits, **switches) == waits


# --- the log

LOG_LINE = re.compile(
    r":(?P<level>\d):"
    r"(?P<file>\w+\.cpp *):"
    r"(?P<line>\d+ *): "
    r"(?P<us>\d{10,}) us: "
    r"\[pid:(?P<pid>\d+) *tid: (?P<tid>0x[0-9a-f]+)\] "
    r"(?P<text>.*)"
)
CALLED = re.compile(r" (?P<call>hip\w+) \( (?P<arguments>.*) \)")
RETURNED = re.compile(r"(?P<call>hip\w+): Returned (?P<error>hip\w+) : ?(?P<value>[^:]*)")


def logged_program() -> None:
    hip = hip_library()
    pointer = ctypes.c_void_p()
    done(hip.hipMalloc(byref(pointer), 2 * MIB))
    done(hip.hipMemset(pointer, 7, 64))
    done(hip.hipMemcpyAsync(pointer, ctypes.create_string_buffer(64), 64, HOST_TO_DEVICE, None))
    assert hip.hipMalloc(None, 64) == 1
    done(hip.hipDeviceSynchronize())
    done(hip.hipFree(pointer))


def test_every_call_is_logged_in_amds_format() -> None:
    child = run_in_child(logged_program, AMD_LOG_LEVEL="3")
    assert child.returncode == 0, child.stderr
    lines = [LOG_LINE.fullmatch(line) for line in child.stderr.splitlines()]
    assert all(lines), child.stderr
    calls, results = [], []
    for line in filter(None, lines):
        assert line["level"] == "3"
        assert len(line["file"]) >= 25
        assert len(line["line"]) >= 4
        called, returned = CALLED.fullmatch(line["text"]), RETURNED.fullmatch(line["text"])
        assert called or returned, line["text"]
        if called:
            calls.append((line["file"].strip(), called["call"], called["arguments"]))
        if returned:
            results.append((returned["call"], returned["error"]))
    hexadecimal = r"0x[0-9a-f]+"
    expected_calls = [
        ("hip_memory.cpp", "hipMalloc", rf"{hexadecimal}, 2097152"),
        ("hip_memory.cpp", "hipMemset", rf"{hexadecimal}, 7, 64"),
        (
            "hip_memory.cpp",
            "hipMemcpyAsync",
            rf"{hexadecimal}, {hexadecimal}, 64, hipMemcpyHostToDevice, stream:<null>",
        ),
        ("hip_memory.cpp", "hipMalloc", r"char array:<null>, 64"),
        ("hip_device_runtime.cpp|hip_device.cpp", "hipDeviceSynchronize", r" *"),
        ("hip_memory.cpp", "hipFree", hexadecimal),
    ]
    assert len(calls) == len(expected_calls)
    for seen, wanted in zip(calls, expected_calls, strict=True):
        assert all(re.fullmatch(w, s) for s, w in zip(seen, wanted, strict=True)), (seen, wanted)
    assert results == [
        ("hipMalloc", "hipSuccess"),
        ("hipMemset", "hipSuccess"),
        ("hipMemcpyAsync", "hipSuccess"),
        ("hipMalloc", "hipErrorInvalidValue"),
        ("hipDeviceSynchronize", "hipSuccess"),
        ("hipFree", "hipSuccess"),
    ]


def test_the_log_is_silent_unless_asked_for() -> None:
    assert run_in_child(logged_program).stderr == ""
    assert run_in_child(logged_program, AMD_LOG_LEVEL="2").stderr == ""


# --- how much memory the device has


def memory_info() -> tuple[int, int]:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    done(hip_library().hipMemGetInfo(byref(free), byref(total)))
    return free.value, total.value


def fill_the_device() -> dict[str, Any]:
    hip, pointer = hip_library(), ctypes.c_void_p()
    facts: dict[str, Any] = {"at first": memory_info()}
    first = memory.device(40 * MIB)
    facts["after 40 MiB"] = memory_info()
    facts["another 40 MiB"] = hip.hipMalloc(byref(pointer), 40 * MIB)
    facts["from the pool"] = hip.hipMallocAsync(byref(pointer), 40 * MIB, None)
    facts["no room"] = hip.hipMalloc(byref(pointer), 24 * MIB + 1)
    second = memory.device(24 * MIB)
    facts["full"] = memory_info()
    facts["one byte"] = hip.hipMalloc(byref(pointer), 1)
    first.free()
    facts["after a free"] = memory_info()
    third = memory.device(40 * MIB)
    second.free()
    third.free()
    facts["at last"] = memory_info()
    facts["too much"] = hip.hipMalloc(byref(pointer), 65 * MIB)
    facts["far too much"] = hip.hipMalloc(byref(pointer), 2**63)
    return facts


def test_past_the_devices_memory_allocation_fails() -> None:
    facts = answer_of(fill_the_device, GRETA_SIM_VRAM="64M")
    assert facts == {
        "at first": [64 * MIB, 64 * MIB],
        "after 40 MiB": [24 * MIB, 64 * MIB],
        "another 40 MiB": OUT_OF_MEMORY,
        "from the pool": OUT_OF_MEMORY,
        "no room": OUT_OF_MEMORY,
        "full": [0, 64 * MIB],
        "one byte": OUT_OF_MEMORY,
        "after a free": [40 * MIB, 64 * MIB],
        "at last": [64 * MIB, 64 * MIB],
        "too much": OUT_OF_MEMORY,
        "far too much": OUT_OF_MEMORY,
    }


def resident() -> int:
    """Bytes of host memory that this process really has."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


def host_memory_used() -> list[int]:
    hip = hip_library()
    memory.device(64).free()
    start = resident()
    blocks = [memory.device(8 << 30) for _ in range(12)]
    allocated = resident()
    done(hip.hipMemset(blocks[5].address + (3 << 30), 1, 32 * MIB))
    touched = resident()
    for block in blocks:
        block.free()
    return [value - start for value in (allocated, touched, resident())]


def test_host_memory_is_used_only_for_what_is_touched() -> None:
    """96 GiB are allocated, more than most hosts have, and 32 MiB of them written."""
    slack = 8 * MIB
    allocated, touched, freed = answer_of(host_memory_used, GRETA_SIM_VRAM="128G")
    assert allocated < slack
    assert 32 * MIB <= touched < 32 * MIB + slack
    assert freed < slack
