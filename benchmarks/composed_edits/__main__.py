"""``python -m benchmarks.composed_edits``."""

import sys

from benchmarks.composed_edits.run import main

if __name__ == "__main__":
    sys.exit(main())
