"""The one way from device to host: checked, ordered, staged, awaited and, if asked for, audited.

    transfers = Transfers()
    arrival = transfers.to_host(logits, dtype=np.float32, shape=(batch, vocabulary),
                                stream=stream, tensor="logits", step=step)
    ...                                 # other work, while the copy is in flight
    array = arrival.wait()              # in pinned staging that stays valid as long as the array

A transfer that is not right is refused before anything is queued; one that fails is never tried
again. Either way D2HError names the tensor, step, layer, bytes, offset, allocation and stream.
The audit variables and the lines they write are described in docs/d2h.md.
"""

from greta.engine.d2h.flight import Arrival
from greta.engine.d2h.transfer import D2HError, SourceAllocation, Transfer
from greta.engine.d2h.transfers import Transfers
from greta.engine.d2h.watch import Settings

__all__ = ["Arrival", "D2HError", "Settings", "SourceAllocation", "Transfer", "Transfers"]
