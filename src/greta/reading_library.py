"""libgreta_reading.so, whose header native/reading/reading.h is the agreement."""

from __future__ import annotations

import ctypes
import functools
import os
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from greta.errors import UsageError
from greta.native_library import find_native_library

LIBRARY_VARIABLE: Final = "GRETA_READING_LIBRARY"
_NAME: Final = "libgreta_reading.so"
_POINTER, _COUNT = ctypes.c_void_p, ctypes.c_int64
_FUNCTIONS: Final = {
    "greta_reading_checksum": (),
    "greta_reading_look": (*(_POINTER,) * 2, *(_COUNT,) * 3, _POINTER),
    "greta_reading_scan": (_POINTER, _POINTER, _COUNT, _POINTER),
    "greta_reading_gather": (ctypes.c_int, _POINTER),
    "greta_reading_operations": (_POINTER, _POINTER),
    "greta_reading_accesses": (_POINTER, *(_COUNT,) * 3, _POINTER, _POINTER),
    "greta_reading_alike": (_POINTER,) * 3,
    "greta_reading_fits": (_POINTER,) * 5,
    "greta_reading_copies": (*(_POINTER,) * 5, _COUNT, _POINTER),
    "greta_reading_map": (ctypes.c_int, _COUNT, _COUNT),
    "greta_reading_unmap": (_POINTER, _COUNT),
    "greta_reading_let_go": (),
    "greta_reading_last_begun": (*(_POINTER,) * 3, _COUNT, _POINTER),
    "greta_reading_find": (*(_POINTER,) * 3, _COUNT, _POINTER, _POINTER),
}
Array = npt.NDArray[Any]
Int64s = npt.NDArray[np.int64]


class SlotsSeen(ctypes.Structure):
    """What slots of a lane are."""

    _fields_ = tuple((name, _COUNT) for name in ("calls", "filled", "last", "in_order"))
    calls: int
    filled: int
    """One past the last slot that is not empty."""
    last: int
    """The place of the last call; -1: there is none."""
    in_order: int
    """No slot is empty, and each call has just the continuations that it says."""


def look_at_slots(slots: Array, numbers: Int64s, last: int, more: int) -> SlotsSeen:
    """`last`, `more`: the number of the call before, -1 if there is none, and what it says."""
    seen = SlotsSeen()
    places = _address(slots), _address(numbers)
    _library().greta_reading_look(*places, len(slots), last, more, ctypes.byref(seen))
    return seen


def scan_slots(slots: Array, numbers: Int64s, columns: Sequence[Array]) -> None:
    """Fill the columns of a Scan, in its order, with the calls among the slots."""
    places = (_POINTER * len(columns))(*map(_address, columns))
    _library().greta_reading_scan(_address(slots), _address(numbers), len(slots), places)


class _Gathered(ctypes.Structure):
    _fields_ = (
        *((name, _POINTER) for name in ("numbers", "following", "places", "behind")),
        ("count", _COUNT),
        ("slots", _POINTER),
    )


class Gathering(NamedTuple):
    """Calls of a lane by their numbers, which rise, and where they go to among some slots.

    `following`: how many slots behind each are wanted as well; they go to `behind` and what follows
    that.
    """

    numbers: Int64s
    following: Int64s
    places: Int64s
    behind: Int64s


def gather_slots(descriptor: int, wanted: Gathering, slots: Array) -> bool:
    """Read slots of a lane's file; False: it ends before one of them. Raises OSError."""
    kept = Gathering(*(np.ascontiguousarray(one, np.int64) for one in wanted))
    given = _Gathered(*map(_address, kept), len(kept.numbers), _address(slots))
    found = int(_library().greta_reading_gather(descriptor, ctypes.byref(given)))
    if found < 0:
        raise OSError(-found, os.strerror(-found))
    return found == len(kept.numbers)


class _Names(ctypes.Structure):
    _fields_ = (("ids", _POINTER), ("count", _COUNT))


class _Calls(ctypes.Structure):
    _fields_ = (
        *((name, _POINTER) for name in ("records", "places", "seqs", "threads", "devices")),
        *((name, _Names) for name in ("calls", "kernels")),
        ("start_ticks", ctypes.c_uint64),
        *((name, ctypes.c_double) for name in ("ns_per_tick", "farthest_ns")),
        ("count", _COUNT),
    )


class CallColumns(NamedTuple):
    """Some calls: their records, and what is known of them beside; names by ids, which rise.

    `places`: of the records among the operations; the other columns are in the order of those.
    """

    records: Array
    places: Int64s
    seqs: Int64s
    threads: Int64s
    devices: Int64s
    call_ids: Int64s
    kernel_ids: Int64s


def fill_operations(
    operations: Array, given: CallColumns, start_ticks: int, ns_per_tick: float, farthest_ns: float
) -> None:
    """The columns of operations that are the same for all calls, whatever they do."""
    kept = CallColumns(*map(np.ascontiguousarray, given))
    names = (_Names(_address(ids), len(ids)) for ids in (kept.call_ids, kept.kernel_ids))
    columns = map(_address, kept[:5])
    clock = start_ticks, ns_per_tick, farthest_ns
    calls = _Calls(*columns, *names, *clock, len(kept.records))
    _library().greta_reading_operations(ctypes.byref(calls), _address(operations))


