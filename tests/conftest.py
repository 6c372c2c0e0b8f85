"""What holds for every test."""

import os

# Test processes are the parallelism, as the server's workers are; threads of libraries would only contend with them.
# This one is read when NumPy is first imported, here and in the processes that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2

cv2.setNumThreads(1)
