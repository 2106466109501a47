"""What each opcode does to one lane, or to scalars: plain Python, written apart from the engine."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from tests.isa import floats
from tests.isa.floats import F16, F32, F64, Format

W, D = 0xFFFFFFFF, (1 << 64) - 1


def s(x: int, bits: int = 32) -> int:
    """The low bits as a signed number."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


# name -> function of the sources, as raw bits, that returns the result's bits.
LANE: dict[str, Callable[..., int]] = {}
# Compares: a bool for each lane.
COMPARE: dict[str, Callable[..., bool]] = {}
# name -> function of (a, b, carry) that returns the result and the carry out.
CARRY: dict[str, Callable[[int, int, int], tuple[int, int]]] = {}
# The number format of sources and result, where they are floating point.
SOURCE_FORMAT: dict[str, Format] = {}
RESULT_FORMAT: dict[str, Format] = {}
# Operations that round, which take the mode as a last argument.
ROUNDED: set[str] = set()
# Allowed difference from the correctly rounded result, in units of the last place.
NEAR: dict[str, int] = {}


def _leading(x: int, bits: int = 32) -> int:
    return bits - x.bit_length() if x else W


def _sign_run(x: int, bits: int) -> int:
    flipped = x ^ ((1 << bits) - 1) if x >> (bits - 1) else x
    return _leading(flipped, bits)


def _trailing(x: int) -> int:
    return (x & -x).bit_length() - 1 if x else W


def _reverse(x: int, bits: int = 32) -> int:
    return int(f"{x:0{bits}b}"[::-1], 2)


def _byte(x: int, i: int) -> int:
    return x >> (8 * i) & 255


def _perm(a: int, b: int, c: int) -> int:
    both, out = a << 32 | b, 0
    for i in range(4):
        k = _byte(c, i)
        if k < 8:
            value = _byte(both, k)
        elif k < 12:
            value = 255 * (both >> (16 * (k - 8) + 15) & 1)
        else:
            value = 0 if k == 12 else 255
        out |= value << (8 * i)
    return out


def _bfe_i(a: int, offset: int, width: int) -> int:
    offset, width = offset & 31, width & 31
    return s(s(a) >> offset, width) & W if width else 0


def _mul24(a: int, b: int) -> int:
    return s(a, 24) * s(b, 24)


def _sad8(a: int, b: int) -> int:
    return sum(abs(_byte(a, i) - _byte(b, i)) for i in range(4))


