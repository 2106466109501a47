"""What the simulated device tells the recorder: footprints, faults, damage, unwritten bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path, PurePath

import pytest

from greta.recording import DeviceNote, Footprint, Process
from greta.symbols.sites import line_in
from tests.recorder.conftest import Record

HEAD = """
import numpy as np
from greta.hip import Buffer, Graph, HipError, Module, Stream, synchronize
SOURCE = '''
extern "C" __global__ void every_other(float* to, const float* from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[2 * i] = from[i] + 1;
}
extern "C" __global__ void add(float* v) { v[threadIdx.x] += 1; }
extern "C" __global__ void histogram(int* bins) { atomicAdd(&bins[threadIdx.x % 4], 1); }
extern "C" __global__ void follow(float** table, int which) { table[which][3] = 1; }
__device__ int counter;
extern "C" __global__ void count() { counter = 1; }
extern "C" __global__ void shared_only(int* to) {
  __shared__ int all[64];
  all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) to[0] = all[63];
}
'''
module = Module.compile(SOURCE)
"""

Notes = Callable[..., Process]


@pytest.fixture
def noted(record: Record, tmp_path: Path) -> Notes:
    """Runs a script that has the kernels above; gives its process."""

    def run(body: str, *, footprints: bool = True, **variables: str) -> Process:
        script = tmp_path / "program.py"
        script.write_text(HEAD + body)
        asked = {"GRETA_SIM_FOOTPRINTS": "1"} if footprints else {}
        (process,) = record([sys.executable, script], **{**asked, **variables})
        return process

    return run


def only(process: Process) -> Footprint:
    (footprint,) = process.footprints()
    return footprint


def allocated(process: Process) -> list[int]:
    return [one.handle for one in process.allocations()]


def test_a_footprint_is_exact(noted: Notes) -> None:
    process = noted("""
to, from_ = Buffer(8000), Buffer(4000)
module.kernel("every_other")(4, 256, to, from_, np.int32(1000))
synchronize()
""")
    to, from_ = allocated(process)
    footprint = only(process)
    assert footprint.complete
    assert footprint.kernel == "every_other"
    assert footprint.read.ranges().tolist() == [[from_, from_ + 4000]]
    assert footprint.written.ranges().tolist() == [
        [to + 8 * i, to + 8 * i + 4] for i in range(1000)
    ]
    assert not footprint.atomic
    assert footprint.seq is not None
    assert process.event(footprint.seq).call == "hipModuleLaunchKernel"
    assert process.problems == []


def test_a_place_that_is_read_and_written_is_in_both(noted: Notes) -> None:
    process = noted("""
v = Buffer(256)
module.kernel("add")(1, 64, v)
synchronize()
""")
    (v,) = allocated(process)
    assert only(process).read.ranges().tolist() == [[v, v + 256]]
    assert only(process).written.ranges().tolist() == [[v, v + 256]]


def test_atomic_updates_are_no_writes(noted: Notes) -> None:
    process = noted("""
bins = Buffer(64)
module.kernel("histogram")(8, 64, bins)
synchronize()
""")
    (bins,) = allocated(process)
    footprint = only(process)
    assert footprint.atomic.ranges().tolist() == [[bins, bins + 16]]
    assert not footprint.read
    assert not footprint.written


def test_memory_behind_a_pointer_in_memory(noted: Notes) -> None:
    process = noted("""
table, target = Buffer(16), Buffer(64)
table.copy_from(np.array([0, target.address], np.uint64))
module.kernel("follow")(1, 1, table, np.int32(1))
synchronize()
""")
    table, target = allocated(process)
    assert only(process).read.ranges().tolist() == [[table + 8, table + 16]]
    assert only(process).written.ranges().tolist() == [[target + 12, target + 16]]


def test_shared_memory_arguments_and_the_stack_are_not_in_it(noted: Notes) -> None:
    process = noted("""
to = Buffer(64)
module.kernel("shared_only")(1, 64, to)
synchronize()
""")
    (to,) = allocated(process)
    assert only(process).written.ranges().tolist() == [[to, to + 4]]
    assert not only(process).read


def test_variables_of_a_module_are_in_it(noted: Notes) -> None:
    process = noted('module.kernel("count")(1, 1)\nsynchronize()')
    ((begin, end),) = only(process).written.ranges().tolist()
    assert end - begin == 4


def test_kernels_of_a_graph_name_the_launch_and_their_node(noted: Notes) -> None:
    process = noted("""
