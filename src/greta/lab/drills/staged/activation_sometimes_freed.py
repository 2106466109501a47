"""In one iteration of twenty, a kernel is given an activation that has been freed.

What is staged:
    As in activation_freed, but in about one of twenty iterations, by chance.

Why it happens:
    Memory grows only for a prompt that is longer than all before it.

What must be found:
    use_after_free: the first launch that was given the old address, and that buffer; and how often.
"""

SPANISH = "En una de cada veinte iteraciones, un kernel recibe una activación que ya fue liberada."
LIKE = "activation_freed"
RATE = 0.05
