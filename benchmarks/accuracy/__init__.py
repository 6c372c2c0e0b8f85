"""How often verdicts are right, on pictures whose truth is known by construction: see docs/accuracy.md."""
