"""An empty prompt has no memory."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, floats, ok

ids = None
count = 4
device = ok(hip.hipMalloc(64))
ok(hip.hipMemset(device, 0, 64))
print(hip.hipMemcpy(device, ids, count * 4, TO_DEVICE))
ok(hip.hipMemcpy(floats(16), device, 64, TO_HOST))
