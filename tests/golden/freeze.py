"""Records what is to be judged: every program in tests/cases and examples, every drill, every log.

    python3 -m venv /opt/greta && /opt/greta/bin/pip install '.[test]'
    /opt/greta/bin/python tests/golden/freeze.py

The installation's path comes to be in debug information, so it must be one that says nothing of a
machine. This is needed only if there is something new to be judged: to accept new words for what is
frozen, see compare.py.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT))

from tests.golden.place import RECORDED, REWRITTEN, RUNS, Frozen  # noqa: E402

COPY = RECORDED / "project"
STAGES = ("cases", "examples", "drills", "logs")
LEFT_OUT = re.compile(
    r"__pycache__|\.git$|^\./(home|cases/header)$|\.lock$|\.greta\.log$|/verdict\.json$"
)
HOST = {"name": "golden", "kernel": "Linux", "kernel_build": "", "cpu": "CPU"}
CLEAN_RUNS = 4


def main(words: list[str]) -> int:
    """Without words: everything. With the name of a stage: that one, from within the copy."""
    if words:
        return _stage(words[0])
    shutil.rmtree(RECORDED, ignore_errors=True)
    shutil.copytree(PROJECT / "tests", COPY / "tests")
    shutil.copytree(PROJECT / "examples", COPY / "examples")
    shutil.copy(PROJECT / "pyproject.toml", COPY)
    (RECORDED / "home").mkdir()
    for stage in STAGES:
        script = str(COPY / "tests/golden/freeze.py")
        subprocess.run([sys.executable, script, stage], cwd=COPY, env=_environment(), check=True)
    pack()
    return 0


def _environment() -> dict[str, str]:
    """Nothing of who does this."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(RECORDED / "home"),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(COPY),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _stage(name: str) -> int:
    made = {"cases": _cases, "examples": _examples, "drills": _drills, "logs": _logs}[name]()
    entries = [{"name": one.name, "path": str(one.path), "options": one.options} for one in made]
    (RECORDED / f"{name}.json").write_text(json.dumps(entries))
    print(f"{name}: {len(entries)}")
    return 0


def _cases() -> Iterator[Frozen]:
    from tests.cases import test_story
    from tests.cases.recording import be_quiet, compile_header, recorded, write_models
    from tests.cases.test_cases import CASES
    from tests.cases.truth import Case

    story = [one for one in vars(test_story).values() if isinstance(one, Case)]
    cases = {case.name: case for case in [*CASES, *story]}
    folder = RECORDED / "cases"
    folder.mkdir()
    write_models(folder)
    compile_header(folder)
    with ProcessPoolExecutor(2, initializer=be_quiet) as pool:
        pending = {name: pool.submit(recorded, case, folder) for name, case in cases.items()}
        for name, future in pending.items():
            run, options = future.result()
            yield Frozen(f"cases/{name}", run, options)
            if name in {case.name for case in story}:
                yield from _with_less(name, run)


def _with_less(name: str, run: Path) -> Iterator[Frozen]:
    """The same run where the device names no kernel, and where the machine went down."""
    silent = run.with_name("silent")
    shutil.copytree(run, silent)
    (silent / "stderr.log").write_text("")
    yield Frozen(f"cases/{name}, no log", silent)
    cut = run.with_name("cut")
    shutil.copytree(run, cut)
    for lane in cut.glob("recording/*/lane.*"):
        with lane.open("r+b") as file:
            file.truncate(4096 + 6 * 128)
    yield Frozen(f"cases/{name}, cut", cut)


def _examples() -> Iterator[Frozen]:
    from greta.hip import find_sim_tree

    tree = find_sim_tree()
    folder = RECORDED / "examples"
    folder.mkdir()
    for source in sorted((COPY / "examples").iterdir()):
        program, out = folder / source.stem, folder / f"{source.stem}.run"
        start = [sys.executable, str(source)]
        if source.suffix in (".c", ".cpp"):
            compiler = "gcc" if source.suffix == ".c" else "g++"
            libraries = [f"-I{tree.include}", f"-L{tree.lib}", "-lamdhip64", "-lhiprtc"]
            subprocess.run([compiler, "-g", str(source), "-o", str(program), *libraries])
            start = [str(program)]
        greta = [sys.executable, "-m", "greta", "run", "--device", "sim", "--out", str(out)]
        subprocess.run([*greta, "--quiet", "--", *start], stdout=subprocess.DEVNULL)
        yield Frozen(f"examples/{source.name}", out)


