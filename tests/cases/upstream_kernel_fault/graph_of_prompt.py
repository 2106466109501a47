"""A captured step is launched with a result that is too short for it."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 4096
kernels = Kernels()
square = kernels.square
stream = ok(hip.hipStreamCreate())
given = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(given, floats(N), N * 4, TO_DEVICE))
ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal))
launch(square, 16, 256, stream, given, result, N)
graph = ok(hip.hipStreamEndCapture(stream))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipGraphLaunch(step, stream))
host = floats(N // 2)
ok(hip.hipMemcpyAsync(host, result, N * 2, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
