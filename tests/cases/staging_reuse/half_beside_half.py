"""The first half of a buffer goes to the host while the second half is filled again."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, at, ok

HALF = 1 << 15
down = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
up = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
pinned = ok(hip.hipHostMalloc(4 * HALF, 0))
buffer = ok(hip.hipMalloc(2 * HALF))
ok(hip.hipMemcpy(buffer, pinned, 2 * HALF, TO_DEVICE))
ok(hip.hipMemcpyAsync(at(pinned, 2 * HALF), buffer, HALF, TO_HOST, down))
ok(hip.hipMemcpyAsync(at(buffer, HALF), pinned, HALF, TO_DEVICE, up))
ok(hip.hipStreamSynchronize(up))
ok(hip.hipStreamSynchronize(down))
