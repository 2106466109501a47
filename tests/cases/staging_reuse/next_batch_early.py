"""Batches are uploaded on one stream and used on another."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, launch, ok

N, BATCHES = 4096, 3
kernels = Kernels()
square = kernels.square
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
arrived = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
consumed = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
source = ok(hip.hipHostMalloc(BATCHES * N * 4, 0))
given = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(BATCHES * N * 4))
for batch in range(BATCHES):
    ok(hip.hipMemcpyAsync(given, at(source, batch * N * 4), N * 4, TO_DEVICE, copies))
    ok(hip.hipEventRecord(arrived, copies))
    ok(hip.hipStreamWaitEvent(compute, arrived, 0))
    launch(square, N // 256, 256, compute, given, at(result, batch * N * 4), N)
    ok(hip.hipEventRecord(consumed, compute))
host = ok(hip.hipHostMalloc(BATCHES * N * 4, 0))
ok(hip.hipMemcpyAsync(host, result, BATCHES * N * 4, TO_HOST, compute))
ok(hip.hipDeviceSynchronize())
