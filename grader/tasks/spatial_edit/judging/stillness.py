"""What a picture shows as before did not move, whatever a detector says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grader.metrics.space.boxes3d import OrientedBox
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import EditScene

NOT_DONE = {
    EditOperation.MOVE: "BARELY_MOVED",
    EditOperation.ROTATE: "NOT_TURNED",
    EditOperation.RESIZE: "NOT_RESIZED",
    EditOperation.REMOVE: "STILL_THERE",
}
"""What is said of an edit where nothing changed."""


class Stillness(Protocol):
    """Where an edited picture shows what the one before showed."""

    def unchanged(self, boxes: Sequence[OrientedBox], behind: Sequence[OrientedBox] = ()) -> bool:
        """Tells whether the place of some boxes, together, shows what it showed, as far as others do not hide it."""


def not_done(scene: EditScene, still: Stillness | None) -> frozenset[str]:
    """Returns the reason why an edit fails that left the object's pixels as they were; none for others."""
    if still is None or scene.source is None or scene.operation not in NOT_DONE:
        return frozenset()
    # What leaves its place shows there; what turns or grows may show around it.
    leaves = scene.destination is None or scene.operation is EditOperation.MOVE
    boxes = [scene.source] if leaves else [scene.source, scene.destination]
    return frozenset({NOT_DONE[scene.operation]} if still.unchanged([one for one in boxes if one is not None]) else ())