def _quad_sad(sad: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    """Four bytes at four places of eight; sums of 16 bits."""

    def lane(a: int, b: int, c: int) -> int:
        sums = ((c >> 16 * i & 65535) + sad(a >> 8 * i & W, b) for i in range(4))
        return sum((x & 65535) << 16 * i for i, x in enumerate(sums))

    return lane


def masked_sad8(a: int, b: int) -> int:
    return sum(abs(_byte(a, i) - _byte(b, i)) for i in range(4) if _byte(b, i))


def _saturated_byte(half: int) -> int:
    return min(max(s(half, 16), 0), 255)


LANE |= {
    "v_mov_b32": lambda a: a,
    "v_mov_b64": lambda a: a,
    "v_accvgpr_read_b32": lambda a: a,
    "v_accvgpr_write_b32": lambda a: a,
    "v_accvgpr_mov_b32": lambda a: a,
    "v_not_b32": lambda a: ~a,
    "v_bfrev_b32": _reverse,
    "v_ffbh_u32": _leading,
    "v_ffbl_b32": _trailing,
    "v_ffbh_i32": lambda a: _sign_run(a, 32),
    "v_add_u32": lambda a, b: a + b,
    "v_sub_u32": lambda a, b: a - b,
    "v_add_i32": lambda a, b: a + b,
    "v_sub_i32": lambda a, b: a - b,
    "v_subrev_u32": lambda a, b: b - a,
    "v_and_b32": lambda a, b: a & b,
    "v_or_b32": lambda a, b: a | b,
    "v_xor_b32": lambda a, b: a ^ b,
    "v_xnor_b32": lambda a, b: ~(a ^ b),
    "v_lshlrev_b32": lambda a, b: b << (a % 32),
    "v_lshrrev_b32": lambda a, b: b >> (a % 32),
    "v_ashrrev_i32": lambda a, b: s(b) >> (a % 32),
    "v_min_u32": min,
    "v_max_u32": max,
    "v_min_i32": lambda a, b: min(s(a), s(b)),
    "v_max_i32": lambda a, b: max(s(a), s(b)),
    "v_bfm_b32": lambda a, b: ((1 << a % 32) - 1) << (b % 32),
    "v_bcnt_u32_b32": lambda a, b: bin(a).count("1") + b,
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_hi_u32": lambda a, b: a * b >> 32,
    "v_mul_hi_i32": lambda a, b: s(a) * s(b) >> 32,
    "v_mul_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "v_mul_i32_i24": _mul24,
    "v_mul_hi_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 32,
    "v_mul_hi_i32_i24": lambda a, b: _mul24(a, b) >> 32,
    "v_mad_u32_u24": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
    "v_mad_i32_i24": lambda a, b, c: _mul24(a, b) + c,
    "v_add3_u32": lambda a, b, c: a + b + c,
    "v_or3_b32": lambda a, b, c: a | b | c,
    "v_and_or_b32": lambda a, b, c: a & b | c,
    "v_lshl_add_u32": lambda a, b, c: (a << b % 32) + c,
    "v_add_lshl_u32": lambda a, b, c: (a + b & W) << c % 32,
    "v_lshl_or_b32": lambda a, b, c: (a << b % 32) | c,
    "v_xad_u32": lambda a, b, c: (a ^ b) + c,
    "v_bfe_u32": lambda a, b, c: a >> b % 32 & ((1 << c % 32) - 1),
    "v_bfe_i32": _bfe_i,
    "v_bfi_b32": lambda a, b, c: (a & b) | (~a & c),
    "v_alignbit_b32": lambda a, b, c: (a << 32 | b) >> c % 32,
    "v_alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c % 4),
    "v_perm_b32": _perm,
    "v_min3_u32": min,
    "v_max3_u32": max,
    "v_med3_u32": lambda *x: sorted(x)[1],
    "v_min3_i32": lambda *x: min(map(s, x)),
    "v_max3_i32": lambda *x: max(map(s, x)),
    "v_med3_i32": lambda *x: sorted(map(s, x))[1],
    "v_lerp_u8": lambda a, b, c: sum(
        ((_byte(a, i) + _byte(b, i) + (_byte(c, i) & 1)) >> 1) << 8 * i for i in range(4)
    ),
    "v_sad_u8": lambda a, b, c: _sad8(a, b) + c,
    "v_sad_hi_u8": lambda a, b, c: (_sad8(a, b) << 16) + c,
    "v_sad_u16": lambda a, b, c: abs((a & 65535) - (b & 65535)) + abs((a >> 16) - (b >> 16)) + c,
    "v_sad_u32": lambda a, b, c: abs(a - b) + c,
    "v_msad_u8": lambda a, b, c: masked_sad8(a, b) + c,
    "v_qsad_pk_u16_u8": _quad_sad(_sad8),
    "v_mqsad_pk_u16_u8": _quad_sad(masked_sad8),
    "v_sat_pk_u8_i16": lambda a: _saturated_byte(a) | _saturated_byte(a >> 16) << 8,
    "v_lshlrev_b64": lambda a, b: b << a % 64,
    "v_lshrrev_b64": lambda a, b: b >> a % 64,
    "v_ashrrev_i64": lambda a, b: s(b, 64) >> a % 64,
    "v_lshl_add_u64": lambda a, b, c: (a << (b % 8 if b % 8 <= 4 else 0)) + c,
    "v_pack_b32_f16": lambda a, b: (a & 65535) | (b & 65535) << 16,
    "v_cvt_pk_u16_u32": lambda a, b: min(a, 65535) | min(b, 65535) << 16,
    "v_cvt_pk_i16_i32": lambda a, b: (
        (max(min(s(a), 32767), -32768) & 65535) | (max(min(s(b), 32767), -32768) & 65535) << 16
    ),
    "v_mad_u32_u16": lambda a, b, c: (a & 65535) * (b & 65535) + c,
    "v_mad_i32_i16": lambda a, b, c: s(a, 16) * s(b, 16) + c,
}


def _halves(function: Callable[..., int], signed: bool = False) -> Callable[..., int]:
    def lane(*sources: int) -> int:
        return function(*(s(x, 16) if signed else x & 65535 for x in sources)) & 65535

    return lane


def _saturating(function: Callable[[int, int], int], bits: int, signed: bool) -> Callable[..., int]:
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)

    def lane(a: int, b: int) -> int:
        a, b = (s(x, bits) if signed else x & (1 << bits) - 1 for x in (a, b))
        return min(max(function(a, b), low), high) & (1 << bits) - 1

    return lane


