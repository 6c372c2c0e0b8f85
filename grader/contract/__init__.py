"""Requests and verdicts of all tasks as messages of the contract, and the list of what can be graded."""
