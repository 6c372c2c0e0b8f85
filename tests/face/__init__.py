"""Tests of what `import grader` gives."""