# Integer operations with clamp.
SATURATING: dict[str, Callable[..., int]] = {
    f"v_{name}_{type_}{bits}": _saturating(function, bits, type_ == "i")
    for name, function in (
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("subrev", lambda a, b: b - a),
    )
    for type_ in "ui"
    for bits in (16, 32)
    if (name, type_) != ("subrev", "i")
}

LANE |= {
    "v_add_u16": _halves(lambda a, b: a + b),
    "v_sub_u16": _halves(lambda a, b: a - b),
    "v_subrev_u16": _halves(lambda a, b: b - a),
    "v_add_i16": _halves(lambda a, b: a + b),
    "v_sub_i16": _halves(lambda a, b: a - b),
    "v_mul_lo_u16": _halves(lambda a, b: a * b),
    "v_lshlrev_b16": _halves(lambda a, b: b << a % 16),
    "v_lshrrev_b16": _halves(lambda a, b: b >> a % 16),
    "v_ashrrev_i16": _halves(lambda a, b: b >> a % 16, signed=True),
    "v_mad_legacy_u16": _halves(lambda a, b, c: a * b + c),
    "v_mad_legacy_i16": _halves(lambda a, b, c: a * b + c),
    "v_mad_u16": _halves(lambda a, b, c: a * b + c),
    "v_mad_i16": _halves(lambda a, b, c: a * b + c),
}
for _name, _function in (("min", min), ("max", max)):
    for _type, _signed in (("u16", False), ("i16", True)):
        LANE[f"v_{_name}_{_type}"] = _halves(_function, _signed)
        LANE[f"v_{_name}3_{_type}"] = _halves(_function, _signed)
        LANE[f"v_med3_{_type}"] = _halves(lambda *x: sorted(x)[1], _signed)


# -- floating point ------------------------------------------------------------------------------


SOURCE_FORMAT["v_pack_b32_f16"] = F16


def _float(name: str, f: Format, function: Callable[..., int], rounded: bool = True) -> None:
    LANE[name] = function
    SOURCE_FORMAT[name] = RESULT_FORMAT[name] = f
    if rounded:
        ROUNDED.add(name)


