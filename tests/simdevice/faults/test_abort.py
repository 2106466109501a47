"""What the device prints when it faults; HIP_SKIP_ABORT_ON_GPU_ERROR=0 makes it abort, too."""

from __future__ import annotations

import re
import signal

import pytest

from tests.simdevice import memory
from tests.simdevice.child import Child, run_in_child
from tests.simdevice.faults.kernels import load
from tests.simdevice.faults.staging import NULL_PAGE, READ, WRITE
from tests.simdevice.library import done, hip_library
from tests.simdevice.streams import NON_BLOCKING, new_stream

MEMORY_FAULT = re.compile(
    r"Memory access fault by GPU node-(?P<node>\d+) \(Agent handle: (?P<agent>0x[0-9a-f]+)\) "
    r"on address (?P<address>0x[0-9a-f]+|\(nil\))(?P<exact>\(may not be exact address\))?\. "
    r"Reason: (?P<reason>Page not present or supervisor privilege"
    r"|Write access to a read-only page|Unknown)\."
)
LOGGED_FAULT = re.compile(
    r":0:rocdevice\.cpp {12}:\d+ *: \d{10,} us:  Memory Fault Error \[host: [^,]+, "
    r"GPU index: (?P<device>\d+), faulting addr: (?P<address>0x[0-9a-f]+), "
    r"kernel: (?P<kernel>\w*)\]"
)
QUEUE_ERROR = re.compile(
    r":0:rocdevice\.cpp {12}:\d+ *: \d{10,} us:  Callback: Queue 0x[0-9a-f]+ "
    r"aborting with error : HSA_STATUS_ERROR_\w+: [^:]+ code: 0x[0-9a-f]+"
)


def fault_at(path: str, offset: int, write: int) -> None:
    """Prints the address it is going to touch, in case it is the last thing it does."""
    kernels, block = load(path), memory.device(64)
    print(block.address + offset, flush=True)
    done(kernels.launch("access", block.address, offset, 1, write))
    hip_library().hipDeviceSynchronize()


def fault_null(path: str) -> None:
    done(load(path).launch("access", 0, NULL_PAGE, 4, WRITE))
    hip_library().hipDeviceSynchronize()


def trap(path: str) -> None:
    done(load(path).launch("trap", 0))
    hip_library().hipDeviceSynchronize()


def aborting(function: object, *arguments: object, **variables: str) -> Child:
    child = run_in_child(
        function,  # type: ignore[arg-type]
        *arguments,
        HIP_SKIP_ABORT_ON_GPU_ERROR="0",
        **variables,
    )
    assert child.returncode == -signal.SIGABRT, child
    return child


@pytest.mark.parametrize("write", [READ, WRITE], ids=["read", "write"])
@pytest.mark.parametrize("offset", [-1, 65536, 65536 + 4097])
def test_a_memory_fault_prints_amds_line_and_aborts(
    offset: int, write: int, code_object: str
) -> None:
    child = aborting(fault_at, code_object, offset, write)
    (line,) = child.stderr.splitlines()
    match = MEMORY_FAULT.fullmatch(line)
    assert match, line
    assert match["node"] == "1"
    page = int(child.stdout) & ~0xFFF
    assert int(match["address"], 0) == page


def test_a_null_page_is_printed_as_amd_prints_it(code_object: str) -> None:
    (line,) = aborting(fault_null, code_object).stderr.splitlines()
    match = MEMORY_FAULT.fullmatch(line)
    assert match, line
    assert match["address"] == "(nil)"


def test_a_trap_prints_the_queues_line_and_aborts(code_object: str) -> None:
    (line,) = aborting(trap, code_object).stderr.splitlines()
    assert QUEUE_ERROR.fullmatch(line), line


def fault_on_second_device(path: str) -> None:
    done(hip_library().hipSetDevice(1))
    done(load(path).launch("access", 0, NULL_PAGE, 4, WRITE, stream=new_stream(NON_BLOCKING)))
    hip_library().hipDeviceSynchronize()


def test_the_node_is_that_of_the_device(code_object: str) -> None:
    child = aborting(fault_on_second_device, code_object, GRETA_SIM_DEVICES="2")
    match = MEMORY_FAULT.fullmatch(child.stderr.strip())
    assert match, child.stderr
    assert match["node"] == "2"


# --- by default the process lives


@pytest.mark.parametrize("switch", [{}, {"HIP_SKIP_ABORT_ON_GPU_ERROR": "1"}], ids=str)
def test_a_memory_fault_is_logged_as_hip_logs_it(switch: dict[str, str], code_object: str) -> None:
    child = run_in_child(fault_at, code_object, -1, WRITE, **switch)
    assert (child.returncode, child.answered) == (0, True)
    match = LOGGED_FAULT.fullmatch(child.stderr.strip())
    assert match, child.stderr
    assert (match["device"], match["kernel"]) == ("0", "access")
    assert int(match["address"], 0) == int(child.stdout.split()[0]) & ~0xFFF


def test_a_trap_is_logged_as_hip_logs_it(code_object: str) -> None:
    child = run_in_child(trap, code_object)
    assert (child.returncode, child.answered) == (0, True)
    assert QUEUE_ERROR.fullmatch(child.stderr.strip()), child.stderr
