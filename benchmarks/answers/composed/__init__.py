"""Answers in words composed by a grammar, each with the plan that a fair reader takes from it."""