for _f, _t in ((F16, "f16"), (F32, "f32"), (F64, "f64")):
    _float(f"v_add_{_t}", _f, lambda a, b, m, f=_f: floats.add(f, a, b, m))
    _float(f"v_mul_{_t}", _f, lambda a, b, m, f=_f: floats.multiply(f, a, b, m))
    for _op in ("fma", "fmac", "fmaak", "fmamk"):
        _float(f"v_{_op}_{_t}", _f, lambda a, b, c, m, f=_f: floats.fma(f, a, b, c, m))
    _float(f"v_sub_{_t}", _f, lambda a, b, m, f=_f: floats.subtract(f, a, b, m))
    _float(
        f"v_subrev_{_t}", _f,
        lambda a, b, m, f=_f: floats.first_nan(f, a, b)
        if f.is_nan(a) or f.is_nan(b) else floats.subtract(f, b, a, m),
    )  # fmt: skip
    _float(f"v_min_{_t}", _f, lambda a, b, f=_f: floats.minimum(f, a, b), False)
    _float(f"v_max_{_t}", _f, lambda a, b, f=_f: floats.maximum(f, a, b), False)
    _float(
        f"v_min3_{_t}", _f, lambda a, b, c, f=_f: floats.minimum(f, floats.minimum(f, a, b), c),
        False,
    )  # fmt: skip
    _float(
        f"v_max3_{_t}", _f, lambda a, b, c, f=_f: floats.maximum(f, floats.maximum(f, a, b), c),
        False,
    )  # fmt: skip
    _float(f"v_med3_{_t}", _f, lambda a, b, c, f=_f: floats.median(f, a, b, c), False)
    for _op, _mode in (("trunc", 3), ("ceil", 1), ("floor", 2), ("rndne", 0)):
        _float(f"v_{_op}_{_t}", _f, lambda a, f=_f, m=_mode: floats.round_integral(f, a, m), False)
    _float(f"v_fract_{_t}", _f, lambda a, m, f=_f: floats.fraction_of(f, a, m))
    _float(f"v_frexp_mant_{_t}", _f, lambda a, f=_f: floats.split(f, a)[0], False)
    _bits = 16 if _f is F16 else 32
    _float(f"v_ldexp_{_t}", _f, lambda a, b, m, f=_f, n=_bits: floats.scale(f, a, s(b, n), m))
    _exponent = f"v_frexp_exp_i16_{_t}" if _f is F16 else f"v_frexp_exp_i32_{_t}"
    LANE[_exponent] = lambda a, f=_f: floats.split(f, a)[1] & (0xFFFF if f is F16 else W)
    SOURCE_FORMAT[_exponent] = _f


def _legacy_multiply(a: int, b: int, mode: int) -> int:
    return 0 if F32.is_zero(a) or F32.is_zero(b) else floats.multiply(F32, a, b, mode)


_float("v_mul_legacy_f32", F32, _legacy_multiply)


def _half_mad(a: int, b: int, c: int, mode: int) -> int:
    """Rounds the product and then the sum; a denormal counts as zero."""
    if any(map(F16.is_nan, (a, b, c))):
        return floats.first_nan(F16, a, b, c)
    a, b, c = (floats.flush(F16, x) for x in (a, b, c))
    product = floats.flush(F16, floats.multiply(F16, a, b, mode))
    return floats.flush(F16, floats.add(F16, product, c, mode))


for _op in ("mad", "mad_legacy", "mac", "madak", "madmk"):
    _float(f"v_{_op}_f16", F16, _half_mad)
_float("v_fma_legacy_f16", F16, lambda a, b, c, m: floats.fma(F16, a, b, c, m))


# -- cube maps ------------------------------------------------------------------------------------


def _major(x: int, y: int, z: int) -> str:
    """The axis of a direction; what is compared with a NaN is not larger."""

    def at_least(a: int, b: int) -> bool:
        return floats.compare(F32, F32.magnitude(a), F32.magnitude(b)) in (0, 1)

    return "z" if at_least(z, x) and at_least(z, y) else "y" if at_least(y, x) else "x"


def _minus(x: int) -> bool:
    return floats.compare(F32, x, 0) == -1


def _cube_face(x: int, y: int, z: int) -> int:
    axis = _major(x, y, z)
    face = {"x": 0, "y": 2, "z": 4}[axis] + _minus({"x": x, "y": y, "z": z}[axis])
    return floats.from_integer(F32, face)


