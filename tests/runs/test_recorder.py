"""Where the recorder is found, and how a program is made to load it."""

from __future__ import annotations

from pathlib import Path

import pytest

import greta
from greta.errors import UsageError
from greta.runs.recorder import Recording, find_recorder, preloadable, recording_environment

NAME = "libgreta_recorder.so"


def library(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / NAME).touch()
    return folder / NAME


@pytest.fixture(autouse=True)
def _nothing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GRETA_RECORDER", raising=False)
    monkeypatch.delenv("GRETA_SIM_TREE", raising=False)
    monkeypatch.setattr(greta, "__path__", [str(tmp_path / "greta")])
    monkeypatch.setattr(greta, "__file__", str(tmp_path / "src" / "greta" / "__init__.py"))


def test_the_named_then_the_trees_then_the_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = library(tmp_path / "greta" / "_native" / "lib")
    assert find_recorder() == installed
    built = library(tmp_path / "build" / "lib")
    monkeypatch.setenv("GRETA_SIM_TREE", str(tmp_path / "build" / "rocm"))
    assert find_recorder() == built
    named = library(tmp_path / "other")
    monkeypatch.setenv("GRETA_RECORDER", str(named))
    assert find_recorder() == named


def test_a_recorder_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UsageError, match=r"libgreta_recorder.so is not installed; run `pip install \.`"
    ):
        find_recorder()
    monkeypatch.setenv("GRETA_RECORDER", "/no/such.so")
    with pytest.raises(UsageError, match=r"GRETA_RECORDER=/no/such\.so is not a file"):
        find_recorder()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, "/r.so"),
        ({"LD_PRELOAD": ""}, "/r.so"),
        ({"LD_PRELOAD": "/a.so /b.so"}, "/r.so:/a.so:/b.so"),
        ({"LD_PRELOAD": "/a.so:/r.so"}, "/r.so:/a.so"),
    ],
)
def test_what_is_preloaded_already_stays(before: dict[str, str], after: str) -> None:
    environment = recording_environment(before, Path("/r.so"), Recording(Path("/run/recording")))
    assert environment == {"LD_PRELOAD": after, "GRETA_RECORD": "/run/recording"}


def test_a_ring_has_a_size() -> None:
    environment = recording_environment({}, Path("/r.so"), Recording(Path("/run"), ring=1000))
    assert environment["GRETA_RECORD_RING"] == "1000"


def test_a_ring_of_another_run_is_not_inherited() -> None:
    environment = recording_environment(
        {"GRETA_RECORD_RING": "9"}, Path("/r.so"), Recording(Path("/r"))
    )
    assert "GRETA_RECORD_RING" not in environment


def test_a_path_that_the_loader_would_split_gets_a_link(tmp_path: Path) -> None:
    odd = library(tmp_path / "my: folder")
    with preloadable(odd) as path:
        assert path.resolve() == odd
        assert not set(" :") & set(str(path))
    assert not path.exists()
    plain = library(tmp_path / "plain")
    with preloadable(plain) as path:
        assert path == plain
