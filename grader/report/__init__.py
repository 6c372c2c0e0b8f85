"""Tables of graded runs, and an HTML page of them. Verdicts are read; nothing is graded here."""