def _cube_s(x: int, y: int, z: int) -> int:
    faces = {"z": floats.negated(F32, x) if _minus(z) else x, "y": x,
             "x": z if _minus(x) else floats.negated(F32, z)}  # fmt: skip
    return faces[_major(x, y, z)]


def _cube_t(x: int, y: int, z: int) -> int:
    down = floats.negated(F32, y)
    faces = {"z": down, "y": floats.negated(F32, z) if _minus(y) else z, "x": down}
    return faces[_major(x, y, z)]


def _cube_axis(x: int, y: int, z: int, mode: int) -> int:
    two = floats.from_integer(F32, 2)
    return floats.multiply(F32, {"x": x, "y": y, "z": z}[_major(x, y, z)], two, mode)


_float("v_cubeid_f32", F32, _cube_face, False)
_float("v_cubesc_f32", F32, _cube_s, False)
_float("v_cubetc_f32", F32, _cube_t, False)
_float("v_cubema_f32", F32, _cube_axis)


def _fixup(f: Format, quotient: int, denominator: int, numerator: int) -> int:
    sign = f.sign_bit * (f.sign(denominator) ^ f.sign(numerator))
    if f.is_nan(numerator) or f.is_nan(denominator):
        return floats.first_nan(f, numerator, denominator)
    if f.is_zero(denominator) and f.is_zero(numerator):
        return f.nan | f.sign_bit
    if f.is_infinite(denominator) and f.is_infinite(numerator):
        return f.nan | f.sign_bit
    if f.is_zero(denominator) or f.is_infinite(numerator):
        return sign | f.infinity
    if f.is_infinite(denominator) or f.is_zero(numerator):
        return sign
    if f is F16:  # needs no scaling, so no step before can have overflowed
        return sign | f.magnitude(quotient) | (f.quiet if f.is_nan(quotient) else 0)
    under = -150 if f is F32 else -1075
    if f.biased(numerator) - f.biased(denominator) < under:
        return sign
    if f.biased(quotient) == f.biased(f.infinity):
        return sign | f.infinity
    return sign | f.magnitude(quotient)


for _f, _t in ((F16, "f16"), (F32, "f32"), (F64, "f64")):
    _float(f"v_div_fixup_{_t}", _f, lambda a, b, c, f=_f: _fixup(f, a, b, c), False)
_float("v_div_fixup_legacy_f16", F16, lambda a, b, c: _fixup(F16, a, b, c), False)


def _two_over_pi(bits: int) -> int:
    """2 / pi times 2^bits: pi by Machin's formula."""

    def arctangent(x: int) -> int:
        term, total, n = (1 << 2 * bits) // x, 0, 1
        while term:
            total += term // n if n % 4 == 1 else -(term // n)
            term //= x * x
            n += 2
        return total

    pi = 4 * (4 * arctangent(5) - arctangent(239))
    return (2 << 3 * bits) // pi


_TWO_OVER_PI = _two_over_pi(1300) >> (1300 - 1201)


def _trig_preop(a: int, b: int, mode: int) -> int:
    exponent = F64.biased(a)
    shift = (b & 31) * 53 + max(exponent - 1077, 0)
    part = (_TWO_OVER_PI << shift) >> (1201 - 53) & ((1 << 53) - 1)
    return floats.pack(F64, part, -53 - shift + (128 if exponent >= 1968 else 0), mode)


_float("v_trig_preop_f64", F64, _trig_preop)


# -- conversions ---------------------------------------------------------------------------------


def _convert(
    name: str, function: Callable[..., int], source: Format | None, result: Format | None,
    rounded: bool = False,
) -> None:  # fmt: skip
    LANE[name] = function
    if source:
        SOURCE_FORMAT[name] = source
    if result:
        RESULT_FORMAT[name] = result
    if rounded:
        ROUNDED.add(name)


def _of_fp8(x: int, fraction: int, bias: int) -> int:
    x &= 255
    if x == 0x80:
        return F32.nan
    biased, mantissa = (x & 127) >> fraction, x & ((1 << fraction) - 1)
    m = mantissa if biased == 0 else mantissa | 1 << fraction
    return floats.pack(F32, -m if x & 128 else m, max(biased, 1) - bias - fraction)


