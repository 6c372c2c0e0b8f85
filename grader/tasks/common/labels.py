"""Labels that puzzles offer: checked, and what is said of them in messages."""

from __future__ import annotations

from collections.abc import Sequence

from grader.tasks.common.inputs import Inputs

FEWEST = 2  # not a threshold: what the contract allows
MOST = 26  # not a threshold: what the contract allows


def check_labels(inputs: Inputs, field: str, labels: Sequence[str]) -> None:
    """Notes a fault where labels are not 2 to 26 different capital letters."""
    odd = [label for label in labels if not (len(label) == 1 and "A" <= label <= "Z")]
    if not labels:
        inputs.fault(field, "MISSING", "give the labels that the puzzle offers, such as A, B, C, D, E")
    elif odd:
        inputs.fault(field, "OUT_OF_RANGE", f"{odd[0][:20]!r} is no label; give capital letters from A to Z")
    elif len(set(labels)) != len(labels):
        inputs.fault(field, "OUT_OF_RANGE", "a label is there twice; give different ones")
    elif not FEWEST <= len(labels) <= MOST:
        inputs.fault(field, "OUT_OF_RANGE", f"there are {len(labels)}; give {FEWEST} to {MOST}")


def listed(labels: Sequence[str]) -> str:
    """Labels as a sentence names them: "A", "A and C", "A, C and E"."""
    return " and ".join(part for part in (", ".join(labels[:-1]), *labels[-1:]) if part)
