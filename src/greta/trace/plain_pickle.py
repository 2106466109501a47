"""Pickles of plain data: dicts, lists, tuples, texts, bytes, numbers, True, False and None.

A pickle is a program. This machine has the few instructions that build plain data, and none that
names, calls or changes anything else: a file that asks for more is refused, not run.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

__all__ = ["NotPlainError", "load"]

_KEYS: Final = (str, int)
"""Others are hashed by recursion, as deep as the file likes."""
_LARGEST_KEY: Final = 1 << 60
"""Beyond, numbers may be chosen that all have the same hash."""
_GET, _GET_FAR, _REMEMBER, _NUMBER, _STOP = b"hj\x94K."
_CLASSES: Final = "c\x93R\x81\x92biQPo\x82\x83\x84"
"""Instructions that look up, call or change objects."""


class NotPlainError(ValueError):
    """What the file asks for, or why it is no pickle at all."""


def load(data: bytes) -> Any:
    """What was pickled, with protocol 2 or later; raises NotPlainError."""
    machine = _Machine(data)
    try:
        return machine.run()
    except NotPlainError:
        raise
    except (IndexError, KeyError, struct.error, UnicodeDecodeError, TypeError, ValueError):
        raise NotPlainError(f"is not a valid pickle (byte {machine.at})") from None


class _Machine:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}

    def run(self) -> Any:
        data, actions, size = self._data, self._actions(), len(self._data)
        if data[:1] != b"\x80":
            raise NotPlainError("is no pickle of protocol 2 or later")
        stack, memo = self._stack, self._memo
        while self.at < size:
            at = self.at
            code = data[at]
            self.at = at + 1
            # Most of the instructions of a real file, in line: it may have 100 million bytes.
            if code == _GET:
                stack.append(memo[data[at + 1]])
                self.at = at + 2
                continue
            if code == _GET_FAR:
                stack.append(memo[int.from_bytes(data[at + 1 : at + 5], "little")])
                self.at = at + 5
                continue
            if code == _REMEMBER:
                memo[len(memo)] = stack[-1]
                continue
            if code == _NUMBER:
                stack.append(data[at + 1])
                self.at = at + 2
                continue
            if code == _STOP:
                (found,) = stack
                return found
            action = actions.get(code)
            if action is None:
                named = chr(code) in _CLASSES
                what = "names or calls code" if named else f"has the instruction 0x{code:02x}"
                raise NotPlainError(f"{what} (byte {self.at - 1}), which plain data does not need")
            action()
        raise NotPlainError("is cut short")

    def _actions(self) -> dict[int, Callable[[], None]]:
        push = self._stack.append
        take = self._take

        def number(layout: str) -> Callable[[], int]:
            one = struct.Struct(layout)

            def read() -> int:
                value: int = one.unpack(take(one.size))[0]
                return value

            return read

        u1, u2, u4, u8 = (number(layout) for layout in ("<B", "<H", "<I", "<Q"))
        i4, f8 = number("<i"), number(">d")
        plain: dict[str, Callable[[], None]] = {
            "\x80": lambda: self._protocol(u1()),
            "\x95": lambda: self._skip_frame(u8()),
            "N": lambda: push(None),
            "\x88": lambda: push(True),
            "\x89": lambda: push(False),
            "}": lambda: push({}),
            "]": lambda: push([]),
            ")": lambda: push(()),
            "M": lambda: push(u2()),
            "J": lambda: push(i4()),
            "\x8a": lambda: push(int.from_bytes(take(u1()), "little", signed=True)),
            "G": lambda: push(f8()),
            "\x8c": lambda: push(take(u1()).decode("utf-8", "surrogatepass")),
            "X": lambda: push(take(u4()).decode("utf-8", "surrogatepass")),
            "\x8d": lambda: push(take(u8()).decode("utf-8", "surrogatepass")),
            "C": lambda: push(take(u1())),
            "B": lambda: push(take(u4())),
            "(": lambda: self._marks.append(len(self._stack)),
            "t": lambda: push(tuple(self._since_mark())),
            "\x85": lambda: push(tuple(self._last(1))),
            "\x86": lambda: push(tuple(self._last(2))),
            "\x87": lambda: push(tuple(self._last(3))),
            "a": lambda: self._extend(self._last(1)),
            "e": lambda: self._extend(self._since_mark()),
            "s": lambda: self._update(self._last(2)),
            "u": lambda: self._update(self._since_mark()),
            "q": lambda: self._remember(u1()),
            "r": lambda: self._remember(u4()),
        }
        return {ord(name): action for name, action in plain.items()}

    def _take(self, count: int) -> bytes:
        stop = self.at + count
        if stop > len(self._data):
            raise NotPlainError("is cut short")
        part = self._data[self.at : stop]
        self.at = stop
        return part

    def _protocol(self, version: int) -> None:
        if not 2 <= version <= 5:
            raise NotPlainError(f"is a pickle of protocol {version}; 2 to 5 are read")

    def _skip_frame(self, size: int) -> None:
        if self.at + size > len(self._data):
            raise NotPlainError("is cut short")

    def _last(self, count: int) -> list[Any]:
        if len(self._stack) - count < (self._marks[-1] if self._marks else 0):
            raise NotPlainError(f"takes more than it has (byte {self.at - 1})")
        found = self._stack[-count:]
        del self._stack[-count:]
        return found

    def _since_mark(self) -> list[Any]:
        mark = self._marks.pop()
        found = self._stack[mark:]
        del self._stack[mark:]
        return found

    def _extend(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if not isinstance(target, list):
            raise NotPlainError("puts things into what is no list")
        target += items

    def _update(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise NotPlainError("puts things into what is no dict")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, _KEYS) or (isinstance(key, int) and abs(key) >= _LARGEST_KEY):
                raise NotPlainError("has a key that is neither a text nor a small whole number")
            target[key] = value

    def _remember(self, place: int) -> None:
        self._memo[place] = self._stack[-1]
