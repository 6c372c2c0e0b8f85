"""What an answer that fails can earn."""

FAILED_REWARD = 0.9
"""The most that an answer which fails can earn, so that no failure looks like a pass in training."""
