"""What a kernel's code can do with the memory its arguments point to.

A small abstract interpretation of its instructions: of each register it follows which arguments
the value can come from, from the loads of the kernel's arguments to the addresses of its accesses.
What is said is "may": an access that is not claimed cannot happen, unless the code makes an
address out of nothing. Data that is added to a pointer counts as an offset of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_SCALARS, _VECTORS = 128, 512
_NAMED = {"vcc": 106, "vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec": 126, "exec_lo": 126}
_REGISTER = re.compile(
    r"\b([sva])(?:(\d+)|\[(\d+):(\d+)\])|\b(vcc_lo|vcc_hi|vcc|m0|exec_lo|exec)\b"
)
_OFFSET = re.compile(r"\boffset:(-?\d+)")
_SUM = re.compile(r"^[sv]_(add|sub|lshl\d?_add|mad_[iu]64|or_b|or3|lshl_or|pk_add_u)")
_COPY = re.compile(r"^(s_mov_b(32|64)|v_mov_b(32|64)|v_readfirstlane|v_accvgpr)")
_NARROWS = re.compile(r"^s_and_saveexec|^s_andn?2?_b64 exec, exec,|^v_cmpx")
_NO_RESULT = re.compile(
    r"^(global|flat|scratch|t?buffer)_(store|wb|inv)|^ds_(write|gws|nop)|^s_(cmp|bitcmp|waitcnt|nop"
    r"|branch|cbranch|barrier|endpgm|sleep|setprio|dcache|icache|trap|sendmsg|store|sethalt|setreg"
    r"|atc_probe)"
)
_LOST = re.compile(r"^s_(swappc|setpc|call|rfe|set_gpr_idx|cbranch_[gij]|movrel)|^v_movrel|^v_swap")
_TO_LDS = re.compile(r"^(global|scratch)_load_lds|^buffer_load.* lds\b")
_LOCAL_RESULT = re.compile(r"^(ds_(read|append|consume)|ds_\w+_rtn|scratch_load)")
_MEMORY = re.compile(
    r"^(global|flat|t?buffer|s_buffer|s_scratch|scratch|ds|s)_(load|store|atomic|read|write|\w+)"
)
_NO_ACCESS = ("ds_bpermute", "ds_permute", "ds_swizzle", "ds_nop", "buffer_wb", "buffer_inv")
_KERNARG, _LOADED, _LOCAL, _HIDDEN = (1 << bit for bit in range(4))
_FIRST_ARGUMENT = 4
_MOST_BLOCKS, _MOST_VISITS = 4_000, 40_000  # of code without branches; beyond, nothing is claimed
READ, WRITE, ATOMIC = "read", "write", "atomic"
_ALL = (READ, WRITE, ATOMIC)


@dataclass(frozen=True)
class Instruction:
    """One line of a disassembly."""

    address: int
    word: int
    text: str


@dataclass(frozen=True)
class ArgumentSlot:
    offset: int
    bytes: int
    is_pointer: bool
    hidden: bool = False


@dataclass(frozen=True)
class KernelReach:
    """What each argument's memory may be used for; `other` is memory that no argument names."""

    arguments: tuple[tuple[str, ...], ...]
    other: tuple[str, ...]
    uses_lds: bool
    uses_scratch: bool
    calls: bool
    """It calls functions, or goes where its code does not tell: then everything may happen."""


@dataclass
class _State:
    """Origins of each register: of lanes that run, and of those that do not.

    `kernarg`: registers that hold the address of the arguments, and what was added to it.
    """

    now: list[int]
    idle: list[int]
    kernarg: dict[int, int] = field(default_factory=dict)

    def copy(self) -> _State:
        return _State(self.now[:], self.idle[:], dict(self.kernarg))

    def join(self, other: _State) -> bool:
        now = [a | b for a, b in zip(self.now, other.now, strict=True)]
        idle = [a | b for a, b in zip(self.idle, other.idle, strict=True)]
        kernarg = {at: add for at, add in self.kernarg.items() if other.kernarg.get(at) == add}
        changed = (now, idle, kernarg) != (self.now, self.idle, self.kernarg)
        self.now, self.idle, self.kernarg = now, idle, kernarg
        return changed


def _registers(text: str) -> Iterator[list[int]]:
    """The registers of each operand: SGPRs from 0, VGPRs from 128, AccVGPRs behind them."""
    for kind, one, first, last, named in _REGISTER.findall(text):
        if named:
            at, count = _NAMED[named], 2 if named in ("vcc", "exec") else 1
        else:
            at = int(one or first)
            count = 1 if one else int(last) - at + 1
            at += {"s": 0, "v": _SCALARS, "a": _SCALARS + 256}[kind]
        yield [each for each in range(at, at + count) if each < _SCALARS + _VECTORS]


def kernel_reach(
    code: Sequence[Instruction], arguments: Sequence[ArgumentSlot], kernarg_register: int | None
) -> KernelReach:
    """`kernarg_register`: the SGPR in which the address of the arguments is when it begins."""
    return _Analysis(code, arguments, kernarg_register).run()


