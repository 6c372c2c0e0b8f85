"""How pictures are compared: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.tasks.common.fitting import FittingSettings


@dataclass(frozen=True)
class CompareSettings:
    """How pictures are compared."""

    fitting: FittingSettings = field(default_factory=FittingSettings)