class _Piece(ctypes.Structure):
    _fields_ = (("rows", _POINTER), ("count", _COUNT))


def sort_accesses(pieces: Sequence[Array], first: int, operations: int, out: Array) -> Int64s:
    """Put the rows of all pieces by operation; where those of each begin.

    `first`: the first of so many operations. Those of one operation keep the order of the pieces.
    """
    kept = [np.ascontiguousarray(piece) for piece in pieces]
    given = (_Piece * len(kept))(*(_Piece(_address(piece), len(piece)) for piece in kept))
    starts = np.empty(operations, np.int64)
    sorted_ = _address(out), _address(starts)
    if not _library().greta_reading_accesses(given, len(kept), first, operations, *sorted_):
        raise AssertionError("an access of another block")
    return starts


class _Said(ctypes.Structure):
    _fields_ = (
        *(("records", _POINTER), ("count", _COUNT)),
        *(("parts", _POINTER), ("owners", _POINTER), ("part_count", _COUNT)),
        *(("begins", _POINTER), ("ends", _POINTER)),
        *(("slots", _POINTER), ("slot_count", _COUNT), ("secret", ctypes.c_uint64)),
    )


_SECRET: Final = int.from_bytes(os.urandom(8), "little") | 1


def find_alike(records: Array, owners: Int64s, parts: Array) -> tuple[Int64s, Int64s]:
    """Calls that say the same in their words and parts: the kind of each, and each kind's first.

    `owners`: of each part, the place of its call; those of one call lie together.
    """
    records, owners, parts = map(np.ascontiguousarray, (records, owners, parts))
    count = len(records)
    kinds, firsts, begins, ends = (np.empty(count, np.int64) for _ in range(4))
    slots = np.empty(1 << (2 * count).bit_length(), np.int64)
    said = _Said(
        *(_address(records), count, _address(parts), _address(owners), len(parts)),
        *(_address(begins), _address(ends), _address(slots), len(slots), _SECRET),
    )
    answers = _address(kinds), _address(firsts)
    found = _library().greta_reading_alike(ctypes.byref(said), *answers)
    return kinds, firsts[:found].copy()


class _Begun(ctypes.Structure):
    _fields_ = (
        *(("groups", _POINTER), ("group_count", _COUNT)),
        *((name, _POINTER) for name in ("starts", "begins", "hints")),
    )


class Begun:
    """Groups of things that begin one after the other; finds the last that has begun."""

    def __init__(self, group: Int64s, begins: Int64s) -> None:
        self.items: Int64s = np.lexsort((begins, group))
        """By group, and in a group by when they begin."""
        self._groups, starts = np.unique(group[self.items], return_index=True)
        self._starts = np.append(starts, len(group)).astype(np.int64)
        self._begins = np.ascontiguousarray(begins[self.items])
        self._hints = self._starts.copy()
        arrays = map(_address, (self._starts, self._begins, self._hints))
        self.struct = _Begun(_address(self._groups), len(self._groups), *arrays)

    def places(self, group: Int64s, when: Int64s) -> Int64s:
        """Places in `items`; -1 if nothing of that group has begun."""
        group, when = (np.ascontiguousarray(one, np.int64) for one in (group, when))
        found = np.empty(len(group), np.int64)
        wanted = _address(group), _address(when), len(group)
        _library().greta_reading_last_begun(ctypes.byref(self.struct), *wanted, _address(found))
        return found


class _Copies(ctypes.Structure):
    _fields_ = (*((name, _POINTER) for name in ("models", "places", "seqs")), ("count", _COUNT))


class _Named(ctypes.Structure):
    _fields_ = tuple(
        (name, _POINTER)
        for name in ("asked", "places", "addresses", "model_kinds", "kinds", "rows")
    )


class Copies:
    """Calls of a block that say the same as others, their models: the first that has each.

    `models`: of each call the number of its model; `places` in the block.
    """

    def __init__(self, models: Int64s, places: Int64s, seqs: Int64s) -> None:
        self._kept = models, places, seqs
        self.struct = _Copies(*map(_address, self._kept), len(models))
        self.fits = np.ones(len(models), bool)
        """Those for which all is memory just like their models'."""

    def __len__(self) -> int:
        return len(self.fits)

    def made(self, rows: Array, row_of_model: Int64s, found: Int64s, first: int) -> Array:
        """Rows of accesses of the models, for all that fit; operations are from `first` on."""
        rows = np.ascontiguousarray(rows)
        made = np.empty(len(self), rows.dtype)
        given = (_address(one) for one in (rows, row_of_model, self.fits, found))
        copied = _library().greta_reading_copies
        count = copied(ctypes.byref(self.struct), *given, first, _address(made))
        return made[:count]


