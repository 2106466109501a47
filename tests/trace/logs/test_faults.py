"""Faults as ROCr, the HIP runtime and the kernel report them."""

from __future__ import annotations

import pytest

from greta.errors import UsageError
from greta.trace.trace import Gap
from tests.trace.logs.judged import verdict_on
from tests.trace.logs.reading import Logs

ROCR = (
    "Memory access fault by GPU node-{node} (Agent handle: 0x152e220) on address {address}{more}. "
    "Reason: {reason}.\n"
)
REASONS = (
    "Page not present or supervisor privilege",
    "Write access to a read-only page",
    "Execute access to a page marked NX",
    "Host access only",
    "DRAM ECC failure",
    "SRAM ECC failure",
    "Generic hang recovery",
    "Unknown",
)
DMESG = """\
[12345.678901] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:40 vmid:8 pasid:32781)
[12345.678910] amdgpu 0000:03:00.0: amdgpu:  in process python3 pid 5748 thread python3 pid 5748)
[12345.678920] amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x0000796073ed4000 from client 10
[12345.678930] amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00841051
[12345.678940] amdgpu 0000:03:00.0: amdgpu: \t Faulty UTCL2 client ID: TCP (0x8)
[12345.678950] amdgpu 0000:03:00.0: amdgpu: \t RW: 0x1
"""  # noqa: E501
QUEUE = """\
:0:rocdevice.cpp            :3676: 386051038082 us:  Callback: Queue 0x7387a8e00000 aborting with error : HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: The agent attempted to execute an illegal shader instruction. code: 0x2a
Kernel Name: Cijk_Ailk_Bljk_BBS_BH_MT128x96x32_SN
VGPU=0x3279ee90 SWq=0x738a0ff8c000, HWq=0x7387a8e00000, id=1
\tDispatch Header = 0xb02 (type=2, barrier=1, acquire=1, release=1), setup=0
\tgrid=[27136, 46, 1], workgroup=[256, 1, 1]
\tkernel_obj=0x73878fb1de80, kernarg_address=0x0x7387a8c00000
"""  # noqa: E501


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("more", ["", "(may not be exact address)"])
def test_rocr_names_address_and_reason(logs: Logs, reason: str, more: str) -> None:
    line = ROCR.format(node=4, address="0x7f0010000000", more=more, reason=reason)
    (fault,) = logs.one(line).faults
    assert (fault.source, fault.address, fault.reason) == ("rocr", 0x7F0010000000, reason)
    assert not fault.exact


def test_rocr_may_fault_at_null(logs: Logs) -> None:
    (fault,) = logs.one(ROCR.format(node=4, address="(nil)", more="", reason="Unknown")).faults
    assert fault.address == 0


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("MMU fault: 0x7F0010000000 | NotPresent=1 ReadOnly=0 NoExecute=0 imprecise=0", 1),
        ("RuntimeError: MMU fault: 0x7F0010000000 | NotPresent=0 ReadOnly=1", 1),
        ("HW fault: reset_type=0 reset_cause=1 memory_lost=0 gpu_id=4131", None),
    ],
)
def test_tinygrad_reads_the_faults_itself(logs: Logs, line: str, address: int | None) -> None:
    (fault,) = logs.one(f"Wait timeout: 30000 ms! (the signal is not set)\n{line}\n").faults
    assert fault.address == (address and 0x7F0010000000)
    assert (fault.reason or "").endswith(line[-9:])


def test_its_words_for_other_devices_are_no_fault_of_amds(logs: Logs) -> None:
    with pytest.raises(UsageError):
        logs.read("MMU fault: 0x7F0010000000 | FAULT_PDE | ACCESS_TYPE_VIRT_READ\n")


def test_a_cut_address_is_no_address(logs: Logs) -> None:
    line = "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x7f00"
    (fault,) = logs.one(line).faults
    assert fault.address is None


def test_a_hang_has_no_address(logs: Logs) -> None:
    (fault,) = logs.one(
        "HW Exception by GPU node-4 (Agent handle: 0x1ebc04e0) reason :GPU Hang\n"
    ).faults
    assert (fault.address, fault.reason) == (None, "GPU Hang")


def test_a_log_with_nothing_but_a_fault_knows_no_operation(logs: Logs) -> None:
    trace = logs.one(ROCR.format(node=1, address="0x7f00", more="", reason="Unknown")).trace
    assert len(trace.operations) == 0
    assert set(trace.gaps) == {Gap.NO_RECORDING}