def _normalized(a: int, low: float, scale: float) -> int:
    if F16.is_nan(a):
        return 0
    x = struct.unpack("<e", struct.pack("<H", a & 65535))[0]
    scaled = struct.unpack("<f", struct.pack("<f", max(min(x, 1.0), low) * scale))[0]
    return round(float(scaled))


def _value(f: Format, x: int) -> Fraction:
    m, e = floats.unpack(f, x)
    return m * Fraction(2) ** e


def _bounded(f: Format, x: int, low: int, high: int) -> Fraction:
    """A NaN is zero here."""
    if f.is_nan(x):
        return Fraction(0)
    if f.is_infinite(x):
        return Fraction(low if f.sign(x) else high)
    return min(max(_value(f, x), Fraction(low)), Fraction(high))


def _norm(f: Format, low: int, scale: int) -> Callable[[int, int], int]:
    def half(x: int) -> int:
        return round(_bounded(f, x & (2 * f.sign_bit - 1), low, 1) * scale) & 65535

    return lambda a, b: half(a) | half(b) << 16


def _with_byte(a: int, b: int, c: int) -> int:
    shift = 8 * (b & 3)
    return c & ~(255 << shift) | round(_bounded(F32, a, 0, 255)) << shift


LOW, HIGH = -(1 << 31), (1 << 31) - 1
_convert("v_cvt_f32_i32", lambda a, m: floats.from_integer(F32, s(a), m), None, F32, True)
_convert("v_cvt_f32_u32", lambda a, m: floats.from_integer(F32, a, m), None, F32, True)
_convert("v_cvt_f64_i32", lambda a: floats.from_integer(F64, s(a)), None, F64)
_convert("v_cvt_f64_u32", lambda a: floats.from_integer(F64, a), None, F64)
_convert("v_cvt_i32_f32", lambda a: floats.to_integer(F32, a, LOW, HIGH), F32, None)
_convert("v_cvt_u32_f32", lambda a: floats.to_integer(F32, a, 0, W), F32, None)
_convert("v_cvt_i32_f64", lambda a: floats.to_integer(F64, a, LOW, HIGH), F64, None)
_convert("v_cvt_u32_f64", lambda a: floats.to_integer(F64, a, 0, W), F64, None)
_convert("v_cvt_flr_i32_f32", lambda a: floats.to_integer(F32, a, LOW, HIGH, 2), F32, None)
_convert(
    "v_cvt_rpi_i32_f32",
    lambda a: floats.to_integer(
        F64, floats.add(F64, floats.convert(F64, F32, a), 0x3FE0000000000000), LOW, HIGH, 2
    ),
    F32, None,
)  # fmt: skip
_convert("v_cvt_f32_f16", lambda a: floats.convert(F32, F16, a & 65535), F16, F32)
_convert("v_cvt_f16_f32", lambda a, m: floats.convert(F16, F32, a, m), F32, F16, True)
_convert("v_cvt_f64_f32", lambda a: floats.convert(F64, F32, a), F32, F64)
_convert("v_cvt_f32_f64", lambda a, m: floats.convert(F32, F64, a, m), F64, F32, True)
_convert("v_cvt_f16_u16", lambda a, m: floats.from_integer(F16, a & 65535, m), None, F16, True)
_convert("v_cvt_f16_i16", lambda a, m: floats.from_integer(F16, s(a, 16), m), None, F16, True)
_convert("v_cvt_u16_f16", lambda a: floats.to_integer(F16, a, 0, 65535), F16, None)
_convert("v_cvt_i16_f16", lambda a: floats.to_integer(F16, a, -32768, 32767) & 65535, F16, None)
_convert("v_cvt_norm_i16_f16", lambda a: _normalized(a, -1.0, 32767.0) & 65535, F16, None)
_convert("v_cvt_norm_u16_f16", lambda a: _normalized(a, 0.0, 65535.0), F16, None)
for _i in range(4):
    _convert(
        f"v_cvt_f32_ubyte{_i}", lambda a, i=_i: floats.from_integer(F32, _byte(a, i)), None, F32
    )
