"""What the kernels can do, for the guard rail."""

from __future__ import annotations

from greta.engine.workspace import GROUP
from greta.model import Support

# Every kernel reads and writes activations in whole groups, and attention keeps a head's output in
# them and its query in registers (kernels/README.md). Heads are blocks of a grid's second
# dimension, of which HIP promises 65535. The other limits keep every index that a kernel computes
# inside 32 bits.
MAX_BATCH = 1 << 14
SUPPORT = Support(
    head_dims=frozenset(range(GROUP, 257, GROUP)),
    size_multiple=GROUP,
    max_hidden_size=1 << 16,
    max_feed_forward_size=1 << 18,
    max_vocabulary_size=1 << 20,
    max_context_length=1 << 20,
    max_heads=65535,
)
