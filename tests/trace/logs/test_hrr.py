"""Archives of HIP record and replay: read, judged, and what they cannot show."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from greta.errors import GretaError, UsageError
from greta.runs.gather import gather
from greta.symbols.code_objects import read_file_code
from greta.trace.evidence import Evidence
from greta.trace.logs.formats import hrr
from greta.trace.trace import NONE, Gap, Kind, Mode, Role, StreamKind
from tests.codeobject.images import DATA, ELF
from tests.trace.logs.hrr_writer import Archive
from tests.trace.logs.judged import outcome, verdict_on
from tests.trace.logs.mutants import hold_for_all

DEVICE, HOST = 0x7F00_0000_0000, 0x5500_0000_0000
TO_HOST, TO_DEVICE = 2, 1
A, B, EVENT = 0xA000, 0xB000, 0xE000


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "capture.hrr")


def read(archive: Archive, complete: bool = True) -> Evidence:
    (evidence,) = gather(archive.write(complete))
    return evidence


def judged(archive: Archive, *others: Path) -> dict[str, Any]:
    return verdict_on(gather([archive.write(), *others]))


def program(archive: Archive, copied: int = 4096) -> Archive:
    """A kernel writes a buffer, the host copies it."""
    archive.other()
    archive.malloc(DEVICE, 4096)
    archive.memcpy(DEVICE, HOST, 4096, TO_DEVICE)
    archive.launch("scale", DEVICE, (1024).to_bytes(4, "little"))
    archive.memcpy(HOST, DEVICE, copied, TO_HOST)
    archive.free(DEVICE)
    return archive


def test_calls_arguments_and_order(archive: Archive) -> None:
    trace = read(program(archive)).trace
    kinds = [Kind.ALLOCATE, Kind.COPY, Kind.LAUNCH, Kind.COPY, Kind.FREE]
    assert trace.operations["kind"].tolist() == kinds
    assert (trace.pid, trace.source, trace.total_calls) == (4242, "hrr", 6)
    (buffer,) = trace.allocations
    assert (int(buffer["address"]), int(buffer["bytes"])) == (DEVICE, 4096)
    assert (int(buffer["made_by"]), int(buffer["freed_by"])) == (1, 5)
    launch = trace.describe(3)
    assert (launch.kernel, launch.grid, launch.block) == ("scale", (4, 1, 1), (256, 1, 1))
    assert launch.kernel_arguments == (("arg0", "", DEVICE), ("arg1", "", 1024))
    (pointer,) = trace.accesses_of(2)
    assert (int(pointer["address"]), int(pointer["allocation"])) == (DEVICE, 0)
    assert trace.accesses_of(3)["bytes"].tolist() == [4096, 4096]


def test_what_an_archive_cannot_show_is_a_limit(archive: Archive) -> None:
    assert set(read(program(archive)).trace.gaps) == {Gap.NO_FAILURES}
    assert set(read(archive, complete=False).trace.gaps) == {Gap.NO_FAILURES, Gap.CUT_SHORT}
    archive.copy_3d()
    assert Gap.DAMAGED in read(archive).trace.gaps
    archive.launch("no_arguments")
    assert Gap.NO_ARGUMENTS in read(archive).trace.gaps


def test_a_clean_archive_is_not_said_to_be_clean(archive: Archive) -> None:
    verdict = judged(program(archive))
    assert verdict["verdict"] == "INCONCLUSIVE"
    assert outcome(verdict, "byte_size_mismatch") == "INCONCLUSIVE"


def test_a_copy_past_the_end(archive: Archive) -> None:
    verdict = judged(program(archive, copied=4608))
    assert (verdict["verdict"], verdict["cause"]["call"]) == ("REPRODUCED", "hipMemcpy")
    assert outcome(verdict, "byte_size_mismatch") == "CONFIRMED"
    assert verdict["cause"]["buffer"]["address"] == hex(DEVICE)


@pytest.mark.parametrize(("late", "found"), [(True, "CONFIRMED"), (False, "INCONCLUSIVE")])
def test_a_copy_from_freed_memory(archive: Archive, late: bool, found: str) -> None:
    archive.malloc(DEVICE, 4096)
    if late:
        archive.free(DEVICE)
    archive.memcpy(HOST, DEVICE, 4096, TO_HOST)
    if not late:
        archive.free(DEVICE)
    assert outcome(judged(archive), "use_after_free") == found


@pytest.mark.parametrize("ordered", [True, False])
def test_two_streams_and_an_event(archive: Archive, ordered: bool) -> None:
    archive.malloc(DEVICE, 4096)
    archive.host_malloc(HOST, 4096)
    archive.stream_create(A)
    archive.stream_create(B)
    archive.launch("scale", DEVICE, stream=A)
    if ordered:
        archive.event_record(EVENT, A)
        archive.stream_wait_event(B, EVENT)
    archive.memcpy_async(HOST, DEVICE, 4096, TO_HOST, B)
    archive.stream_synchronize(B)
    archive.device_synchronize()
    trace = read(archive).trace
    assert trace.streams["kind"].tolist()[1:] == [StreamKind.NON_BLOCKING] * 2
    doubts = [one["hypothesis"] for one in judged(archive)["doubts"]]
    assert doubts == ([] if ordered else ["missing_sync"])


def test_memory_in_a_struct_and_values_of_16_bits(archive: Archive) -> None:
    archive.malloc(DEVICE, 4096)
    words = struct.pack("<IIQ", 7, 0, DEVICE + 64)
    archive.launch_with_struct("reduce", words, 8)
    archive.memset_d16(DEVICE, 3, 2048)
    trace = read(archive).trace
    (word,) = trace.accesses_of(1)
    assert (int(word["address"]), int(word["role"])) == (DEVICE + 64, Role.STRUCT_WORD)
    (fill,) = trace.accesses_of(2)
    assert (int(fill["address"]), int(fill["bytes"])) == (DEVICE, 4096)


def test_the_default_stream_of_a_thread_is_its_own(archive: Archive) -> None:
    archive.malloc(DEVICE, 4096)
    for thread in (1, 2):
        archive.memcpy_async_spt(DEVICE, HOST, 64, TO_DEVICE, thread)
    trace = read(archive).trace
    used = trace.streams[trace.operations["stream"][1:]]
    assert used["kind"].tolist() == [StreamKind.PER_THREAD] * 2
    assert used["thread"].tolist() == [0, 1]


def test_blocks_of_an_allocator(archive: Archive) -> None:
    """The copy stays in the segment and leaves the tensor."""
    archive.malloc(DEVICE, 1 << 20)
    archive.regions((DEVICE + 4096, 512, archive.now + 1, 0), (DEVICE + 4608, 512, 0, 0))
    archive.memcpy(HOST, DEVICE + 4096, 512, TO_HOST)
    archive.memcpy(HOST, DEVICE + 4096, 600, TO_HOST)
    evidence = read(archive)
    trace = evidence.trace
    assert sorted(trace.blocks["address"].tolist()) == [DEVICE + 4096, DEVICE + 4608]
    assert (trace.accesses_of(1)["block"] > 0).tolist() == [True, False]
    verdict = verdict_on([evidence])
    assert outcome(verdict, "byte_size_mismatch") == "CONFIRMED"
    assert verdict["cause"]["buffer"]["bytes"] == 512


def test_several_processes_and_one_folder(archive: Archive, tmp_path: Path) -> None:
    program(archive).write()
    other = Archive(archive.folder, pid=7)
    other.malloc(DEVICE, 64)
    other.write()
    assert sorted(one.trace.pid for one in gather(archive.folder)) == [7, 4242]
    (one,) = gather(archive.folder / "pid-7")
    assert (one.trace.pid, len(one.trace.operations)) == (7, 1)


def test_a_process_that_died_with_a_fault_that_the_runtime_told(
    archive: Archive, tmp_path: Path
) -> None:
    archive.malloc(DEVICE, 4096)
    archive.launch("scale", DEVICE)
    archive.launch("rope", DEVICE)
    log = tmp_path / "stderr.log"
    log.write_text(
        f"wave_1: pc=0x7f10000000c8 (kernel_code_entry=0x7f1000000000 <rope(float*)>, "
        f"kernargs=0x7f20) (stopped, reason: MEMORY_VIOLATION)\n"
        f"Memory access fault by GPU node-4 (Agent handle: 0x1) on address {DEVICE + 4096:#x}. "
        "Reason: Page not present or supervisor privilege.\n"
    )
    archive.write(complete=False)
    verdict = verdict_on(gather([archive.folder, log]))
    assert verdict["verdict"] == "REPRODUCED"
    assert verdict["cause"]["kernel"] == "rope"


def test_what_a_kernel_only_reads_is_known_by_its_code(archive: Archive) -> None:
    kernels = read_file_code(DATA / ELF).objects[0].kernels
    (mixed,) = (one for one in kernels if one.name == "mixed")
    values = [
        DEVICE if one.value_kind == "global_buffer" else bytes(one.bytes) for one in mixed.arguments
    ]
    archive.malloc(DEVICE, 4096)
    archive.launch("mixed", *values)
    guessed = read(archive).trace
    folder = archive.write() / "pid-4242" / "code_objects"
    folder.mkdir()
    (folder / "0123.hsaco").write_bytes((DATA / ELF).read_bytes())
    (folder / "damaged.hsaco").write_bytes(b"\x7fELF nothing")
    known = read(archive).trace
    assert guessed.accesses_of(1)["mode"].tolist() == [Mode.MAY_WRITE] * 3
    assert known.accesses_of(1)["mode"].tolist() == [Mode.READ, Mode.MAY_WRITE, Mode.MAY_WRITE]


@pytest.mark.parametrize("version", [4, 9])
def test_other_versions_are_refused(archive: Archive, version: int) -> None:
    archive.version = version
    with pytest.raises(UsageError, match=rf"version {version}; versions 5 to 8 are read"):
        gather(archive.write())


def test_a_file_of_an_archive_alone(archive: Archive) -> None:
    path = program(archive).write() / "pid-4242" / "events.bin"
    with pytest.raises(UsageError, match="give the folder that it lies in"):
        gather(path)
    path.write_bytes(b"HRRE" + bytes(100))
    with pytest.raises(UsageError, match="is no archive of HIP record and replay"):
        gather(archive.folder)


def test_no_link_leads_out_of_an_archive(archive: Archive, tmp_path: Path) -> None:
    folder = program(archive).write() / "pid-4242"
    outside = tmp_path / "outside.bin"
    (folder / "events.bin").rename(outside)
    (folder / "events.bin").symlink_to(outside)
    with pytest.raises(GretaError, match="link that leads out of its folder"):
        gather(archive.folder)


def test_a_torn_record_is_left_out(archive: Archive) -> None:
    data = program(archive).data(complete=False)
    path = archive.write() / "pid-4242" / "events.bin"
    for cut in range(len(data) - 60, len(data)):
        path.write_bytes(data[:cut])
        (evidence,) = gather(archive.folder)
        assert len(evidence.trace.operations) in (3, 4)
        assert Gap.CUT_SHORT in evidence.trace.gaps


def test_allocations_that_were_not_freed_stay(archive: Archive) -> None:
    archive.malloc(DEVICE, 64)
    assert read(archive).trace.allocations["freed_by"].tolist() == [NONE]


def test_arguments_are_bounded(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hrr, "MOST_ARGUMENTS", 3)
    archive.malloc(DEVICE, 64)
    for _ in range(3):
        archive.launch("scale", DEVICE, bytes(4))
    trace = read(archive).trace
    assert [len(trace.accesses_of(row)) for row in (1, 2, 3)] == [1, 0, 0]
    assert trace.gaps[Gap.NO_ARGUMENTS] == "2 launches without arguments"


def test_mutants(archive: Archive) -> None:
    program(archive)
    archive.launch_with_struct("reduce", struct.pack("<QQ", DEVICE, 1), 0)
    folder = archive.write()
    path = folder / "pid-4242" / "events.bin"

    def write(data: bytes) -> Path:
        path.write_bytes(data)
        return folder

    assert hold_for_all(write, archive.data(), seed=1) > 0
