"""Copies in a loop until it is killed, without a chance to clean up; here by itself."""

import os
import signal

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, floats, ok

N = 1024
stream = ok(hip.hipStreamCreate())
device = ok(hip.hipMalloc(N * 4))
host = floats(N)
for step in range(40):
    ok(hip.hipMemsetAsync(device, step, N * 4, stream))
    ok(hip.hipMemcpyAsync(host, device, N * 4, TO_HOST, stream))
    ok(hip.hipStreamSynchronize(stream))
    if step == 20:
        os.kill(os.getpid(), signal.SIGKILL)
