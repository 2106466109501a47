"""Programs that know nothing of us, audited by the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree
from greta.lab.cases.factors import separating_factors
from greta.lab.cases.history import observations_of
from tests.lab.typed import summary_from

HIP = """
import ctypes, os, sys, time
hip = ctypes.CDLL("libamdhip64.so")
buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
hip.hipMemset(buffer, 0, ctypes.c_size_t(64))
copy = lambda kind: hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(kind))
copy(2)
"""


def program(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HIP + source)
    return [sys.executable, str(path)]


@pytest.fixture
def audit(
    sim_tree: SimTree,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Runs `greta audit` in a folder of its own: its summary, and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other audits have other locks
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))

    def run(*words: str, code: int) -> dict[str, Any]:
        arguments = ["audit", "--device", "sim", *words]
        monkeypatch.setattr(sys, "argv", ["greta", *arguments])
        found = main(arguments)
        said = capsys.readouterr()
        assert found == code, said.err
        paths = sorted((tmp_path / "artifacts").glob("*/*/summary.json"))
        summary: dict[str, Any] = json.loads(paths[-1].read_text()) if paths else {}
        return {**summary, "stderr": said.err, "stdout": said.out, "path": paths[-1:]}

    return run


def build(root: Path, name: str, folder: Path, environment: dict[str, str]) -> Path:
    words = [sys.executable, "-m", "greta", "sim", "--cflags", "--libs"]
    flags = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    target = folder / Path(name).stem
    compiler = ["g++", "-std=c++17", str(root / "examples" / name), "-o", str(target)]
    subprocess.run([*compiler, *shlex.split(flags.stdout)], check=True)
    return target


def test_a_use_after_free_in_a_program_that_says_ok(
    audit: Any, root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    freed = build(root, "freed_buffer.cpp", tmp_path, environment)
    profiles = ("--profiles", "none,serialize")
    summary = audit(
        "--iters", "1", "--stress-iters", "1", *profiles, "--", f"./{freed.name}", code=1
    )
    assert (summary["verdict"], summary["partial"]) == ("REPRODUCED", None)
    cause = summary["cause"]
    assert (cause["hypothesis"], cause["call"]) == ("use_after_free", "hipMemcpy")
    assert cause["buffer"]["bytes"] == 1 << 16
    assert cause["buffer"]["freed_at"] is not None
    assert [test["id"] for test in summary["tests"]] == ["A", "B", "C", "A2", "B2", "C2"]
    assert summary["statistics"]["failures"] == 6
    assert summary["profile_evidence"] == "profile_persists"
    assert "not a race" in " ".join(summary["stdout"].split())
    confirmed = [one["id"] for one in summary["hypotheses"] if one["verdict"] == "CONFIRMED"]
    assert confirmed == ["use_after_free"]


def test_what_a_program_does_after_a_failure_does_not_count(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "copy(77); print('STATUS=OK'); sys.exit(0)")
    summary = audit("--iters", "1", "--stress-iters", "0", "--", *words, code=1)
    assert summary["verdict"] == "REPRODUCED"
    error = summary["iterations"][0]["error"]
    assert (error["call"], error["error"]) == ("hipMemcpy", "hipErrorInvalidMemcpyDirection")


@pytest.mark.parametrize("ends_with", [0, 1])
@pytest.mark.parametrize("is_wrong_before", [False, True])
def test_what_the_simulated_device_cannot_run_is_no_failure_of_the_program(
    audit: Any, tmp_path: Path, ends_with: int, is_wrong_before: bool
) -> None:
    """Code of a gfx90a, and memory that its kernels would have written."""
    source = f"""
import struct
if {is_wrong_before}:
    hip.hipMemcpy(host, buffer, ctypes.c_size_t(4096), ctypes.c_int(2))
head = b"\\x7fELF" + bytes((2, 1, 1, 64, 3)) + bytes(7)
head += struct.pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, 0, 0, 0x3F, 64, 0, 0, 64, 0, 0)
module, fresh = ctypes.c_void_p(), ctypes.c_void_p()
hip.hipMalloc(ctypes.byref(fresh), ctypes.c_size_t(64))
hip.hipModuleLoadData(ctypes.byref(module), head.ljust(4096, bytes(1)))
if not {ends_with}:
    hip.hipMemcpy(host, fresh, ctypes.c_size_t(64), ctypes.c_int(2))
