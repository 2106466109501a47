"""Chunks of one buffer on four streams; the grid is always that of the largest chunk."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, at, launch, ok

CHUNK, CHUNKS = 512, 16
BYTES = CHUNK * CHUNKS * 4
kernels = Kernels()
square = kernels.square
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(4)]
given = ok(hip.hipMalloc(BYTES))
result = ok(hip.hipMalloc(BYTES))
pinned = ok(hip.hipHostMalloc(BYTES, 0))
ok(hip.hipMemset(given, 0, BYTES))
ok(hip.hipDeviceSynchronize())
for chunk in range(CHUNKS):
    stream, place = streams[chunk % 4], chunk * CHUNK * 4
    launch(square, 32, 256, stream, at(given, place), at(result, place), CHUNK)
    ok(hip.hipMemcpyAsync(at(pinned, place), at(result, place), CHUNK * 4, TO_HOST, stream))
ok(hip.hipDeviceSynchronize())