@pytest.mark.parametrize("host", ["host: vm, ", ""])
@pytest.mark.parametrize("kernel", ["over", "void k<int[4], a>(float*, int)"])
def test_the_runtime_names_the_kernel(logs: Logs, host: str, kernel: str) -> None:
    (fault,) = logs.one(
        f":0:rocdevice.cpp    :3678: 11343484349 us:  Memory Fault Error [{host}GPU index: 0, "
        f"faulting addr: 0x7f7d37c00000, kernel: {kernel}]\n"
    ).faults
    assert (fault.address, fault.kernel) == (0x7F7D37C00000, kernel)
    assert fault.time == pytest.approx(11343.484349)


def test_a_queue_dump_belongs_to_its_abort(logs: Logs) -> None:
    (fault,) = logs.one(QUEUE).faults
    assert fault.source == "queue"
    assert fault.kernel == "Cijk_Ailk_Bljk_BBS_BH_MT128x96x32_SN"
    assert (fault.reason or "").startswith("HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION")


def test_the_kernels_log_has_process_address_and_time(logs: Logs) -> None:
    evidence = logs.one(DMESG)
    (fault,) = evidence.faults
    assert (fault.pid, fault.address) == (5748, 0x796073ED4000)
    assert fault.time == pytest.approx(12345.678901)
    assert fault.reason == "page fault of python3 while writing (status 0x00841051)"
    assert evidence.trace.pid == 5748


def test_an_older_generation_says_it_in_one_line(logs: Logs) -> None:
    (fault,) = logs.one(
        "kernel: amdgpu 0000:43:00.0: [mmhub0] no-retry page fault (src_id:0 ring:24 vmid:8 "
        "pasid:31, for process app pid 77 thread app pid 78)\n"
        "kernel: amdgpu 0000:43:00.0:   in page starting at address 0x00007f6600000000 from IH\n"
        "kernel: amdgpu 0000:43:00.0: VM_L2_PROTECTION_FAULT_STATUS:0x00301031\n"
    ).faults
    assert (fault.pid, fault.address) == (77, 0x7F6600000000)


def test_two_devices_at_once_are_told_apart(logs: Logs) -> None:
    def lines(pci: str, pid: int, page: int) -> list[str]:
        return [
            f"amdgpu {pci}: amdgpu: [gfxhub] page fault (src_id:0 ring:40 vmid:8 pasid:1)\n",
            f"amdgpu {pci}: amdgpu:  in process x pid {pid} thread x pid {pid})\n",
            f"amdgpu {pci}: amdgpu:   in page starting at address {page:#018x} from client 10\n",
        ]

    one, two = lines("0000:03:00.0", 11, 0x7000), lines("0000:04:00.0", 12, 0x8000)
    mixed = "".join(line for pair in zip(one, two, strict=True) for line in pair)
    found = {fault.pid: fault.address for one in logs.read(mixed) for fault in one.faults}
    assert found == {11: 0x7000, 12: 0x8000}


@pytest.mark.parametrize(
    ("line", "reason", "pid"),
    [
        (
            ":0:rocdevice.cpp :2589: 1093018268353 us: Device::callbackQueue aborting with error : "
            "HSA_STATUS_ERROR_MEMORY_FAULT: Agent attempted to access an inaccessible address.",
            "HSA_STATUS_ERROR_MEMORY_FAULT",
            None,
        ),
        (
            ":0:rocdevice.cpp :2660: 298664195650 us: 16441: [tid:0x7fff] Device::callbackQueue "
            "aborting with error : HSA_STATUS_ERROR_OUT_OF_REGISTERS: code: 0x2d",
            "HSA_STATUS_ERROR_OUT_OF_REGISTERS",
            16441,
        ),
        (
            ":0:rocdevice.cpp :2303: 768423197593 us: "
            "Device::callbackQueue aborting with status: 0x100f",
            "status: 0x100f",
            None,
        ),
    ],
)
def test_older_runtimes_on_a_queue_that_stops(
    logs: Logs, line: str, reason: str, pid: int | None
) -> None:
    (fault,) = logs.one(f"{line}\n").faults
    assert (fault.source, (fault.reason or "").split(": A")[0].split(": code")[0], fault.pid) == (
        "queue",
        reason,
        pid,
    )


