"""Which graphs have branches, and in which order their nodes are looked at."""

from __future__ import annotations

from greta.trace.reading.graph_nodes import (
    Node,
    Nodes,
    branches_of,
    may_have_branches,
    renamed,
    without,
)


def nodes(**after: str | None) -> Nodes:
    """Named by letters; each with the letters of those it depends on."""
    return {
        ord(name): Node((row,), None if others is None else frozenset(map(ord, others)))
        for row, (name, others) in enumerate(after.items())
    }


def test_a_chain_has_no_branches() -> None:
    assert not may_have_branches(nodes(a="", b="a", c="b", d="ac"))
    assert may_have_branches(nodes(a="", b="a", c="a"))


def test_what_is_not_known_may_be_branches() -> None:
    assert may_have_branches(nodes(a="", b=None))
    assert not may_have_branches(nodes(a=None))


def test_without_a_node_nothing_waits_for_it() -> None:
    left = without(nodes(a="", b="a", c="ab", d=None), ord("a"))
    assert [node.after for node in left.values()] == [frozenset(), frozenset({ord("b")}), None]


def test_nodes_that_do_not_wait_for_each_other_are_branches() -> None:
    diamond = branches_of(nodes(a="", b="a", c="a", d="bc"))
    assert [node.rows for node in diamond] == [(0,), (1,), (2,), (3,)]
    assert [node.after for node in diamond] == [(), (0,), (0,), (1, 2)]


def test_dependencies_come_first_whatever_was_added_first() -> None:
    turned = branches_of(nodes(d="bc", b="a", c="a", a=""))
    assert turned[0].rows == (3,)
    assert turned[3].rows == (0,)
    assert all(place < at for at, node in enumerate(turned) for place in node.after)


def test_nothing_is_said_where_a_dependency_is_not_known() -> None:
    assert branches_of(nodes(a="", b=None)) == ()
    assert branches_of(nodes(a="", b="x")) == ()
    assert branches_of(nodes(a="b", b="a", c="")) == ()


def test_a_node_keeps_its_dependencies_under_another_name() -> None:
    named = renamed(nodes(a="", b="a", c="a"), ord("a"), 7)
    assert [node.after for node in branches_of(named)] == [(), (0,), (0,)]
