"""The tables of a report, and how they are written."""
