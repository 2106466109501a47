"""The ROCr debug agent's output, in the words of its user guide and of its source."""

from __future__ import annotations

import pytest

from greta.trace.evidence import DeviceFault
from tests.trace.logs.judged import verdict_on
from tests.trace.logs.mutants import hold_for_all
from tests.trace.logs.reading import Logs

ENTRY = "kernel_code_entry=0x7fd4f100d000 <{kernel}>, kernargs=0x7fd5f5180000"
EVENT = """\
System event (HSA_AMD_GPU_MEMORY_FAULT_EVENT: page not present or supervisor privilege, write \
access to a read-only page)
Faulting page: 0x7fbe4cc01000

"""
REGISTERS = """\

system registers:
            m0: 00000000        status: 00012461       trapsts: 20000000          mode: 000003c0
          exec: 0000000000000001           vcc: 0000000000000000

scalar registers:
            s0: f520c000            s1: 00007fd5            s2: 00000000            s3: 00ea4fac

vector registers:
            v0: [0] 00000000 [1] f1002004 [2] f1002008 [3] f100200c
            v1: [0] 00000000 [1] 00007fd4 [2] 00007fd4 [3] 00007fd4

Local memory content (512 bytes):
    0x0000: 22222222 11111111 22222222 11111111 22222222 11111111 22222222 11111111

Global memory (kernarg segment, 16 bytes):
    0x7fd5f5180000: 4cc00000 00007fbe 00000400 00000000
"""
CODE = """\

Disassembly for function {kernel}:
    code object: file:///work/program#offset=14309&size=31336
    loaded at: [0x7fd4f100c000-0x7fd4f100e070]

/work/kernels/rope.hip:
54          const int i = blockIdx.x * blockDim.x + threadIdx.x;
    ...
    0x7fd4f100d0c4 <+196>:    s_waitcnt vmcnt(0) lgkmcnt(0)

55          out[i] = in[i] * angle;
 => 0x7fd4f100d0e8 <+232>:    global_store_dword v[0:1], v2, off
    0x7fd4f100d0ec <+236>:    s_endpgm

End of disassembly.
"""
ROPE = "rope(float*, float const*, int)"


def wave(
    number: int = 1, reason: str = "MEMORY_VIOLATION", kernel: str = ROPE, entry: bool = True
) -> str:
    """A dump; agents before ROCm 6 do not say the kernel's entry."""
    known = f" ({ENTRY.format(kernel=kernel)})" if entry else ""
    state = f"stopped, reason: {reason}" if reason else "running"
    head = f"wave_{number}: pc=0x7fd4f100d0e8{known} ({state})\n"
    return f"{'-' * 56}\n{head}{REGISTERS}{CODE.format(kernel=kernel)}\n"


def faults(logs: Logs, text: str) -> tuple[DeviceFault, ...]:
    return logs.one(text).faults


@pytest.mark.parametrize("entry", [True, False])
def test_page_kernel_reason_and_line_are_one_fault(logs: Logs, entry: bool) -> None:
    (fault,) = faults(logs, EVENT + wave(1, entry=entry) + wave(2, entry=entry))
    assert (fault.source, fault.address, fault.exact) == ("debug_agent", 0x7FBE4CC01000, False)
    assert (fault.kernel, fault.place) == (ROPE, ("/work/kernels/rope.hip", 55))
    assert "page not present" in (fault.reason or "")


def test_what_stopped_and_where_is_told(logs: Logs) -> None:
    (message,) = logs.one(EVENT + wave(1) + wave(2)).messages
    assert message.text.endswith(
        "pc 0x7fd4f100d0e8 at /work/kernels/rope.hip:55: global_store_dword v[0:1], v2, off"
    )


def test_waves_of_two_kernels_do_not_tell_whose_page_it_is(logs: Logs) -> None:
    found = faults(logs, EVENT + wave(1) + wave(2, kernel="softmax(float*)"))
    assert [one.kernel for one in found] == [None, ROPE, "softmax(float*)"]
    assert [one.address for one in found] == [0x7FBE4CC01000, None, None]


def test_newer_agents_do_not_say_the_page(logs: Logs) -> None:
    (fault,) = faults(logs, wave())
    assert (fault.address, fault.kernel) == (None, ROPE)


@pytest.mark.parametrize("reason", ["ASSERT_TRAP", "ILLEGAL_INSTRUCTION", "INT_DIVIDE_BY_0"])
def test_other_reasons(logs: Logs, reason: str) -> None:
    queue = "Queue error (HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a fault.)"
    (fault,) = faults(logs, f"{queue}\n\n{wave(reason=reason)}")
    assert (fault.kernel, fault.address) == (ROPE, None)
    (alone,) = faults(logs, wave(reason=f"{reason}|NONE"))
    assert reason in (alone.reason or "")


@pytest.mark.parametrize("reason", ["", "DEBUG_TRAP", "NONE"])
def test_waves_that_only_run_are_no_fault(logs: Logs, reason: str) -> None:
    """As SIGQUIT and --all print them: the twin of a fault."""
    evidence = logs.one(wave(1, reason) + wave(2, reason))
    assert (evidence.faults, evidence.messages) == ((), ())
    assert verdict_on([evidence])["verdict"] == "INCONCLUSIVE"


def test_a_line_that_is_cut(logs: Logs) -> None:
    assert faults(logs, EVENT + "wave_1: pc=0x7fd4f1") == faults(logs, EVENT)
    assert faults(logs, EVENT.rstrip()[:-4])[0].address is None


def test_mutants(logs: Logs) -> None:
    text = (EVENT + wave(1) + wave(2, "ASSERT_TRAP", "softmax(float*)", entry=False)).encode()
    assert hold_for_all(lambda data: logs.write(data), text, seed=2) > 0


@pytest.mark.parametrize(
    "prefix", ["[rank0]: ", "worker-1  | ", "2026-11-18T02:11:23.4Z stderr F "]
)
def test_a_launcher_may_put_something_before_each_line(logs: Logs, prefix: str) -> None:
    plain = f"{EVENT}{wave()}"
    (alone,) = logs.one(plain).faults
    (fault,) = logs.one("".join(f"{prefix}{line}\n" for line in plain.splitlines())).faults
    told = (fault.address, fault.kernel, fault.place, fault.reason)
    assert told == (alone.address, alone.kernel, alone.place, alone.reason)
