"""Asynchronous download into pinned memory."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, ok

BYTES = 1 << 16
stream = ok(hip.hipStreamCreate())
device = ok(hip.hipMalloc(BYTES))
pinned = ok(hip.hipHostMalloc(BYTES // 2, 0))
ok(hip.hipMemsetAsync(device, 7, BYTES, stream))
ok(hip.hipMemcpyAsync(pinned, device, BYTES, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
