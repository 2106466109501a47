"""Model files on the command line are found and hashed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from greta.runs.files import LARGEST_HASHED_WHOLE, model_files, sampled_digest, with_annotated
from tests.model.rewritten import write_other_tiny

MIB = 1 << 20


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A sparse file just above what is hashed whole."""
    path = tmp_path / "large.gguf"
    with path.open("wb") as file:
        file.write(b"GGUF")
        file.truncate(LARGEST_HASHED_WHOLE + 12345)
    return path


def change(path: Path, offset: int) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(b"!")


def test_a_small_one_is_hashed_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF and more")
    (facts,) = model_files(["-m", str(path), "-p", "hello"])
    assert facts.argument == facts.path == str(path)
    assert facts.bytes == 13
    assert facts.hash == hashlib.sha256(b"GGUF and more").hexdigest()
    assert facts.hash_method == "sha256"


@pytest.mark.parametrize("form", ["{}", "--model={}", "model={}"])
@pytest.mark.parametrize("name", ["a.gguf", "b.SAFETENSORS", "c.bin", "d.pt", "odd näme.pt"])
def test_by_its_name_in_every_form(tmp_path: Path, form: str, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    (facts,) = model_files([form.format(tmp_path / name)])
    assert facts.path == str(tmp_path / name)


def test_by_its_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"GGUF\x03")
    (tmp_path / "text").write_bytes(b"no")
    assert len(model_files([str(tmp_path / "model"), str(tmp_path / "text")])) == 1


def test_named_twice_it_is_there_once(tmp_path: Path) -> None:
    (tmp_path / "m.pt").write_bytes(b"x")
    (tmp_path / "link.pt").symlink_to("m.pt")
    assert len(model_files([str(tmp_path / "m.pt"), f"--again={tmp_path / 'link.pt'}"])) == 1


def test_other_words_are_no_models(tmp_path: Path) -> None:
    words = ["", "=", "-x", "a\0b.gguf", "x" * 10000, str(tmp_path), "/no/such.gguf", "/dev/null"]
    assert model_files(words) == []


def test_a_large_one_is_sampled_and_says_how(large: Path) -> None:
    (facts,) = model_files([str(large)])
    assert str(facts.hash_method).startswith("sampled: sha256 over the first 1 MiB")
    size = facts.bytes or 0
    assert facts.hash == sampled_digest(large, size)
    whole = large.read_bytes()
    offsets = [number * (size - 65536) // 63 for number in range(64)]
    blocks = b"".join(whole[offset : offset + 65536] for offset in offsets)
    expected = hashlib.sha256(whole[:MIB] + blocks + whole[-MIB:]).hexdigest()
    assert facts.hash == expected


@pytest.mark.parametrize("offset", [5, MIB - 1, LARGEST_HASHED_WHOLE + 12344, 32 * 1065543])
def test_a_change_where_samples_lie_changes_the_hash(large: Path, offset: int) -> None:
    before = model_files([str(large)])[0].hash
    change(large, offset)
    assert model_files([str(large)])[0].hash != before


def test_one_byte_decides_between_whole_and_sampled(large: Path) -> None:
    with large.open("r+b") as file:
        file.truncate(LARGEST_HASHED_WHOLE)
    assert model_files([str(large)])[0].hash_method == "sha256"
    with large.open("r+b") as file:
        file.truncate(LARGEST_HASHED_WHOLE + 1)
    assert str(model_files([str(large)])[0].hash_method).startswith("sampled")


def test_what_the_program_names_is_added_once(tmp_path: Path) -> None:
    paths = [tmp_path / "given.gguf", tmp_path / "found.gguf"]
    for path in paths:
        path.write_bytes(b"GGUF")
    known = model_files([str(paths[0])])
    texts = ["layer=2", f"model={paths[1]}", f"model={paths[0]}", "model=/no/such.gguf"]
    models = with_annotated(known, texts)
    assert [(one.argument, one.path) for one in models] == [
        (str(paths[0]), str(paths[0])),
        (None, str(paths[1])),
    ]
    assert models[1].hash == hashlib.sha256(b"GGUF").hexdigest()


def test_what_the_file_says_of_the_model_is_kept(tmp_path: Path) -> None:
    path = write_other_tiny(tmp_path / "m.gguf", {"general.name": "odd\x1b name"})
    (facts,) = model_files([str(path)])
    assert facts.shape
    assert (facts.shape.layers, facts.shape.kv_heads, facts.shape.vocabulary) == (2, 2, 512)
    assert facts.shape.parameters > 1_000_000
    assert facts.shape.title == r"odd\x1b name"


def test_of_a_file_that_is_no_model_only_the_hash_is_kept(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF and more")
    (facts,) = model_files([str(tmp_path / "m.gguf")])
    assert facts.shape is None
    assert facts.hash