sys.exit({ends_with})
"""
    words = program(tmp_path, source)
    options = ("--iters", "1", "--stress-iters", "0", "--expect-output", "42")
    summary = audit(*options, "--", *words, code=1 if is_wrong_before else 3)
    if is_wrong_before:
        assert summary["cause"]["hypothesis"] == "byte_size_mismatch"
        return
    assert summary["verdict"] == "INCONCLUSIVE"
    assert summary["reason_code"].startswith("verdict_simulator_")
    assert summary["statistics"]["failures"] == 0


def test_exit_codes_signals_and_time_outs_are_failures_too(
    audit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
number = len(os.listdir(os.environ["PLACE"]))
open(os.path.join(os.environ["PLACE"], str(number)), "w").close()
if number == 1: sys.exit(3)
if number == 2: os.kill(os.getpid(), 9)
if number == 3: time.sleep(100)
"""
    (tmp_path / "place").mkdir()
    monkeypatch.setenv("PLACE", str(tmp_path / "place"))
    words = program(tmp_path, source)
    summary = audit("--iters", "0", "--stress-iters", "4", "--timeout", "4", "--", *words, code=1)
    problems = [one["problems"] for one in summary["iterations"]]
    assert problems == [[], ["exit_code"], ["signal"], ["timeout"]]
    assert "waits in" in (summary["path"][0].parent / "run" / "C.3" / "stacks.txt").read_text()
    endings = [one["ending"] and one["ending"]["how"] for one in summary["iterations"]]
    assert endings == [None, "exit_code", "signal", "timeout"]
    codes = [(one["code"], one["runs"]) for one in summary["causes"]]
    assert codes == [("seen_exit_code", 1), ("seen_signal", 1), ("seen_hang", 1)]


def test_what_the_program_said_is_shown_harmless(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "print('bad \\x1b[2Jsum', file=sys.stderr); sys.exit(3)")
    summary = audit("--iters", "1", "--stress-iters", "0", "--", *words, code=1)
    seen = summary["seen"]
    assert (seen["exit_code"], seen["stderr"]) == (3, ["bad \\x1b[2Jsum"])
    told = " ".join(summary["stdout"].split())
    assert "ended with exit code 3, which no HIP call explains" in told
    assert "bad \\x1b[2Jsum" in summary["stdout"]
    folder = summary["path"][0].parent
    assert f"cat artifacts/{folder.parent.name}/{folder.name}/run/A.0/stderr.log" in told
    for name in ("report.en.md", "report.es.md", "report.en.html", "report.es.html"):
        assert "bad \\x1b[2Jsum" in (folder / name).read_text()


def test_an_exit_code_above_128_is_no_signal(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "sys.exit(200)")
    summary = audit("--iters", "1", "--stress-iters", "0", "--", *words, code=1)
    [one, _] = summary["iterations"]
    assert (one["problems"], one["ending"]["exit_code"]) == (["exit_code"], 200)


def test_a_hang_names_the_call_that_never_returned(audit: Any, tmp_path: Path) -> None:
    source = """
function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: time.sleep(100))
hip.hipLaunchHostFunc(None, function, None)
copy(2)
"""
    words = program(tmp_path, source)
    options = ("--iters", "0", "--stress-iters", "1", "--timeout", "4")
    summary = audit(*options, "--", *words, code=1)
    cause = summary["cause"]
    assert (cause["hypothesis"], cause["call"]) == ("hang", "hipMemcpy")
    assert cause["data"]["awaited"] == "hipLaunchHostFunc"
    assert (summary["seen"]["call"], summary["seen"]["returned"]) == ("hipMemcpy", False)
    assert "run/C.0/stacks.txt" in summary["stdout"]
    # The first of the two came to its end, the second did not.
    assert (summary["coverage"]["d2h"]["calls"], summary["coverage"]["d2h"]["bytes"]) == (2, 64)


