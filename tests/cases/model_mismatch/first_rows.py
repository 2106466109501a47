"""Uploads the beginning of a model's file and reads it back."""

import sys
from pathlib import Path

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, ok

with Path(sys.argv[1]).open("rb") as file:
    content = file.read(1 << 16)
device = ok(hip.hipMalloc(len(content)))
ok(hip.hipMemcpy(device, content, len(content), TO_DEVICE))
back = bytearray(len(content))
ok(hip.hipMemcpy(back, device, len(content), TO_HOST))
print(back == content)
