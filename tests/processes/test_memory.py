"""Memory that a process keeps for what comes next."""

import subprocess
import sys

FAULTS = """
import ctypes, resource
import numpy as np
from grader.processes.memory import keep_freed_memory

keep_freed_memory()
def used():
    for side in (1024, 2048):
        np.ones((side, side, 4), np.uint8)
used()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    used()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_blocks_that_are_freed_are_used_anew():
    done = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True)
    # Given back and got anew, they would cost a fault for each of the 5,120 pages every time.
    assert int(done.stdout) < 5_120
