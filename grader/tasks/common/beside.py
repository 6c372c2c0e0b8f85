"""What a candidate shows beside the place where its puzzle was found: further drawings, the puzzle once more."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.surroundings import SurroundingsConfig, drawn_beside
from grader.alignment.again import AgainConfig, shown_again
from grader.alignment.align import frame_outline
from grader.alignment.template import Template
from grader.media.pyramid import Pyramid
from grader.model.verdict import Alignment


@dataclass(frozen=True)
class BesideConfig:
    """What counts as a further drawing.

    Attributes
    ----------
    lines : lines that hang together
    again : the puzzle once more
    """

    lines: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    again: AgainConfig = field(default_factory=AgainConfig)


def other_drawings(
    candidate: Pyramid,
    alignment: Alignment,
    template: Template,
    config: BesideConfig,
    *,
    alone: Template | None = None,
    corner: tuple[int, int] = (0, 0),
    line_px: float = 0.0,
) -> bool:
    """Whether a candidate shows drawings beside its puzzle, so that it can't be told which one is the answer.

    Parameters
    ----------
    candidate : Pyramid
    alignment : Alignment
        Of the candidate with the puzzle's picture.
    template : Template
        Of the puzzle's picture.
    config : BesideConfig
    alone : Template, optional
        Of the puzzle without the margins of its picture, where it has some...
    corner : tuple of int
        ...and where its (left, top) corner lies in the picture.
    line_px : float
        Width of the puzzle's own lines, in pixels of its picture.
    """
    if alignment.method == "FAILED":
        return False
    puzzle = template if alone is None else alone
    line = line_px / min(puzzle.size)
    if drawn_beside(candidate, frame_outline(alignment, template.size), config.lines, line):
        return True
    return shown_again(candidate, frame_outline(alignment, puzzle.size, corner), puzzle, config.again)
