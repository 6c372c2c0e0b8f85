"""Answers written as text: found, and read by strict or lenient rules. It knows no puzzle and judges nothing."""
