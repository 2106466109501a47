"""Queries are made on one stream and rotated in place on the other."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, ints, launch, ok

HEADS, HEAD_DIM, TOKENS = 4, 32, 3
WIDTH = HEADS * HEAD_DIM
kernels = Kernels()
rope = kernels.rope
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
queries = ok(hip.hipMalloc(TOKENS * WIDTH * 4))
positions = ok(hip.hipMalloc(TOKENS * 4))
staging = ok(hip.hipHostMalloc(TOKENS * WIDTH * 4, 0))
ok(hip.hipMemcpy(positions, ints(0, 1, 2), TOKENS * 4, TO_DEVICE))
ok(hip.hipMemcpyAsync(queries, staging, TOKENS * WIDTH * 4, TO_DEVICE, copies))
while int(hip.hipStreamQuery(copies)[0]) != 0:
    pass
launch(rope, TOKENS, 64, compute, queries, positions, HEADS, HEAD_DIM)
host = floats(TOKENS * WIDTH)
ok(hip.hipMemcpyAsync(host, queries, TOKENS * WIDTH * 4, TO_HOST, compute))
ok(hip.hipDeviceSynchronize())
