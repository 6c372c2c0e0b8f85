"""The demo's edits: one right and one wrong of each kind, judged, or measured by their boxes where LPIPS is missing.

An edit's verdict needs LPIPS, for the gate on the background. Without it the demo sends no picture of the scene before,
and the boxes that stand in each scene, as a detector would have found them; then edits are measured, not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from examples.demo_set import OTHER_OUTPUTS
from grader.importers.gsi.messages import detection_messages
from grader.importers.tabletop.messages import load_record, tabletop_message
from grader.model.json_fields import JsonObject
from grader.v1 import service_pb2, verdict_pb2
from puzzles.amaze.files import png_bytes
from puzzles.tabletop.edit_files import instance_json
from puzzles.tabletop.edits import Operation
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.recipes import TabletopRecipe
from puzzles.tabletop.render import render_scene

EDITS_NAME = "edits"
EDIT_MEASURE = "lpips_alex"
"""What a server has to be able to measure to judge these edits."""
_MEASURED = "MEASURED, IC {}"
"""What an edit that is measured comes to: whether it does what was asked for, by its boxes alone."""
_IC = "ic_ungated"
_SEED = 1
_WIDTH_PX = 400
_WRONG = {
    Operation.MOVE: Fault.NO_OP,
    Operation.PLACE: Fault.VANISHED,
    Operation.ROTATE: Fault.WRONG_OBJECT,
    Operation.RESIZE: Fault.NO_OP,
    Operation.REMOVE: Fault.REMOVED_WRONG,
}
_PROFILE = "gsi_syn"
_BEFORE = "before"


def write_edits(folder: Path, *, judged: bool) -> Iterator[tuple[service_pb2.GradeRequest, str]]:
    """Writes edited pictures below ``other_outputs`` of a folder; yields requests with what they are to come to.

    The pictures before the edits go to `before_path` of the same folder.

    Parameters
    ----------
    folder : Path
    judged : bool
        Whether edits can be judged, for which the server has to have LPIPS.
    """
    outputs = folder / OTHER_OUTPUTS / EDITS_NAME
    outputs.mkdir(parents=True)
    (folder / _BEFORE).mkdir()
    # The edits start from one scene, and nothing is done in some wrong results: a scene is drawn once.
    draw = cache(lambda scene: png_bytes(render_scene(scene)))
    for operation, fault in _WRONG.items():
        edit = TabletopRecipe(operation, _SEED).edit().scaled(_WIDTH_PX)
        wrong = next(one.scene for one in wrong_results(edit) if one.fault is fault)
        name = f"{operation.value}_{fault.name.lower()}"
        record = load_record(instance_json(edit, [(name, fault.value, wrong)]).encode(), operation.value)
        (result,) = record.children("wrong_results")
        right = JsonObject({"detections": record.items("detections_after")}, record.file)
        before = draw(edit.before)
        for title, scene, found, passes in (
            (f"{operation.value}_right", edit.after, right, True),
            (name, wrong, result, False),
        ):
            picture = draw(scene)
            (outputs / f"{title}.png").write_bytes(picture)
            request = service_pb2.GradeRequest(
                request_id=f"{EDITS_NAME}/{title}.png",
                puzzle_id=f"{EDITS_NAME}-{operation.value}",
                spatial_edit=tabletop_message(record, boxes_given=not judged),
            )
            request.options.profile = _PROFILE
            (folder / before_path(request)).write_bytes(before)
            if judged:
                request.spatial_edit.puzzle.image.data = before
                request.image.data = picture
                yield request, "PASS" if passes else "FAIL"
            else:
                request.scene.image.data = picture
                request.scene.detections.extend(detection_messages(found, longest_px=None))
                yield request, _MEASURED.format(int(passes))


def before_path(request: service_pb2.GradeRequest) -> str:
    """Where an edit's picture before is, below the demo's folder."""
    return f"{_BEFORE}/{request.puzzle_id}.png"


def measured_text(verdict: verdict_pb2.Verdict) -> str:
    """What an edit that was measured came to, to be compared with what `write_edits` yields."""
    (found,) = [metric.value for metric in verdict.metrics if metric.name == _IC]
    return _MEASURED.format(f"{found:g}")
