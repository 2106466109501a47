"""A second reading of each weight type, byte by byte and slowly, from the structs in ggml."""

from __future__ import annotations

import struct
from collections.abc import Callable

from greta.model import TensorType


def half(data: bytes) -> float:
    return float(struct.unpack("<e", data)[0])


def _f32(block: bytes) -> list[float]:
    return list(struct.unpack("<f", block))


def _f16(block: bytes) -> list[float]:
    return [half(block)]


def _bf16(block: bytes) -> list[float]:
    return list(struct.unpack("<f", b"\0\0" + block))


def _q8_0(block: bytes) -> list[float]:
    d = half(block[:2])
    return [d * q for q in struct.unpack("<32b", block[2:])]


def _q4_0(block: bytes) -> list[float]:
    d, quants = half(block[:2]), block[2:]
    return [d * (q - 8) for q in _low_then_high(quants)]


def _q4_1(block: bytes) -> list[float]:
    d, m, quants = half(block[:2]), half(block[2:4]), block[4:]
    return [d * q + m for q in _low_then_high(quants)]


def _q5_0(block: bytes) -> list[float]:
    d, high, quants = half(block[:2]), struct.unpack("<I", block[2:6])[0], block[6:]
    return [d * ((q | (high >> i & 1) << 4) - 16) for i, q in enumerate(_low_then_high(quants))]


def _q5_1(block: bytes) -> list[float]:
    d, m, high = half(block[:2]), half(block[2:4]), struct.unpack("<I", block[4:8])[0]
    codes = _low_then_high(block[8:])
    return [d * (q | (high >> i & 1) << 4) + m for i, q in enumerate(codes)]


def _q4_k(block: bytes) -> list[float]:
    d, dmin, scales, quants = half(block[:2]), half(block[2:4]), block[4:16], block[16:]
    numbers = []
    for group in range(8):
        scale, minimum = _scale_and_minimum(group, scales)
        for code in quants[group // 2 * 32 : group // 2 * 32 + 32]:
            nibble = code >> 4 if group % 2 else code & 15
            numbers.append(d * scale * nibble - dmin * minimum)
    return numbers


def _q5_k(block: bytes) -> list[float]:
    d, dmin, scales = half(block[:2]), half(block[2:4]), block[4:16]
    high, quants = block[16:48], block[48:]
    numbers = []
    for group in range(8):
        scale, minimum = _scale_and_minimum(group, scales)
        for i in range(32):
            code = quants[group // 2 * 32 + i]
            nibble = code >> 4 if group % 2 else code & 15
            fifth = (high[i] >> group & 1) << 4
            numbers.append(d * scale * (nibble | fifth) - dmin * minimum)
    return numbers


def _q6_k(block: bytes) -> list[float]:
    low, high, d = block[:128], block[128:192], half(block[208:])
    scales = struct.unpack("<16b", block[192:208])
    numbers = []
    for i in range(256):
        half_, run, lane = i // 128, i % 128 // 32, i % 32
        code = low[half_ * 64 + run % 2 * 32 + lane]
        nibble = code >> 4 if run >= 2 else code & 15
        two = high[half_ * 32 + lane] >> 2 * run & 3
        numbers.append(d * scales[i // 16] * ((nibble | two << 4) - 32))
    return numbers


def _low_then_high(quants: bytes) -> list[int]:
    return [q & 15 for q in quants] + [q >> 4 for q in quants]


def _scale_and_minimum(j: int, q: bytes) -> tuple[int, int]:
    if j < 4:
        return q[j] & 63, q[j + 4] & 63
    return q[j + 4] & 15 | q[j - 4] >> 6 << 4, q[j + 4] >> 4 | q[j] >> 6 << 4


LAYOUTS: dict[TensorType, tuple[int, int, Callable[[bytes], list[float]]]] = {
    TensorType.F32: (1, 4, _f32),
    TensorType.F16: (1, 2, _f16),
    TensorType.BF16: (1, 2, _bf16),
    TensorType.Q8_0: (32, 34, _q8_0),
    TensorType.Q4_0: (32, 18, _q4_0),
    TensorType.Q4_1: (32, 20, _q4_1),
    TensorType.Q5_0: (32, 22, _q5_0),
    TensorType.Q5_1: (32, 24, _q5_1),
    TensorType.Q4_K: (256, 144, _q4_k),
    TensorType.Q5_K: (256, 176, _q5_k),
    TensorType.Q6_K: (256, 210, _q6_k),
}
