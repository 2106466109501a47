"""Rotates the queries of a prompt; the model's file is given."""

import sys
from pathlib import Path

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, ints, launch, ok

TOKENS = 3
HEADS, HEAD_DIM = 8, 32
kernels = Kernels()
with Path(sys.argv[1]).open("rb") as file:
    weights = file.read(4096)
model = ok(hip.hipMalloc(4096))
queries = ok(hip.hipMalloc(TOKENS * HEADS * HEAD_DIM * 4))
positions = ok(hip.hipMalloc(TOKENS * 4))
ok(hip.hipMemcpy(model, weights, 4096, TO_DEVICE))
ok(hip.hipMemcpy(positions, ints(0, 1, 2), TOKENS * 4, TO_DEVICE))
ok(hip.hipMemset(queries, 0, TOKENS * HEADS * HEAD_DIM * 4))
launch(kernels.rope, TOKENS, 64, None, queries, positions, HEADS, HEAD_DIM)
host = floats(TOKENS * HEADS * HEAD_DIM)
ok(hip.hipMemcpy(host, queries, TOKENS * HEADS * HEAD_DIM * 4, TO_HOST))
