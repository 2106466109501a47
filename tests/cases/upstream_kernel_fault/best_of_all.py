"""Greedy sampling: the best of the logits."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, ints, launch, ok

VOCABULARY = 2048
kernels = Kernels()
argmax = kernels.argmax
logits = ok(hip.hipMalloc(VOCABULARY * 4))
best = ok(hip.hipMalloc(4))
ok(hip.hipMemcpy(logits, floats(VOCABULARY), VOCABULARY * 4, TO_DEVICE))
launch(argmax, 1, 64, None, logits, best, VOCABULARY)
host = ints(0)
ok(hip.hipMemcpy(host, best, 4, TO_HOST))
