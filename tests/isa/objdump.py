"""LLVM's disassembler as an oracle for the decoder."""

from __future__ import annotations

import random
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TOOL = shutil.which("llvm-objdump-22")
MACHINE = {"gfx90a": 0x3F, "gfx942": 0x4C, "gfx950": 0x4F}
SLOT, NOP = 4, 0xBF800000
LINE = re.compile(r"^\t(.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", re.M)
Text = tuple[int, str]


def elf(words: bytes, architecture: str) -> bytes:
    """An object file with nothing but code."""
    names = b"\0.text\0.shstrtab\0"
    at_names = 64 + len(words)
    at_sections = (at_names + len(names) + 7) & ~7
    head = b"\x7fELF" + bytes([2, 1, 1, 64, 3]) + bytes(7)
    head += struct.pack("<HHIQQQIHHHHHH", 1, 224, 1, 0, 0, at_sections, MACHINE[architecture],
                        64, 0, 0, 64, 3, 2)  # fmt: skip
    body = (head + words + names).ljust(at_sections, b"\0")
    text = struct.pack("<IIQQQQIIQQ", 1, 1, 6, 0, 64, len(words), 0, 0, 4, 0)
    strings = struct.pack("<IIQQQQIIQQ", 7, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
    return body + bytes(64) + text + strings


def disassemble(slots: NDArray[np.uint32], architecture: str) -> list[Text | None] | None:
    """What LLVM says of the instruction at the beginning of each row; None if it crashed."""
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(elf(slots.tobytes(), architecture))
        file.flush()
        command = [str(TOOL), "-d", f"--mcpu={architecture}", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    found = {
        int(at, 16): (len(words.split()), text) for text, at, words in LINE.findall(done.stdout)
    }
    texts = (found.get(4 * SLOT * row) for row in range(len(slots)))
    return [None if text is None or text[1].startswith(".long") else text for text in texts]


def oracle(slots: NDArray[np.uint32], architecture: str) -> list[Text | None]:
    """The same; rows at which LLVM crashes count as refused."""
    texts = disassemble(slots, architecture)
    if texts is not None:
        return texts
    if len(slots) == 1:
        return [None]
    half = len(slots) // 2
    return oracle(slots[:half], architecture) + oracle(slots[half:], architecture)


def crashes_llvm(first: int, second: int) -> bool:
    """Where a literal has no place, LLVM 22 follows a null pointer."""
    top = first >> 26
    if top == 0x34:
        sources = (second & 0x1FF, second >> 9 & 0x1FF, second >> 18 & 0x1FF)
        return first & 0xFF == 0xFF or 255 in sources
    if top in (0x38, 0x3A):
        return second >> 24 == 255
    if first >> 31 == 0 and first & 0x1FF == 0xF9:
        codes = (second & 0xFF, first >> 9 & 0xFF, second >> 8 & 0x7F)
        return codes[0] >= 208 or codes[1] >= 208 or codes[2] >= 124
    return False


def random_slots(r: random.Random, count: int) -> NDArray[np.uint32]:
    """Words that are instructions more often than chance would have it."""
    heads = [0x2C, 0x30, 0x36, 0x37, 0x38, 0x20, 0x28, 0x3A]
    slots = np.full((count, SLOT), NOP, np.uint32)
    at = 0
    while at < count:
        a, b, roll = r.getrandbits(32), r.getrandbits(32), r.random()
        if roll < 0.2:
            a = a & 0x00FFFFFF | r.choice((0x7E, 0x7F, 0x7C, 0x7D)) << 24
        elif roll < 0.35:
            a = a & 0x03FFFFFF | 0x34 << 26
            if r.random() < 0.3:
                a, b = a & ~0xFF00, b & 0x07FFFFFF
        elif roll < 0.45:
            a = a & 0x007FFFFF | 0xD3800000
        elif roll < 0.5:
            a = a & 0x7FFFFE00 | r.choice((0xF9, 0xFA))
        elif roll < 0.55:
            a = a & 0x007FFFFF | r.choice((0x17D, 0x17E, 0x17F)) << 23
        elif roll < 0.9:
            a = a & 0x03FFFFFF | r.choice(heads) << 26
        if not crashes_llvm(a, b) and not crashes_llvm(b, NOP):
            slots[at, :2], at = (a, b), at + 1
    return slots


def normal(text: str) -> str:
    """Without comments and names for numbers, and numbers in one base."""
    text = re.sub(r"/\*.*?\*/", "", text).strip()
    text = re.sub(r"\s*<.*$", "", re.sub(r" format:\[[^]]*\]", "", text))
    text = re.sub(r"\b(hwreg|sendmsg|gpr_idx)\([^)]*\)", "#", text)
    if re.match("s_(getreg|setreg|sendmsg|set_gpr_idx)", text):
        text = re.sub(r"(, |^\S+ )(#|0x[0-9a-f]+|\d+)(?=,|$)", r"\1#", text)
    text = re.sub(r"^s_endpgm .*", "s_endpgm", text.replace(" gds", ""))
    text = re.sub(r"\b0x[0-9a-f]+", lambda m: str(int(m[0], 16)), text)
    return re.sub(r"\s+", " ", text)


def write_sample(path: Path, count: int) -> None:
    """Keeps words and texts, so that tests need no LLVM."""
    slots = random_slots(random.Random(1), 4 * count)  # noqa: S311
    lines = []
    for row, text in zip(slots, oracle(slots, "gfx942"), strict=True):
        if text is not None and "/*" not in text[1] and not re.search(r"\bnull\b|_base_", text[1]):
            lines.append(f"{row[0]:08x} {row[1]:08x} {text[0]} {normal(text[1])}")
    path.write_text("\n".join(lines[:count]) + "\n")
