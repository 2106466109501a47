"""Writes random kernels for gpu.h: integers, floats, control flow, calls, LDS, waves, atomics.

What has no defined result is not written: divisions by zero, conversions that do not fit, shifts
past the width, reads of what other threads write without a barrier. Barriers and wave operations
stand where all threads come.
"""

from __future__ import annotations

import random

THREADS = 128
BLOCKS = 2
VARIABLES = {"u32": 5, "u64": 2, "i32": 2, "float": 3, "double": 2, "_Float16": 2}
PREFIX = {"u32": "u", "u64": "w", "i32": "i", "float": "f", "double": "d", "_Float16": "h"}
INTEGERS = ("u32", "u64", "i32")
FLOATS = ("float", "double", "_Float16")
_SUFFIX = {"float": "f", "double": "", "_Float16": "f16"}
_CONSTANTS = (
    "0", "1", "2", "3", "7", "8", "31", "32", "63", "64", "100", "255", "256", "0x7fff", "0x8000",
    "0xffff", "0x10000", "0x12345", "0x7fffffff", "0x80000000u", "0xffffffffu", "0x3f800000",
)  # fmt: skip
# No zeros: clang takes 0 - x for -x, and x > -0 ? x : -0 for max; see _not_zero. No -1, a product
# with which is a negation: see _float.
_FLOAT_CONSTANTS = (
    "1.0", "-1.5", "0.5", "2.0", "-4.0", "0.1", "3.25", "1e-3", "1024.5", "6e-8",
)  # fmt: skip


