"""GSI-Bench: edits, with what models made of them and what a detector found."""
