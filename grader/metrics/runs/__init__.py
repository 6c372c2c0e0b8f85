"""What is worked out over many verdicts: rates, intervals, pass@k, agreement."""
