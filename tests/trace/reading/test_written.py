"""What no simulated program does: other devices, rings, cuts, threads, calls of other versions."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from greta.recording import LiveKind
from greta.trace.trace import NONE, Gap, Kind, Memory, Mode, Role, Space, StreamKind, Waits
from tests.recording.writer import KERNARG, OPEN, SIGNAL, Payload
from tests.trace.reading.written import Written

DEVICE, OTHER, HOST, STREAM = 0x7000_0000, 0x7100_0000, 0x5500_0000, 0x900
TO_DEVICE, TO_HOST = 1, 2


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


def test_threads_have_devices_of_their_own(written: Written) -> None:
    written.call("hipSetDevice", deviceId=1, thread=1)
    written.call("hipMalloc", ptr=DEVICE, size=64)
    written.call("hipMalloc", ptr=OTHER, size=64, thread=1)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
    written.call("hipMemsetAsync", dst=OTHER, sizeBytes=64, thread=1)
    written.call("hipDeviceSynchronize", thread=1)
    written.call("hipFree", ptr=OTHER)
    shown = written.shown()
    assert shown.trace.allocations["device"].tolist() == [0, 1]
    first, second = shown.calls("hipMemsetAsync")
    assert (first.row["device"], second.row["device"]) == (0, 1)
    assert first.row["stream"] != second.row["stream"]
    assert shown.trace.streams["kind"].tolist() == [StreamKind.LEGACY, StreamKind.LEGACY]
    assert shown.call("hipDeviceSynchronize").row["device"] == 1
    assert shown.call("hipFree").row["device"] == 1  # where its memory is


def test_a_blocking_copy_between_devices_waits(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=64)
    written.call("hipSetDevice", deviceId=1)
    written.call("hipMalloc", ptr=OTHER, size=64)
    written.call("hipMemcpyPeer", dst=OTHER, src=DEVICE, sizeBytes=64, dstDeviceId=1)
    assert written.shown().call("hipMemcpyPeer").waits is Waits.FOR_IT


def test_memory_lives_from_the_return_of_its_making_to_the_beginning_of_its_end(
    written: Written,
) -> None:
    """Another thread is given the address while the call that frees it has not returned."""
    written.call("hipMalloc", ptr=DEVICE, size=64, begin=100, end=110)
    written.call("hipFree", ptr=DEVICE, begin=200, end=300)
    written.call("hipMalloc", ptr=DEVICE, size=32, thread=1, begin=210, end=220)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=8, thread=1, begin=230, end=240)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=8, begin=150, end=160, thread=2)
    shown = written.shown()
    early, late = shown.calls("hipMemsetAsync")
    assert (early.touched[0].where, late.touched[0].where) == ((0, 0), (1, 0))
    assert shown.trace.allocations["freed_at"].tolist() == [shown.call("hipFree").number, NONE]


def test_what_was_made_before_a_ring_began_is_known_by_the_live_table(written: Written) -> None:
    written.writer.ring_records = 4
    written.writer.live_entry(LiveKind.DEVICE_MEMORY, DEVICE, bytes=64, number=1, since=5)
    written.writer.live_entry(LiveKind.STREAM, STREAM, flags=1, number=2, since=6)
    for _ in range(6):
        written.call("hipMemsetAsync", dst=DEVICE + 8, sizeBytes=8, stream=STREAM)
    written.call("hipMemsetAsync", dst=OTHER, sizeBytes=8, stream=0x700)
    shown = written.shown()
    assert len(shown.operations) == 4
    fill, *_, unknown = shown.operations
    assert (fill.touched[0].where, fill.stream) == ((0, 8), StreamKind.NON_BLOCKING)
    assert (unknown.touched[0].where, unknown.stream) == (None, StreamKind.UNKNOWN)
    assert shown.trace.allocations["made_by"].tolist() == [NONE]
    assert shown.trace.allocations["made_at"].tolist() == [NONE]
    assert Gap.OVERWRITTEN in shown.trace.gaps


def test_a_process_that_was_killed_is_cut_short(written: Written) -> None:
    written.writer.end = OPEN
    written.call("hipMalloc", ptr=DEVICE, size=64)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
    written.call("hipStreamSynchronize", unfinished=True)
    shown = written.shown()
    assert Gap.CUT_SHORT in shown.trace.gaps
    wait = shown.call("hipStreamSynchronize")
    assert (bool(wait.row["finished"]), wait.row["end"], wait.kind) == (False, 0, Kind.WAIT_STREAM)


def test_a_process_that_a_signal_ended_is_all_there(written: Written) -> None:
    written.writer.end, written.writer.end_code = SIGNAL, 6
    written.call("hipDeviceSynchronize", unfinished=True)
    trace = written.shown().trace
    assert (trace.signal, trace.gaps) == (6, {})


def test_a_process_that_called_nothing(written: Written) -> None:
    shown = written.shown()
    assert shown.operations == []
    assert Gap.NO_RECORDING in shown.trace.gaps


def test_other_calls_count_only_if_they_went_wrong(written: Written) -> None:
    written.call("hipModuleLoad", result=301)
    written.call("hipModuleLoad")
    written.call("hipGetLastError", result=301)  # the error of another call
    written.call("hipModuleUnload", unfinished=True)
    shown = written.shown()
    assert [(one.call, one.kind) for one in shown.operations] == [
        ("hipModuleLoad", Kind.OTHER),
        ("hipModuleUnload", Kind.OTHER),
    ]
    assert [bool(one.row["failed"]) for one in shown.operations] == [True, False]
    assert shown.trace.total_calls == 4


def test_that_something_is_not_ready_is_no_failure(written: Written) -> None:
    written.call("hipStreamQuery", result=600)
    query = written.shown().call("hipStreamQuery")
    assert (query.row["result"], bool(query.row["failed"])) == (600, False)


def test_a_copy_in_three_dimensions(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=0x10000)
    words = [0] * 20
    words[4:8] = [HOST, 64, 64, 4]  # the source: address, pitch, width, rows of a slice
    words[9:12] = [8, 1, 2]  # where in the destination
    words[12:16] = [DEVICE, 256, 256, 8]
    words[16:20] = [32, 3, 2, TO_DEVICE]
    written.call("hipMemcpy3DAsync", p=1, stream=STREAM, structs={"p": struct.pack("<20Q", *words)})
    copy = written.shown().call("hipMemcpy3DAsync")
    to, source = copy.touched
    assert to.where == (0, 2 * 8 * 256 + 256 + 8)
    assert (to.bytes, to.row["pitch"], to.row["width"]) == ((8 + 2) * 256 + 32, 256, 32)
    assert (source.row["address"], source.bytes) == (HOST, (4 + 2) * 64 + 32)
    assert (to.space, source.space, source.at_call) == (Space.DEVICE, Space.HOST, True)


def test_sizes_that_fit_no_memory_stay_large(written: Written) -> None:
    huge = 2**63
    written.call("hipMemset2D", dst=DEVICE, pitch=huge, width=huge, height=huge, result=1)
    written.call("hipMemset2D", dst=DEVICE, pitch=8, width=0, height=4)
    refused, empty = written.shown().calls("hipMemset2D")
    assert refused.touched[0].bytes >= 2**62
    assert empty.touched[0].bytes == 0


def test_an_address_of_registered_memory_on_the_device_counts_as_the_memory(
    written: Written,
) -> None:
    written.call("hipHostRegister", hostPtr=HOST, sizeBytes=64)
    written.call("hipHostGetDevicePointer", devPtr=OTHER, hstPtr=HOST)
    written.call("hipMemsetAsync", dst=OTHER + 8, sizeBytes=8)
    written.call("hipHostUnregister", hostPtr=HOST)
    shown = written.shown()
    (fill,) = shown.call("hipMemsetAsync").touched
    assert (fill.where, fill.row["address"]) == ((0, 8), HOST + 8)
    assert len(shown.trace.allocations) == 1


def test_a_variable_of_the_program_is_told_by_its_shadow(written: Written) -> None:
    written.call("__hipRegisterVar", var=HOST, size=64)
    written.call("hipMemcpyToSymbol", symbol=HOST, src=0x10, sizeBytes=8, offset=16, kind=1)
    written.call("hipGetSymbolAddress", devPtr=DEVICE, symbol=HOST)
    written.call("hipMemsetAsync", dst=DEVICE + 16, sizeBytes=8)
    shown = written.shown()
    copy, fill = shown.call("hipMemcpyToSymbol"), shown.call("hipMemsetAsync")
    assert shown.memory(copy.side(Role.DESTINATION)) is Memory.SYMBOL
    assert copy.side(Role.DESTINATION).where == fill.touched[0].where == (0, 16)


def test_mapped_memory_lives_while_it_is_mapped(written: Written) -> None:
    written.call("hipMemMap", ptr=DEVICE, size=4096)
    written.call("hipMemsetAsync", dst=DEVICE + 64, sizeBytes=8)
    written.call("hipMemUnmap", ptr=DEVICE, size=4096)
    written.call("hipMemMap", ptr=DEVICE, size=8192)
    written.call("hipMemsetAsync", dst=DEVICE + 5000, sizeBytes=8)
    shown = written.shown()
    lives = {one.touched[0].where for one in shown.calls("hipMemsetAsync")}
    sizes = shown.trace.allocations["bytes"]
    assert {(int(sizes[where[0]]), where[1]) for where in lives if where} == {
        *((4096, 64), (8192, 5000)),
    }
    assert shown.call("hipMemUnmap").row["allocation"] != NONE


def test_memory_of_another_process_has_no_known_size(written: Written) -> None:
    written.call("hipIpcOpenMemHandle", devPtr=DEVICE)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
    shown = written.shown()
    assert shown.call("hipMemsetAsync").touched[0].where == (0, 0)
    assert not shown.trace.allocations["known_bytes"][0]


def test_memory_of_another_process_is_gone_when_it_was_closed_as_often_as_opened(
    written: Written,
) -> None:
    for _ in range(2):
        written.call("hipIpcOpenMemHandle", devPtr=DEVICE)
    for _ in range(2):
        written.call("hipIpcCloseMemHandle", devPtr=DEVICE)
        written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
    shown = written.shown()
    closed = shown.calls("hipIpcCloseMemHandle")[1]
    (memory,) = shown.trace.allocations
    assert (memory["freed_by"], memory["freed_at"]) == (closed.row["seq"], closed.number)
    assert [one.row["waits"] for one in shown.calls("hipIpcCloseMemHandle")] == [Waits.PERHAPS] * 2


def test_the_host_touches_memory_in_flight(written: Written) -> None:
    written.call("hipHostMalloc", ptr=HOST, size=64)
    written.call("greta_host_touch", address=HOST + 5, write=0)
    written.call("greta_host_touch", address=HOST + 6, write=1)
    read, write = written.shown().calls("greta_host_touch")
    assert (read.kind, read.touched[0].role) == (Kind.HOST_TOUCH, Role.HOST)
    assert (read.touched[0].mode, write.touched[0].mode) == (Mode.READ, Mode.WRITE)
    assert (read.touched[0].where, read.touched[0].bytes) == ((0, 5), 1)


def test_kernels_that_nobody_knows_are_counted(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=64)
    size: dict[str, Any] = {"gridDimX": 1, "gridDimY": 1, "gridDimZ": 1}
    size |= {"blockDimX": 8, "blockDimY": 1, "blockDimZ": 1}
    written.call("hipModuleLaunchKernel", **size)
    arguments = Payload(KERNARG, 0, struct.pack("<2Q", DEVICE + 8, 5))
    written.call("hipModuleLaunchKernel", **size, payloads=[arguments])
    shown = written.shown()
    nothing, words = shown.calls("hipModuleLaunchKernel")
    assert nothing.touched == ()
    assert [(one.role, one.where) for one in words.touched] == [(Role.STRUCT_WORD, (0, 8))]
    assert shown.trace.gaps == {Gap.UNKNOWN_KERNELS: "2 launches"}


def test_a_launch_on_several_devices_is_made_of_parts(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=64)
    begin = written.call("hipExtLaunchMultiKernelMultiDevice", numDevices=2)
    size: dict[str, Any] = {"gridDimX": 1, "gridDimY": 1, "gridDimZ": 1}
    size |= {"blockDimX": 8, "blockDimY": 1, "blockDimZ": 1}
    arguments = Payload(KERNARG, 0, struct.pack("<2Q", DEVICE + 8, 5))
    for stream in (STREAM, STREAM + 1):
        words = {**size, "stream": stream, "call": begin}
        written.call("greta_part_launched", **words, payloads=[arguments])
    shown = written.shown()
    parts = shown.calls("greta_part_launched")
    assert [one.kind for one in parts] == [Kind.LAUNCH] * 2
    assert [one.waits for one in parts] == [Waits.PERHAPS] * 2
    assert parts[0].row["stream"] != parts[1].row["stream"]
    assert [one.where for part in parts for one in part.touched] == [(0, 8)] * 2
    assert shown.trace.total_calls == 2
    assert Gap.UNKNOWN_KERNELS in shown.trace.gaps  # nobody loaded a kernel of that name


def test_without_its_parts_nobody_knows_what_was_launched(written: Written) -> None:
    """Older recordings have none."""
    written.call("hipExtLaunchMultiKernelMultiDevice", numDevices=2)
    assert written.shown().trace.gaps == {Gap.UNKNOWN_KERNELS: "1 launches"}


@pytest.mark.parametrize(("result", "unknown"), [(0, True), (702, True), (1, False)])
def test_the_parts_of_one_launch_say_nothing_of_another(
    written: Written, result: int, unknown: bool
) -> None:
    begin = written.call("hipExtLaunchMultiKernelMultiDevice", numDevices=0)
    written.call("greta_part_launched", gridDimX=0, stream=STREAM, call=begin)
    known = written.shown().trace.gaps.get(Gap.UNKNOWN_KERNELS, "")
    written.call("hipExtLaunchMultiKernelMultiDevice", numDevices=2, result=result)
    assert (written.shown().trace.gaps.get(Gap.UNKNOWN_KERNELS, "") != known) == unknown


def test_a_copy_without_arrays_is_no_gap(written: Written) -> None:
    written.call("hipMemcpy3D", structs={"p": bytes(160)})
    assert Gap.NO_ADDRESSES not in written.shown().trace.gaps


def test_a_copy_to_an_array_is_a_gap(written: Written) -> None:
    array = bytearray(160)
    array[64:72] = (0x77).to_bytes(8, "little")
    written.call("hipMemcpy3D", structs={"p": bytes(array)})
    assert Gap.NO_ADDRESSES in written.shown().trace.gaps


def test_an_array_is_stale_when_it_was_freed(written: Written) -> None:
    array = bytearray(160)
    array[0:8] = (0x77).to_bytes(8, "little")
    written.call("hipMalloc3DArray", array=0x77)
    written.call("hipMemcpy3D", structs={"p": bytes(array)})
    written.call("hipFreeArray", array=0x77)
    written.call("hipMemcpy3D", structs={"p": bytes(array)}, result=1)
    written.call("hipMemcpy2DToArray", dst=0x77, result=1)
    written.call("hipMallocArray", array=0x77)
    written.call("hipMemcpy2DToArray", dst=0x77)
    stale = written.shown().trace.stale_handles
    assert [(one.seq, one.what, one.destroyed_by) for one in stale] == [
        (4, "array", 3),
        (5, "array", 3),
    ]


def test_order_by_other_means_is_a_gap(written: Written) -> None:
    written.call("hipStreamWaitValue32", stream=STREAM, ptr=HOST)
    written.call("hipMemcpyBatchAsync")
    assert set(written.shown().trace.gaps) == {Gap.NO_ORDER, Gap.NO_ADDRESSES}


def test_a_graph_that_nobody_saw_made_is_a_gap(written: Written) -> None:
    written.call("hipGraphLaunch", graphExec=0x40)
    assert Gap.UNKNOWN_KERNELS in written.shown().trace.gaps


def test_an_update_gives_an_executable_graph_the_work_of_another(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=4096)
    for graph, exec_, bytes_ in ((0x41, 0x51, 16), (0x42, 0, 32)):
        written.call("hipStreamBeginCapture", stream=STREAM)
        written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=bytes_, stream=STREAM)
        written.call("hipStreamEndCapture", stream=STREAM, pGraph=graph)
        if exec_:
            written.call("hipGraphInstantiate", pGraphExec=exec_, graph=graph)
    written.call("hipGraphLaunch", graphExec=0x51)
    written.call("hipGraphExecUpdate", hGraphExec=0x51, hGraph=0x42)
    written.call("hipGraphLaunch", graphExec=0x51)
    written.call("hipGraphExecUpdate", hGraphExec=0x51, hGraph=0x41, result=910)
    written.call("hipGraphLaunch", graphExec=0x51)
    launches = written.shown().calls("hipGraphLaunch")
    assert [[one.bytes for one in launch.touched] for launch in launches] == [[16], [32], [32]]


def test_a_capture_that_failed_leaves_nothing_behind(written: Written) -> None:
    written.call("hipStreamBeginCapture", stream=STREAM)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=8, stream=STREAM)
    written.call("hipStreamEndCapture", stream=STREAM, result=901)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=8, stream=STREAM)
    captured = [bool(one.row["captured"]) for one in written.shown().calls("hipMemsetAsync")]
    assert captured == [True, False]


def test_blocks_of_calls_fit_together(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    """A capture that begins in one block ends in another, and is launched in a third."""
    monkeypatch.setattr("greta.trace.reading.build.BLOCK_ROWS", 3)
    written.call("hipMalloc", ptr=DEVICE, size=4096)
    written.call("hipStreamBeginCapture", stream=STREAM)
    for bytes_ in range(1, 8):
        written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=bytes_, stream=STREAM)
    written.call("hipStreamEndCapture", stream=STREAM, pGraph=0x41)
    written.call("hipGraphInstantiate", pGraphExec=0x51, graph=0x41)
    written.call("hipMemcpyAsync", dst=HOST, src=DEVICE, sizeBytes=8, kind=TO_HOST)
    written.call("hipGraphLaunch", graphExec=0x51)
    shown = written.shown()
    assert [one.bytes for one in shown.call("hipGraphLaunch").touched] == [1, 2, 3, 4, 5, 6, 7]
    assert all(one.row["captured"] for one in shown.calls("hipMemsetAsync"))
    assert [one.bytes for one in shown.call("hipMemcpyAsync").touched] == [8, 8]


def test_a_table_of_another_version_costs_only_its_call(written: Written) -> None:
    for line in written.writer.lines:
        if line.get("name") == "hipMemcpy":
            line["words"] = ["to:void*:in"]
    written.call("hipMemcpy", dst=DEVICE, sizeBytes=8)
    written.call("hipMemset", dst=DEVICE, sizeBytes=8)
    assert [one.call for one in written.shown().operations] == ["hipMemset"]


@pytest.mark.parametrize(
    ("count", "bytes_"),
    [
        (1000, 4000),  # one for each thread
        (60_000, 240_000),  # each thread goes on to further elements
        (5000, (1024 - 256 + 1) * 4),  # something else: most of the memory is left out
        (80_000, (1024 - 256 + 1) * 4),  # more than there is
    ],
)
def test_how_far_a_kernel_goes(written: Written, count: int, bytes_: int) -> None:
    pointer = {"offset": 0, "bytes": 8, "kind": "global_buffer", "type": "float*"}
    number = {"offset": 8, "bytes": 4, "kind": "by_value", "type": "int"}
    written.writer.line("kernel", id=1, name="k", kernarg_bytes=12, arguments=[pointer, number])
    written.call("hipMalloc", ptr=DEVICE, size=262_144)
    size: dict[str, Any] = {"gridDimX": 4, "gridDimY": 1, "gridDimZ": 1}
    size |= {"blockDimX": 256, "blockDimY": 1, "blockDimZ": 1}
    arguments = Payload(KERNARG, 0, struct.pack("<Qi", DEVICE, count))
    written.call("hipModuleLaunchKernel", **size, kernel=1, payloads=[arguments])
    (values,) = written.shown().call("hipModuleLaunchKernel").touched
    assert values.bytes == bytes_


@pytest.mark.parametrize("first", ["__hipPushCallConfiguration", "hipMemcpy"])
def test_a_fault_is_heard_of_where_the_program_is_told(written: Written, first: str) -> None:
    """Calls that the compiler makes for a launch are none of the program's."""
    written.call("hipMalloc", ptr=DEVICE, size=64)
    written.call(first, result=700)
    written.call("hipPeekAtLastError", result=700)
    written.call("hipGetLastError", result=700)
    written.call("hipFree", ptr=DEVICE, result=700)
    shown = written.shown()
    operations = shown.trace.operations
    failed = [shown.trace.calls[int(one)] for one in operations["call"][operations["failed"]]]
    told = "hipPeekAtLastError" if first.startswith("__") else first
    assert failed == [told, "hipFree"]


def test_an_error_that_is_no_fault_is_that_of_its_call_alone(written: Written) -> None:
    written.call("hipMalloc", ptr=DEVICE, size=64)
    written.call("hipGetLastError", result=1)
    assert not written.shown().trace.operations["failed"].any()
