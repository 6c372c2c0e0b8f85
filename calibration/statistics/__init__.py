"""Statistics of labels and verdicts: numbers go in, numbers come out, or why there is none."""
