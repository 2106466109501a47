"""From a path to evidence: run folders, recordings, logs, and what is none of these."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from greta.errors import ExitCode, UsageError
from greta.forensics.analysis import analyze
from greta.model import find_model
from greta.runs.gather import gather
from greta.trace.evidence import Expectations
from greta.trace.logs import read
from greta.trace.logs.lines import LogLine, read_lines
from greta.trace.trace import Gap
from tests.runs.gather.conftest import RunFolders
from tests.runs.recordings import Calls, new_process
from tests.trace.logs.test_greta import AUDIT

FAULT = (
    "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x7f00. Reason: Unknown.\n"
)


def test_a_run_without_a_hip_call_is_evidence_of_nothing(runs: RunFolders) -> None:
    (evidence,) = gather(runs.make(["true"]))
    assert set(evidence.trace.gaps) == {Gap.NO_RECORDING}
    assert len(evidence.trace.operations) == 0
    assert evidence.run.command == ("true",)


def test_an_empty_folder_of_a_process_is_one_that_could_not_be_recorded(runs: RunFolders) -> None:
    run = runs.make(["true"])
    (run / "recording" / "4711.0").mkdir()
    (evidence,) = gather(run)
    assert evidence.trace.gaps == {Gap.UNRECORDED: "4711.0: empty"}
    (run / "stderr.log").write_text("greta: /r/4711.0: no memory; not recorded for now\n")
    (evidence,) = gather(run)
    assert evidence.trace.gaps == {Gap.UNRECORDED: "stderr.log: /r/4711.0: no memory"}
    (run / "recording" / "4711.0" / "header").touch()  # made, and no space for a byte in it
    (evidence,) = gather(run)
    assert set(evidence.trace.gaps) == {Gap.UNRECORDED}


UNRECORDED = "cannot record into /run/recording; the program goes on unrecorded\n"


def test_the_recorders_own_sentence_is_believed(runs: RunFolders) -> None:
    run = runs.make(["true"])
    (run / "stderr.log").write_text(f"words\ngreta: {UNRECORDED}more\n")
    (evidence,) = gather(run)
    gaps = {Gap.UNRECORDED: "stderr.log: cannot record into /run/recording"}
    assert evidence.trace.gaps == gaps
    for_now = "greta: /run/recording/1.0: no free file descriptor; not recorded for now\n"
    for other in (f"it said greta: {UNRECORDED}", UNRECORDED, "greta: cannot record\n", for_now):
        (run / "stderr.log").write_text(other)
        (evidence,) = gather(run)
        assert set(evidence.trace.gaps) == {Gap.NO_RECORDING}


def test_what_the_program_wrote_is_read(runs: RunFolders) -> None:
    run = runs.make(["true"])
    (run / "stderr.log").write_text(FAULT)
    (run / "stdout.log").write_text("Tokens/second: 1.5\nSTATUS=OK\n")
    (evidence,) = gather(run)
    assert [fault.address for fault in evidence.faults] == [0x7F00]
    assert [message.text for message in evidence.messages] == ["Tokens/second=1.5", "STATUS=OK"]


def test_other_logs_of_the_run_are_joined_to_it(runs: RunFolders, tmp_path: Path) -> None:
    more = tmp_path / "more.txt"
    more.write_text(FAULT)
    (evidence,) = gather([runs.make(["true"]), more])
    assert len(evidence.faults) == 1


@pytest.mark.parametrize("kernel", ["rope", "saxpy"])
def test_the_debug_agents_dump_names_the_kernel_among_those_of_a_run(
    runs: RunFolders, tmp_path: Path, kernel: str
) -> None:
    run = runs.make(["true"])
    process = new_process(run / "recording")
    call = Calls(process.lane(100))
    call("hipMalloc", 0x7F0000, 4096)
    for number in (1, 2):
        call("hipModuleLaunchKernel", kernel=number)
    call("hipMemcpyAsync", 0x5500, 0x7F0000, 64, 2, 0, result=700)
    process.write()
    dump = tmp_path / "debug-agent.txt"
    dump.write_text(
        f"wave_3: pc=0x7fd4f100d0e8 (kernel_code_entry=0x7fd4f100d000 <{kernel}(float*, int)>, "
        "kernargs=0x7fd5f5180000) (stopped, reason: MEMORY_VIOLATION)\n"
    )
    verdicts = [analyze(gather(paths)) for paths in (run, [run, dump])]
    causes = [one.cause.kernel if one.cause else None for one in verdicts]
    assert causes[1] == kernel
    assert verdicts[0].cause != verdicts[1].cause


def test_a_model_is_looked_at_by_the_guard_rail(
    runs: RunFolders, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = {"GRETA_MODEL_CACHE": str(tmp_path_factory.mktemp("models"))}
    path = find_model("tiny", environment=cache)
    size = path.stat().st_size
    torn = tmp_path / "torn.gguf"
    torn.write_bytes(path.read_bytes()[: size // 2])
    named = [
        {"path": str(path), "bytes": size},
        {"path": str(torn), "bytes": size // 2},
        {"path": str(path), "bytes": size + 1},
        {"path": str(tmp_path / "gone.gguf"), "bytes": 1},
    ]
    (evidence,) = gather(runs.make(["true"], models=named))
    good, bad, changed, gone = evidence.models
    assert (good.problem, good.mismatches) == (None, ())
    assert good.dimensions["head_dim"] * good.dimensions["heads"] == good.dimensions["hidden"]
    assert bad.problem or bad.mismatches
    assert changed.problem
    assert gone.problem


def test_what_the_program_printed_stands_beside_its_models_file(
    runs: RunFolders, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = {"GRETA_MODEL_CACHE": str(tmp_path_factory.mktemp("models"))}
    path = find_model("tiny", environment=cache)
    run = runs.make(["true"], models=[{"path": str(path), "bytes": path.stat().st_size}])
    (run / "stdout.log").write_text("Model: Llama-2-7B (6.73815B params)\n")
    (evidence,) = gather(run)
    (model,), (printed,) = evidence.models, evidence.printed
    assert (printed.name, printed.parameters) == ("Llama-2-7B", (6_738_150_000,))
    assert model.name
    assert 0 < model.parameters[0] < 10**8


def test_output_that_looks_like_source_code_is_output(runs: RunFolders) -> None:
    run = runs.make(["true"])
    (run / "stdout.log").write_text("#include <a.h>\n// b\nint c;\n" + FAULT)
    assert len(gather(run)[0].faults) == 1


def test_what_pin_found_belongs_to_its_process(runs: RunFolders) -> None:
    run = runs.make(["true"])
    sure: dict[str, object] = {"pinned": True, "persists_serialized": True}
    found = sure | {"pid": 0, "seq": 7, "runs": 3, "kernel": "rope"}
    (run / "pin.json").write_text(json.dumps(found))
    (evidence,) = gather(run)
    assert evidence.pinned is not None
    assert (evidence.pinned.seq, evidence.pinned.kernel) == (7, "rope")
    (run / "pin.json").write_text(json.dumps(found | {"pid": 99}))
    assert gather(run)[0].pinned is None


def test_a_pin_by_timing_is_no_evidence_of_the_cause(runs: RunFolders) -> None:
    run = runs.make(["true"])
    found = {"pinned": True, "persists_serialized": False, "pid": 0, "seq": 7, "runs": 9}
    (run / "pin.json").write_text(json.dumps(found))
    assert gather(run)[0].pinned is None


def test_a_folder_of_logs_is_one_run(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(AUDIT)
    (tmp_path / "b.log").write_text(FAULT)
    (tmp_path / "notes.txt").write_text("nothing of interest\n")
    (tmp_path / "weights.bin").write_bytes(b"\0" * 100)
    (evidence,) = gather(tmp_path, Expectations(texts=("x",)))
    assert (len(evidence.faults), len(evidence.trace.operations)) == (1, 2)
    assert evidence.expectations.texts == ("x",)


def test_each_log_of_a_folder_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def lines(path: Path) -> Iterator[LogLine]:
        opened.append(path.name)
        return read_lines(path)

    monkeypatch.setattr(read, "read_lines", lines)
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(FAULT)
    gather(tmp_path)
    assert opened == ["a.log", "b.log"]


def test_what_is_none_of_these_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "x.txt").write_text("hello\n")
    for path in (tmp_path / "nowhere", empty, tmp_path / "x.txt"):
        with pytest.raises(UsageError, match=path.name) as refused:
            gather(path)
        assert refused.value.exit_code == ExitCode.BAD_USAGE
    with pytest.raises(UsageError, match="nothing was given"):
        gather([])


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    one, two = RunFolders(tmp_path / "1").make(["true"]), RunFolders(tmp_path / "2").make(["true"])
    with pytest.raises(UsageError, match="two runs"):
        gather([one, two])


def test_a_damaged_run_json_is_refused(runs: RunFolders) -> None:
    run = runs.make(["true"])
    (run / "run.json").write_text("{")
    with pytest.raises(UsageError, match=r"run\.json"):
        gather(run)