def test_rocr_on_memory_that_is_in_use(logs: Logs) -> None:
    line = (
        "Memory critical error by agent node-0 (Agent handle: 0x56) on address 0x7f189722f000. "
        "Reason: Memory in use. \n"
    )
    (fault,) = logs.one(line).faults
    assert (fault.address, fault.reason) == (0x7F189722F000, "Memory in use")


FAULT_OF_A_SPACE = "amdgpu 0000:65:00.0: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:{})\n"


@pytest.mark.parametrize(("space", "processes"), [(200, {7304}), (201, {7304, None})])
def test_the_kernel_does_not_name_the_process_with_every_fault(
    logs: Logs, space: int, processes: set[int | None]
) -> None:
    named = "amdgpu 0000:65:00.0:  Process app pid 7304 thread app pid 7304\n"
    fault = FAULT_OF_A_SPACE.format(space)
    text = fault + FAULT_OF_A_SPACE.format(200) + named + fault
    assert {fault.pid for one in logs.read(text) for fault in one.faults} == processes


@pytest.mark.parametrize(
    ("before", "between", "device", "pid", "expected"),
    [
        ("", "step\n" * 9, "65", 7304, 7304),
        ("", "step\n" * 30, "65", 7304, None),
        ("", "", "66", 7304, None),
        ("", "", "65", 0, None),
        # Times are surer than lines: address spaces are used again.
        ("[{}.5] ", "step\n" * 30, "65", 7304, 7304),
        ("[{}.5] ", "", "65", 7304, 7304),
        ("[{}9.5] ", "", "65", 7304, None),
    ],
)
@pytest.mark.parametrize("is_named_first", [True, False])
def test_a_process_is_known_by_its_address_space_for_a_while(
    logs: Logs,
    before: str,
    between: str,
    device: str,
    pid: int,
    expected: int | None,
    is_named_first: bool,
) -> None:
    fault = FAULT_OF_A_SPACE.format(200)
    named = fault + f"amdgpu 0000:65:00.0:  Process app pid {pid} thread app pid {pid}\n"
    other = fault.replace("0000:65", f"0000:{device}")
    first, second = (named, other) if is_named_first else (other, named)
    text = before.format(1) + first + between + before.format(2) + second
    faults = [fault for one in logs.read(text) for fault in one.faults]
    assert {fault.pid for fault in faults} == {pid or None, expected}


def test_two_processes_near_a_fault_leave_it_unnamed(logs: Logs) -> None:
    fault = FAULT_OF_A_SPACE.format(200)
    named = fault + "amdgpu 0000:65:00.0:  Process app pid {0} thread app pid {0}\n"
    found = logs.read(named.format(7) + fault + named.format(8))
    assert {fault.pid for one in found for fault in one.faults} == {7, 8, None}


BY_AOMP = "[GPU Memory Error] Addr: 0x4100000000 Reason: No Idea!\n"


@pytest.mark.parametrize("more", ["", ROCR.format(node=1, address="0x41", more="", reason="x")])
def test_what_openmp_says_before_rocr_is_no_second_fault(logs: Logs, more: str) -> None:
    (fault,) = logs.one(BY_AOMP + more).faults
    assert fault.address == (0x41 if more else 0x4100000000)


@pytest.mark.parametrize(
    ("text", "address", "reason"),
    [
        (
            "at GPU Node: 2\nAddress: 0x12345xxx (page not present;)\n",
            0x12345000,
            "page not present",
        ),
        ("by GPU agent: AMD gfx900\nNode: 1\nAddress: 0x1502F3Cxxx\n", 0x1502F3C000, None),
        ("at GPU Node: 2\n", None, None),
        ("at GPU Node: 2\nstep\nstep\nstep\nAddress: 0x12345xxx (of a book)\n", None, None),
    ],
)
def test_the_debug_agent_of_old_releases(
    logs: Logs, text: str, address: int | None, reason: str | None
) -> None:
    (fault,) = logs.one(f"Memory access fault {text}").faults
    assert (fault.address, fault.reason) == (address, reason)


def test_the_offloading_runtime_of_llvm(logs: Logs) -> None:
    line = (
        "AMDGPU fatal error 1: Memory access fault by GPU 4 (agent 0x55d1) at virtual address "
        "0x7f1a20000000. Reasons: Page not present or supervisor privilege\n"
    )
    (fault,) = logs.one(line).faults
    assert fault.address == 0x7F1A20000000
    assert fault.reason == "Page not present or supervisor privilege"


