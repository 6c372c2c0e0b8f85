"""How far verdicts and people agree, and what of a grader's numbers can be fitted to people. Reads runs and labels."""
