"""What is asked and said: jobs, verdicts, observations, places and faults, as plain data."""
