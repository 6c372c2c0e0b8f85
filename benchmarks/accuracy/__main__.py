"""``python -m benchmarks.accuracy``."""

import sys

from benchmarks.accuracy.run import main

if __name__ == "__main__":
    sys.exit(main())
