"""What the kernels can do, for the guard rail."""

from __future__ import annotations

from greta.model import Support

# Attention keeps a head's output in groups of 32 and its query in registers (kernels/README.md).
# The other limits keep every index that a kernel computes inside 32 bits.
SUPPORT = Support(
    head_dims=frozenset(range(32, 257, 32)),
    max_hidden_size=1 << 16,
    max_feed_forward_size=1 << 18,
    max_vocabulary_size=1 << 20,
    max_context_length=1 << 20,
)
