"""What ``import grader`` gives: puzzles from pictures, verdicts in this process, tables of many."""
