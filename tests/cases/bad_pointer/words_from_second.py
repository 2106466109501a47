"""Sets the words of a list of flags, from the second on."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, at, ints, ok

FLAGS = 100
flags = ok(hip.hipMalloc(FLAGS * 4))
ok(hip.hipMemset(flags, 0, FLAGS * 4))
print(hip.hipMemsetD32Async(at(flags, 4), -1, FLAGS - 1, None))
host = ints(*[0] * FLAGS)
ok(hip.hipMemcpy(host, flags, FLAGS * 4, TO_HOST))