class KernelWriter:
    """One kernel from one seed."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)  # noqa: S311
        self.name = f"kernel_{seed}"
        self.lines: list[str] = []
        self.depth = 1
        self.loops = 0
        self.within = 0  # so many of them
        self.functions: list[str] = []

    def text(self) -> str:
        self._begin()
        for _ in range(self.r.randint(6, 18)):
            self._statement(uniform=True)
        self._finish()
        body = "\n".join(self.lines)
        return "\n".join(self.functions) + f"\nKERNEL({self.name}) {{\n{body}\n}}\n"

    def _put(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def _begin(self) -> None:
        self._put("const u32 t = thread_x(), g = global_id();")
        self._put(f"SHARED u32 shared[{2 * THREADS}];")
        self._put("u32 array[8];")
        self._put("for (u32 k = 0; k < 8; ++k) array[k] = in[(g * 8 + k) % n];")
        self._put("shared[t] = in[g % n]; shared[t + block_size_x()] = g;")
        for kind, count in VARIABLES.items():
            for i in range(count):
                self._put(f"{kind} {PREFIX[kind]}{i} = {self._input(kind)};")
        self._put("barrier();")

    def _input(self, kind: str) -> str:
        word = f"in[(g * {self.r.randint(1, 9)} + {self.r.randint(0, 999)}) % n]"
        if kind == "u64":
            return f"(u64){word} << 32 | {word.replace('g *', 'g * 3 *')}"
        if kind == "float":
            raw = f"as<float>({word})"
            return self.r.choice([raw, f"(float)(i32){word} * 0.01f"])
        if kind == "double":
            raw = f"as<double>((u64){word} << 32 | {word} >> 3)"
            return self.r.choice([raw, f"(double)(i32){word} * 0.01"])
        if kind == "_Float16":
            return self.r.choice(
                [f"as<_Float16>((u16){word})", f"(_Float16)(float)hidden({word} % 999)"]
            )
        return f"({kind}){word}"

    def _finish(self) -> None:
        self._put("barrier();")
        terms = [f"u{i}" for i in range(VARIABLES["u32"])]
        terms += [f"(u32)w{i} + (u32)(w{i} >> 32)" for i in range(VARIABLES["u64"])]
        terms += [f"(u32)i{i}" for i in range(VARIABLES["i32"])]
        terms += [f"bits(f{i})" for i in range(VARIABLES["float"])]
        terms += [f"(u32)(bits(d{i}) ^ bits(d{i}) >> 32)" for i in range(VARIABLES["double"])]
        terms += [f"bits(h{i})" for i in range(VARIABLES["_Float16"])]
        terms += ["shared[t]", "array[0]", "array[7]"]
        for i, term in enumerate(terms):
            self._put(f"out[64 + g * 32 + {i}] = {term};")

    # -- statements ------------------------------------------------------------------------------

    def _statement(self, *, uniform: bool = False) -> None:
        r = self.r
        choices = [self._assign] * 6 + [self._store] * 2 + [self._atomic, self._call]
        if self.depth < 4:
            choices += [self._if, self._if, self._loop, self._switch]
        if uniform and self.depth == 1:
            choices += [self._exchange, self._shuffle, self._ballot]
        r.choice(choices)()

    def _block(self) -> None:
        self.depth += 1
        for _ in range(self.r.randint(1, 4)):
            self._statement()
        self.depth -= 1

    def _assign(self) -> None:
        kind = self.r.choice(list(VARIABLES))
        variable, value = self._variable(kind), self._expression(kind, 3)
        if self.within and kind in ("u32", "i32", "u64"):
            value = f"changed<{kind}>({value})"
        self._put(f"{variable} = {value};")

    def _store(self) -> None:
        index, value = self._expression("u32", 1), self._expression("u32", 2)
        if self.depth > 1:
            value = f"changed<u32>({value})"
        self._put(f"array[{index} % 8] = {value};")

    def _atomic(self) -> None:
        name = self.r.choice(["add", "add", "xor", "or", "and", "min", "max"])
        slot = {"add": 0, "xor": 1, "or": 2, "and": 3, "min": 4, "max": 5}[name]
        where = f"&out[{slot} * 8 + ({self._expression('u32', 1)}) % 8]"
        self._put(f"atomic_{name}({where}, (u32)({self._expression('u32', 1)}));")

    def _if(self) -> None:
        self._put(f"if ({self._condition()}) {{")
        self._block()
        if self.r.random() < 0.5:
            self._put("} else {")
            self._block()
        self._put("}")

    def _loop(self) -> None:
        name = f"k{self.loops}"
        self.loops += 1
        bound = self.r.choice([str(self.r.randint(1, 6)), f"{self._variable('u32')} % 6"])
        self._put(f"for (u32 {name} = 0, end{name} = {bound}; {name} < end{name}; ++{name}) {{")
        if self.r.random() < 0.4:
            word = self.r.choice(["break", "continue"])
            self._put(f"  if ({self._condition()}) {word};")
        self._put(f"  {self._variable('u32')} += changed({name});")
        self.within += 1
        self._block()
        self.within -= 1
        self._put("}")

    def _switch(self) -> None:
        self._put(f"switch ({self._expression('u32', 1)} % 5) {{")
        for case in range(self.r.randint(2, 4)):
            self._put(f"case {case}: {{")
            self._block()
            self._put("}" + self.r.choice([" break;", " break;", ""]))
        self._put("default: break; }")

    def _call(self) -> None:
        if len(self.functions) < 2:
            self._function()
        index = self.r.randrange(len(self.functions))
        a, b = self._expression("u32", 1), self._expression("float", 1)
        self._put(f"{self._variable('u32')} = {self.name}_f{index}({a}, {b}, array);")

    def _function(self) -> None:
        writer = KernelWriter(self.r.randrange(1 << 30))
        inner = writer.r
        name = f"{self.name}_f{len(self.functions)}"
        steps = inner.choice(["a & 3", "3", "x % 5"])
        self.functions.append(
            f"static DEVICE __attribute__((noinline)) u32 {name}(u32 a, float b, u32* p) {{\n"
            f"  u32 x = a * {inner.randint(1, 99)} + p[a % 8];\n"
            f"  for (u32 k = 0, end = {steps}; k < end; ++k) {{\n"
            f"    if (b < (float)k) x ^= x >> {inner.randint(1, 31)};\n"
            f"    else p[(x + k) % 8] += x / (k + 1);\n"
            f"    b = b * {inner.randint(1, 9)}.5f - 1.0f;\n  }}\n"
            f"  return x + bits(b);\n}}"
        )

    # Each thread writes its own place, then reads another's.
    def _exchange(self) -> None:
        self._put("barrier();")
        self._put(f"shared[t] = {self._expression('u32', 2)};")
        self._put("barrier();")
        index = self._expression("u32", 1)
        target = self._variable("u32")
        if self.r.random() < 0.5:
            self._put(f"{target} = shared[hidden({index}) % block_size_x()];")
        else:
            self._guarded_read(target, index)

    # The index is often out of range: a compiler that reads before it asks is accused.
    def _guarded_read(self, target: str, index: str) -> None:
        inside = f"x < {2 * THREADS}"
        forms = [
            f"if ({inside}) {target} = shared[x];",
            f"{target} = {inside} ? shared[x] : {self._leaf('u32')};",
            f"for (u32 k = x; k < {2 * THREADS}; k += 61) {target} ^= shared[k];",
            f"if ({inside} && shared[x] > n) {target} = shared[x ^ 1];",
        ]
        self._put(f"{{ const u32 x = {index}; {self.r.choice(forms)} }}")

    def _shuffle(self) -> None:
        lane = self.r.choice(["t ^ 1", "t ^ 16", "t ^ 32", "t + 1", "5", "u0", "63 - t"])
        target = self._variable("u32")
        self._put(f"{target} = shuffle({self._expression('u32', 1)}, ({lane}) & 63);")

    def _ballot(self) -> None:
        target, kind = self._variable("u64"), self.r.choice(list(VARIABLES))
        condition = self._condition(kind=kind)
        # clang asks x != infinity for x < infinity, which is true of a NaN; only in a ballot.
        if kind in FLOATS:
            condition = f"hidden((u32)({condition})) != 0"
        self._put(f"{target} = ballot({condition});")

    # -- expressions -----------------------------------------------------------------------------

    def _variable(self, kind: str) -> str:
        return f"{PREFIX[kind]}{self.r.randrange(VARIABLES[kind])}"

    def _condition(self, depth: int = 2, kind: str = "") -> str:
        kind = kind or self.r.choice(list(VARIABLES))
        operator = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        depth = max(depth - 1, 0)
        condition = f"{self._expression(kind, depth)} {operator} {self._expression(kind, depth)}"
        if self.r.random() < 0.25:
            other = f"{self._variable('u32')} & {self.r.choice([1, 2, 3, 64])}"
            return f"({condition}) {self.r.choice(['&&', '||'])} ({other})"
        return condition

    def _expression(self, kind: str, depth: int) -> str:
        if depth == 0 or self.r.random() < 0.2:
            return self._leaf(kind)
        if kind in INTEGERS:
            return self._integer(kind, depth)
        return self._float(kind, depth)

    def _leaf(self, kind: str) -> str:
        r = self.r
        if kind in FLOATS:
            if r.random() < 0.3:
                return f"({kind}){r.choice(_FLOAT_CONSTANTS)}"
            return self._variable(kind)
        if r.random() < 0.3:
            return f"({kind}){r.choice(_CONSTANTS)}"
        if kind == "u32" and r.random() < 0.3:
            return r.choice(["t", "g", "n", f"array[{r.randrange(8)}]", "array[u1 % 8]"])
        return self._variable(kind)

    def _integer(self, kind: str, depth: int) -> str:
        r = self.r
        width = 64 if kind == "u64" else 32
        a, b = self._expression(kind, depth - 1), self._expression(kind, depth - 1)
        unsigned = "u64" if kind == "u64" else "u32"
        signed = f"hidden({a})" if kind == "u64" else a
        # clang takes x for x | -1, which two upper halves may be (LLVM's pull request 189655).
        either = f"(hidden({a}) | hidden({b}))" if kind == "u64" else f"({a} | {b})"
        forms = [f"({a} {operator} {b})" for operator in ("+", "-", "*", "&")]
        forms += [either, f"({a} ^ {b})"]
        forms += [
            f"({kind})(({unsigned}){a} << ({b} & {width - 1}))",
            f"({a} >> ({b} & {width - 1}))",
            # clang forgets an upper half of ones that an earlier block computed: or takes it for 0.
            # Here, and where the sign of a short is known (below).
            f"hidden(~{a})" if kind == "u64" else f"(~{a})",
            f"({kind})(-({unsigned}){a})",
            f"({self._condition(depth - 1)} ? {a} : {b})",
            f"lesser<{kind}>({a}, {b})",
            f"({kind})(hidden(({unsigned}){a}) / (hidden(({unsigned}){b}) | 1))",
            f"({kind})(hidden(({unsigned}){a}) % (hidden(({unsigned}){b}) | 1))",
            f"({kind}){self._conversion(depth - 1)}",
            f"({kind})__builtin_popcountl((u64){a})",
            f"({kind})(({unsigned}){a} >> 8 & 0xff)",
            f"({kind})(signed char){signed}",
            f"({kind})(short){signed}",
            f"({kind})__builtin_clzl((u64){a} | 1)",
        ]
        if kind == "i32":
            forms.append(f"({a} / (i32)(({b} & 0xffff) + 2))")
            forms.append(f"({a} % (i32)(({b} & 0xff) + 2))")
        if kind == "u64":
            forms.append(f"((u64)(u32){a} * (u64)(u32){b})")
        return r.choice(forms)

    # From a number of another kind; floats only where they fit.
    def _conversion(self, depth: int) -> str:
        kind = self.r.choice(["u32", "u64", "i32", "float", "double", "_Float16"])
        value = self._expression(kind, max(depth, 0))
        if kind in INTEGERS:
            return f"({value})"
        fits = f"x > ({kind})-60000.0 && x < ({kind})60000.0"
        return f"[&]{{ const {kind} x = {value}; return {fits} ? (i32)x : 77; }}()"

    def _float(self, kind: str, depth: int) -> str:
        r = self.r
        a, b = self._expression(kind, depth - 1), self._expression(kind, depth - 1)
        forms = [f"({kind})({a} * {b})"] * 2 + [f"quotient<{kind}>({a}, {b})"]
        forms += [f"({kind})({self._not_zero(a)} - {b})"] * 2
        # What is rounded may be a zero, too, from which clang takes the other.
        zeros = ("(-", "__builtin_rint", "__builtin_floor")
        is_difference = a.startswith(zeros) or b.startswith(zeros)
        first = f"hidden({a})" if is_difference else a
        forms += [f"({kind})({first} + {f'hidden({b})' if is_difference else b})"] * 2
        forms += [
            # A negation costs nothing, and clang-22 moves it: see RIGHT in three_ways.py.
            f"(-hidden({a}))",
            f"({self._condition(depth - 1)} ? {a} : {b})",
            f"lesser<{kind}>({self._not_zero(a)}, {self._not_zero(b)})",
            f"greater<{kind}>({self._not_zero(a)}, {self._not_zero(b)})",
            # Else clang makes (float)((_Float16)x * 1024) a product of integers: no overflow.
            f"({kind})hidden((i32)({self._expression('i32', depth - 1)} % 2048))",
        ]
        if kind == "_Float16":
            # Else clang-22 makes an fma with 0 of a product, which loses the sign of a zero.
            forms.append(f"(_Float16)hidden({self._expression('float', depth - 1)})")
        else:
            end = _SUFFIX[kind]
            c = self._expression(kind, depth - 1)
            forms += [
                f"fused({a}, {b}, {c})",
                f"__builtin_sqrt{end}(__builtin_fabs{end}({a}))",
                f"__builtin_floor{end}({a})",
                f"__builtin_rint{end}({a})",
                # Not of a NaN, whose sign processors choose differently.
                f"__builtin_copysign{end}({a}, {b} > ({kind})1.0 ? ({kind})1.0 : ({kind})-1.0)",
                f"({kind})({self._expression('u32', depth - 1)})",
                f"({kind})({self._expression('u64', depth - 1)})",
                f"({kind}){self._expression('_Float16', depth - 1)}",
            ]
            other = "double" if kind == "float" else "float"
            forms.append(f"({kind})({self._expression(other, depth - 1)})")
        return r.choice(forms)

    # Many expressions come to a zero that compilers know: differences, integers, small products.
    @staticmethod
    def _not_zero(value: str) -> str:
        is_constant = value.rpartition(")")[2] in _FLOAT_CONSTANTS
        return value if is_constant else f"hidden({value})"


def source_of(seeds: list[int]) -> str:
    """A source with one kernel for each seed."""
    return '#include "gpu.h"\n' + "\n".join(KernelWriter(seed).text() for seed in seeds)
