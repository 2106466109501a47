"""GRETA: run HIP programs, on an AMD GPU or on a simulated device made of CPU threads."""

__version__ = "0.1.0"
