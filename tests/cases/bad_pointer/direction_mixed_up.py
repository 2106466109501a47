"""Uploads a prompt and gets it back."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, ints, ok

TOKENS = 64
prompt = ints(*range(TOKENS))
stream = ok(hip.hipStreamCreate())
device = ok(hip.hipMalloc(TOKENS * 4))
kind = hip.hipMemcpyKind.hipMemcpyDeviceToHost
ok(hip.hipMemcpyAsync(device, prompt, TOKENS * 4, kind, stream))
ok(hip.hipMemcpyAsync(prompt, device, TOKENS * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
print(list(prompt)[:4])
