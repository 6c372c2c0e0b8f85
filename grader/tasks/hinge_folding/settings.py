"""How folded chains are read and judged: every threshold, with its unit. Answers in words are right by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.changes import BlockConfig
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact.config import HingeDiscConfig, LeftConfig, LeftWindowConfig
from grader.tasks.plans.settings import PlanRules


@dataclass(frozen=True)
class DrawnChainRules:
    """What of a drawn chain counts.

    Attributes
    ----------
    most_gap : joints that are farther apart, in units, are not joined
    most_off_deg : an angle may be so many degrees off a multiple of 45
    most_turned_deg : the first piece may be turned by so many degrees
    corner : by how much corners may reach beyond the joints, in units
    """

    most_gap: float = 0.05
    most_off_deg: float = 4.0
    most_turned_deg: float = 8.0
    corner: float = 0.12


@dataclass(frozen=True)
class HingeFoldingSettings:
    """How folded chains are read and judged.

    Attributes
    ----------
    chain : how they are looked for
    drawn : what counts of what was found
    plan : how long a series of turns may be
    changes : how clips change; chains are thin, and lie on flat ground
    moving : what is left of frames, which were compressed more than pictures are
    first_found : least share of the pieces that the first frame of a clip has to show
    first_turned_deg : and no hinge may be turned there by more than so many degrees
    """

    chain: ChainConfig = field(default_factory=ChainConfig)
    drawn: DrawnChainRules = field(default_factory=DrawnChainRules)
    plan: PlanRules = field(default_factory=PlanRules)
    changes: BlockConfig = field(
        default_factory=lambda: BlockConfig(side_px=48, by_parts=True, still=1.0, most_still=6.0)
    )
    moving: LeftConfig = field(
        default_factory=lambda: LeftConfig(
            windows=(
                LeftWindowConfig(3, 3, 60.0, 3.5, 0.015),
                LeftWindowConfig(9, 9, 25.0, 3.0, 0.05),
                LeftWindowConfig(1, 15, 60.0, 3.5, 0.02),
                LeftWindowConfig(15, 1, 60.0, 3.5, 0.02),
            ),
            shore=(LeftWindowConfig(3, 3, 70.0, 3.0, 0.015),),
            hinges=HingeDiscConfig(off=90.0, least=0.3),
        )
    )
    first_found: float = 0.5
    first_turned_deg: float = 30.0
