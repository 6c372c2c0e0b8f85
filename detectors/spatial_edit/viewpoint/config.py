"""Settings of the check whether the camera turned."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class ViewpointConfig:
    """How a turn of the camera is looked for. Lengths in pixels are those of pictures reduced to `side_px`.

    Attributes
    ----------
    most_rad : a camera that turned by no more did not turn; 10 degrees in GSI-Bench
    least_matches : with fewer features in common nothing is said
    ratio : a feature is found again if the second best in the other picture is farther off by this factor (Lowe)
    side_px : larger pictures are reduced to this longest side
    contrast : least contrast of a feature, as SIFT has it; OpenCV's own 0.04 finds hardly any on a smooth table
    most_features : of more, those of the strongest contrast are taken
    reach_px : so far off its epipolar line a feature may be to agree with a motion
    sample_reaches_px : the same for random samples
    most_matches : so many features are enough; of more, each second, third or so is taken
    most_turn_rad : the largest turn that is looked for
    least_gain, least_gain_share : a large turn has to explain so many features more than any small one, in number and
        as a share of those that it explains; otherwise it is not known which it was
    """

    most_rad: float = math.radians(10.0)
    least_matches: int = 10
    ratio: float = 0.75
    side_px: int = 1024
    contrast: float = 0.01
    most_features: int = 4000
    reach_px: float = 1.5
    sample_reaches_px: tuple[float, ...] = (0.5, 1.0, 2.0)
    most_matches: int = 600
    most_turn_rad: float = math.radians(100.0)
    least_gain: float = 3.0
    least_gain_share: float = 0.1
