"""The next step's logits are computed while the last ones are on their way to the host."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

VOCABULARY, HIDDEN = 1024, 32
kernels = Kernels()
matvec = kernels.matvec
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
computed = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
weights = ok(hip.hipMalloc(VOCABULARY * HIDDEN * 4))
hidden = ok(hip.hipMalloc(HIDDEN * 4))
logits = ok(hip.hipMalloc(2 * VOCABULARY * 4))
pinned = ok(hip.hipHostMalloc(2 * VOCABULARY * 4, 0))
ok(hip.hipMemcpy(weights, floats(VOCABULARY * HIDDEN), VOCABULARY * HIDDEN * 4, TO_DEVICE))
ok(hip.hipMemcpy(hidden, floats(HIDDEN), HIDDEN * 4, TO_DEVICE))
for step in range(2):
    turn = 0
    launch(matvec, 4, 256, compute, weights, hidden, at(logits, turn), VOCABULARY, HIDDEN)
    ok(hip.hipEventRecord(computed, compute))
    ok(hip.hipStreamWaitEvent(copies, computed, 0))
    row = at(pinned, step * VOCABULARY * 4)
    ok(hip.hipMemcpyAsync(row, at(logits, turn), VOCABULARY * 4, TO_HOST, copies))
ok(hip.hipDeviceSynchronize())
