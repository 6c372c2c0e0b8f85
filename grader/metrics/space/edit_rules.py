"""The numbers by which spatial edits are scored: the seed's definition, and those of the benchmark's public code.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, sections 2 and 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class EditRules:
    """How edits are scored; the defaults are those of [1]_ with this project's decisions.

    Attributes
    ----------
    move_iou_share, move_distance_share : weights of a move's overlap and of its length in SA
    move_ratio_power : the power of d_pred / d_gt that goes into the logarithm
    move_count_factor : SA is multiplied by it where there are more or fewer objects of the label than before
    least_move_m : a target that moved less did not move
    distinct_m : a target that is nearer than this to any object of the original is not at a new place
    unmoved_m2 : a detection whose squared distance to one of the original is less is not looked at; 0: all are
    move_score, move_score_other_count : what SA has to exceed for IC, where counts match and where they do not
    direction_rad : a move that goes off by more goes the wrong way; no part of IC or SA
    rotate_reach_m : how far from the destination a turned target is looked for
    rotate_ratio_share : weight of the angle's size in SA; the rest is of the angle between what is and what should be
    least_turn : squared Frobenius distance of two rotations that counts as a turn
    least_resize : what |s_pred - 1| has to exceed for IC
    same_place_iou : boxes that overlap by more are taken for one object
    removed_penalty : what SA of a removal loses with each other object that is gone
    remove_score : least SA of a removal for IC
    count_removed : other objects that are gone are counted by a difference of counts, not by matching
    view_ssim_share : weight of SSIM in a view's SA; the rest is of 1 - LPIPS
    view_score : least SA of a view for IC
    upright_only : overlap is computed with yaw alone
    compare_labels : whether a detection has to have the target's label
    ratio_epsilon : is added to each denominator and to each ratio under a logarithm
    least_truth : a wanted displacement in metres, turn in radians or change of scale that is less is none
    gate_ssim, gate_lpips : a background passes above this SSIM, below this LPIPS
    empty_background_passes : an edit that leaves no background has an LPIPS of 0
    viewpoint_required : a turn scores 0 in IC and SA where it is not known whether the camera turned too
    appearance_required : without an appearance rating above 0, an edit scores 0 in everything
    human_complete, human_partial : a score in 0 to 1 above these is completely, or partially, right
    slack : what a number may fall short of a bound that includes it, because of rounding
    """

    move_iou_share: float = 0.3
    move_distance_share: float = 0.7
    move_ratio_power: float = 1.0
    move_count_factor: float = 0.5
    least_move_m: float = 0.05
    distinct_m: float = 0.05
    unmoved_m2: float = 0.0
    move_score: float = 0.1
    move_score_other_count: float = 0.05
    direction_rad: float = math.pi / 6
    rotate_reach_m: float = 0.5
    rotate_ratio_share: float = 0.5
    least_turn: float = 1e-4
    least_resize: float = 0.1
    same_place_iou: float = 0.1
    removed_penalty: float = 0.3
    remove_score: float = 0.5
    count_removed: bool = False
    view_ssim_share: float = 0.5
    view_score: float = 0.5
    upright_only: bool = False
    compare_labels: bool = True
    ratio_epsilon: float = 0.0
    least_truth: float = 1e-6
    gate_ssim: float = 0.6
    gate_lpips: float = 0.3
    empty_background_passes: bool = False
    viewpoint_required: bool = False
    appearance_required: bool = False
    human_complete: float = 0.7
    human_partial: float = 0.1
    slack: float = 1e-12


SEED_RULES: Final = EditRules()
"""The seed's text."""
GSI_BENCH_CODE: Final = EditRules(
    move_ratio_power=0.5,
    least_move_m=0.0,
    distinct_m=0.0,
    unmoved_m2=0.1,
    move_score=0.05,
    least_resize=0.2,
    count_removed=True,
    upright_only=True,
    compare_labels=False,
    ratio_epsilon=1e-5,
    least_truth=0.0,
    empty_background_passes=True,
    viewpoint_required=True,
    appearance_required=True,
)
"""What is known of the benchmark's public code, for parity only. Not in it: that a half turn whose rectangle in the
picture stays the same scores 0, that the source box has to match a detection, and everything about pictures."""
