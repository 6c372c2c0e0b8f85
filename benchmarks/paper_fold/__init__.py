"""Drawn answers to paper folds, right and wrong, under what happens to pictures: how often verdicts are right."""
