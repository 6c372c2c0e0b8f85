"""What a report reads: run folders, labels and puzzles, as records."""
