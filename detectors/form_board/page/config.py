"""What tunes how the page is read. Lengths are shares of the silhouette's longer side where no unit is named."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOverConfig:
    """How what else is drawn on the page is told.

    Attributes
    ----------
    contrast, noise : it differs by this contrast from the paper, and by so many times the contrast that nine tenths of
        the paper stay below
    glance : a page is read where at half the size of the view, where lines of a pixel have half of what contrast they
        have at its own, anything may differ by this share of that contrast
    room : what is given may be displaced by this length
    trace, rim : a piece was taken away without a trace if less than this share of its rim is drawn, or less than this
        one where something lies there
    line : half the width up to which what goes along the silhouette's outline is its line...
    slack, slack_px : ...beyond which pieces and blur may reach by this length, and so many pixels that are looked at
    rim_px : nothing is told so near to where the candidate ends, in pixels that are looked at
    least : share of the silhouette's area from which a thing counts
    same : contrast up to which a thing has a piece's colour
    long, edge : a strip along the picture's edge has this share of a side, within this share of the shorter one
    letter, stroke : letters are at most so high, and half as thick as this at most
    spaced : in a word they are so many times their height apart at most...
    letters : ...there are so many of them at least...
    lettered : ...and half of them fill at most this share of their hulls
    frame, alike : a label is where it is given if its picture, with so much around, is correlated to this degree
    """

    contrast: float = 0.08
    noise: float = 2.0
    glance: float = 0.4
    room: float = 0.05
    trace: float = 0.3
    rim: float = 0.7
    line: float = 0.03
    slack: float = 0.012
    slack_px: float = 1.5
    rim_px: float = 2.0
    least: float = 0.0008
    same: float = 0.06
    long: float = 0.6
    edge: float = 0.15
    letter: float = 0.2
    stroke: float = 0.04
    spaced: float = 0.9
    letters: int = 3
    lettered: float = 0.9
    frame: float = 0.01
    alike: float = 0.7