RING = """\
[127033.279661] amdgpu 0000:c5:00.0: amdgpu: ring comp_1.0.0 timeout, signaled seq=266, emitted seq=267
[127033.279667] amdgpu 0000:c5:00.0: amdgpu:  Process a.out pid 1048641 thread a.out pid 1048662
[127035.492304] amdgpu 0000:c5:00.0: amdgpu: GPU reset begin!
[127037.807536] amdgpu 0000:c5:00.0: amdgpu: GPU reset succeeded, trying to resume
"""  # noqa: E501
OLD_RING = """\
[  100.1] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=18, emitted seq=19
[  100.2] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: process a.out pid 21089 thread a.out:cs0 pid 21100
[  100.3] amdgpu 0000:04:00.0: amdgpu: GPU reset begin!
"""  # noqa: E501


@pytest.mark.parametrize(
    ("text", "reason", "pid"),
    [
        (RING, "ring comp_1.0.0 timeout", 1048641),
        (OLD_RING, "ring gfx timeout", 21089),
        ("[ 5.1] amdgpu: sq_intr: error, se 1, sh 0, wave_id 1, err_type 2\n", "sq_intr", None),
        (
            "[ 5.1] amdgpu 0000:04:00.0: amdgpu: qcm fence wait loop timeout expired\n",
            "qcm f",
            None,
        ),
        (
            "[ 5.1] amdgpu 0000:04:00.0: amdgpu: MES might be in unrecoverable state\n",
            "MES m",
            None,
        ),
        ("[ 5.1] amdgpu: Failed to evict process queues\n", "Failed to evict", None),
        ("[ 5.1] amdgpu 0000:04:00.0: amdgpu: Failed to evict queue 3\n", "Failed to ev", None),
        (DMESG + RING.splitlines()[2].replace("c5", "03"), "page fault of python3", 5748),
    ],
)
def test_a_ring_that_stops_is_one_fault_with_the_reset_after_it(
    logs: Logs, text: str, reason: str, pid: int | None
) -> None:
    (fault,) = logs.one(text).faults
    assert (fault.source, fault.pid) == ("dmesg", pid)
    assert (fault.reason or "").startswith(reason)


@pytest.mark.parametrize(
    "text",
    [
        "ring gfx_0.0.0 uses VM inv eng 0 on hub 0",
        # The driver resets a GPU for others as well, and when the machine wakes up.
        "GPU reset begin!",
        "MODE1 reset",
        "GPU reset(1) succeeded!",
    ],
)
def test_lines_of_a_start_and_of_a_reset_are_no_fault(logs: Logs, text: str) -> None:
    with pytest.raises(UsageError):
        logs.one(f"[ 3.2] amdgpu 0000:03:00.0: amdgpu: {text}\n")


SIGNAL = 'Thread 6 "a.out" received signal SIGSEGV, Segmentation fault.\n'
LANE = "[Switching to thread 6, lane 0 (AMDGPU Lane 1:2:1:1/0 (0,0,0)[0,0,0])]\n"
STOPPED_AT = "0x00007ffff7e7d0e8 in {kernel} (x=0x7ffe00000000, n=128) at rope.hip:41\n"


@pytest.mark.parametrize("kernel", ["rope_q", "ns::rope<float, 4>", "void rope<int>(int*)"])
def test_rocgdb_names_the_kernel_whose_wave_got_a_signal(logs: Logs, kernel: str) -> None:
    text = f"(gdb) run\n{SIGNAL}{LANE}{STOPPED_AT.format(kernel=kernel)}(gdb) bt\n"
    (fault,) = logs.one(text).faults
    told = (fault.source, fault.kernel, fault.reason, fault.place)
    assert told == ("rocgdb", kernel, "SIGSEGV", ("rope.hip", 41))
    verdict = verdict_on(logs.read(text))
    assert (verdict["verdict"], verdict["cause"]) == ("REPRODUCED", None)


@pytest.mark.parametrize(
    "text",
    [
        f"{SIGNAL}{STOPPED_AT.format(kernel='main')}",
        f'{LANE}Thread 6 "a.out" hit Breakpoint 1, {STOPPED_AT.format(kernel="rope_q")}',
        f"{SIGNAL.replace('SIGSEGV', 'SIGINT')}{LANE}{STOPPED_AT.format(kernel='rope_q')}",
    ],
)
def test_a_thread_of_the_host_and_a_breakpoint_are_no_fault_of_the_device(
    logs: Logs, text: str
) -> None:
    with pytest.raises(UsageError):
        logs.one(text)
