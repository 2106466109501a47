"""A decode step: three kernels of a layer, then the logits to the host."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, ints, launch, ok

HEADS, HEAD_DIM, TOKENS = 16, 64, 1100
WIDTH = HEADS * HEAD_DIM
kernels = Kernels()
rope, rmsnorm, scale = kernels.rope, kernels.rmsnorm, kernels.scale
stream = ok(hip.hipStreamCreate())
queries = ok(hip.hipMalloc(TOKENS * WIDTH * 4))
norm = ok(hip.hipMalloc(WIDTH * 4))
logits = ok(hip.hipMalloc(TOKENS * WIDTH * 4))
known = 1024
positions = ok(hip.hipMalloc(known * 4))
ok(hip.hipMemcpy(positions, ints(*range(known)), known * 4, TO_DEVICE))
ok(hip.hipMemcpy(norm, floats(WIDTH), WIDTH * 4, TO_DEVICE))
ok(hip.hipMemset(queries, 0, TOKENS * WIDTH * 4))
ok(hip.hipDeviceSynchronize())
launch(rope, TOKENS, 64, stream, queries, positions, HEADS, HEAD_DIM)
launch(rmsnorm, TOKENS, 64, stream, queries, norm, logits, WIDTH)
launch(scale, TOKENS * WIDTH // 256, 256, stream, logits, 0.5, TOKENS * WIDTH)
host = floats(WIDTH)
ok(hip.hipMemcpyAsync(host, at(logits, (TOKENS - 1) * WIDTH * 4), WIDTH * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
