"""Settings of the check whether the camera turned. Lengths in pixels are those of reduced pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FeaturesConfig:
    """How features are found, and found again.

    Attributes
    ----------
    side_px : larger pictures are reduced to this longest side
    contrast : least contrast of a feature, as SIFT has it; OpenCV's own 0.04 finds hardly any on a smooth table
    most : of more, those of the strongest contrast are taken
    ratio : a feature is found again if the second best in the other picture is farther off by this factor (Lowe)
    most_matches : so many features are enough; of more, each second, third or so is taken
    least_matches : with fewer features in common nothing is said
    """

    side_px: int = 1024
    contrast: float = 0.01
    most: int = 4000
    ratio: float = 0.75
    most_matches: int = 600
    least_matches: int = 10


@dataclass(frozen=True)
class CameraMotionConfig:
    """How a motion of the camera is fitted to features.

    Attributes
    ----------
    reach_px : so far off its epipolar line a feature may be to agree with a motion
    sample_reaches_px : the same for random samples
    sample_confidence : samples are drawn until one is good with this probability
    plane_reach : features of a plane may be off by so many times the largest of these reaches
    starts_kept : so many of the motions that samples give are followed
    rounds : steps of a fit
    far_rad : rays that differ by less after the turn say nothing on which side a point lies
    """

    reach_px: float = 1.5
    sample_reaches_px: tuple[float, ...] = (0.5, 1.0, 2.0)
    sample_confidence: float = 0.999
    plane_reach: float = 2.0
    starts_kept: int = 10
    rounds: int = 25
    far_rad: float = 2e-3


@dataclass(frozen=True)
class ViewpointConfig:
    """How a turn of the camera is looked for.

    Attributes
    ----------
    features : how features are found
    motion : how a motion is fitted to them
    most_rad : a camera that turned by no more did not turn; 10 degrees in GSI-Bench
    most_turn_rad : the largest turn that is looked for
    least_gain, least_gain_share : a large turn has to explain so many features more than any small one, in number and
        as a share of those that it explains; otherwise it is not known which it was
    """

    features: FeaturesConfig = field(default_factory=FeaturesConfig)
    motion: CameraMotionConfig = field(default_factory=CameraMotionConfig)
    most_rad: float = math.radians(10.0)
    most_turn_rad: float = math.radians(100.0)
    least_gain: float = 3.0
    least_gain_share: float = 0.1
