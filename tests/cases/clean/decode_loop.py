"""48 tokens, one after the other: embed, norm, project, choose, fetch the choice."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, floats, ints, launch, ok

WIDTH, VOCAB = 32, 64
kernels = Kernels()
embed, rmsnorm, project, argmax = kernels.embed, kernels.rmsnorm, kernels.project, kernels.argmax
table, weight = ok(hip.hipMalloc(VOCAB * WIDTH * 4)), ok(hip.hipMalloc(WIDTH * 4))
token, x, y = (ok(hip.hipMalloc(size)) for size in (4, WIDTH * 4, WIDTH * 4))
logits, best = ok(hip.hipMalloc(VOCAB * 4)), ok(hip.hipMalloc(4))
rows = floats(VOCAB * WIDTH, 0.0)
for row in range(VOCAB):
    rows[row * WIDTH + row % WIDTH] = 1.0 + row / VOCAB
ok(hip.hipMemcpy(table, rows, VOCAB * WIDTH * 4, TO_DEVICE))
ok(hip.hipMemcpy(weight, floats(WIDTH), WIDTH * 4, TO_DEVICE))
said, found = ints(3), ints(0)
for _ in range(48):
    ok(hip.hipMemcpy(token, said, 4, TO_DEVICE))
    launch(embed, 1, WIDTH, None, table, token, x, WIDTH)
    launch(rmsnorm, 1, WIDTH, None, x, weight, y, WIDTH)
    launch(project, 1, VOCAB, None, table, y, logits, VOCAB, WIDTH)
    launch(argmax, 1, 1, None, logits, best, VOCAB)
    ok(hip.hipMemcpy(found, best, 4, TO_HOST))
    expect(found[0] == 3 + WIDTH, "the row with the same direction, and longer")
