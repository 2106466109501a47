"""Decode loop: two logits buffers in turn, each with its event; downloads beside the next step."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

VOCABULARY, HIDDEN, STEPS = 512, 64, 4
kernels = Kernels()
matvec, rmsnorm = kernels.matvec, kernels.rmsnorm
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
weights = ok(hip.hipMalloc(VOCABULARY * HIDDEN * 4))
norm = ok(hip.hipMalloc(HIDDEN * 4))
hidden = ok(hip.hipMalloc(HIDDEN * 4))
logits = [ok(hip.hipMalloc(VOCABULARY * 4)) for _ in range(2)]
computed = [ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2)]
fetched = [ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2)]
pinned = ok(hip.hipHostMalloc(STEPS * VOCABULARY * 4, 0))
ok(hip.hipMemcpy(weights, floats(VOCABULARY * HIDDEN), VOCABULARY * HIDDEN * 4, TO_DEVICE))
ok(hip.hipMemcpy(norm, floats(HIDDEN), HIDDEN * 4, TO_DEVICE))
ok(hip.hipMemcpy(hidden, floats(HIDDEN), HIDDEN * 4, TO_DEVICE))
for step in range(STEPS):
    turn = step % 2
    ok(hip.hipStreamWaitEvent(compute, fetched[turn], 0))
    launch(rmsnorm, 1, 64, compute, hidden, norm, hidden, HIDDEN)
    launch(matvec, 2, 256, compute, weights, hidden, logits[turn], VOCABULARY, HIDDEN)
    ok(hip.hipEventRecord(computed[turn], compute))
    ok(hip.hipStreamWaitEvent(copies, computed[turn], 0))
    row = at(pinned, step * VOCABULARY * 4)
    ok(hip.hipMemcpyAsync(row, logits[turn], VOCABULARY * 4, TO_HOST, copies))
    ok(hip.hipEventRecord(fetched[turn], copies))
ok(hip.hipDeviceSynchronize())
