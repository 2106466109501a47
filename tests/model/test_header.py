"""Every count, length and offset of a header is checked before it is believed."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader

from greta.errors import ExitCode
from greta.model import Model, ModelError, open_model
from greta.model.header import GgufHeader, read_header
from tests.model.gguf_bytes import ARRAY, STRING, U32, gguf, key, tensor, text

HUGE = 1 << 60
ALIGNMENT = b"general.alignment"


def read(data: bytes) -> GgufHeader:
    return read_header(memoryview(data), "file.gguf")


def test_a_small_file_is_read() -> None:
    data = gguf(
        [key(b"a", U32, struct.pack("<I", 7)), key(b"b", STRING, text("ñ".encode()))],
        [tensor(b"t", (4, 2))],
        data=bytes(32),
    )
    header = read(data)
    assert header.metadata == {"a": 7, "b": "ñ"}
    assert (header.tensors[0].shape, header.tensors[0].bytes) == ((2, 4), 32)


def test_arrays_of_numbers_and_strings() -> None:
    numbers = struct.pack("<IQ3i", 5, 3, -1, 0, 1)
    words = struct.pack("<IQ", STRING, 2) + text(b"x") + text(b"")
    header = read(gguf([key(b"n", ARRAY, numbers), key(b"w", ARRAY, words)]))
    assert header.metadata["n"].tolist() == [-1, 0, 1]
    assert list(header.metadata["w"]) == ["x", ""]


LIES = {
    "no magic": (b"GGML" + bytes(40), "header: does not begin with GGUF"),
    "old version": (gguf(version=1), "GGUF version 1"),
    "big-endian": (gguf(version=3 << 24), "big-endian"),
    "only a magic": (b"GGUF", "header: needs 4 bytes"),
    "many tensors": (gguf(tensor_count=HUGE), "tensor count"),
    "many keys": (gguf(key_count=HUGE), "key count"),
    "more keys than there are": (gguf(key_count=2), "key count: 2 cannot be right"),
    "long name": (gguf([struct.pack("<Q", HUGE)], key_count=1, data=bytes(32)), "key 0: needs"),
    "long string": (gguf([key(b"k", STRING, struct.pack("<Q", HUGE))]), "k: needs"),
    "many strings": (gguf([key(b"k", ARRAY, struct.pack("<IQ", STRING, HUGE))]), "k: has"),
    "many numbers": (gguf([key(b"k", ARRAY, struct.pack("<IQ", U32, HUGE))]), "k: needs"),
    "arrays in arrays": (gguf([key(b"k", ARRAY, struct.pack("<IQ", ARRAY, 1))]), "k: has values"),
    "unknown type": (gguf([key(b"k", 99, bytes(8))]), "k: has values of the type 99"),
    "not text": (gguf([key(b"k", STRING, text(b"\xff"))]), "k: is not text"),
    "a key twice": (gguf([key(b"k", U32, bytes(4))] * 2), "k: is there twice"),
    "odd alignment": (gguf([key(ALIGNMENT, U32, struct.pack("<I", 3))]), "general.alignment"),
    "no alignment": (gguf([key(ALIGNMENT, U32, bytes(4))]), "general.alignment"),
    "no dimensions": (gguf(tensors=[tensor(b"t", ())], data=bytes(64)), "t: has 0 dimensions"),
    "many dimensions": (gguf(tensors=[tensor(b"t", (1,) * 9)]), "t: has 9 dimensions"),
    "no elements": (gguf(tensors=[tensor(b"t", (0, 2))], data=bytes(64)), "t: has the shape"),
    "part of a block": (gguf(tensors=[tensor(b"t", (31,), 8)], data=bytes(64)), "t: has the shape"),
    "unknown weights": (gguf(tensors=[tensor(b"t", (1,), 999)], data=bytes(64)), "t: has the type"),
    "huge": (gguf(tensors=[tensor(b"t", (HUGE, HUGE, HUGE))], data=bytes(64)), "t: ends at byte"),
    "far away": (gguf(tensors=[tensor(b"t", (1,), offset=HUGE)], data=bytes(64)), "t: ends at"),
    "askew": (gguf(tensors=[tensor(b"t", (1,), offset=4)], data=bytes(64)), "t: begins at 4"),
    "cut short": (gguf(tensors=[tensor(b"t", (9,))], data=bytes(32)), "fetch it again"),
    "overlap": (
        gguf(tensors=[tensor(b"t", (9,)), tensor(b"u", (1,), offset=32)], data=bytes(64)),
        "u: lies over t",
    ),
    "a tensor twice": (
        gguf(tensors=[tensor(b"t", (1,)), tensor(b"t", (1,), offset=32)], data=bytes(64)),
        "the same name",
    ),
}


def test_lists_of_strings_have_a_limit_together() -> None:
    most = 1 << 21
    half = key(b"a", ARRAY, struct.pack("<IQ", STRING, most // 2) + bytes(8) * (most // 2))
    more = key(b"b", ARRAY, struct.pack("<IQ", STRING, most // 2 + 1) + bytes(8) * (most // 2 + 1))
    with pytest.raises(ModelError, match="b: has 1048577 strings"):
        read(gguf([half, more]))


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_told_with_file_and_field(lie: str) -> None:
    data, words = LIES[lie]
    with pytest.raises(ModelError) as caught:
        read(data)
    assert str(caught.value).startswith("file.gguf: ")
    assert words in str(caught.value)
    assert caught.value.exit_code == ExitCode.BAD_USAGE


def test_the_reader_of_the_gguf_package_sees_the_same(tiny: Model) -> None:
    theirs = GGUFReader(tiny.path)
    keys = {name for name in theirs.fields if not name.startswith("GGUF.")}
    assert keys == set(tiny.metadata)
    for name in keys:
        assert np.array_equal(theirs.fields[name].contents(), np.asarray(tiny.metadata[name])), name
    for tensor_ in theirs.tensors:
        ours = tiny.tensors[tensor_.name]
        assert (int(ours.type), ours.offset) == (tensor_.tensor_type, tensor_.data_offset)
        assert ours.shape == tuple(tensor_.shape.tolist()[::-1])
        assert ours.raw.tobytes() == tensor_.data.tobytes()


def test_tensors_are_views_of_the_map(tiny: Model) -> None:
    raw = tiny.layer(1).ffn_down.raw
    assert not raw.flags.owndata
    assert not raw.flags.writeable


@pytest.mark.parametrize("what", ["missing", "folder", "empty", "pipe"])
def test_what_is_no_file_is_told(what: str, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    if what == "folder":
        path.mkdir()
    elif what == "empty":
        path.touch()
    elif what == "pipe":
        os.mkfifo(path)
    with pytest.raises(ModelError, match=r"model\.gguf: "):
        open_model(path)
