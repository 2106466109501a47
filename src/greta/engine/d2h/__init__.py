"""The one way from device to host: checked, ordered, staged, awaited and, if asked for, audited.

    transfers = Transfers()
    arrival = transfers.to_host(logits, dtype=np.float32, shape=(batch, vocabulary),
                                stream=stream, tensor="logits", step=step)
    ...                                 # other work, while the copy is in flight
    array = arrival.wait()              # in pinned staging, which is the array's while it lives

A transfer that is not right is refused before anything is queued; one that fails is never tried
again. Either way D2HError names the tensor, step, layer, bytes, offset, allocation and stream.
The audit variables and the lines they write are described in docs/d2h.md; `parse` reads them back.
"""

from greta.engine.d2h.arrival import Arrival
from greta.engine.d2h.errors import D2HError
from greta.engine.d2h.facts import Allocation, Transfer
from greta.engine.d2h.settings import Settings
from greta.engine.d2h.transfers import Transfers

__all__ = ["Allocation", "Arrival", "D2HError", "Settings", "Transfer", "Transfers"]
