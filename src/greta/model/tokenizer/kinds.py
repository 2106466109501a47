"""What a token is."""

from __future__ import annotations

from enum import IntEnum

TokenId = int


class Kind(IntEnum):
    """By tokenizer.ggml.token_type."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6
