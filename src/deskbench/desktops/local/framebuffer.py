"""The screen as Xvfb keeps it: a mapped file in X's window-dump format, cursor drawn in."""

from __future__ import annotations

import ctypes
import mmap
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deskbench.core.faults import DesktopFault
from deskbench.core.frame import Frame

_HEADER = struct.Struct(">25I")
_COLOUR_BYTES = 12


def _keep_large_blocks() -> None:
    """Let the C library keep freed blocks of a picture's size: fresh ones cost two thousand page faults, 10 ms, for every picture."""
    adjust = getattr(ctypes.CDLL(None), "mallopt", None)
    if adjust is not None:
        for option in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD):
            adjust(option, 64 << 20)


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_keep_large_blocks()


class Framebuffer:
    """A view into the display's memory; `copy` is a consistent enough snapshot, `rows` the live memory itself."""

    def __init__(self, file: Path) -> None:
        try:
            with open(file, "rb") as handle:
                self._map = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise DesktopFault(f"the display has no framebuffer at {file}; the display died, reset the desktop") from error
        header = _HEADER.unpack_from(self._map)
        header_size, version, _, depth, width, height = header[:6]
        bits_per_pixel, bytes_per_line, colours = header[11], header[12], header[19]
        if version != 7 or bits_per_pixel != 32 or depth != 24:
            raise DesktopFault(f"the display is {depth} bits deep at {bits_per_pixel} a pixel; Deskbench needs 24 at 32")
        start = header_size + colours * _COLOUR_BYTES
        memory = np.frombuffer(self._map, np.uint8, bytes_per_line * height, start)
        self.rows: NDArray[np.uint8] = memory.reshape(height, bytes_per_line)[:, : width * 4].reshape(height, width, 4)
        self.size = (width, height)

    def copy(self) -> Frame:
        """What is on the screen now."""
        return Frame(self.rows.copy())

    def colours(self) -> int:
        """How many different colours the screen shows, on every eighth pixel of every eighth row."""
        sample = np.ascontiguousarray(self.rows[::8, ::8]).view(np.uint32) & 0xFFFFFF
        return len(np.unique(sample))
