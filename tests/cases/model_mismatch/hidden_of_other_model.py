"""Projects a hidden state to logits, twice."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

VOCABULARY, HIDDEN = 512, 320
kernels = Kernels()
project = kernels.project
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
print("model", sys.argv[2])
embedding = ok(hip.hipMalloc(VOCABULARY * HIDDEN * 4))
hidden = ok(hip.hipMalloc(HIDDEN * 4))
logits = ok(hip.hipMalloc(VOCABULARY * 4))
ok(hip.hipMemsetAsync(embedding, 0, VOCABULARY * HIDDEN * 4, stream))
ok(hip.hipMemsetAsync(hidden, 0, HIDDEN * 4, stream))
for _ in range(2):
    launch(project, 2, 256, stream, embedding, hidden, logits, VOCABULARY, HIDDEN)
host = floats(VOCABULARY)
ok(hip.hipMemcpyAsync(host, logits, VOCABULARY * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
