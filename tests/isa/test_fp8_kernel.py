"""A kernel that converts to fp8, with the descriptor that clang makes and with FP16_OVFL in it."""

from __future__ import annotations

import lzma
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from tests.isa.test_convert import FORMATS, bits, nearest

IMAGE = lzma.decompress((Path(__file__).parent / "data" / "fp8.co.xz").read_bytes())
NUMBERS = np.array([*np.linspace(-300, 300, 61), 1e5, -1e5, 57344, 61440, 1e-4], np.float32)
PROGRAM = """
import sys
import numpy as np
from greta.hip import Buffer, Module

numbers = np.load(sys.argv[2])
given, out = Buffer(numbers.nbytes), Buffer(numbers.nbytes)
given.copy_from(numbers)
Module.load(sys.argv[1]).kernel("to_fp8")(1, len(numbers), out, given)
words = np.empty(len(numbers), np.uint32)
out.copy_to(words)
np.save(sys.argv[3], words)
"""
pytestmark = pytest.mark.usefixtures("engine")


def with_overflow(image: bytes) -> bytes:
    """FP16_OVFL of the kernel's descriptor set: bit 26 of its word 12."""
    file = ELFFile(BytesIO(image))
    (symbol,) = file.get_section_by_name(".symtab").get_symbol_by_name("to_fp8.kd")
    section = file.get_section(symbol["st_shndx"])
    at = section["sh_offset"] + symbol["st_value"] - section["sh_addr"] + 48
    word = int.from_bytes(image[at : at + 4], "little") | 1 << 26
    return image[:at] + word.to_bytes(4, "little") + image[at + 4 :]


@pytest.mark.parametrize("saturates", [False, True])
def test_numbers_that_are_too_large(saturates: bool, tmp_path: Path) -> None:
    code, given, out = (tmp_path / name for name in ("fp8.co", "given.npy", "out.npy"))
    code.write_bytes(with_overflow(IMAGE) if saturates else IMAGE)
    np.save(given, NUMBERS)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    words = [sys.executable, "-m", "greta", "run", "--quiet", "--device", "sim"]
    words += ["--out", str(tmp_path / "run"), "--", sys.executable, str(program)]
    subprocess.run([*words, str(code), str(given), str(out)], check=True)
    for number, word in zip(NUMBERS, np.load(out), strict=True):
        x = bits(float(number))
        bytes_ = [nearest(f, y, saturates) for f in FORMATS for y in (x, x ^ 1 << 31)]
        assert list(int(word).to_bytes(4, "little")) == bytes_, number