def _drills() -> Iterator[Frozen]:
    from greta.lab.drilling import DrillSetting, run_clean, run_drill
    from greta.lab.drills.catalog import all_drills
    from greta.runs.device import choose_run_device

    folder = RECORDED / "drills"
    folder.mkdir()
    environment = choose_run_device("sim", {}).environment
    setting = DrillSetting(
        str(RECORDED / "cases/tiny.gguf"), "sim", folder, environment=environment
    )
    for drill in all_drills():
        run_drill(drill, setting)
        options = ["--expect-build", str(_kept(drill.expected))] if drill.expected else []
        yield Frozen(f"drills/{drill.name}", folder / f"{drill.name}.0", tuple(options))
    for number in range(CLEAN_RUNS):
        run_clean(setting, number)
        yield Frozen(f"drills/clean {number}", folder / f"clean.{number}")


def _kept(module: str) -> Path:
    spec, kept = find_spec(module), RECORDED / "drills" / "expected.py"
    assert spec
    shutil.copy(str(spec.origin), kept)
    return kept


def _logs() -> Iterator[Frozen]:
    """What the tests give to the reader of logs; see captured_logs.py."""
    folder = RECORDED / "logs"
    folder.mkdir()
    tests = ["tests/trace/logs", "tests/runs/gather", "tests/cli/test_analyze.py", "tests/reports"]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.golden.captured_logs", *tests]
    subprocess.run(words, cwd=COPY, check=False)
    for path in sorted(folder.iterdir()):
        yield Frozen(f"logs/{path.name}", path)


def pack() -> None:
    """Writes the archive; nothing in it may say where it was made."""
    listed: list[Any] = []
    for stage in STAGES:
        listed += json.loads((RECORDED / f"{stage}.json").read_text())
        (RECORDED / f"{stage}.json").unlink()
    (RECORDED / "runs.json").write_text(json.dumps(listed, indent=1))
    for path in RECORDED.rglob("*"):
        if path.name in REWRITTEN and path.is_file():
            _make_neutral(path)
    for path in RECORDED.rglob("*.gguf"):
        _drop_weights(path)
    with tarfile.open(RUNS, "w:xz", preset=9) as archive:
        archive.add(RECORDED, ".", filter=_packed)
    print(f"{len(listed)} in {RUNS}, {RUNS.stat().st_size / 1e6:.2f} MB")


def _make_neutral(path: Path) -> None:
    text = path.read_text(errors="surrogateescape")
    places = {sys.base_prefix: "python", sys.prefix: "venv", str(PROJECT): "source"}
    places[str(Path.home())] = "home"
    for place, name in places.items():
        text = text.replace(place, f"/golden/{name}")
    # What a machine has there must make no difference either.
    text = text.replace(f"host: {platform.node()},", f"host: {HOST['name']},")
    text = re.sub(r'"/(usr/|)(lib|lib64|bin)/', r'"/golden/\1\2/', text)
    if path.name == "run.json":
        facts = json.loads(text)
        facts["host"] |= HOST
        text = json.dumps(facts, indent=2) + "\n"
    path.write_text(text, errors="surrogateescape")


def _drop_weights(path: Path) -> None:
    """Only their sizes and types are ever looked at, and they do not compress."""
    from greta.model import open_model

    start = min(tensor.offset for tensor in open_model(path).tensors.values())
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(start)
        file.truncate(size)


def _packed(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if LEFT_OUT.search(info.name):
        return None
    path = RECORDED / info.name
    if path.is_relative_to(COPY) and not _is_source_of_a_program(path):
        return None
    if info.isfile():
        data = path.read_bytes()
        for place in (str(PROJECT), str(Path.home()) + "/"):
            assert place.encode() not in data, f"{path} names {place}"
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


def _is_source_of_a_program(path: Path) -> bool:
    folders = (COPY / "tests" / "cases", COPY / "examples")
    return any(path.is_relative_to(one) or one.is_relative_to(path) for one in folders)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
