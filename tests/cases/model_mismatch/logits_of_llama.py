"""Projects a hidden state to logits."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

VOCABULARY, HIDDEN = 32000, 256
kernels = Kernels()
embedding = ok(hip.hipMalloc(VOCABULARY * HIDDEN * 4))
hidden = ok(hip.hipMalloc(HIDDEN * 4))
logits = ok(hip.hipMalloc(VOCABULARY * 4))
ok(hip.hipMemset(hidden, 0, HIDDEN * 4))
blocks = (VOCABULARY + 255) // 256
launch(kernels.project, blocks, 256, None, embedding, hidden, logits, VOCABULARY, HIDDEN)
ok(hip.hipMemcpy(floats(VOCABULARY), logits, VOCABULARY * 4, TO_HOST))
print("used", sys.argv[-1])
