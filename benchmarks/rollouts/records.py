"""What a clip of the suite is: its task, puzzle, fault and look, and what a grader should say of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Task(enum.Enum):
    """What a clip is of."""

    RUSH_HOUR = "rush-hour"
    SLIDING = "sliding"
    MAZE = "maze"


class LotFault(enum.Enum):
    """What is wrong, or only unusual, in a clip of rush hour."""

    NONE = "none"
    ALT_ORDER = "alt_order"
    EXTRA_MOVE = "extra_move"
    REVISIT = "revisit"
    OVERLAP_START = "overlap_start"
    STOP_THEN_GO = "stop_then_go"
    TWO_AT_ONCE = "two_at_once"
    AFTER_GOAL_OTHER = "after_goal_other"
    AFTER_GOAL_BACK = "after_goal_back"
    LEAVES_LOT = "leaves_lot"
    PREFIX = "prefix"
    FIRST_ONLY = "first_only"
    WRONG_ORDER_THROUGH = "wrong_order_through"
    RED_THROUGH = "red_through"
    TELEPORT_ALONG = "teleport_along"
    TELEPORT_OFF = "teleport_off"
    RED_TELEPORTS = "red_teleports"
    WRONG_DIRECTION = "wrong_direction"
    STOPS_SHORT = "stops_short"
    STOPS_HALF_WAY = "stops_half_way"
    PARTIAL_STUCK = "partial_stuck"
    PARTIAL_THROUGH = "partial_through"
    ROTATES = "rotates"
    ROTATES_SLIDING = "rotates_sliding"
    SIDEWAYS = "sideways"
    REVERSED = "reversed"
    CUT = "cut"
    CROSSFADE = "crossfade"
    BLACKOUT = "blackout"
    SCENE_REPLACED = "scene_replaced"
    STATIC = "static"
    VANISH = "vanish"
    VANISH_BYSTANDER = "vanish_bystander"
    SHRINK = "shrink"
    NEW_VEHICLE = "new_vehicle"
    SECOND_RED = "second_red"
    RED_COPY_LEAVES = "red_copy_leaves"
    EXTRA_EXIT = "extra_exit"
    EXTRA_EXIT_USED = "extra_exit_used"
    IDENTITY_SWAP = "identity_swap"
    COLOR_SWAP = "color_swap"
    EXIT_GLIDES = "exit_glides"
    EXIT_JUMPS = "exit_jumps"
    TRUNCATED = "truncated"


class TileFault(enum.Enum):
    """What is wrong, or only unusual, in a clip of a sliding puzzle."""

    NONE = "none"
    EXTRA_MOVES = "extra_moves"
    HESITATES = "hesitates"
    INSTANT = "instant"
    TWO_AT_ONCE = "two_at_once"
    WRONG_FINAL = "wrong_final"
    PREFIX = "prefix"
    UNDONE = "undone"
    SWAP = "swap"
    SWAP_FAR = "swap_far"
    TELEPORT = "teleport"
    DIAGONAL = "diagonal"
    ALL_AT_ONCE = "all_at_once"
    CROSSFADE = "crossfade"
    CUT = "cut"
    BLANK_FILLED = "blank_filled"
    BLANK_FILLED_AFTER = "blank_filled_after"
    STATIC = "static"
    DUPLICATE = "duplicate"
    MORPH = "morph"
    MORPH_LAST = "morph_last"
    TRUNCATED = "truncated"


@dataclass(frozen=True)
class Truth:
    """What a grader should say; ``None`` is not to be scored, because sensible readings differ.

    Attributes
    ----------
    solved
        Whether the clip solves the puzzle as a lenient person would judge it: minor artefacts and, in rush hour, what
        comes after the goal do not count. A truncated clip is judged on what decodes.
    strict_legal
        Whether every motion is one legal move at a time, to its end, with no event in the scene. True for clips that
        are legal and do not solve the puzzle.
    """

    solved: bool | None
    strict_legal: bool | None


# Sources: the decisions on the video rater in ../shared/reference/mentisoculi.md, and where these are silent, the
# verdict fields of the fixtures' manifest.
LOT_TRUTHS: dict[LotFault, Truth] = {
    LotFault.NONE: Truth(True, True),
    LotFault.ALT_ORDER: Truth(True, True),
    LotFault.EXTRA_MOVE: Truth(True, True),
    LotFault.REVISIT: Truth(True, True),  # the whole list counts
    LotFault.OVERLAP_START: Truth(True, None),
    LotFault.STOP_THEN_GO: Truth(True, None),  # a pause and the same way on is one move
    LotFault.TWO_AT_ONCE: Truth(True, False),
    LotFault.AFTER_GOAL_OTHER: Truth(True, True),
    LotFault.AFTER_GOAL_BACK: Truth(True, None),
    LotFault.LEAVES_LOT: Truth(True, None),
    LotFault.PREFIX: Truth(False, True),
    LotFault.FIRST_ONLY: Truth(False, True),
    LotFault.WRONG_ORDER_THROUGH: Truth(False, False),
    LotFault.RED_THROUGH: Truth(False, False),
    LotFault.TELEPORT_ALONG: Truth(False, False),  # one-frame jumps fail
    LotFault.TELEPORT_OFF: Truth(False, False),
    LotFault.RED_TELEPORTS: Truth(False, False),
    LotFault.WRONG_DIRECTION: Truth(False, True),
    LotFault.STOPS_SHORT: Truth(False, False),
    LotFault.STOPS_HALF_WAY: Truth(False, False),
    LotFault.PARTIAL_STUCK: Truth(False, False),
    LotFault.PARTIAL_THROUGH: Truth(None, False),
    LotFault.ROTATES: Truth(False, False),
    LotFault.ROTATES_SLIDING: Truth(None, False),
    LotFault.SIDEWAYS: Truth(False, False),
    LotFault.REVERSED: Truth(False, False),
    LotFault.CUT: Truth(False, False),
    LotFault.CROSSFADE: Truth(False, False),
    LotFault.BLACKOUT: Truth(False, False),
    LotFault.SCENE_REPLACED: Truth(False, False),
    LotFault.STATIC: Truth(False, True),
    LotFault.VANISH: Truth(False, False),
    LotFault.VANISH_BYSTANDER: Truth(None, False),
    LotFault.SHRINK: Truth(False, False),
    LotFault.NEW_VEHICLE: Truth(False, False),
    LotFault.SECOND_RED: Truth(False, False),
    LotFault.RED_COPY_LEAVES: Truth(False, False),
    LotFault.EXTRA_EXIT: Truth(False, False),
    LotFault.EXTRA_EXIT_USED: Truth(False, False),
    LotFault.IDENTITY_SWAP: Truth(False, False),
    LotFault.COLOR_SWAP: Truth(False, False),
    LotFault.EXIT_GLIDES: Truth(False, False),
    LotFault.EXIT_JUMPS: Truth(False, False),
    LotFault.TRUNCATED: Truth(False, None),
}

TILE_TRUTHS: dict[TileFault, Truth] = {
    TileFault.NONE: Truth(True, True),
    TileFault.EXTRA_MOVES: Truth(True, True),
    TileFault.HESITATES: Truth(True, None),
    TileFault.INSTANT: Truth(True, None),  # a tile may change places with the blank in one frame
    TileFault.TWO_AT_ONCE: Truth(True, False),
    TileFault.WRONG_FINAL: Truth(False, True),
    TileFault.PREFIX: Truth(False, True),
    TileFault.UNDONE: Truth(False, True),  # the final state counts
    TileFault.SWAP: Truth(False, False),
    TileFault.SWAP_FAR: Truth(False, False),
    TileFault.TELEPORT: Truth(False, False),
    TileFault.DIAGONAL: Truth(False, False),
    TileFault.ALL_AT_ONCE: Truth(False, False),
    TileFault.CROSSFADE: Truth(False, False),
    TileFault.CUT: Truth(False, False),
    TileFault.BLANK_FILLED: Truth(False, False),
    TileFault.BLANK_FILLED_AFTER: Truth(None, False),
    TileFault.STATIC: Truth(False, True),
    TileFault.DUPLICATE: Truth(False, False),
    TileFault.MORPH: Truth(False, False),
    TileFault.MORPH_LAST: Truth(False, False),
    TileFault.TRUNCATED: Truth(False, None),
}


@dataclass(frozen=True)
class RolloutCase:
    """A clip that can be made.

    Attributes
    ----------
    task
        What it is of.
    puzzle
        Name of its puzzle.
    level
        Least number of moves of the puzzle.
    fault
        What happens in it.
    look
        Name of its look.
    truth
        What a grader should say.
    """

    task: Task
    puzzle: str
    level: int
    fault: LotFault | TileFault
    look: str
    truth: Truth

    @property
    def id(self) -> str:
        """Its name, such as ``rush-hour/lot-3-1/red_through/noise``; all that is random in it follows from it."""
        return f"{self.task.value}/{self.puzzle}/{self.fault.value}/{self.look}"