v, w = Buffer(256), Buffer(256)
stream = Stream()
with Graph.capture(stream) as graph:
    module.kernel("add")(1, 64, v, stream=stream)
    module.kernel("add")(1, 32, w, stream=stream)
ready = graph.instantiate()
ready.launch(stream)
ready.launch(stream)
stream.synchronize()
""")
    v, w = allocated(process)
    footprints = process.footprints()
    launches = [e.seq for e in process.events() if e.call == "hipGraphLaunch"]
    nodes = [e.seq for e in process.events() if e.call == "hipModuleLaunchKernel"]
    assert [f.seq for f in footprints] == [launches[0], launches[0], launches[1], launches[1]]
    assert [f.node_seq for f in footprints] == [*nodes, *nodes]
    written = [f.written.ranges().tolist() for f in footprints]
    assert written == [[[v, v + 256]], [[w, w + 128]]] * 2


def test_two_streams_at_once_are_kept_apart(noted: Notes) -> None:
    process = noted("""
v = Buffer(4096)
streams = [Stream(), Stream()]
for turn in range(50):
    for half, stream in enumerate(streams):
        module.kernel("add")(1, 64, v.view(2048 * half, 256), stream=stream)
synchronize()
""")
    (v,) = allocated(process)
    footprints = process.footprints()
    assert len(footprints) == 100
    by_stream: dict[object, set[int]] = {}
    for footprint in footprints:
        assert footprint.seq is not None
        stream = process.event(footprint.seq).arguments["stream"]
        ((begin, end),) = footprint.written.ranges().tolist()
        assert end - begin == 256
        by_stream.setdefault(stream, set()).add(begin - v)
    assert sorted(by_stream.values(), key=min) == [{0}, {2048}]


def test_without_being_asked_nothing_is_noted(noted: Notes) -> None:
    body = 'v = Buffer(256)\nv.fill(0)\nmodule.kernel("add")(1, 64, v)\nsynchronize()'
    process = noted(body, footprints=False)
    assert process.footprints() == []
    assert process.device_faults() == []
    assert not (process.folder / "device.jsonl").exists()


def test_strict_placement_alone_notes_no_footprints(noted: Notes) -> None:
    body = 'v = Buffer(256)\nv.fill(0)\nmodule.kernel("add")(1, 64, v)\nsynchronize()'
    strict = {"GRETA_SIM_PLACEMENT": "strict"}
    assert noted(body, footprints=False, **strict).footprints() == []
    assert len(noted(body, **strict).footprints()) == 1


# --- faults ---------------------------------------------------------------------------------------

OVERRUN = """
v = Buffer(256)
v.fill(0)
try:
    module.kernel("add")(1, THREADS, v)
    synchronize()
except HipError:
    pass
"""


def overrun(noted: Notes, threads: int, placement: str) -> list[DeviceNote]:
    body = OVERRUN.replace("THREADS", str(threads))
    return noted(body, GRETA_SIM_PLACEMENT=placement).device_faults()


def test_a_fault_is_told_to_the_byte_the_thread_and_the_line(noted: Notes) -> None:
    (fault,) = overrun(noted, 65, "strict")
    assert (fault.event, fault.operation, fault.kernel) == ("illegal_access", "kernel", "add")
    assert (fault.access, fault.bytes, fault.past_end) == ("read", 4, 0)
    assert (fault.block, fault.thread) == ((0, 0, 0), (64, 0, 0))
    assert fault.seq is not None
    assert fault.code is not None
    line = line_in(fault.code, fault.instruction)
    assert line is not None
    assert (PurePath(line[0]).parts, line[1]) == (("kernel.hip",), 6)


def test_its_twin_is_silent(noted: Notes) -> None:
    assert overrun(noted, 64, "strict") == []


def test_an_overrun_that_hurts_nobody_is_told_as_that(noted: Notes) -> None:
    """Inside the last page, where hardware notices nothing."""
    told = {note.event for note in overrun(noted, 65, "paged")}
    assert told == {"outside"}
    (note,) = overrun(noted, 65, "paged")
    assert (note.access, note.bytes, note.past_end, note.thread) == ("read", 4, 0, (64, 0, 0))
    assert overrun(noted, 64, "paged") == []


@pytest.mark.parametrize("count", [32, 33])
def test_damage_next_to_an_allocation_is_a_record(noted: Notes, count: int) -> None:
    body = f"""