for _f, _t in ((F16, "f16"), (F32, "f32")):
    _convert(f"v_cvt_pknorm_i16_{_t}", _norm(_f, -1, 32767), _f, None)
    _convert(f"v_cvt_pknorm_u16_{_t}", _norm(_f, 0, 65535), _f, None)
_convert("v_cvt_pk_u8_f32", _with_byte, F32, None)
_convert("v_cvt_pkaccum_u8_f32", _with_byte, F32, None)
SIXTEENTHS = [*(i / 16 for i in range(8)), *(i / 16 for i in range(-8, 0))]
_convert("v_cvt_off_f32_i4", lambda a: bits(F32, SIXTEENTHS[a & 15]), None, F32)
_convert("v_cvt_f32_fp8", lambda a: _of_fp8(a, 3, 8), None, F32)
_convert("v_cvt_f32_bf8", lambda a: _of_fp8(a, 2, 16), None, F32)
_convert(
    "v_cvt_pkrtz_f16_f32",
    lambda a, b: floats.convert(F16, F32, a, 3) | floats.convert(F16, F32, b, 3) << 16,
    F32, None,
)  # fmt: skip


# -- approximations ------------------------------------------------------------------------------


def number(f: Format, x: int) -> float:
    code = {16: "<eH", 32: "<fI", 64: "<dQ"}[f.bits]
    return float(struct.unpack(code[:2], struct.pack("<" + code[2], x & ((1 << f.bits) - 1)))[0])


def bits(f: Format, x: float) -> int:
    if math.isnan(x):
        return f.nan
    if math.isinf(x):
        return f.infinity | (f.sign_bit if x < 0 else 0)
    return floats.convert(f, F64, struct.unpack("<Q", struct.pack("<d", x))[0])


def _near(name: str, f: Format, function: Callable[[float], float], places: int = 1) -> None:
    def lane(a: int) -> int:
        if f.is_nan(a):
            return a | f.quiet
        return bits(f, function(number(f, a)))

    LANE[name], SOURCE_FORMAT[name], RESULT_FORMAT[name] = lane, f, f
    NEAR[name] = places


