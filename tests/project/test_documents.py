"""What the documents say is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import greta
from greta.cli.main import COMMANDS, HELP

PAGES = [
    "README.md",
    "README.es.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(
        str(path.relative_to(Path(__file__).parents[2]))
        for path in (Path(__file__).parents[2] / "docs").rglob("*.md")
    ),
]


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, root: Path) -> Path:
    return root / str(request.param)


def test_make_targets_that_are_named_exist(page: Path, root: Path) -> None:
    listing = subprocess.run(
        ["make", "--silent", "help"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    targets = {word for line in listing.splitlines() for word in line[:18].split()}
    named = set(re.findall(r"`make ([a-z-]+)`|^ *make ([a-z-]+)$", page.read_text(), re.MULTILINE))
    assert {a or b for a, b in named} <= targets


def test_commands_that_are_named_exist(page: Path) -> None:
    named = set(re.findall(r"(?:`|bin/|^ *|\$\()greta ([a-z]+)\b", page.read_text(), re.MULTILINE))
    assert named <= {HELP, *COMMANDS}


def test_files_that_are_linked_or_named_exist(page: Path, root: Path) -> None:
    text = page.read_text()
    linked = {target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target}
    missing = [target for target in linked if not (page.parent / target).exists()]
    named = set(re.findall(r"\bexamples/[a-z_]+\.[a-z]+", text))
    assert missing + [name for name in named if not (root / name).exists()] == []


def test_no_page_promises_or_postpones(page: Path) -> None:
    assert re.findall(r"\b(?:TODO|FIXME|coming soon|not yet)\b", page.read_text()) == []


def test_a_page_that_speaks_of_gpus_says_what_was_tried(page: Path) -> None:
    text = page.read_text()
    if page.parent.name == "docs" and SPEAKS_OF_GPUS.search(text):
        assert SAYS_WHAT_WAS_TRIED.search(text)


SPEAKS_OF_GPUS = re.compile(
    r"\b[Oo]n (?:an? GPU|GPUs|hardware)\b|\b(?:an? (?:AMD )?|[Oo]f an? )GPU\b|\bGPU de AMD\b"
)
SAYS_WHAT_WAS_TRIED = re.compile(
    r"\b(?:not|none|nothing|on one)\b[^.]{0,60}\btried\b"
    r"|\btried\b[^.]{0,90}\b(?:not|nothing) (?:on|with)\b"
    r"|\btried\b[^.]{0,30}\bonly\b|\bno se ha probado\b",
    re.IGNORECASE,
)


def test_ci_calls_the_readmes_test_command(root: Path) -> None:
    assert "\n    make test\n" in (root / "README.md").read_text()
    assert re.search(r"^make test( 2>&1 \|.*)?$", (root / ".ci" / "run").read_text(), re.MULTILINE)


def test_completions_and_manual_take_the_greta_that_is_installed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greta_of_user = tmp_path / "greta"
    greta_of_user.write_text("#!/bin/sh\n")
    greta_of_user.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    words = ["make", "--dry-run", "share", f"VENV={tmp_path / 'venv'}", f"SHARE={tmp_path}"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)
    assert f"{greta_of_user} man >" in done.stdout
    assert "pip install" not in done.stdout


def test_the_changelog_knows_this_version(root: Path) -> None:
    assert f"## [{greta.__version__}]" in (root / "CHANGELOG.md").read_text()


def test_the_device_s_page_lists_the_variables_that_are_read_and_no_others(root: Path) -> None:
    sources = [*(root / "native").rglob("*.cpp"), *(root / "src").rglob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    read = set(re.findall(r'"(GRETA_(?:SIM|CACHE|KERNELS)_[A-Z_]+|GRETA_DEVICE)"', code))
    page = (root / "docs" / "simulated-device.md").read_text()
    documented = set(re.findall(r"^\| `(GRETA_[A-Z_]+)", page, re.M))
    assert documented == read


def test_every_variable_that_is_read_is_documented_and_no_other(root: Path) -> None:
    sources = [*(root / "native").rglob("*.cpp"), *(root / "src").rglob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    read = set(re.findall(r'"((?:GRETA|GCORE)_[A-Z0-9_]*[A-Z0-9])"', code))
    pages = "".join(
        (root / page).read_text() for page in ("docs/simulated-device.md", "docs/variables.md")
    )
    documented = re.findall(r"^\| `((?:GRETA|GCORE)_[A-Z0-9_]+)`", pages, re.M)
    assert sorted(documented) == sorted(read)
