"""What holds for every test."""

import cv2

# Test processes are the parallelism, as the server's workers are; OpenCV's own threads would only contend with them.
cv2.setNumThreads(1)
