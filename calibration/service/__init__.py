"""`grader.v1.CalibrationService`: candidates with verdicts and labels come over a stream; what is found goes back."""
