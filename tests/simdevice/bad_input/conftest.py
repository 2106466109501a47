"""Every test here calls the library as a C program does."""

from tests.simdevice.fixtures import device, hip, image

__all__ = ["device", "hip", "image"]
