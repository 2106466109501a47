"""Where the recorder is found, and how a program is made to load it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import greta
from greta.errors import UsageError
from greta.runs.recorder import (
    find_recorder,
    preloadable_recorder,
    recording_environment,
)

NAME, WATCH_NAME = "libgreta_recorder.so", "libgreta_hostwatch.so"


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
        ({"LD_PRELOAD": "/a.so:/usr/lib/libasan.so.8"}, "/usr/lib/libasan.so.8:/r.so:/a.so"),
    ],
)
def test_what_is_preloaded_already_stays(before: dict[str, str], after: str) -> None:
    environment = recording_environment(before, Path("/r.so"), Path("/run/recording"))
    assert environment.pop("ASAN_OPTIONS") == "verify_asan_link_order=0"
    assert environment == {"LD_PRELOAD": after, "GRETA_RECORD": "/run/recording"}


def test_a_ring_has_a_size() -> None:
    environment = recording_environment({}, Path("/r.so"), Path("/run"), ring=1000)
    assert environment["GRETA_RECORD_RING"] == "1000"


def test_a_ring_of_another_run_is_not_inherited() -> None:
    environment = recording_environment({"GRETA_RECORD_RING": "9"}, Path("/r.so"), Path("/r"))
    assert "GRETA_RECORD_RING" not in environment


def test_a_path_that_the_loader_would_split_gets_a_link_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    odd = library(tmp_path / "my: folder")
    path = preloadable_recorder(odd)
    assert path.resolve() == odd
    assert not set(" :") & set(str(path))
    assert preloadable_recorder(odd) == path  # and does not leave one more with each run
    assert len(list((tmp_path / "cache" / "greta").iterdir())) == 1
    assert sorted(file.name for file in path.parent.iterdir()) == [WATCH_NAME, NAME]


def test_a_path_that_can_be_preloaded_is_taken_as_it_is(tmp_path: Path) -> None:
    plain = library(tmp_path / "plain")
    assert preloadable_recorder(plain) == plain


def test_a_link_is_not_put_where_others_could_change_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    odd = library(tmp_path / "my folder")
    preloadable_recorder(odd).parent.chmod(0o777)
    path = preloadable_recorder(odd)
    assert path.parents[1] == tmp_path
    path.parent.chmod(0o777)
    with pytest.raises(UsageError, match="cannot be preloaded"):
        preloadable_recorder(odd)
