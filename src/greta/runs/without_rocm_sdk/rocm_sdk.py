"""Hides the package of this name from programs that run under `greta sim`.

AMD's bindings prefer the libraries of the package rocm_sdk to those in ROCM_PATH, and would go past
the simulated device without a word. They take an ImportError to mean that it is not installed.
"""

raise ImportError("rocm_sdk is hidden by greta sim, so that the simulated device is used")
