"""Verdicts beside people: intervals that are simulated, and a fit that is done once for real."""
