"""IEEE 754 in integers, written apart from the engine: the oracle for its arithmetic.

A number is its bits. Values are exact, (-1)**sign * mantissa * 2**exponent, and rounded once.
"""

from __future__ import annotations

from typing import NamedTuple

NEAREST, UP, DOWN, ZERO = range(4)


class Format(NamedTuple):
    """A binary format: how many bits its fields have."""

    fraction: int
    exponent: int

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.fraction

    @property
    def sign_bit(self) -> int:
        return 1 << (self.bits - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def quiet(self) -> int:
        return 1 << (self.fraction - 1)

    @property
    def nan(self) -> int:
        return self.infinity | self.quiet

    @property
    def least(self) -> int:
        """The exponent of the last bit of a denormal."""
        return 2 - (1 << (self.exponent - 1)) - self.fraction

    def magnitude(self, x: int) -> int:
        return x & (self.sign_bit - 1)

    def is_nan(self, x: int) -> bool:
        return self.magnitude(x) > self.infinity

    def is_infinite(self, x: int) -> bool:
        return self.magnitude(x) == self.infinity

    def is_zero(self, x: int) -> bool:
        return self.magnitude(x) == 0

    def sign(self, x: int) -> int:
        return x >> (self.bits - 1) & 1

    def biased(self, x: int) -> int:
        return self.magnitude(x) >> self.fraction

    def is_denormal(self, x: int) -> bool:
        return self.biased(x) == 0 and not self.is_zero(x)

    def is_signaling(self, x: int) -> bool:
        return self.is_nan(x) and not x & self.quiet


F16, F32, F64 = Format(10, 5), Format(23, 8), Format(52, 11)
BF16 = Format(7, 8)


def unpack(f: Format, x: int) -> tuple[int, int]:
    """A finite number as a signed mantissa and an exponent."""
    m = f.magnitude(x)
    fraction, biased = m & ((1 << f.fraction) - 1), m >> f.fraction
    mantissa = fraction if biased == 0 else fraction | 1 << f.fraction
    return (-mantissa if f.sign(x) else mantissa), f.least + max(biased, 1) - 1


def _rounds_up(cut: int, half: int, odd: int, sign: int, mode: int) -> bool:
    if mode == NEAREST:
        return cut > half or (cut == half and bool(odd))
    if mode == ZERO or cut == 0:
        return False
    return (mode == UP) == (sign == 0)


def pack(f: Format, mantissa: int, exponent: int, mode: int = NEAREST, zero_sign: int = 0) -> int:
    """Rounds mantissa * 2**exponent once."""
    sign = 1 if mantissa < 0 else 0
    m = abs(mantissa)
    if m == 0:
        return f.sign_bit * zero_sign
    place = max(exponent + m.bit_length() - (f.fraction + 1), f.least)
    shift = place - exponent
    if shift > 0:
        kept, cut, half = m >> shift, m & ((1 << shift) - 1), 1 << (shift - 1)
        kept += _rounds_up(cut, half, kept & 1, sign, mode)
    else:
        kept = m << -shift
    if kept >> (f.fraction + 1):
        kept, place = kept >> 1, place + 1
    biased = place - f.least + 1
    bits = kept if not kept >> f.fraction else (biased << f.fraction) | (kept - (1 << f.fraction))
    if bits >= f.infinity:
        to_infinity = mode == NEAREST or (mode != ZERO and (mode == UP) == (sign == 0))
        bits = f.infinity if to_infinity else f.infinity - 1
    return bits | f.sign_bit * sign


def first_nan(f: Format, *sources: int) -> int:
    for x in sources:
        if f.is_nan(x):
            return x | f.quiet
    return f.nan


def negated(f: Format, x: int) -> int:
    return x ^ f.sign_bit


def add(f: Format, a: int, b: int, mode: int = NEAREST) -> int:
    if f.is_nan(a) or f.is_nan(b):
        return first_nan(f, a, b)
    if f.is_infinite(a):
        return f.nan if f.is_infinite(b) and a != b else a
    if f.is_infinite(b):
        return b
    (ma, ea), (mb, eb) = unpack(f, a), unpack(f, b)
    return _sum(f, ma, ea, mb, eb, f.sign(a), f.sign(b), mode)


def _sum(f: Format, ma: int, ea: int, mb: int, eb: int, sa: int, sb: int, mode: int) -> int:
    e = min(ea, eb)
    zero_sign = (
        (sa if sa == sb else int(mode == DOWN)) if ma == 0 and mb == 0 else int(mode == DOWN)
    )
    return pack(f, (ma << (ea - e)) + (mb << (eb - e)), e, mode, zero_sign)


def subtract(f: Format, a: int, b: int, mode: int = NEAREST) -> int:
    if f.is_nan(a) or f.is_nan(b):
        return first_nan(f, a, b)
    return add(f, a, negated(f, b), mode)


def multiply(f: Format, a: int, b: int, mode: int = NEAREST) -> int:
    if f.is_nan(a) or f.is_nan(b):
        return first_nan(f, a, b)
    sign = f.sign(a) ^ f.sign(b)
    if f.is_infinite(a) or f.is_infinite(b):
        return f.nan if f.is_zero(a) or f.is_zero(b) else f.infinity | f.sign_bit * sign
    (ma, ea), (mb, eb) = unpack(f, a), unpack(f, b)
    return pack(f, ma * mb, ea + eb, mode, sign)


def fma(f: Format, a: int, b: int, c: int, mode: int = NEAREST) -> int:
    if any(map(f.is_nan, (a, b, c))):
        return first_nan(f, a, b, c)
    sign = f.sign(a) ^ f.sign(b)
    if f.is_infinite(a) or f.is_infinite(b):
        if f.is_zero(a) or f.is_zero(b) or (f.is_infinite(c) and f.sign(c) != sign):
            return f.nan
        return f.infinity | f.sign_bit * sign
    if f.is_infinite(c):
        return c
    (ma, ea), (mb, eb), (mc, ec) = unpack(f, a), unpack(f, b), unpack(f, c)
    return _sum(f, ma * mb, ea + eb, mc, ec, sign, f.sign(c), mode)


def divide(f: Format, a: int, b: int) -> int:
    """Rounded to nearest; for what a sequence of instructions must come to."""
    if f.is_nan(a) or f.is_nan(b):
        return first_nan(f, a, b)
    sign = f.sign_bit * (f.sign(a) ^ f.sign(b))
    if f.is_infinite(a) or f.is_zero(b):
        invalid = f.is_infinite(b) or f.is_zero(a)
        return f.nan if invalid else f.infinity | sign
    if f.is_infinite(b) or f.is_zero(a):
        return sign
    (ma, ea), (mb, eb) = unpack(f, a), unpack(f, b)
    scale = 2 * f.fraction + 2200
    quotient, rest = divmod(abs(ma) << scale, abs(mb))
    sticky = quotient << 1 | (rest != 0)
    return pack(f, -sticky if sign else sticky, ea - eb - scale - 1)


def _key(f: Format, x: int) -> int:
    """Orders numbers, -0 below +0."""
    return -f.magnitude(x) - 1 if f.sign(x) else f.magnitude(x)


def _among(f: Format, a: int, b: int, chosen: int) -> int:
    if f.is_nan(a):
        return a | f.quiet if f.is_signaling(a) or f.is_nan(b) else b
    if f.is_nan(b):
        return b | f.quiet if f.is_signaling(b) else a
    return chosen


def minimum(f: Format, a: int, b: int) -> int:
    if f.is_nan(a) and f.is_nan(b):
        return first_nan(f, a, b)
    return _among(f, a, b, a if _key(f, a) < _key(f, b) else b)


def maximum(f: Format, a: int, b: int) -> int:
    if f.is_nan(a) and f.is_nan(b):
        return first_nan(f, a, b)
    return _among(f, a, b, a if _key(f, a) > _key(f, b) else b)


def memory_extreme(f: Format, old: int, data: int, larger: bool) -> int:
    """What an atomic min or max leaves: a signaling NaN made quiet, else a number before a NaN."""
    for x in (old, data):
        if f.is_signaling(x):
            return x | f.quiet
    if f.is_nan(data) or f.is_nan(old):
        return old if f.is_nan(data) else data
    chosen = max if larger else min
    return chosen((old, data), key=lambda x: _key(f, x))


def median(f: Format, a: int, b: int, c: int) -> int:
    if any(map(f.is_nan, (a, b, c))):
        return minimum(f, minimum(f, a, b), c)
    return sorted((a, b, c), key=lambda x: _key(f, x))[1]


def compare(f: Format, a: int, b: int) -> int | None:
    """-1, 0, 1, or None where one is not a number."""
    if f.is_nan(a) or f.is_nan(b):
        return None
    x, y = _value_key(f, a), _value_key(f, b)
    return (x > y) - (x < y)


def _value_key(f: Format, x: int) -> int:
    return -f.magnitude(x) if f.sign(x) else f.magnitude(x)


def convert(to: Format, f: Format, x: int, mode: int = NEAREST) -> int:
    sign = to.sign_bit * f.sign(x)
    if f.is_nan(x):
        fraction = x & ((1 << f.fraction) - 1)
        shift = to.fraction - f.fraction
        payload = fraction << shift if shift >= 0 else fraction >> -shift
        return sign | to.infinity | payload | to.quiet
    if f.is_infinite(x):
        return sign | to.infinity
    m, e = unpack(f, x)
    return pack(to, m, e, mode, f.sign(x))


def from_integer(f: Format, value: int, mode: int = NEAREST) -> int:
    return pack(f, value, 0, mode)


def round_integral(f: Format, x: int, mode: int) -> int:
    """To an integer, as a number; mode ZERO is trunc, UP ceil, DOWN floor."""
    if f.is_nan(x):
        return x | f.quiet
    if f.is_infinite(x) or f.is_zero(x):
        return x
    m, e = unpack(f, x)
    if e >= 0:
        return x
    kept, cut = abs(m) >> -e, abs(m) & ((1 << -e) - 1)
    kept += _rounds_up(cut, 1 << (-e - 1), kept & 1, f.sign(x), mode)
    return pack(f, -kept if f.sign(x) else kept, 0, NEAREST, f.sign(x))


def to_integer(f: Format, x: int, low: int, high: int, mode: int = ZERO) -> int:
    """Out of range to the nearest end, not a number to 0."""
    if f.is_nan(x):
        return 0
    if f.is_infinite(x):
        return low if f.sign(x) else high
    m, e = unpack(f, round_integral(f, x, mode))
    value = m << e if e >= 0 else (m >> -e)
    return min(max(value, low), high)


def scale(f: Format, x: int, exponent: int, mode: int = NEAREST) -> int:
    if f.is_nan(x):
        return x | f.quiet
    if f.is_infinite(x) or f.is_zero(x):
        return x
    m, e = unpack(f, x)
    return pack(f, m, e + max(min(exponent, 10000), -10000), mode)


def fraction_of(f: Format, x: int, mode: int = NEAREST) -> int:
    if f.is_nan(x):
        return x | f.quiet
    if f.is_infinite(x):
        return f.nan
    below = subtract(f, x, round_integral(f, x, DOWN), mode)
    one = pack(f, 1, 0)
    return one - 1 if below >= one and not f.sign(below) else below


def split(f: Format, x: int) -> tuple[int, int]:
    """Mantissa in [0.5, 1) and exponent, as frexp."""
    if f.is_nan(x):
        return x | f.quiet, 0
    if f.is_infinite(x) or f.is_zero(x):
        return x, 0
    m, e = unpack(f, x)
    exponent = e + abs(m).bit_length()
    return pack(f, m, e - exponent), exponent


def flush(f: Format, x: int) -> int:
    return x & f.sign_bit if f.is_denormal(x) else x
