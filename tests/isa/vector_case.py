"""Random vector instructions: their encoding, and what they must do to a wave by the reference."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from tests.isa import floats, reference
from tests.isa.engine import EXEC, LANES, MODE, VCC, WaveState
from tests.isa.floats import Format
from tests.isa.table import Row

VGPRS = 16
W = 0xFFFFFFFF
OFFSET = {"VOP1": 0x140, "VOP2": 0x100, "VOPC": 0, "VOP3": 0}
LITERAL, SDWA, DPP = 255, 249, 250
SDST = 20  # where e64 forms write a mask
MASK_IN = 30  # where they read one
CONSTANTS: list[int] = [*range(128, 209), *range(240, 249)]
SINGLES = [0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0000000, 0x40800000,
           0xC0800000, 0x3E22F983]  # fmt: skip
HALVES = [0x3800, 0xB800, 0x3C00, 0xBC00, 0x4000, 0xC000, 0x4400, 0xC400, 0x3118]
WIDES = [0x3FE0000000000000, 0xBFE0000000000000, 0x3FF0000000000000, 0xBFF0000000000000,
         0x4000000000000000, 0xC000000000000000, 0x4010000000000000, 0xC010000000000000,
         0x3FC45F306DC9C882]  # fmt: skip
# Their last source, or the second, is a literal; the others add what the destination has.
WITH_LITERAL = ("v_fmaak_f32", "v_fmamk_f32", "v_madak_f16", "v_madmk_f16")
ADDS_DESTINATION = ("v_fmac", "v_mac_", "v_cvt_pkaccum")
NO_HALF_CONSTANTS = {
    "v_cvt_pkrtz_f16_f32", "v_mad_u32_u16", "v_mad_i32_i16", "v_sad_u16", "v_sat_pk_u8_i16",
}  # fmt: skip


def is_16_bit(name: str) -> bool:
    return name[-4:] in ("_f16", "_b16", "_u16", "_i16") and name not in NO_HALF_CONSTANTS


def writes_both_halves(name: str) -> bool:
    return name.startswith(("v_pack", "v_cvt_pk"))


def constant(name: str, code: int, words: int) -> int:
    if code <= 192:
        return code - 128
    if code <= 208:
        return (192 - code) & ((1 << 32 * words) - 1)
    table = WIDES if words == 2 else HALVES if is_16_bit(name) else SINGLES
    return table[code - 240]


@dataclass
class Case:
    """One instruction and its modifiers."""

    row: Row
    form: str  # e32, e64, sdwa, dpp
    vdst: int = 0
    codes: list[int] = field(default_factory=list)  # of the sources, nine bits
    literal: int = 0
    neg: int = 0
    abs: int = 0
    op_sel: int = 0
    clamp: int = 0
    omod: int = 0
    sel: tuple[int, int, int] = (6, 6, 6)  # destination, sources
    unused: int = 0
    sext: int = 0
    ctrl: int = 0
    rows: int = 15
    banks: int = 15
    bound: int = 0

    @property
    def is_compare(self) -> bool:
        return self.row.format == "VOPC"

    @property
    def sources(self) -> list[int]:
        """The widths of the sources."""
        return [width for role, width in self.row.operands if role.startswith("src")]

    # -- encoding ----------------------------------------------------------------------------

    def words(self) -> list[int]:
        if self.form == "e64" or self.row.format == "VOP3":
            return self._e64()
        if self.form == "sdwa":
            return [self._short(SDWA), self._sdwa()]
        if self.form == "dpp":
            return [self._short(DPP), self._dpp()]
        short = [self._short(self.codes[0])]
        uses_literal = LITERAL in self.codes or self.row.name in WITH_LITERAL
        return [*short, self.literal] if uses_literal else short

    def _short(self, src0: int) -> int:
        number, src1 = self.row.number, self.codes[1] & 255 if len(self.codes) > 1 else 0
        if self.row.format == "VOP1":
            return 0x7E000000 | self.vdst << 17 | number << 9 | src0
        if self.row.format == "VOPC":
            return 0x7C000000 | number << 17 | src1 << 9 | src0
        return number << 25 | self.vdst << 17 | src1 << 9 | src0

    def _e64(self) -> list[int]:
        number = self.row.number + OFFSET[self.row.format]
        codes = [*self.codes, 0, 0, 0][:3]
        roles = [role for role, _ in self.row.operands]
        low = 0xD0000000 | number << 16 | self.clamp << 15
        if roles[1] in ("vcc", "sdst"):
            low |= SDST << 8
        else:
            low |= self.abs << 8 | self.op_sel << 11
        if "vcc" in roles[2:]:
            codes[2] = MASK_IN
        low |= SDST if self.is_compare else self.vdst
        high = codes[0] | codes[1] << 9 | codes[2] << 18 | self.omod << 27 | self.neg << 29
        return [low, high]

    def _sdwa(self) -> int:
        word = self.codes[0] & 255 | (self.codes[0] < 256) << 23
        if not self.is_compare:
            word |= self.sel[0] << 8 | self.unused << 11 | self.clamp << 13 | self.omod << 14
        word |= self.sel[1] << 16 | (self.sext & 1) << 19 | (self.neg & 1) << 20
        word |= (self.abs & 1) << 21
        if len(self.codes) > 1:
            word |= self.sel[2] << 24 | (self.sext >> 1) << 27 | (self.neg >> 1) << 28
            word |= (self.abs >> 1) << 29 | (self.codes[1] < 256) << 31
        return word

    def _dpp(self) -> int:
        word = self.codes[0] & 255 | self.ctrl << 8 | self.bound << 19 | self.banks << 24
        word |= self.rows << 28 | (self.neg & 1) << 20 | (self.abs & 1) << 21
        return word | (self.neg >> 1) << 22 | (self.abs >> 1) << 23

    # -- meaning -----------------------------------------------------------------------------

    def expected(self, before: WaveState, mode: int = MODE) -> WaveState:
        after = WaveState(VGPRS, 0, before.s.copy(), before.scc, before.v.copy())
        exec_mask, name = before.pair(EXEC), self.row.name
        mask_out = VCC if self.form != "e64" and self.row.format != "VOP3" else SDST
        mask_in = before.pair(VCC if mask_out == VCC else MASK_IN)
        bits = 0
        for lane in range(LANES):
            if not exec_mask >> lane & 1:
                continue
            if self.form == "dpp" and not self._dpp_writes(before, lane):
                bits |= before.pair(mask_out) & 1 << lane
                continue
            values = [self._source(before, n, lane, mode) for n in range(len(self.sources))]
            if name in reference.COMPARE:
                bits |= reference.COMPARE[name](values[0], values[1]) << lane
            elif name in reference.CARRY:
                carry = mask_in >> lane & 1 if "c_co" in name or "b_co" in name else 0
                if name in ("v_sub_co_u32", "v_subrev_co_u32"):
                    carry = 0
                if "subb" in name:
                    carry = mask_in >> lane & 1
                value, out = reference.CARRY[name](values[0], values[1], carry)
                bits |= out << lane
                self._write(after, lane, value, mode)
            elif name == "v_cndmask_b32":
                self._write(after, lane, values[mask_in >> lane & 1], mode)
            else:
                self._write(after, lane, self._compute(before, values, lane, mode), mode)
        if name in reference.COMPARE or name in reference.CARRY:
            after.set_pair(mask_out, bits)
            if name.startswith("v_cmpx"):
                after.set_pair(EXEC, bits)
        return after

    def _compute(self, before: WaveState, values: list[int], lane: int, mode: int) -> int:
        name = self.row.name
        if name.startswith(ADDS_DESTINATION):
            old = int(before.v[self.vdst][lane])
            if self.row.width("vdst") == 2:
                old |= int(before.v[self.vdst + 1][lane]) << 32
            integer = name.startswith("v_cvt")
            values = [*values, old if integer else self._number(old, mode)]
        elif name in ("v_fmaak_f32", "v_madak_f16"):
            values = [*values, self._number(self.literal, mode)]
        elif name in ("v_fmamk_f32", "v_madmk_f16"):
            values = [values[0], self._number(self.literal, mode), values[1]]
        if name in reference.ROUNDED:
            return reference.LANE[name](*values, self._rounding(mode))
        if self.clamp and name in reference.SATURATING:
            return reference.SATURATING[name](*values)
        return reference.LANE[name](*values)

    def _rounding(self, mode: int) -> int:
        result = reference.RESULT_FORMAT[self.row.name]
        return mode & 3 if result is floats.F32 else mode >> 2 & 3

    def _number(self, value: int, mode: int) -> int:
        narrow = is_narrow(reference.SOURCE_FORMAT[self.row.name])
        return self._flushed(value & 0xFFFF if narrow else value, mode)

    def _flushed(self, value: int, mode: int) -> int:
        f = reference.SOURCE_FORMAT.get(self.row.name)
        if f is None or "class" in self.row.name or "pack" in self.row.name:
            return value
        keeps = mode >> (4 if f is floats.F32 else 6) & 1
        return value if keeps else floats.flush(f, value)

    def _source(self, before: WaveState, n: int, lane: int, mode: int) -> int:
        code, width, name = self.codes[n], self.sources[n], self.row.name
        if self.form == "dpp" and n == 0:
            at = dpp_source(self.ctrl, lane)
            valid = at is not None and before.pair(EXEC) >> at & 1
            value = self._register(before, code - 256, width, at) if valid and at is not None else 0
        elif code >= 256:
            value = self._register(before, code - 256, width, lane)
        elif code == LITERAL:
            value = self.literal << 32 if width == 2 and name.endswith("f64") else self.literal
        elif code >= 128:
            value = constant(name, code, width)
        else:
            value = before.pair(code) if width == 2 else int(before.s[code])
        return self._modified(value, n, mode)

    @staticmethod
    def _register(before: WaveState, row: int, width: int, lane: int) -> int:
        value = int(before.v[row][lane])
        return value | int(before.v[row + 1][lane]) << 32 if width == 2 else value

    def _modified(self, value: int, n: int, mode: int) -> int:
        if self.form == "sdwa" and n < 2:
            value = selected(value, self.sel[1 + n], bool(self.sext >> n & 1))
        if self.op_sel >> n & 1:
            value = value >> 16 & 0xFFFF
        f = self._format_of(n)
        if f is not None:
            if is_narrow(f):
                value &= 0xFFFF
            if self.abs >> n & 1:
                value &= ~f.sign_bit
            if self.neg >> n & 1:
                value ^= f.sign_bit
            if self.row.name != "v_cndmask_b32":
                value = self._flushed(value, mode)
        return value

    def _format_of(self, n: int) -> Format | None:
        name = self.row.name
        if name == "v_cndmask_b32":
            return floats.F32
        numbers = ("v_ldexp", "v_trig", "v_cvt_pk_u8", "v_cvt_pkaccum")
        if n > 0 and (name.startswith(numbers) or "class" in name):
            return None
        return reference.SOURCE_FORMAT.get(name)

    def _write(self, after: WaveState, lane: int, value: int, mode: int) -> None:
        value &= (1 << 32 * self.row.width("vdst")) - 1
        f = reference.RESULT_FORMAT.get(self.row.name)
        if f is not None:
            value = self._finished(f, value, mode)
        old = int(after.v[self.vdst][lane])
        if self.form == "sdwa":
            value = self._placed(value, old)
        elif (
            "opsel" in self.row.properties
            and is_16_bit(self.row.name)
            and not writes_both_halves(self.row.name)
        ):
            shift = 16 if self.op_sel & 8 else 0
            value = old & ~(0xFFFF << shift) & W | (value & 0xFFFF) << shift
        after.v[self.vdst][lane] = value & W
        if self.row.width("vdst") == 2:
            after.v[self.vdst + 1][lane] = value >> 32

    def _finished(self, f: Format, value: int, mode: int) -> int:
        if not mode >> (5 if f is floats.F32 else 7) & 1:
            value = floats.flush(f, value)
        if self.omod and not f.is_nan(value):
            value = floats.scale(f, value, {1: 1, 2: 2, 3: -1}[self.omod])
        if self.clamp:
            one = floats.pack(f, 1, 0)
            value = 0 if f.is_nan(value) or f.sign(value) else min(value, one)
        return value

    def _placed(self, value: int, old: int) -> int:
        sel = self.sel[0]
        width = 32 if sel == 6 else 8 if sel < 4 else 16
        shift = 0 if sel == 6 else 8 * sel if sel < 4 else 16 * (sel - 4)
        part = value & ((1 << width) - 1)
        if self.unused == 2:
            return old & ~(((1 << width) - 1) << shift) | part << shift
        negative = part >> (width - 1) & 1
        above = (W << (shift + width)) & W if self.unused == 1 and negative else 0
        return part << shift | above

    def _dpp_writes(self, before: WaveState, lane: int) -> bool:
        at = dpp_source(self.ctrl, lane)
        fed = self.bound or (at is not None and before.pair(EXEC) >> at & 1)
        return bool(fed and self.rows >> lane // 16 & 1 and self.banks >> lane % 16 // 4 & 1)


def is_narrow(f: Format) -> bool:
    return f is floats.F16


def selected(value: int, sel: int, signed: bool) -> int:
    if sel == 6:
        return value
    width = 8 if sel < 4 else 16
    part = value >> (8 * sel if sel < 4 else 16 * (sel - 4)) & ((1 << width) - 1)
    return reference.s(part, width) & W if signed else part


def dpp_source(ctrl: int, lane: int) -> int | None:
    """The lane that a lane reads."""
    row, at = lane // 16 * 16, lane % 16
    amount = ctrl & 15
    if ctrl < 0x100:
        return lane // 4 * 4 + (ctrl >> 2 * (lane % 4) & 3)
    if ctrl < 0x110:
        return lane + amount if at + amount < 16 else None
    if ctrl < 0x120:
        return lane - amount if at >= amount else None
    if ctrl < 0x130:
        return row + (at - amount) % 16
    if ctrl >= 0x150:
        return row + amount
    whole: dict[int, int | None] = {
        0x130: lane + 1 if lane < 63 else None,
        0x134: (lane + 1) % 64,
        0x138: lane - 1 if lane else None,
        0x13C: (lane - 1) % 64,
        0x140: row + 15 - at,
        0x141: lane // 8 * 8 + 7 - lane % 8,
        0x142: row - 1 if lane >= 16 else None,
        0x143: 31 if lane >= 32 else None,
    }
    return whole[ctrl]


# -- chance --------------------------------------------------------------------------------------

INTEGERS = [0, 1, 2, 31, 32, 63, 127, 128, 255, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF,
            0x80000000, 0x80000001, 0xFFFFFFFE, W, 0xFFFFFF, 0x800000, 0x01234567]  # fmt: skip


def corners(f: Format) -> list[int]:
    """Numbers at which arithmetic goes wrong first."""
    i = f.infinity
    one = floats.pack(f, 1, 0)
    low = [0, 1, 2, f.quiet, (1 << f.fraction) - 1, 1 << f.fraction, (1 << f.fraction) + 1]
    high = [one - 1, one, one + 1, i - 1, i, i + 1, i | f.quiet, i | f.quiet | 5, i // 2, i // 4]
    some = [floats.pack(f, m, e) for m, e in ((3, -1), (5, -1), (5, -3), (255, 0), (1, 15), (3, 7))]
    values = low + high + some
    return values + [x | f.sign_bit for x in values]


def random_value(r: random.Random, f: Format | None, width: int) -> int:
    value: int
    if f is None:
        if r.random() < 0.4:
            return r.choice(INTEGERS) | (r.choice(INTEGERS) << 32 if width == 2 else 0)
        return r.getrandbits(32 * width)
    roll = r.random()
    if roll < 0.35:
        value = r.choice(corners(f))
    elif roll < 0.7:  # numbers of a common size, which meet each other
        middle = (1 << (f.exponent - 1)) - 1
        value = (middle + r.randint(-4, 6)) << f.fraction | r.getrandbits(f.fraction)
        value |= r.getrandbits(1) * f.sign_bit
    else:
        value = r.getrandbits(f.bits)
    if is_narrow(f):
        value |= r.getrandbits(16) << 16
    return value


def random_wave(r: random.Random, case: Case) -> WaveState:
    """Registers with numbers that suit the sources."""
    wave = WaveState(VGPRS)
    for lane in range(LANES):
        for row in range(VGPRS):
            wave.v[row][lane] = r.getrandbits(32)
    for n, (code, width) in enumerate(zip(case.codes, case.sources, strict=True)):
        if code >= 256:
            for lane in range(LANES):
                _place(
                    wave.v[:, lane], code - 256, random_value(r, case._format_of(n), width), width
                )
        elif code < 128:
            _place(wave.s, code, random_value(r, case._format_of(n), width), width)
    if case.row.name.startswith(("v_fmac", "v_mac_")):
        f = reference.SOURCE_FORMAT[case.row.name]
        for lane in range(LANES):
            width = case.row.width("vdst")
            _place(wave.v[:, lane], case.vdst, random_value(r, f, width), width)
    wave.set_pair(EXEC, r.choice([(1 << 64) - 1, (1 << 64) - 1, r.getrandbits(64), 1 << 63 | 5]))
    wave.set_pair(VCC, r.getrandbits(64))
    wave.set_pair(MASK_IN, r.getrandbits(64))
    wave.scc = r.getrandbits(1)
    return wave


def _place(
    to: np.ndarray[tuple[int, ...], np.dtype[np.uint32]], at: int, value: int, width: int
) -> None:
    to[at] = value & W
    if width == 2:
        to[at + 1] = value >> 32 & W


def random_register(r: random.Random, width: int) -> int:
    return r.randrange(0, VGPRS - width + 1, width)


def random_case(r: random.Random, row: Row, form: str) -> Case:
    case = Case(row, form, random_register(r, max(row.width("vdst"), 1)))
    for n, width in enumerate(case.sources):
        case.codes.append(random_source(r, case, n, width))
    fixed = row.name in WITH_LITERAL
    if fixed or LITERAL in case.codes:
        f = reference.SOURCE_FORMAT.get(row.name)
        case.literal = random_value(r, f, 1) & W
        if f is floats.F64:
            case.literal = random_value(r, f, 2) >> 32
        if fixed and case.codes[0] == LITERAL:
            case.codes[0] = 256
    modify(r, case)
    return case


def random_source(r: random.Random, case: Case, n: int, width: int) -> int:
    vector = 256 + random_register(r, width)
    roll = r.random()
    if case.form == "dpp" or (case.form == "e32" and n > 0) or roll < 0.6:
        return vector
    scalar = r.randrange(0, 16, width)
    if case.form == "sdwa" or roll < 0.8:
        return scalar
    if case.form == "e32" and roll < 0.9 and n == 0:
        return LITERAL
    return r.choice(CONSTANTS)


def modify(r: random.Random, case: Case) -> None:
    row, count = case.row, len(case.sources)
    every = (1 << count) - 1
    if case.form in ("e64", "sdwa", "dpp"):
        case.neg = r.getrandbits(3) & row.mask("neg") & every if r.random() < 0.5 else 0
        case.abs = r.getrandbits(3) & row.mask("abs") & every if r.random() < 0.5 else 0
    if case.form in ("e64", "sdwa") and row.name in reference.SATURATING:
        case.clamp = r.getrandbits(1)
    if case.form in ("e64", "sdwa") and row.name in reference.RESULT_FORMAT:
        if "clamp" in row.properties and r.random() < 0.25:
            case.clamp = 1
        if "omod" in row.properties and r.random() < 0.25:
            case.omod = r.randint(1, 3)
    if case.form == "e64" and "opsel" in row.properties:
        case.op_sel = r.getrandbits(4) & (every | 8)
        if not is_16_bit(row.name) or writes_both_halves(row.name):
            case.op_sel &= every
    if case.form == "sdwa":
        case.sel = (r.randrange(7), r.randrange(7), r.randrange(7))
        case.unused = r.randrange(3)
        if "sext" in row.properties:
            case.sext = r.getrandbits(2) & every
    if case.form == "dpp":
        case.ctrl = random_ctrl(r, "dpp64" in row.properties)
        case.bound = r.getrandbits(1)
        case.rows, case.banks = r.choice([(15, 15), (15, 15), (r.getrandbits(4), r.getrandbits(4))])


def random_ctrl(r: random.Random, only_broadcast: bool) -> int:
    if only_broadcast:
        return 0x150 + r.randrange(16)
    return r.choice([
        r.getrandbits(8), 0x100 + r.randint(1, 15), 0x110 + r.randint(1, 15),
        0x120 + r.randint(1, 15), 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143,
        0x150 + r.randrange(16),
    ])  # fmt: skip
