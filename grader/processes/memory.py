"""How a process that grades one request after another holds on to memory."""

from __future__ import annotations

import contextlib
import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Names of glibc's settings, as malloc.h numbers them."""
_LARGEST_KEPT_BYTES = 32 * 1024 * 1024
"""From this size on, what is allocated goes back to the system once it is free; below, it is used anew."""
_FREE_KEPT_BYTES = 2 * _LARGEST_KEPT_BYTES


def keep_freed_memory() -> None:
    """Has this process keep what it frees for what comes next, up to 64 MiB, where the C library lets one say so.

    glibc starts at 128 KiB, and gets to these sizes by itself only where large blocks are freed by chance. Till then
    a worker gives megabytes back after each picture and gets them anew, a page at a time, for the next: a tenth of what
    it takes to grade a maze.
    """
    with contextlib.suppress(AttributeError):  # a C library without these settings
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)
        mallopt(_TRIM_THRESHOLD, _FREE_KEPT_BYTES)
