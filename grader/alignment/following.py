"""When the frames of a clip are aligned anew."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FollowConfig:
    """When a frame is aligned anew.

    Attributes
    ----------
    slight : loss of agreement (-1 to 1) from which a small motion is looked for, against the first frame and against
        the last try in vain...
    rounds : ...so many times
    outlier : places that differ by more standard deviations of the reference than this tell no motion
    loss : loss of agreement from which a frame is aligned anew
    gain : how much better a new alignment has to agree to be taken
    rest_frames : after a try in vain, so many frames pass until the next; after each further one twice as many...
    most_rest_frames : ...but no more than so many
    """

    slight: float = 0.004
    rounds: int = 3
    outlier: float = 1.5
    loss: float = 0.015
    gain: float = 0.01
    rest_frames: int = 12
    most_rest_frames: int = 96
