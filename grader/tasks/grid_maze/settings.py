"""How answers to grid mazes are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.tasks.maze.settings import MazeSettings
from grader.tasks.plans.settings import PlanRules


@dataclass(frozen=True)
class GridMazeSettings:
    """What an answer earns; whether it is right, the rules alone say.

    Attributes
    ----------
    plan : what a path earns
    unseen_reward : what a right "unreachable" earns, 0 to 1, where the grid's size is not said right: who always says
        it is right about each unreachable maze, and knows no sizes. What is drawn never says a size
    drawn : how pictures are read
    """

    plan: PlanRules = field(default_factory=PlanRules)
    unseen_reward: float = 0.0
    drawn: MazeSettings = field(default_factory=MazeSettings)
