"""What judges of all tasks share: what a failure can earn, and how a number is said."""

FAILED_REWARD = 0.9  # not a threshold: the contract of every task's reward
"""The most that an answer which fails can earn, so that no failure looks like a pass in training."""


def count(number: int, noun: str) -> str:
    """A number with its noun, such as "1 cell" or "3 cells"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
