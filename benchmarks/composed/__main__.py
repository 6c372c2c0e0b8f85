"""``python -m benchmarks.composed``."""

import sys

from benchmarks.composed.run import main

if __name__ == "__main__":
    sys.exit(main())
