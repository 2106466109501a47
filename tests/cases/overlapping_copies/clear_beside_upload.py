"""A padded batch: cleared, then filled in part."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, floats, ok

N = 1 << 15
work = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
other = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
pinned = ok(hip.hipHostMalloc(N, 0))
batch = ok(hip.hipMalloc(2 * N))
ok(hip.hipMemsetAsync(batch, 0, 2 * N, other))
ok(hip.hipMemcpyAsync(batch, pinned, N, TO_DEVICE, work))
ok(hip.hipStreamSynchronize(work))
ok(hip.hipStreamSynchronize(other))
ok(hip.hipMemcpy(floats(N // 4), batch, N, TO_HOST))
