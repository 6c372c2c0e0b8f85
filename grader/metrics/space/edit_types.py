"""What an edit of a scene is scored on, and what a score holds: plain typed data for `grader.metrics.space.edits`."""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass

from grader.metrics.space.boxes3d import OrientedBox, Vector
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rectangles import PixelRectangle

_ARTICLE = re.compile(r"^(?:the|an?)\s+")
_OTHER_THAN_WORDS = re.compile(r"[\W_]+")


class EditFault(enum.Enum):
    """Why an edit does not comply; the values are stable."""

    TARGET_MISSING = "TARGET_MISSING"
    BARELY_MOVED = "BARELY_MOVED"
    NOT_A_NEW_PLACE = "NOT_A_NEW_PLACE"
    SCORE_TOO_LOW = "SCORE_TOO_LOW"
    NOT_TURNED = "NOT_TURNED"
    NOT_RESIZED = "NOT_RESIZED"
    STILL_THERE = "STILL_THERE"
    OTHERS_REMOVED = "OTHERS_REMOVED"
    VIEW_DIFFERS = "VIEW_DIFFERS"


def normal_label(label: str) -> str:
    """A label as labels are compared: without case, leading article, spaces and punctuation.

    Examples
    --------
    >>> normal_label("The Dining_Table. ") == normal_label("DiningTable") == "diningtable"
    True
    """
    text = _ARTICLE.sub("", unicodedata.normalize("NFKC", label).casefold().strip())
    return _OTHER_THAN_WORDS.sub("", text)


def check_label(label: str, field: str) -> None:
    """Raises GeometryError, EMPTY_LABEL, naming a field, where nothing of a label is left to compare."""
    if not normal_label(label):
        raise GeometryError(field, GeometryFault.EMPTY_LABEL, f"the label {label!r} has no letter or digit")


@dataclass(frozen=True)
class Detection:
    """An object that a detector found.

    Attributes
    ----------
    label, box : what it is, and where in space
    box_2d : where it is in the picture, if that was found too

    Raises
    ------
    GeometryError
        EMPTY_LABEL, naming ``label``.
    """

    label: str
    box: OrientedBox
    box_2d: PixelRectangle | None = None

    def __post_init__(self) -> None:
        check_label(self.label, "label")


@dataclass(frozen=True)
class MoveScore:
    """A move.

    Attributes
    ----------
    sa, ic, faults : accuracy 0 to 1, compliance, and why it is not given
    match : index of the target among the edited picture's detections
    iou : overlap of the target with the destination box
    displacement_m, wanted_m : from the source's centre to the target's, and to the destination's
    d_pred_m, d_gt_m : their lengths
    ratio : d_pred / d_gt
    direction_rad : the angle between both, 0 to pi; None also where the target did not move at all
    right_direction : whether that angle is at most `EditRules.direction_rad`. A move of the right length in a wrong
        direction has an SA of 0.7 and complies by definition; a person would not call it right
    to_destination_m : from the target's centre to the destination's
    to_original_m : from the target's centre to the nearest object of the original; None also where there is none
    count_before, count_after, counts_match : objects of the target's label
    """

    sa: float
    ic: bool
    faults: tuple[EditFault, ...]
    wanted_m: Vector
    d_gt_m: float
    count_before: int
    count_after: int
    counts_match: bool
    match: int | None = None
    iou: float | None = None
    displacement_m: Vector | None = None
    d_pred_m: float | None = None
    ratio: float | None = None
    direction_rad: float | None = None
    right_direction: bool = False
    to_destination_m: float | None = None
    to_original_m: float | None = None


@dataclass(frozen=True)
class RotateScore:
    """A turn.

    Attributes
    ----------
    sa, ic, faults, match : as of a move
    matched : whether the target was found within reach
    to_destination_m : from the nearest object of the label to the destination; None where there is none
    theta_pred_rad, theta_gt_rad : from the source's rotation to the target's, and to the wanted one
    theta_diff_rad : between the target's and the wanted one
    ratio : theta_pred / theta_gt
    change : squared Frobenius distance of the target's rotation to the source's
    """

    sa: float
    ic: bool
    faults: tuple[EditFault, ...]
    theta_gt_rad: float
    matched: bool
    match: int | None = None
    to_destination_m: float | None = None
    theta_pred_rad: float | None = None
    theta_diff_rad: float | None = None
    ratio: float | None = None
    change: float | None = None


@dataclass(frozen=True)
class ResizeScore:
    """A change of size.

    Attributes
    ----------
    sa, ic, faults, match, to_destination_m : as of a move
    s_pred, s_gt : the target's, and the wanted, extents over the source's, along the box's own axes
    change : |s_pred - 1|
    """

    sa: float
    ic: bool
    faults: tuple[EditFault, ...]
    s_gt: Vector
    match: int | None = None
    to_destination_m: float | None = None
    s_pred: Vector | None = None
    change: float | None = None


@dataclass(frozen=True)
class Pairing:
    """An object of the original, by index, that was found again as another, and their overlap."""

    original: int
    edited: int
    iou: float


@dataclass(frozen=True)
class RemoveScore:
    """A removal.

    Attributes
    ----------
    sa, ic, faults : as of a move
    source_iou : greatest overlap of an object of the edited picture with the source box; 0 where there is none
    still_there : indices of the objects of the edited picture that overlap the source box
    target_gone : whether there are none
    targets : indices of the objects of the original that overlap the source box
    kept : the other objects of the original that are still there
    removed : indices of those that are not. Empty where they are only counted
    wrongly_removed : how many of the others are gone
    """

    sa: float
    ic: bool
    faults: tuple[EditFault, ...]
    source_iou: float
    still_there: tuple[int, ...]
    target_gone: bool
    targets: tuple[int, ...]
    kept: tuple[Pairing, ...]
    removed: tuple[int, ...]
    wrongly_removed: int


@dataclass(frozen=True)
class ViewScore:
    """A change of the camera's view. Accuracy and compliance are this project's choice: [1]_ gives no rule."""

    sa: float
    ic: bool
    faults: tuple[EditFault, ...]
    ssim: float
    lpips: float
