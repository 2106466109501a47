"""Containers of code: what compilers wrap around a code object."""

from __future__ import annotations

import struct

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
HOST = ("host-x86_64-unknown-linux--", b"")
OURS = "hipv4-amdgcn-amd-amdhsa--gfx942"
PAGE = 4096


def bundle(*entries: tuple[str, bytes]) -> bytes:
    """A bundle of these (target, code) entries, the empty host entry first, as clang writes it.

    24 bytes magic, u64 count; per entry u64 offset, u64 size, u64 length of the id, id; then the
    codes, each at the beginning of a page.
    """
    everything = [HOST, *entries]
    header_bytes = len(MAGIC) + 8 + sum(24 + len(target) for target, _ in everything)
    header, codes = MAGIC + struct.pack("<Q", len(everything)), b""
    start = _whole_pages(header_bytes)
    for target, code in everything:
        header += struct.pack("<QQQ", start + len(codes), len(code), len(target)) + target.encode()
        codes += code.ljust(_whole_pages(len(code)), b"\0")
    return header.ljust(start, b"\0") + codes


def _whole_pages(nbytes: int) -> int:
    return (nbytes + PAGE - 1) // PAGE * PAGE
