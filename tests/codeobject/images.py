"""Images of kernels.hip in every container, compiled here or kept in the folder data.

`python -m tests.codeobject.images` compiles them with clang 19 and writes those that are kept.
"""

from __future__ import annotations

import struct
import subprocess
import zlib
from pathlib import Path

DATA = Path(__file__).parent / "data"
SOURCE = DATA / "kernels.hip"
COMPILER = "clang-19"
ELF, BUNDLE, ZSTD, ZLIB = "kernels.elf", "kernels.bundle", "kernels.zstd", "kernels.zlib"
IMAGES = (ELF, BUNDLE, ZSTD, ZLIB)

OPTIONS = "-x hip --offload-device-only -nogpuinc -nogpulib -O2"
OPTIONS_OF = {
    ELF: "--offload-arch=gfx942 --no-gpu-bundle-output",
    BUNDLE: "--offload-arch=gfx942",
    ZSTD: "--offload-arch=gfx942 --offload-arch=gfx1100 --offload-compress",
}
METHOD = {"zlib": 0, "zstd": 1}


def compile_for_gpu(options: str, to: Path) -> Path:
    subprocess.run([COMPILER, *OPTIONS.split(), *options.split(), "-o", to, SOURCE], check=True)
    return to


def compressed_bundle(packed: bytes, unpacked_bytes: int, method: str, version: int) -> bytes:
    """A packed bundle behind its header.

    "CCOB", u16 version, u16 method, size of the whole, size unpacked, u64 hash. The sizes have 4
    bytes in version 2 and 8 in version 3; nobody looks at the hash.
    """
    size = {2: "I", 3: "Q"}[version]
    header_bytes = struct.calcsize(f"<4sHH{size}{size}Q")
    sizes = (header_bytes + len(packed), unpacked_bytes)
    return struct.pack(f"<4sHH{size}{size}Q", b"CCOB", version, METHOD[method], *sizes, 0) + packed


def with_version_3(image: bytes) -> bytes:
    """A compressed bundle of version 2, as clang 19 writes it, under the newer header."""
    magic, version, _, _, unpacked_bytes, _ = struct.unpack_from("<4sHHIIQ", image)
    assert (magic, version) == (b"CCOB", 2)
    return compressed_bundle(image[24:], unpacked_bytes, "zstd", 3)


def make_images(folder: Path) -> None:
    for name, options in OPTIONS_OF.items():
        compile_for_gpu(options, folder / name)
    bundle = (folder / BUNDLE).read_bytes()  # clang 19 itself writes zstd alone
    (folder / ZLIB).write_bytes(compressed_bundle(zlib.compress(bundle), len(bundle), "zlib", 2))


if __name__ == "__main__":
    make_images(DATA)
    for image in IMAGES:
        (DATA / image).chmod(0o644)
        print(f"{DATA / image}: {(DATA / image).stat().st_size} bytes")
