"""Which libraries let other threads of Python run while they work on a texture.

Usage: python benchmarks/interpreter_lock.py

A thread counts in Python while the main one makes a single long call. What it keeps of its speed is near 0 where the
library holds the interpreter lock, whatever else the machine does; else it is what the machine has to spare.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable

import astc_encoder
import numpy as np
import texture2ddecoder
from isal import isal_zlib
from PIL import Image

SIDE = 8192


class Counter:
    """A thread that counts until the process ends."""

    def __init__(self) -> None:
        self.steps = 0
        threading.Thread(target=self._count, daemon=True).start()
        time.sleep(0.2)

    def _count(self) -> None:
        while True:
            self.steps += 1

    def rate(self, work: Callable[[], object]) -> tuple[float, float]:
        """(steps a second meanwhile, seconds) of a call."""
        steps, start = self.steps, time.perf_counter()
        work()
        steps, passed = self.steps - steps, time.perf_counter() - start
        return steps / passed, passed


def calls() -> dict[str, Callable[[], object]]:
    blocks = np.random.default_rng(0).integers(0, 256, SIDE * SIDE, np.uint8)
    data, picture = blocks.tobytes(), np.zeros((SIDE, SIDE, 4), np.uint8)
    target = np.empty_like(picture)
    cmyk = Image.frombuffer("CMYK", (SIDE, SIDE), picture, "raw", "CMYK", 0, 1)
    astc = astc_encoder.ASTCContext(astc_encoder.ASTCConfig(astc_encoder.ASTCProfile.LDR, 4, 4, block_z=1, quality=60))
    swizzle = astc_encoder.ASTCSwizzle.from_str("RGBA")
    image = astc_encoder.ASTCImage(astc_encoder.ASTCType.U8, SIDE, SIDE, 1)
    return {
        "Pillow, BC7": lambda: Image.frombytes("RGBA", (SIDE, SIDE), data, "bcn", 7),
        "Pillow, BC1": lambda: Image.frombytes("RGBA", (SIDE, SIDE), data, "bcn", 1),
        "Pillow, box": lambda: cmyk.resize((SIDE // 2, SIDE // 2), Image.Resampling.BOX),
        "texture2ddecoder, ETC1": lambda: texture2ddecoder.decode_etc1(data, SIDE, SIDE),
        "texture2ddecoder, ETC2": lambda: texture2ddecoder.decode_etc2a8(data, SIDE, SIDE),
        "astc-encoder-py, ASTC 4x4": lambda: astc.decompress(data, image, swizzle),
        "isal, deflate": lambda: isal_zlib.compressobj(level=1).compress(data),
        "zlib, CRC-32": lambda: zlib.crc32(data * 4),
        "numpy, subtract": lambda: np.subtract(picture[1:], picture[:-1], out=target[1:]),
    }


def main() -> None:
    counter = Counter()
    free, _ = counter.rate(lambda: time.sleep(0.5))
    print(f"{'one call':28}{'ms':>7}{'counting keeps':>16}")
    for name, work in calls().items():
        rate, passed = counter.rate(work)
        print(f"{name:28}{passed * 1000:7.0f}{rate / free:16.2f}", flush=True)


if __name__ == "__main__":
    main()
