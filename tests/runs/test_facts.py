"""run.json of real runs: what ran can never be in doubt."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import greta
from greta.hip import SimTree
from tests.runs.running import Runner


def test_the_command_its_place_and_its_time(runner: Runner, tmp_path: Path) -> None:
    facts = runner("sleep", "0.2").facts
    assert (facts["schema"], facts["greta"]) == (1, greta.__version__)
    assert (facts["command"], facts["folder"]) == (["sleep", "0.2"], str(tmp_path))
    started, ended = (datetime.fromisoformat(facts[name]) for name in ("started", "ended"))
    assert started.tzinfo is not None
    assert 0.2 <= facts["seconds"] < 30
    assert abs((ended - started).total_seconds() - facts["seconds"]) < 1


def test_what_it_used(runner: Runner) -> None:
    script = "x = bytearray(200 << 20)\nfor n in range(3_000_000): pass"
    resources = runner.python(script).facts["resources"]
    assert resources["user_seconds"] > 0.02
    assert 200 << 20 < resources["max_resident_bytes"] < 400 << 20
    assert resources["minor_page_faults"] > 0


def test_a_linked_program(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "prog"
    command = ["g++", "-Wl,--build-id=0x1234abcd", "-x", "c++", "-", "-o", str(program)]
    subprocess.run(command, input=b"int main() { return 6; }", check=True)
    (tmp_path / "link").symlink_to("prog")
    done = runner("./link")
    assert done.returncode == 6
    facts = done.facts["program"]
    assert (facts["path"], facts["real_path"]) == (str(tmp_path / "link"), str(program))
    assert facts["sha256"] == hashlib.sha256(program.read_bytes()).hexdigest()
    assert (facts["build_id"], facts["bytes"]) == ("1234abcd", program.stat().st_size)
    assert done.facts["script"] is None


def test_a_script_and_its_interpreter(runner: Runner, tmp_path: Path) -> None:
    script = tmp_path / "odd näme.py"
    script.write_text("import sys; sys.exit(9)")
    done = runner(sys.executable, "-u", script.name)
    assert done.returncode == 9
    assert done.facts["program"]["real_path"] == os.path.realpath(sys.executable)
    assert done.facts["script"]["path"] == str(script)
    digest = hashlib.sha256(script.read_bytes()).hexdigest()
    assert done.facts["script"]["sha256"] == digest


def test_a_module(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("print('ran')")
    facts = runner(sys.executable, "-m", "tool").facts
    assert (facts["module"], facts["script"]["path"]) == ("tool", str(tmp_path / "tool.py"))


def test_a_script_that_is_executed_sees_its_own_name(runner: Runner, tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\necho $0 $1\n")
    script.chmod(0o755)
    done = runner("./tool", "word")
    assert done.stdout == b"./tool word\n"
    assert done.facts["script"]["path"] == str(script)
    assert done.facts["program"]["path"] == "/bin/sh"


def test_models_device_and_environment(
    runner: Runner, tmp_path: Path, sim_tree: SimTree, empty_recorder: Path
) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    runner.environment.update(HIP_VISIBLE_DEVICES="0", UNRELATED="hush")
    done = runner("true", "--model=m.gguf", options=("--quiet", "--ring", "500"))
    facts = done.facts
    assert [model["path"] for model in facts["models"]] == [str(tmp_path / "m.gguf")]
    assert (facts["device"]["kind"], facts["device"]["asked"]) == ("sim", "sim")
    assert facts["device"]["library"] == str(sim_tree.library)
    assert facts["environment"]["HIP_VISIBLE_DEVICES"] == "0"
    assert facts["environment"]["GRETA_RECORD"] == str(done.folder / "recording")
    assert "hush" not in (done.folder / "run.json").read_text()
    assert (facts["ring"], facts["recorder"]["path"]) == (500, str(empty_recorder))


def test_the_host(runner: Runner) -> None:
    host = runner("true").facts["host"]
    assert host["name"] == os.uname().nodename
    assert host["cores"] == os.cpu_count()
    assert host["memory_bytes"] > 1 << 28


def test_a_recorder_in_a_folder_with_a_space(
    runner: Runner, tmp_path: Path, empty_recorder: Path
) -> None:
    odd = tmp_path / "my folder" / empty_recorder.name
    odd.parent.mkdir()
    odd.write_bytes(empty_recorder.read_bytes())
    runner.environment["GRETA_RECORDER"] = str(odd)
    done = runner("grep", "-c", empty_recorder.name, "/proc/self/maps")
    assert int(done.stdout) > 0
    assert done.stderr == b""  # the loader would complain
    assert done.facts["recorder"]["path"] == str(odd)


def test_the_page_explains_every_field(runner: Runner, root: Path) -> None:
    page = (root / "docs" / "runs.md").read_text()
    table = page.partition("| field | meaning |")[2].partition("\n\n")[0]
    explained = {word for line in table.splitlines() for word in _first_cell(line)}
    assert explained - {"git"} == set(runner("true").facts)


def _first_cell(line: str) -> list[str]:
    return re.findall(r"`(\w+)`", line.split("|")[1]) if line.startswith("| `") else []
