"""What Pillow's decoders warn of, which is held back, and what they raise.

Python's own way to hold warnings back (``warnings.catch_warnings``) is made for a single thread.
"""

from __future__ import annotations

import struct
import threading
import warnings
import zlib

# What Pillow's parsers are known to raise on damaged files. MemoryError is left out: sizes are checked before, so it is
# a fault of this machine and not of the picture.
DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    EOFError,
    RuntimeError,
    struct.error,
    zlib.error,
)


class _Quiet:
    """Warnings are held back from the first thread's entry to the last one's exit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._within = 0
        self._before = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            if not self._within:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                warnings.simplefilter("ignore")
            self._within += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._within -= 1
            if not self._within:
                self._before.__exit__(None, None, None)


WITHOUT_WARNINGS = _Quiet()
"""``with WITHOUT_WARNINGS:`` may be entered by several threads, and within itself."""
