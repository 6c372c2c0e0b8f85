"""The jigsaw task: questions about photographs that were cut into pieces."""
