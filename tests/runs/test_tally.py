"""What a recording is counted as."""

from __future__ import annotations

from pathlib import Path

from greta.recording import open_recording
from greta.runs.review import with_recorded
from greta.runs.tally import KilledProcess, Tally, tally
from greta.trace.run_facts import FileFacts, LibraryFacts, RunFacts
from tests.recording.writer import EXIT, SIGNAL
from tests.runs.recordings import DEVICE, PAGEABLE, Calls, fill, new_process


def counted(folder: Path) -> Tally:
    return tally(open_recording(folder))


def test_calls_and_threads(tmp_path: Path) -> None:
    fill(new_process(tmp_path)).write()
    counts = counted(tmp_path)
    assert (counts.processes, counts.threads, counts.calls, counts.unfinished) == (1, 2, 24, 1)
    assert (counts.peak_device_bytes, counts.device_bytes) == (4096, 1024)
    assert counts.problems == []


def test_errors_are_what_failed_and_not_what_tells_of_it(tmp_path: Path) -> None:
    fill(new_process(tmp_path)).write()
    counts = counted(tmp_path)
    assert counts.errors == {
        ("hipMemcpyAsync", "hipErrorIllegalAddress (700)"): 2,
        ("hipFree", "hipErrorInvalidValue (1)"): 1,
    }
    first = counts.first_error
    assert first is not None
    assert (first.call, first.seq, first.pid) == ("hipMemcpyAsync", 5, 4711)


def test_a_program_without_errors_has_none(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    Calls(process.lane())("hipMalloc", DEVICE, 1)
    process.write()
    counts = counted(tmp_path)
    assert (counts.errors.total(), counts.first_error) == (0, None)


def test_the_level_of_a_roctx_range_is_no_error(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    call = Calls(process.lane())
    for level in (0, 1, 2):
        call(209, 0, result=level)
    process.write()
    assert not counted(tmp_path).errors


def test_an_error_that_has_no_name_has_its_number(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    Calls(process.lane())("hipFree", 1, result=12345)
    process.write()
    assert counted(tmp_path).errors == {("hipFree", "error 12345"): 1}


def test_processes_that_a_signal_ended(tmp_path: Path) -> None:
    for pid, end in ((50, EXIT), (60, SIGNAL)):
        process = new_process(tmp_path, pid)
        Calls(process.lane())("hipDeviceSynchronize")
        process.end, process.end_code = end, 11
        process.write()
    assert counted(tmp_path).killed == [KilledProcess(60, "true", 11)]


def test_a_signal_that_was_survived_is_no_end(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    process.end, process.end_code, process.end_ticks = SIGNAL, 11, 1
    Calls(process.lane())("hipDeviceSynchronize")
    process.write()
    assert counted(tmp_path).killed == []


def test_the_first_error_of_several_processes_is_the_earliest(tmp_path: Path) -> None:
    for pid, start in ((50, 2_000_000_000), (60, 1_000_000_000)):
        process = new_process(tmp_path, pid)
        process.start = (1000, 5000, start)
        Calls(process.lane())("hipFree", 1, result=1)
        process.write()
    counts = counted(tmp_path)
    assert counts.processes == 2
    assert counts.first_error is not None
    assert counts.first_error.pid == 60


def test_bytes_each_way(tmp_path: Path) -> None:
    fill(new_process(tmp_path)).write()
    copies = counted(tmp_path).copies
    assert copies.bytes == {"H2D": 1000 + 24 + 300, "D2H": 320 + 80 + 1, "D2D": 5 + 6}
    assert copies.count == {"H2D": 3, "D2H": 5, "D2D": 2}
    assert +copies.failed == {"D2H": 2}
    assert copies.unsized == 1


def test_a_direction_that_nobody_knows_is_counted_apart(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    process.dropped = 1  # perhaps the allocation
    Calls(process.lane())("hipMemcpyAsync", DEVICE, PAGEABLE, 7, 4, 0)
    process.write()
    assert counted(tmp_path).copies.bytes == {"default": 7}
    managed = new_process(tmp_path / "managed")
    call = Calls(managed.lane())
    call("hipMallocManaged", DEVICE, 100, 1)
    call("hipMemcpyAsync", DEVICE, PAGEABLE, 9, 4, 0)
    managed.write()
    assert counted(tmp_path / "managed").copies.bytes == {"H2D": 9}  # as the report has it


def test_launches_by_kernel(tmp_path: Path) -> None:
    fill(new_process(tmp_path)).write()
    counts = counted(tmp_path)
    assert (counts.launches, counts.graph_launches) == (4, 1)
    assert counts.kernels == {"saxpy": 2, "rope": 1, "(not known)": 1}


def test_what_is_missing_is_counted(tmp_path: Path) -> None:
    process = new_process(tmp_path)
    process.dropped, process.flags, process.ring_records = 3, 4, 4
    call = Calls(process.lane())
    for _ in range(10):
        call("hipDeviceSynchronize")
    process.write()
    counts = counted(tmp_path)
    assert (counts.calls, counts.dropped, counts.overwritten, counts.gave_up) == (4, 3, 6, True)


def ran(program: str) -> RunFacts:
    return RunFacts(program=FileFacts(program, program))


def test_facts_for_run_json(tmp_path: Path) -> None:
    fill(new_process(tmp_path)).write()
    facts = with_recorded(ran("/usr/bin/python3"), open_recording(tmp_path))
    (process,) = facts.processes
    assert process.hip_library == "/opt/rocm/lib/libamdhip64.so.7"
    assert (process.pid, process.calls, process.end) == (4711, 24, "exit")
    assert process.arguments == ("true", "-x")
    assert facts.libraries == (
        LibraryFacts("/lib/libx.so", "ab12"),
        LibraryFacts("/lib/liby.so", None),
    )
    assert facts.versions == {"hip_runtime": 60_300_000}
    assert [one.path for one in facts.executables] == ["/bin/true"]
    assert with_recorded(ran("/bin/true"), open_recording(tmp_path)).executables == ()
