"""The grader within pipelines of others: Inspect AI, lmms-eval, Ray. None of them is needed to import this."""
