"""Studies of people who solve puzzles: how often they succeed, in what time, and how that goes together with models."""