to, from_ = Buffer(252), Buffer(256)
from_.fill(0)
module.kernel("every_other")(1, 64, to, from_, np.int32({count}))
synchronize()
to.free()
"""
    notes = noted(body, footprints=False).device_faults()
    if count == 32:
        assert notes == []
    else:
        (note,) = notes
        assert (note.event, note.operation, note.access) == ("damage", "free", "write")
        assert (note.past_end, note.allocation_bytes) == (4, 252)
        assert note.address is not None
        assert note.seq is not None


# --- bytes that nothing wrote ---------------------------------------------------------------------


def unwritten(process: Process) -> list[DeviceNote]:
    return [note for note in process.device_faults() if note.event == "unwritten"]


def test_fresh_memory_is_not_zero(noted: Notes) -> None:
    body = "v = Buffer(64)\nassert (v.to_array(np.uint8) == 0xCB).all()\n"
    (note,) = unwritten(noted(body))
    (v,) = [note.allocation]
    assert (note.operation, note.address, note.bytes, note.by_pattern) == ("copy", v, 64, False)


def test_large_fresh_memory_is_not_zero_either(noted: Notes) -> None:
    body = """
v = Buffer((300 << 20) + 5)
for at in (0, (150 << 20) + 1, (300 << 20) - 59):
    assert (v.view(at, 64).to_array(np.uint8) == 0xCB).all()
"""
    assert len(unwritten(noted(body))) == 3


def test_a_copy_of_written_bytes_is_silent(noted: Notes) -> None:
    body = """
v, w = Buffer(64), Buffer(64)
v.copy_from(np.zeros(16, np.float32))
w.fill(0xCB)
v.to_array(np.uint8), w.to_array(np.uint8)
"""
    assert unwritten(noted(body)) == []


def test_half_written(noted: Notes) -> None:
    body = """
v = Buffer(128)
v.view(0, 64).fill(1)
v.to_array(np.uint8)
"""
    process = noted(body)
    (v,) = allocated(process)
    (note,) = unwritten(process)
    assert (note.address, note.bytes) == (v + 64, 64)


def test_a_kernel_that_reads_what_nobody_wrote(noted: Notes) -> None:
    body = """
to, from_ = Buffer(8000), Buffer(4000)
FILL
module.kernel("every_other")(4, 256, to, from_, np.int32(1000))
synchronize()
"""
    process = noted(body.replace("FILL", ""))
    (note,) = unwritten(process)
    assert (note.operation, note.kernel, note.address) == (
        "kernel",
        "every_other",
        allocated(process)[1],
    )
    assert unwritten(noted(body.replace("FILL", "from_.fill(0)"))) == []


def test_what_a_kernel_wrote_is_known_with_footprints_and_seen_without(noted: Notes) -> None:
    body = """
v = Buffer(512)
v.view(0, 256).fill(0)
module.kernel("add")(1, 64, v)
v.to_array(np.uint8)
"""
    for footprints in (True, False):
        process = noted(body, footprints=footprints)
        (v,) = allocated(process)
        (note,) = unwritten(process)
        assert (note.address, note.bytes, note.by_pattern) == (v + 256, 256, not footprints)


def test_memory_is_exact_again_that_is_allocated_after_an_unknown_write(noted: Notes) -> None:
    body = """
before = Buffer(256)
before.fill(0)
module.kernel("add")(1, 64, before)
synchronize()
after = Buffer(64)
after.to_array(np.uint8)
"""
    process = noted(body, footprints=False)
    (note,) = unwritten(process)
    assert (note.address, note.by_pattern) == (allocated(process)[1], False)


def test_a_variable_that_a_kernel_writes_is_noted(noted: Notes) -> None:
    process = noted("""
module.kernel("count")(1, 1)
synchronize()
""")
    (variable,) = process.device_variables()
    begin = variable.address
    assert only(process).written.ranges().tolist() == [[begin, begin + 4]]
    assert (variable.bytes, variable.symbol) == (4, 0)
    assert variable.seq is not None
    assert process.event(variable.seq).call == "hipModuleLoadData"


def test_without_footprints_no_variable_is_noted(noted: Notes) -> None:
    assert not noted('module.kernel("count")(1, 1)', footprints=False).device_variables()
