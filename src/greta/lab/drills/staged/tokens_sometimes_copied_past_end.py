"""In one iteration of twenty, the copy of the chosen token asks for too much.

What is staged:
    As in tokens_copied_past_end, but in about one of twenty iterations, by chance.

Why it happens:
    The size comes from a batch that is seldom full.

What must be found:
    byte_size_mismatch: the copy, and the buffer of tokens; and how often it happens.
"""

SPANISH = "En una de cada veinte iteraciones, la copia del token elegido pide demasiado."
LIKE = "tokens_copied_past_end"
RATE = 0.05
