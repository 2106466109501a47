"""Attention of the newest token over a cache of eight."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

TOKENS, HEADS, HEAD_DIM = 8, 4, 64
KV_HEADS = HEADS // 2
print("model", sys.argv[1])
kernels = Kernels()
stream = ok(hip.hipStreamCreate())
query = ok(hip.hipMalloc(HEADS * HEAD_DIM * 4))
cache = [ok(hip.hipMalloc(TOKENS * KV_HEADS * HEAD_DIM * 4)) for _ in range(2)]
result = ok(hip.hipMalloc(HEADS * HEAD_DIM * 4))
ok(hip.hipMemsetAsync(query, 0, HEADS * HEAD_DIM * 4, stream))
for part in cache:
    ok(hip.hipMemsetAsync(part, 0, TOKENS * KV_HEADS * HEAD_DIM * 4, stream))
sizes = (HEADS, KV_HEADS, HEAD_DIM, TOKENS)
launch(kernels.attention, HEADS, 64, stream, query, *cache, result, *sizes)
host = floats(HEADS * HEAD_DIM)
ok(hip.hipMemcpyAsync(host, result, HEADS * HEAD_DIM * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
