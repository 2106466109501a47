"""Which allocation a buffer is part of: numbers that stay the same while the memory lives."""

from __future__ import annotations

import itertools
import weakref

from greta.engine.d2h.facts import Allocation
from greta.hip import Buffer
from greta.hip.inspection import number_of, root_of

_numbers = itertools.count(1)
_known: weakref.WeakKeyDictionary[Buffer, Allocation] = weakref.WeakKeyDictionary()


def allocation_of(buffer: Buffer) -> Allocation:
    """The allocation; the same buffer and its views always give the same one."""
    root = root_of(buffer)
    known = _known.get(root)
    if known is not None:
        return known
    allocation = Allocation(next(_numbers), number_of(root), root.nbytes)
    return _known.setdefault(root, allocation)
