"""Project a hidden state to logits and bring them to the host."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

VOCABULARY, HIDDEN = 3000, 32
kernels = Kernels()
weights = ok(hip.hipMalloc(VOCABULARY * HIDDEN * 4))
hidden = ok(hip.hipMalloc(HIDDEN * 4))
logits = ok(hip.hipMalloc(VOCABULARY * 4))
ok(hip.hipMemcpy(weights, floats(VOCABULARY * HIDDEN), VOCABULARY * HIDDEN * 4, TO_DEVICE))
ok(hip.hipMemcpy(hidden, floats(HIDDEN), HIDDEN * 4, TO_DEVICE))
launch(kernels.matvec, 6, 256, None, weights, hidden, logits, VOCABULARY // 2, HIDDEN)
ok(hip.hipDeviceSynchronize())
host = floats(VOCABULARY)
ok(hip.hipMemcpy(host, logits, VOCABULARY * 4, TO_HOST))
print(host[0])
