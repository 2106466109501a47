"""A captured step with its upload and its download, launched for ten batches."""

import ctypes

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, launch, ok

N = 128
kernels = Kernels()
square = kernels.square
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
given, result = ok(hip.hipMalloc(N * 4)), ok(hip.hipMalloc(N * 4))
staging, landing = ok(hip.hipHostMalloc(N * 4, 0)), ok(hip.hipHostMalloc(N * 4, 0))
source = (ctypes.c_float * N).from_address(int(staging))
found = (ctypes.c_float * N).from_address(int(landing))
ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal))
ok(hip.hipMemcpyAsync(given, staging, N * 4, TO_DEVICE, stream))
launch(square, 1, N, stream, given, result, N)
ok(hip.hipMemcpyAsync(landing, result, N * 4, TO_HOST, stream))
graph = ok(hip.hipStreamEndCapture(stream))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
for batch in range(10):
    source[:] = [float(batch)] * N
    ok(hip.hipGraphLaunch(step, stream))
    ok(hip.hipStreamSynchronize(stream))
    expect(found[N - 1] == batch * batch, "the batch is squared")
