"""10,500 copies of a few bytes, up and down, in one stream."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, at, expect, ints, ok

N = 64
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
values = ok(hip.hipMalloc(N * 4))
host, back = ints(*range(N)), ints(*[0] * N)
address = int(values)
for turn in range(5250):
    place = turn % N
    ok(hip.hipMemcpyAsync(at(address, place * 4), ints(turn), 4, TO_DEVICE, stream))
    ok(hip.hipMemcpyAsync(back, at(address, place * 4), 4, TO_HOST, stream))
    if turn % 1000 == 0:
        ok(hip.hipStreamSynchronize(stream))
        expect(back[0] == turn, "the number comes back")
ok(hip.hipStreamSynchronize(stream))