class _Level(ctypes.Structure):
    _fields_ = (("begun", _Begun), ("lifetimes", _POINTER), ("shift", _COUNT))


class _Lifetimes(ctypes.Structure):
    _fields_ = (
        *(("borders", _POINTER), ("border_count", _COUNT)),
        *(("levels", _POINTER), ("level_count", _COUNT)),
        *(("firsts", _POINTER), ("lasts", _POINTER), ("earlier", _COUNT)),
    )


class AddressIndex:
    """Lifetimes of memory, by the nodes of a tree over its pieces.

    `levels`: how many bits a piece is shifted to be a node; of each node that a lifetime is made
    of, the node and the lifetime.
    """

    def __init__(
        self,
        borders: npt.NDArray[np.uint64],
        levels: Sequence[tuple[int, Int64s, Int64s]],
        firsts: Int64s,
        lasts: Int64s,
        earlier: int,
    ) -> None:
        borders = np.ascontiguousarray(borders, np.uint64)
        firsts, lasts = (np.ascontiguousarray(one, np.int64) for one in (firsts, lasts))
        begun = [Begun(node, firsts[lifetime]) for _, node, lifetime in levels]
        items = [lifetime[one.items] for one, (_, _, lifetime) in zip(begun, levels, strict=True)]
        self._kept = borders, firsts, lasts, begun, items
        tree = (_Level * len(levels))(
            *(
                _Level(one.struct, _address(lifetime), level)
                for one, lifetime, (level, _, _) in zip(begun, items, levels, strict=True)
            )
        )
        self._tree = tree
        times = _address(firsts), _address(lasts), earlier
        above = ctypes.addressof(tree), len(levels)
        self._struct = _Lifetimes(_address(borders), len(borders), *above, *times)

    def find(
        self, address: npt.NDArray[np.uint64], seq: Int64s
    ) -> tuple[Int64s, npt.NDArray[np.bool_]]:
        """For each address the lifetime that contains it, and whether that is live at its call.

        If none is live, the one that ended last; -1 if it was never in any.
        """
        address = np.ascontiguousarray(address, np.uint64)
        seq = np.ascontiguousarray(seq, np.int64)
        found, live = np.empty(len(address), np.int64), np.empty(len(address), bool)
        wanted = _address(address), _address(seq), len(address)
        answers = _address(found), _address(live)
        _library().greta_reading_find(ctypes.byref(self._struct), *wanted, *answers)
        return found, live

    def fit(
        self,
        copies: Copies,
        asked: Int64s,
        places: Int64s,
        address: npt.NDArray[np.uint64],
        kinds: Int64s,
        rows: Int64s,
    ) -> Int64s:
        """The memory that calls mean by an address of their models; -1 if there is none.

        `asked`: of each model, which of the addresses it is, if any; `places`: of those in the
        block. `kinds` and `rows`: of lifetimes. Calls that mean other memory no longer fit.
        """
        given = asked, places, address, np.full(len(address), -1, np.int64), kinds, rows
        named = _Named(*map(_address, given))
        found = np.empty(len(copies), np.int64)
        structs = map(ctypes.byref, (self._struct, copies.struct, named))
        answers = _address(copies.fits), _address(found)
        _library().greta_reading_fits(*structs, *answers)
        return found


def map_file(descriptor: int, size: int, resident: int) -> ctypes.Array[ctypes.c_char]:
    """The first bytes of a file, mapped while anybody looks at them.

    Pages are let go of when more bytes of files than `resident` are in memory. Raises OSError.
    """
    library = _library()
    address = library.greta_reading_map(descriptor, size, resident)
    if address is None:
        raise OSError(f"{size} bytes of a file cannot be mapped")
    mapped = (ctypes.c_char * size).from_address(address)
    # Not at exit: somebody may still look at them then.
    weakref.finalize(mapped, library.greta_reading_unmap, address, size).atexit = False
    return mapped


def let_go() -> None:
    """Have pages of mapped files let go of now, if too many are in memory."""
    _library().greta_reading_let_go()


def address_of_let_go() -> int | None:
    """The same as a function of C, for native code that looks at whole tables."""
    return ctypes.cast(_library().greta_reading_let_go, ctypes.c_void_p).value


def check_layout(checksum: int) -> None:
    """That the library was built with the same tables; raises UsageError if it was not."""
    known = _library().greta_reading_checksum
    known.restype = ctypes.c_uint32
    if known() != checksum:
        raise _other_sources()


def _address(array: Array) -> int:
    return array.ctypes.data


def _find() -> Path:
    return find_native_library(_NAME, LIBRARY_VARIABLE)


def _other_sources() -> UsageError:
    return UsageError(f"{_find()} was built from other sources than this Python code; build it")


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_find()))
    for name, types in _FUNCTIONS.items():
        if not hasattr(library, name):
            raise _other_sources()
        getattr(library, name).argtypes = types
    library.greta_reading_alike.restype = _COUNT
    library.greta_reading_copies.restype = _COUNT
    library.greta_reading_gather.restype = _COUNT
    library.greta_reading_map.restype = _POINTER
    return library
