"""The library that puts operations in order is found, and is the one that belongs to this code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from greta.errors import UsageError
from greta.forensics import order_library


@pytest.fixture
def opened_anew() -> Iterator[None]:
    order_library._library.cache_clear()
    yield
    order_library._library.cache_clear()


@pytest.mark.usefixtures("opened_anew")
def test_a_library_with_other_tables_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    order_library._library()
    order_library._library.cache_clear()
    monkeypatch.setattr(order_library, "CHECKSUM", 0)
    with pytest.raises(UsageError, match="built from other sources"):
        order_library._library()


@pytest.mark.usefixtures("opened_anew")
def test_a_library_from_before_the_checksum_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_library, "find_library", lambda: "libc.so.6")
    with pytest.raises(UsageError, match="built from other sources"):
        order_library._library()


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(order_library.LIBRARY_VARIABLE, "nowhere.so")
    with pytest.raises(UsageError, match=r"nowhere\.so"):
        order_library.find_library()
