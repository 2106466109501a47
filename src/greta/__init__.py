"""GRETA: what made a HIP program fail, in which buffer and why; with or without a GPU."""

__version__ = "0.1.0"