def test_who_kills_the_watcher_has_shown_nothing_of_the_program(
    audit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
if not os.path.exists(os.environ["MARK"]):
    open(os.environ["MARK"], "w").close()
    os.kill(os.getppid(), 9)
    time.sleep(0.5)
"""
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    words = program(tmp_path, source)
    summary = audit("--iters", "1", "--stress-iters", "1", "--", *words, code=3)
    assert [one["result"] for one in summary["iterations"]] == ["INCONCLUSIVE", "PASS", "PASS"]
    assert summary["verdict"] == "INCONCLUSIVE"
    assert summary["reason_code"] == "seen_end_unknown"
    assert [one["code"] for one in summary["next_step_codes"]] == ["step_watch_to_the_end"]


def test_a_crash_of_the_host_is_not_put_on_the_last_call(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "hip.hipFree(buffer); os.kill(os.getpid(), 11)")
    summary = audit("--iters", "1", "--stress-iters", "0", "--", *words, code=1)
    assert [one["problems"] for one in summary["iterations"]] == [["signal"], ["signal"]]
    assert [one["error"] for one in summary["iterations"]] == [None, None]
    assert summary["reason_code"] == "verdict_died"
    assert [one["code"] for one in summary["next_step_codes"]] == ["step_host_stack"]
    report = (summary["path"][0].parent / "report.en.md").read_text()
    for told in (summary["stdout"], report):
        assert "ended by signal 11" in " ".join(told.split())
        assert "last HIP call" in told
        assert "reported here" not in told
        assert "surfaced" not in told
        assert "HIP_LAUNCH_BLOCKING" not in told


def test_two_faults_have_a_rate_each(
    audit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
number = len(os.listdir(os.environ["PLACE"]))
open(os.path.join(os.environ["PLACE"], str(number)), "w").close()
if number % 3: copy(77)
else: hip.hipFree(buffer); hip.hipFree(buffer)
"""
    (tmp_path / "place").mkdir()
    monkeypatch.setenv("PLACE", str(tmp_path / "place"))
    words = program(tmp_path, source)
    summary = audit("--iters", "0", "--stress-iters", "6", "--", *words, code=1)
    assert [one["runs"] for one in summary["causes"]] == [4, 2]
    assert summary["statistics"]["failures"] == 6
    assert (
        "Runs failed from 2 different causes"
        in (summary["path"][0].parent / "report.en.md").read_text()
    )
    assert "66.7" in summary["stdout"]
    assert "33.3" in summary["stdout"]


def test_an_output_that_is_not_the_expected_one_is_a_failure(audit: Any, tmp_path: Path) -> None:
    source = "print('sum=%d' % (1000 * (1 + os.path.exists('turn')))); open('turn', 'w').close()"
    expected = ("--expect-output", r"^sum=1000$")
    words = ("--iters", "2", "--stress-iters", "0")
    summary = audit(*words, *expected, "--", *program(tmp_path, source), code=1)
    problems = [one["problems"] for one in summary["iterations"]]
    assert problems == [[], *[["output_unexpected"]] * 3]
    assert "The output was not as expected (^sum=1000$): sum=2000" in summary["stdout"]
    assert "stdout.log" in summary["stdout"]


def test_outputs_that_differ_are_told_and_are_no_failure(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "print(os.getpid())")
    summary = audit("--iters", "2", "--stress-iters", "0", "--", *words, code=0)
    assert summary["outputs"]["kinds"] == 4
    assert "4 kinds in 4 runs" in " ".join(summary["stdout"].split())


def test_the_host_is_watched_where_that_is_asked_for(audit: Any, tmp_path: Path) -> None:
    words = ("--iters", "1", "--stress-iters", "0", "--watch-host")
    summary = audit(*words, "--", *program(tmp_path, ""), code=0)
    runs = [summary["path"][0].parent / one["run"] for one in summary["iterations"]]
    assert len(runs) == 2
    assert all(json.loads((run / "run.json").read_text())["watch_host"] for run in runs)


def test_fail_fast_stops_at_the_first(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "sys.exit(1)")
    summary = audit("--iters", "5", "--fail-fast", "--", *words, code=1)
    assert (summary["partial"], summary["statistics"]["runs"]) == ("strict", 1)


def test_the_former_name_of_fail_fast_is_understood_with_a_notice(
    audit: Any, tmp_path: Path
) -> None:
    words = program(tmp_path, "sys.exit(1)")
    first = audit("--iters", "2", "--stress-iters", "0", "--strict", "--", *words, code=1)
    assert (first["partial"], first["statistics"]["runs"]) == ("strict", 1)
    assert first["stderr"].count("--strict of audit is now --fail-fast") == 1
    path = first["path"][0]
    written = json.loads(path.read_text())
    assert written["rerun"]["options"].pop("fail_fast") is True
    written["rerun"]["options"]["strict"] = True  # as audits of before have it
    path.write_text(json.dumps(written))
    second = audit("--resume", str(path.parent), "--yes", code=1)
    assert second["statistics"]["runs"] == 2
    assert "is now" not in second["stderr"]


def test_an_audit_writes_no_secret_and_its_resumption_asks_for_it(
    audit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "xyzzy123"  # noqa: S105
    monkeypatch.setenv("HIP_TEST_TOKEN", secret)
    words = [*program(tmp_path, "sys.exit(1)"), "--token", secret, f"https://u:{secret}@host"]
    first = audit("--iters", "2", "--stress-iters", "0", "--fail-fast", "--", *words, code=1)
    folder = first["path"][0].parent
    files = [path for path in folder.rglob("*") if path.is_file()]
    kept = {path.name for path in files}
    assert {"summary.json", "rerun.json", "run.json", "tables.jsonl"} <= kept
    assert {path.suffix for path in files if path.name.startswith("report")} >= {".md", ".html"}
    assert [path.name for path in files if secret.encode() in path.read_bytes()] == []
    assert secret not in first["stdout"] + first["stderr"]
    again = ("--resume", str(folder), "--yes")
    refused = audit(*again, code=2)["stderr"]
    assert "was not written down" in refused
    assert "--token" in refused
    assert audit(*again, "--", *words, code=1)["statistics"]["runs"] == 2


def test_what_an_audit_names_is_not_run_unasked(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'a').write('x'); sys.exit(1)")
    first = audit("--iters", "2", "--stress-iters", "0", "--fail-fast", "--", *words, code=1)
    folder = first["path"][0].parent
    ran = (tmp_path / "ran").read_text()
    refused = audit("--resume", str(folder), code=2)["stderr"]
    assert "say --yes" in refused
    assert "program.py" in refused
    folder.chmod(0o777)
    assert "others may write" in audit("--resume", str(folder), "--yes", code=2)["stderr"]
    folder.chmod(0o700)
    (tmp_path / "program.py").write_text("another one")
    changed = audit("--resume", str(folder), "--yes", code=2)["stderr"]
    assert "is another than when the audit began" in changed
    assert (tmp_path / "ran").read_text() == ran


def test_a_program_that_is_not_there_is_bad_usage(audit: Any) -> None:
    found = audit("--", "./nothing-here", code=2)
    assert found["stderr"] == "greta: cannot run './nothing-here': there is no such program\n"
    assert found["path"] == []


def test_a_program_that_never_comes_to_hip_is_inconclusive(audit: Any, tmp_path: Path) -> None:
    summary = audit("--iters", "9", "--", "false", code=3)
    assert (summary["verdict"], summary["statistics"]["runs"]) == ("INCONCLUSIVE", 0)
    assert len(summary["iterations"]) == 3
    assert "false ended with exit code 1 before its first HIP call" in summary["stderr"]
    assert summary["partial"] == "failed"
    summary = audit("--iters", "9", "--case", "true", "--", "true", code=3)
    assert "greta: true makes no HIP call" in summary["stderr"]
    assert summary["partial"] == "no_hip"


@pytest.mark.parametrize(
    ("source", "how", "said"),
    [
        ("import os; os.kill(os.getpid(), 11)", "SIGSEGV", "it does not say why"),
        ("raise SystemExit('no such model')", "exit code 1", "no such model"),
    ],
)
def test_who_ends_before_his_first_call_is_not_said_to_make_none(
    audit: Any, tmp_path: Path, source: str, how: str, said: str
) -> None:
    path = tmp_path / "early.py"
    path.write_text(source)
    summary = audit("--iters", "2", "--stress-iters", "0", "--", sys.executable, str(path), code=3)
    told = " ".join(summary["stdout"].split())
    assert f"{how} before its first HIP call" in told
    assert f"{how} before its first HIP call ({said})" in summary["stderr"]
    assert "makes no HIP call" not in told + summary["stderr"]
    assert [one["code"] for one in summary["next_step_codes"]] == ["step_start_alone"]


def test_a_hang_before_the_first_call_is_no_signal(audit: Any) -> None:
    options = ("--iters", "2", "--stress-iters", "0", "--timeout", "1")
    summary = audit(*options, "--", "sleep", "100", code=3)
    assert summary["reason_code"] == "seen_hang_early"
    assert "sleep did not end within 1.0 s and made no HIP call" in summary["stderr"]


def test_a_script_without_its_interpreter_is_there(audit: Any, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/nowhere/to/be/found -x\n")
    script.chmod(0o755)
    summary = audit("--iters", "2", "--stress-iters", "0", "--", "./script", code=3)
    assert (
        "the interpreter that it names, '/nowhere/to/be/found', is not there" in (summary["stderr"])
    )
    assert "no such program" not in summary["stderr"]


def test_what_rerun_json_says_runs_the_same_again(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "")
    options = ("--iters", "1", "--stress-iters", "1", "--case", "same")
    first = audit(*options, "--", *words, code=0)
    rerun = json.loads((first["path"][0].parent / "rerun.json").read_text())
    seeded = ["greta", "audit", "--device", "sim", *options, "--seed", "0", "--", *words]
    assert rerun["command"] == seeded
    second = audit(*rerun["command"][4:], code=0)
    assert second["path"] != first["path"]
    same = ("test", "iteration", "prompt", "seed", "result")
    ran, ran_again = (
        [[one[name] for name in same] for one in each["iterations"]] for each in (first, second)
    )
    assert ran == ran_again


def test_a_command_audit_goes_on_where_it_stopped(audit: Any, tmp_path: Path) -> None:
    source = "sys.exit(not os.path.exists('repaired'))"
    words = program(tmp_path, source)
    options = ("--iters", "1", "--stress-iters", "1", "--fail-fast", "--case", "again")
    first = audit(*options, "--", *words, code=1)
    folder = first["path"][0].parent
    program(tmp_path, "")  # another build of it: its runs are not to be counted with the others
    refused = audit("--resume", str(folder), code=2)
    assert "is another than when the audit began" in refused["stderr"]
    assert refused["stderr"].count("\n") == 1
    program(tmp_path, source)
    (tmp_path / "repaired").touch()
    second = audit("--resume", str(folder), "--yes", code=1)
    assert (second["partial"], second["started"]) == (None, first["started"])
    assert [one["result"] for one in second["iterations"]] == ["FAIL", "PASS", "PASS"]
    assert second["statistics"]["runs"] == 3
    refused = audit("--resume", str(folder), code=2)
    assert "is complete" in refused["stderr"]


def test_a_device_whose_runs_fail_is_a_factor(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "copy(77 if os.environ['HIP_VISIBLE_DEVICES'] == '1' else 2)")
    options = ("--devices", "0-1", "--iters", "4", "--stress-iters", "0")
    summary = audit(*options, "--", *words, code=1)
    rates = {one["device"]: (one["failures"], one["runs"]) for one in summary["devices"]}
    assert rates[0][0] == 0 < rates[1][0] == rates[1][1]
    assert sum(runs for _, runs in rates.values()) == 8
    read = summary_from(summary)
    factor = separating_factors(observations_of(read.iterations, read.factor_sets))[0]
    assert (factor.name, factor.value.split()[-1], factor.separates) == (
        "device ordinal",
        "1",
        True,
    )
    apart = [one["device"] for one in summary["devices"] if one["apart"]]
    assert apart in ([1], [])  # with few runs it may be luck
    page = (summary["path"][0].parent / "report.es.md").read_text()
    assert "Dispositivos" in page
