"""The spatial edit task: an object moved, turned, resized or removed, or a view changed."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.spatial_edit.metrics import METRICS
from grader.tasks.spatial_edit.model import SpatialEditInput
from grader.tasks.spatial_edit.pictures import judge_edited_scene
from grader.tasks.spatial_edit.reasons import REASONS
from grader.tasks.spatial_edit.scene.scene import EditScene, prepare_edit
from grader.tasks.spatial_edit.settings import SpatialEditSettings

SPEC: TaskSpec[SpatialEditInput, EditScene, SpatialEditSettings] = TaskSpec(
    name="spatial_edit",
    description="An object moved, placed, turned, resized or removed, or a view changed, in a picture of a scene.",
    input_type=SpatialEditInput,
    settings_type=SpatialEditSettings,
    prepare=prepare_edit,
    judges=Judges(scene=judge_edited_scene),
    metrics=METRICS,
    reasons=REASONS,
    formats=("gsi", "tabletop"),
    drawn=(CandidateKind.IMAGE, CandidateKind.SCENE),
)
