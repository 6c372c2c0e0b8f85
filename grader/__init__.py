"""From observation to verdict."""

__version__ = "0.1.0"
