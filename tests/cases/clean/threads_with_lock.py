"""Three threads share one stream and one buffer; a lock lets one in at a time."""

import threading

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, expect, floats, launch, ok

N = 128
kernels = Kernels()
fill = kernels.set
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
values = ok(hip.hipMalloc(N * 4))
lock = threading.Lock()


def work(number: int) -> None:
    host = floats(N, 0.0)
    for turn in range(30):
        with lock:
            launch(fill, 1, N, stream, values, float(number * 100 + turn), N)
            ok(hip.hipMemcpyAsync(host, values, N * 4, TO_HOST, stream))
            ok(hip.hipStreamSynchronize(stream))
            expect(host[N - 1] == number * 100 + turn, "nobody else wrote")


threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
