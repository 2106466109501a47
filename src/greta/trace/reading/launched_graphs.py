"""What graphs touch when they are launched: what their nodes do, with what is there by then."""

from __future__ import annotations

import numpy as np

from greta.trace.reading.access_table import WHOLE, AccessTable
from greta.trace.reading.allocations import Allocations
from greta.trace.reading.block import Block
from greta.trace.trace import ACCESS, Row, Table

Nodes = tuple[Row, ...]


def accesses_of_launches(
    block: Block,
    nodes_of: dict[Row, Nodes],
    pieces: list[Table],
    earlier: AccessTable,
    first_access: np.ndarray[tuple[int], np.dtype[np.int64]],
    allocations: Allocations,
) -> dict[Row, Table]:
    """By launch. `pieces` are the accesses of the block, `earlier` those of the blocks before."""
    wanted = {node for nodes in nodes_of.values() for node in nodes}
    own = _by_operation(pieces, sorted(row for row in wanted if row >= block.first))

    def of_node(node: Row) -> Table:
        if node >= block.first:
            return own[node]
        stop = int(first_access[node + 1]) if node + 1 < block.first else len(earlier)
        return earlier.between(int(first_access[node]), stop)

    known = {nodes: _joined([of_node(node) for node in nodes]) for nodes in set(nodes_of.values())}
    return {
        launch: _as_of(known[nodes], launch, int(block.seq[launch - block.first]), allocations)
        for launch, nodes in nodes_of.items()
    }


def _joined(parts: list[Table]) -> Table:
    """As whole rows: NumPy takes its time to compare the fields of each part."""
    rows: Table = np.concatenate([np.empty(0, WHOLE), *(part.view(WHOLE) for part in parts)])
    return rows.view(ACCESS)


def _as_of(touched: Table, launch: Row, seq: int, allocations: Allocations) -> Table:
    """What an address means may have changed since the graph was made."""
    table: Table = touched.copy()
    table["operation"], table["at_call"] = launch, False
    table["allocation"] = allocations.find(table["address"], np.full(len(table), seq))[0]
    return table


def _by_operation(pieces: list[Table], wanted: list[Row]) -> dict[Row, Table]:
    parts = [piece[np.isin(piece["operation"], wanted)] for piece in pieces] if wanted else []
    together = np.concatenate([np.empty(0, ACCESS), *parts])
    together = together[np.argsort(together["operation"], kind="stable")]
    begin = np.searchsorted(together["operation"], wanted, "left")
    end = np.searchsorted(together["operation"], wanted, "right")
    return {row: together[a:b] for row, a, b in zip(wanted, begin, end, strict=True)}
