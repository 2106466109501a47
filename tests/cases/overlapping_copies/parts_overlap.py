"""Two halves of a table are uploaded by two streams."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, at, floats, ok

ROWS, WIDTH = 100, 128
BYTES = ROWS * WIDTH * 4
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]
source = ok(hip.hipHostMalloc(BYTES, 0))
table = ok(hip.hipMalloc(BYTES))
rows = [(0, 51), (50, 50)]
for stream, (first, count) in zip(streams, rows, strict=True):
    offset, size = first * WIDTH * 4, count * WIDTH * 4
    ok(hip.hipMemcpyAsync(at(table, offset), at(source, offset), size, TO_DEVICE, stream))
ok(hip.hipDeviceSynchronize())
ok(hip.hipMemcpy(floats(ROWS * WIDTH), table, BYTES, TO_HOST))
