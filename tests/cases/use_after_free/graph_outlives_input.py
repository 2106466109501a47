"""A captured step is launched again after the request has ended."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 2048
kernels = Kernels()
square = kernels.square
stream = ok(hip.hipStreamCreate())
given = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(given, floats(N, 2.0), N * 4, TO_DEVICE))
ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal))
launch(square, 8, 256, stream, given, result, N)
graph = ok(hip.hipStreamEndCapture(stream))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipGraphLaunch(step, stream))
ok(hip.hipStreamSynchronize(stream))
ok(hip.hipFree(given))
ok(hip.hipGraphLaunch(step, stream))
host = floats(N)
ok(hip.hipMemcpyAsync(host, result, N * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
