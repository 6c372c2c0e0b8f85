"""When the frames of a clip are aligned anew."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FollowConfig:
    """When a frame is aligned anew.

    Attributes
    ----------
    places : at about so many pixels at edges of the puzzle's drawing agreement is measured
    edge : difference of grey levels (0 to 255) within `edge_px` that makes an edge
    edge_px : the side of the square in which that difference is taken
    slight : loss of agreement (-1 to 1) from which a small motion is looked for, against the first frame and against
        the last try in vain...
    rounds : ...so many times
    outlier : places that differ by more standard deviations of the reference than this tell no motion
    loss : loss of agreement from which a frame is aligned anew
    gain : how much better a new alignment has to agree to be taken
    rest_frames : after a try in vain, so many frames pass until the next; after each further one twice as many...
    most_rest_frames : ...but no more than so many
    """

    places: int = 6000
    edge: int = 64
    edge_px: int = 5
    slight: float = 0.004
    rounds: int = 3
    outlier: float = 1.5
    loss: float = 0.015
    gain: float = 0.01
    rest_frames: int = 12
    most_rest_frames: int = 96
