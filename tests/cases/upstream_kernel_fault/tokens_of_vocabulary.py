"""Looks up embeddings of token ids that another tokenizer made."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, ints, launch, ok

VOCABULARY, WIDTH = 512, 64
kernels = Kernels()
embed = kernels.embed
prompt = ints(1, 17, 511, 2)
out = ok(hip.hipMalloc(len(prompt) * WIDTH * 4))
ids = ok(hip.hipMalloc(len(prompt) * 4))
table = ok(hip.hipMalloc(VOCABULARY * WIDTH * 4))
ok(hip.hipMemcpy(table, floats(VOCABULARY * WIDTH), VOCABULARY * WIDTH * 4, TO_DEVICE))
ok(hip.hipMemcpy(ids, prompt, len(prompt) * 4, TO_DEVICE))
launch(embed, len(prompt), 64, None, table, ids, out, WIDTH)
host = floats(len(prompt) * WIDTH)
ok(hip.hipMemcpy(host, out, len(prompt) * WIDTH * 4, TO_HOST))