class _Analysis:
    def __init__(
        self,
        code: Sequence[Instruction],
        arguments: Sequence[ArgumentSlot],
        kernarg_register: int | None,
    ) -> None:
        self.code, self.arguments, self.kernarg_register = code, arguments, kernarg_register
        self.at = {one.address: place for place, one in enumerate(code)}
        self.claims = [set[str]() for _ in arguments]
        self.other: set[str] = set()
        self.pointers = sum(
            1 << (_FIRST_ARGUMENT + place) for place, one in enumerate(arguments) if one.is_pointer
        )
        self.local = 0  # origins of what was put into LDS and scratch
        self.lds = self.scratch = self.lost = False
        self.visits = 0

    def run(self) -> KernelReach:
        local = -1
        while local != self.local and not self.lost:  # what one part stores another may load
            local = self.local
            self._flow()
        claims = [
            _ALL if self.lost and one.is_pointer else _sorted(claim)
            for one, claim in zip(self.arguments, self.claims, strict=True)
        ]
        other = _ALL if self.lost else _sorted(self.other)
        return KernelReach(tuple(claims), other, self.lds, self.scratch, self.lost)

    def _flow(self) -> None:
        start = _State([0] * (_SCALARS + _VECTORS), [0] * (_SCALARS + _VECTORS))
        if self.kernarg_register is not None:
            start.kernarg[self.kernarg_register] = 0
            for half in (0, 1):
                start.now[self.kernarg_register + half] = _KERNARG
        heads = {target for place in range(len(self.code)) for target in self._targets(place)}
        states, pending = {0: start}, [0]
        self.lost |= len(heads) > _MOST_BLOCKS
        while pending and not self.lost:
            place = pending.pop()
            self.visits += 1
            self.lost |= self.visits > _MOST_VISITS
            state = states[place].copy()
            while place < len(self.code):
                self._step(self.code[place], state)
                follows = list(self._next(place))
                inside = follows == [place + 1] and place + 1 not in heads
                if not inside:
                    for target in follows:
                        known = states.get(target)
                        if known is None:
                            states[target] = state.copy()
                        if known is None or known.join(state):
                            pending.append(target)
                    break
                place += 1
            else:
                self.lost = True  # it runs off its end

    def _targets(self, place: int) -> Iterator[int]:
        one = self.code[place]
        if one.text.startswith(("s_branch", "s_cbranch")):
            jump = ((one.word & 0xFFFF) ^ 0x8000) - 0x8000
            target = self.at.get(one.address + 4 + 4 * jump)
            if target is None:
                self.lost = True
            else:
                yield target

    def _next(self, place: int) -> Iterator[int]:
        text = self.code[place].text
        yield from self._targets(place)
        if not text.startswith(("s_branch", "s_endpgm")):
            yield place + 1

    def _step(self, one: Instruction, state: _State) -> None:
        text = one.text
        if _LOST.match(text):
            self.lost = True
            return
        operands = list(_registers(text))
        name = text.split(" ", 1)[0]
        found = _MEMORY.match(name)
        is_memory = (
            found is not None
            and (found[1] != "s" or found[2] in ("load", "store", "atomic"))
            and not name.startswith(_NO_ACCESS)
        )
        if is_memory:
            self._access(text, name, operands, state)
        elif operands and not _NO_RESULT.match(text):
            self._compute(text, name, operands, state)
        self._change_lanes(text, operands, state)

    def _compute(self, text: str, name: str, operands: list[list[int]], state: _State) -> None:
        result, *sources = operands
        origins = 0
        for each in sources:
            for register in each:
                origins |= state.now[register]
        if _SUM.match(name) and origins & self.pointers:
            origins &= self.pointers | _KERNARG
        kernarg = self._moved_kernarg(text, name, sources, state)
        weak = name.startswith("v_writelane")
        self._put(state, result, [origins] * len(result), weak=weak)
        if kernarg is not None and result:
            state.kernarg[result[0]] = kernarg

    def _moved_kernarg(
        self, text: str, name: str, sources: list[list[int]], state: _State
    ) -> int | None:
        if not sources or not sources[0] or sources[0][0] not in state.kernarg:
            return None
        known = state.kernarg[sources[0][0]]
        if _COPY.match(name):
            return known
        number = re.search(r", (0x[0-9a-f]+|\d+)$", text)
        if name.startswith("s_add_u32") and number and len(sources) == 1:
            return known + int(number[1], 0)
        return None

    def _put(
        self, state: _State, registers: list[int], origins: list[int], *, weak: bool = False
    ) -> None:
        for register, origin in zip(registers, origins, strict=True):
            state.now[register] = (state.now[register] if weak else 0) | origin
            state.kernarg.pop(register, None)

    def _change_lanes(self, text: str, operands: list[list[int]], state: _State) -> None:
        """Lanes that stop keep what their registers have; with lanes that start, all is mixed."""
        writes = "saveexec" in text or text.startswith("v_cmpx")
        writes |= bool(operands) and 126 in operands[0] and not _NO_RESULT.match(text)
        if not writes:
            return
        mixed = [a | b for a, b in zip(state.now, state.idle, strict=True)]
        state.idle = mixed
        if not _NARROWS.match(text):
            state.now = state.now[:_SCALARS] + mixed[_SCALARS:]
            state.kernarg = {at: add for at, add in state.kernarg.items() if at < _SCALARS}

    def _access(self, text: str, name: str, operands: list[list[int]], state: _State) -> None:
        kind = ATOMIC if "atomic" in name else WRITE if "store" in name or "write" in name else READ
        if name.startswith("ds_"):
            self.lds = True
            self._local_access(kind, text, operands, state)
        elif name.startswith("scratch_"):
            self.scratch = True
            self._local_access(kind, text, operands, state)
        else:
            self._global_access(kind, text, name, operands, state)

    def _local_access(self, kind: str, text: str, operands: list[list[int]], state: _State) -> None:
        if _TO_LDS.match(text):  # from scratch, which has what LDS may have
            self.lds = True
            return
        stored = 0
        for each in operands:
            for register in each:
                stored |= state.now[register]
        if kind != READ or not text.startswith(("ds_read", "scratch_load")):
            self.local |= stored & ~_LOCAL
        if _LOCAL_RESULT.match(text) and operands:
            self._put(state, operands[0], [self.local | _LOCAL] * len(operands[0]))

    def _global_access(
        self, kind: str, text: str, name: str, operands: list[list[int]], state: _State
    ) -> None:
        to_lds = _TO_LDS.match(text) is not None
        gives_back = kind == ATOMIC and re.search(r" (sc0|glc)\b", text) is not None
        returns = (kind == READ or gives_back) and not to_lds
        address = _address_of(name, text, operands, has_result=returns)
        origins = 0
        for register in address:
            origins |= state.now[register]
        values = self._loaded(text, name, operands, address, origins, state)
        if origins & _KERNARG == 0 or origins & ~_KERNARG:
            self._claim(kind, origins)
        if name.startswith("flat_"):
            self.scratch |= origins == 0
            if kind != READ:
                for register in (each for operand in operands for each in operand):
                    self.local |= state.now[register] & ~_LOCAL
        if to_lds:
            self.lds = True
            for value in values:
                self.local |= value & ~_LOCAL
        elif returns and operands:
            self._put(state, operands[0], values)

    def _claim(self, kind: str, origins: int) -> None:
        pointers = 0
        for place, one in enumerate(self.arguments):
            bit = 1 << (_FIRST_ARGUMENT + place)
            if origins & bit and one.is_pointer:
                self.claims[place].add(kind)
                pointers |= bit
        if origins & ~(pointers | _KERNARG) or not pointers:
            self.other.add(kind)

    def _loaded(
        self,
        text: str,
        name: str,
        operands: list[list[int]],
        address: list[int],
        origins: int,
        state: _State,
    ) -> list[int]:
        """Origins of each word that a load gives."""
        count = len(operands[0]) if operands else 0
        if not origins & _KERNARG:
            return [_LOADED | (self.local | _LOCAL if name.startswith("flat_") else 0)] * count
        base = state.kernarg.get(address[0]) if address else None
        offset = self._offset(text)
        if base is None or offset is None:
            everything = _HIDDEN | _LOADED
            for place in range(len(self.arguments)):
                everything |= 1 << (_FIRST_ARGUMENT + place)
            return [everything] * count
        return [self._argument_at(base + offset + 4 * word) for word in range(count)]

    @staticmethod
    def _offset(text: str) -> int | None:
        """What a load adds to its address; None if that is in a register."""
        if text.startswith("s_"):
            last = text.rsplit(", ", 1)[1].split(" ")[0]
            return int(last, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", last) else None
        found = _OFFSET.search(text)
        return int(found[1]) if found else 0

    def _argument_at(self, offset: int) -> int:
        for place, one in enumerate(self.arguments):
            if one.offset <= offset < one.offset + max(one.bytes, 1):
                if one.hidden:
                    return _HIDDEN
                # What is passed by value and has fewer bytes than a pointer is none.
                return 1 << (_FIRST_ARGUMENT + place) if one.bytes >= 8 else 0
        return 0


def _sorted(claims: set[str]) -> tuple[str, ...]:
    return tuple(kind for kind in _ALL if kind in claims)


def _address_of(name: str, text: str, operands: list[list[int]], *, has_result: bool) -> list[int]:
    """The registers that hold the address of an access of global memory."""
    if name.startswith(("buffer_", "tbuffer_")):
        return next((each[:2] for each in operands if len(each) == 4 and each[0] < _SCALARS), [])
    if name.startswith("s_"):
        return operands[1][:2] if len(operands) > 1 else []
    if name.startswith("global_") and not re.search(r"\boff\b", text):
        last = [each for each in operands if each and each[0] < _SCALARS]
        if last:
            return last[-1]
    place = 1 if has_result else 0
    return operands[place] if len(operands) > place else []
