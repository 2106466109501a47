"""Finished builds are kept on disk, and used again only when nothing has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.simdevice.hiprtc.program import compile_program

SOURCE = '#include "shared.h"\nextern "C" __global__ void k(int* x) { *x = VALUE; }'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GRETA_SIM_CACHE")
    monkeypatch.setenv("GRETA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "hiprtc"


@pytest.fixture
def include(tmp_path: Path) -> Path:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "shared.h").write_text("#define VALUE 1\n")
    return folder


@pytest.fixture
def build(include: Path) -> Callable[..., bytes]:
    def build(*options: str, source: str = SOURCE, names: tuple[str, ...] = ()) -> bytes:
        return compile_program(source, f"-I{include}", *options, names=names).code

    return build


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.exists() else []


def test_the_second_build_is_the_first_one(cache: Path, build: Callable[..., bytes]) -> None:
    first = build()
    (entry,) = entries(cache)
    written = entry.stat().st_ino
    assert build() == first
    (entry,) = entries(cache)
    assert entry.stat().st_ino == written  # a new build is a new file


@pytest.mark.parametrize("how", ["entry of others", "folder of others", "link", "owner"])
def test_what_others_can_write_is_not_taken(
    cache: Path, build: Callable[..., bytes], how: str, tmp_path: Path
) -> None:
    build()
    (entry,) = entries(cache)
    before = entry.stat().st_ino
    if how == "entry of others":
        entry.chmod(0o666)
    elif how == "folder of others":
        cache.chmod(0o777)
    elif how == "link":
        entry.rename(tmp_path / "elsewhere")
        entry.symlink_to(tmp_path / "elsewhere")
    elif os.geteuid() == 0:
        os.chown(entry, 65534, 65534)
    else:
        pytest.skip("only root can give files away")
    build()
    assert entry.lstat().st_ino != before  # it was built again
    assert not entry.is_symlink()
    assert entry.stat().st_uid == os.geteuid()
    assert not cache.stat().st_mode & 0o022


def test_a_hit_brings_log_and_lowered_names(cache: Path) -> None:
    source = "template <class T> __global__ void k(T* a) { int unused; *a = 1; }"
    first = compile_program(source, "-Wall", names=["k<int>"])
    assert "unused" in first.log
    assert compile_program(source, "-Wall", names=["k<int>"]) == first
    assert len(entries(cache)) == 1


def test_whatever_changes_the_code_changes_the_entry(
    cache: Path, build: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    build("-O1")
    build("-DOTHER")
    build(source=SOURCE + " ")
    build(names=("k",))
    monkeypatch.setenv("GRETA_SIM_ISA", "baseline")
    build()
    monkeypatch.setenv("GRETA_SIM_PLACEMENT", "strict")
    build()
    assert len(entries(cache)) == 7


def test_a_changed_include_is_noticed(
    cache: Path, build: Callable[..., bytes], include: Path
) -> None:
    first = build()
    (include / "shared.h").write_text("#define VALUE 123456\n")
    assert build() != first


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied"])
def test_a_damaged_entry_is_replaced(cache: Path, build: Callable[..., bytes], damage: str) -> None:
    first = build()
    (entry,) = entries(cache)
    content = bytearray(entry.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "flipped":
        content[len(content) // 2] ^= 1
    else:
        content.clear()
    entry.write_bytes(content)
    assert build() == first
    assert entry.read_bytes() != bytes(content)


def test_the_cache_can_be_turned_off(
    cache: Path, build: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETA_SIM_CACHE", "0")
    build()
    assert entries(cache) == []


def test_a_folder_that_cannot_be_written_does_no_harm(
    build: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRETA_SIM_CACHE")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRETA_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert build()


def test_failures_are_not_kept(cache: Path) -> None:
    from tests.simdevice.hiprtc.program import failed_log

    assert failed_log("__global__ void k() { wrong; }")
    assert entries(cache) == []
