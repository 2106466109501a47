"""A captured step in two branches: the second one waits for what the first one makes."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 6000
kernels = Kernels()
set_kernel, square = kernels.set, kernels.square
main = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
side = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
fork, made, join = (ok(hip.hipEventCreate()) for _ in range(3))
x, y = ok(hip.hipMalloc(N * 4)), ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
ok(hip.hipStreamBeginCapture(main, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
ok(hip.hipEventRecord(fork, main))
ok(hip.hipStreamWaitEvent(side, fork, 0))
launch(set_kernel, 24, 256, main, x, 2.0, N)
ok(hip.hipEventRecord(made, main))
ok(hip.hipStreamWaitEvent(side, made, 0))
launch(square, 24, 256, side, x, y, N)
ok(hip.hipEventRecord(join, side))
ok(hip.hipStreamWaitEvent(main, join, 0))
ok(hip.hipMemcpyAsync(pinned, y, N * 4, TO_HOST, main))
graph = ok(hip.hipStreamEndCapture(main))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipGraphLaunch(step, main))
ok(hip.hipStreamSynchronize(main))
