"""Answers of several parts, as a list of numbers or three lines: each becomes one sign, which is read as a label."""
