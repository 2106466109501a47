"""Our table of types is the gguf package's."""

from __future__ import annotations

import pytest
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

from greta.model import WEIGHT_TYPES, TensorType

THEIRS = {int(kind): kind for kind in GGMLQuantizationType}


@pytest.mark.parametrize("kind", TensorType, ids=lambda kind: kind.name)
def test_a_type_is_the_packages(kind: TensorType) -> None:
    if kind not in WEIGHT_TYPES and kind not in THEIRS:
        pytest.skip("this release of gguf does not know it yet")
    theirs = THEIRS[int(kind)]
    assert theirs.name == kind.name
    assert GGML_QUANT_SIZES[theirs] == (kind.blocks.elements, kind.blocks.bytes)
