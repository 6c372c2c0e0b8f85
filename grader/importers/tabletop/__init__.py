"""Edits that ``grader make tabletop`` made, with a model's outputs."""