def _inverse(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else 1 / x


def _root(x: float) -> float:
    return math.nan if x < 0 else math.sqrt(x)


def _flushed(x: float) -> float:
    return math.copysign(0.0, x) if abs(x) < 2.0**-126 else x


def _log(x: float) -> float:
    return -math.inf if x == 0 else math.nan if x < 0 else math.log2(x)


def _exp(x: float) -> float:
    return math.inf if x > 1000 else 0.0 if x < -2000 else 2.0**x


def _turns(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: math.nan if math.isinf(x) else function((x - math.floor(x)) * math.tau)


for _f, _t in ((F16, "f16"), (F32, "f32"), (F64, "f64")):
    _near(f"v_rcp_{_t}", _f, _inverse)
    _near(f"v_rsq_{_t}", _f, lambda x: math.nan if x < 0 else _inverse(_root(x)))
    _near(f"v_sqrt_{_t}", _f, _root)
_near("v_rcp_iflag_f32", F32, _inverse)
_near("v_exp_f32", F32, lambda x: _flushed(_exp(x)))
_near("v_log_f32", F32, lambda x: _log(_flushed(x)), 2)
_near("v_exp_f16", F16, _exp)
_near("v_log_f16", F16, _log, 2)
_near("v_exp_legacy_f32", F32, lambda x: _flushed(_exp(x)))
_near("v_log_legacy_f32", F32, lambda x: _log(_flushed(x)), 2)
_near("v_sin_f16", F16, _turns(math.sin), 2)
_near("v_cos_f16", F16, _turns(math.cos), 2)
_near("v_sin_f32", F32, _turns(math.sin), 2)
_near("v_cos_f32", F32, _turns(math.cos), 2)


# -- compares ------------------------------------------------------------------------------------

Rule = Callable[[int], bool]
_INTEGER: dict[str, Rule] = {
    "f": lambda c: False,
    "lt": lambda c: c < 0,
    "eq": lambda c: c == 0,
    "le": lambda c: c <= 0,
    "gt": lambda c: c > 0,
    "ne": lambda c: c != 0,
    "ge": lambda c: c >= 0,
    "t": lambda c: True,
}
_FLOAT: dict[str, Callable[[int | None], bool]] = {
    "f": lambda c: False,
    "lt": lambda c: c is not None and c < 0,
    "eq": lambda c: c == 0,
    "le": lambda c: c is not None and c <= 0,
    "gt": lambda c: c is not None and c > 0,
    "lg": lambda c: c is not None and c != 0,
    "ge": lambda c: c is not None and c >= 0,
    "o": lambda c: c is not None,
    "u": lambda c: c is None,
    "nge": lambda c: c is None or c < 0,
    "nlg": lambda c: c is None or c == 0,
    "ngt": lambda c: c is None or c <= 0,
    "nle": lambda c: c is None or c > 0,
    "neq": lambda c: c != 0,
    "nlt": lambda c: c is None or c >= 0,
    "tru": lambda c: True,
}


def _class(f: Format, x: int, mask: int) -> bool:
    if f.is_nan(x):
        return bool(mask >> (0 if f.is_signaling(x) else 1) & 1)
    size = 0 if f.is_infinite(x) else 3 if f.is_zero(x) else 2 if f.is_denormal(x) else 1
    return bool(mask >> (2 + size if f.sign(x) else 9 - size) & 1)


for _width in (16, 32, 64):
    for _relation, _integer in _INTEGER.items():

        def _unsigned(a: int, b: int, n: int = _width, rule: Rule = _integer) -> bool:
            a, b = a & ((1 << n) - 1), b & ((1 << n) - 1)
            return rule((a > b) - (a < b))

        def _with_sign(a: int, b: int, n: int = _width, rule: Rule = _integer) -> bool:
            a, b = s(a, n), s(b, n)
            return rule((a > b) - (a < b))

        for _prefix in ("v_cmp", "v_cmpx"):
            COMPARE[f"{_prefix}_{_relation}_u{_width}"] = _unsigned
            COMPARE[f"{_prefix}_{_relation}_i{_width}"] = _with_sign
for _f, _t in ((F16, "f16"), (F32, "f32"), (F64, "f64")):
    for _prefix in ("v_cmp", "v_cmpx"):
        for _relation, _of in _FLOAT.items():
            _name = f"{_prefix}_{_relation}_{_t}"
            COMPARE[_name] = lambda a, b, f=_f, rule=_of: rule(floats.compare(f, a, b))
            SOURCE_FORMAT[_name] = _f
        COMPARE[f"{_prefix}_class_{_t}"] = lambda a, b, f=_f: _class(f, a & (2 * f.sign_bit - 1), b)
        SOURCE_FORMAT[f"{_prefix}_class_{_t}"] = _f


# -- carries -------------------------------------------------------------------------------------


def _add(a: int, b: int, carry: int) -> tuple[int, int]:
    return a + b + carry, (a + b + carry) >> 32


def _subtract(a: int, b: int, carry: int) -> tuple[int, int]:
    return a - b - carry, int(a < b + carry)


CARRY |= {
    "v_add_co_u32": _add,
    "v_addc_co_u32": _add,
    "v_sub_co_u32": _subtract,
    "v_subb_co_u32": _subtract,
    "v_subrev_co_u32": lambda a, b, c: _subtract(b, a, c),
    "v_subbrev_co_u32": lambda a, b, c: _subtract(b, a, c),
}
