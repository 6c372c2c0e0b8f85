"""Composes a picture from its seed alone: a right answer, and one wrong thing, or one harmless thing, or none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from benchmarks.accuracy.nuisances import NUISANCES
from benchmarks.accuracy.scenes import Scene as Photo
from benchmarks.accuracy.seeds import dice_of
from benchmarks.composed import harmless
from benchmarks.composed.inks import Ink, laid, too_light
from benchmarks.composed.roles import board_marks, marks, maze_markers, maze_walls, maze_ways
from benchmarks.composed.roles.base import Role
from benchmarks.composed.shapes import Change, Level
from benchmarks.composed.stages import PER_STAGE, MazeScene, Scene, Stage, repainted, scene_of, stage_of
from benchmarks.composed.visibility import visibility
from grader.model.jobs import TaskInput
from puzzles.common.raster import Picture

WRONG: dict[str, tuple[Role, ...]] = {
    "maze": (*maze_ways.ROLES, *maze_walls.ROLES, *maze_markers.ROLES, *marks.MARKS, *marks.TWO_COLORS),
    "queens": (*board_marks.ROLES, *marks.MARKS),
}
"""Roles of wrong things by task."""
_WRONG_CHANCE = 0.6
_REPAINT_CHANCE = 0.15
_CLEAN_CHANCE = 0.4
_BESIDE_CHANCE = 0.2
_SMOOTH = ("blur", "light", "vignette")
"""Nuisances that change a picture as a whole."""
_GRAINY = ("noise", "jpeg", "webp", "paper")
"""Nuisances that lay noise on it."""
_TRIES = 40


@dataclass(frozen=True, eq=False)
class ComposedCase:
    """A picture with what is true of it.

    Attributes
    ----------
    seed
        From which it was composed.
    instance, task, kind
        Name of the puzzle; maze or queens; geometry or board.
    puzzle
        The request's puzzle and truth.
    data, picture
        The candidate's file, and its pixels, (H, W, 3) uint8 RGB.
    plain
        The same without what was added, before it was written to a file.
    wrong
        Whether it has to fail.
    family, role
        What was added, such as way and way-branch, or companion and shadow.
    ink, ink_kind, texture, opacity, width_px
        With what, in words and in parts; empty, 0 and 0 for harmless things.
    beside
        A harmless thing that a wrong picture has too, or empty.
    nuisance
        What happened to the whole picture, such as jpeg-2, or none.
    visibility
        Of what was added, to a person: 1 is the threshold, 5 is easily seen.
    """

    seed: int
    instance: str
    task: str
    kind: str
    puzzle: TaskInput
    data: bytes
    picture: Picture
    plain: Picture
    wrong: bool
    family: str
    role: str
    ink: str
    ink_kind: str
    texture: str
    opacity: float
    width_px: float
    beside: str
    nuisance: str
    visibility: float

    @property
    def size_px(self) -> int:
        """Longer side of the picture."""
        height, width = self.picture.shape[:2]
        return int(max(height, width))


def compose(seed: int) -> ComposedCase:
    """The picture of a seed. Seeds one after the other share puzzle and size, so that they are quick in a row."""
    stage = stage_of(str(seed // PER_STAGE))
    dice = dice_of(f"composed/picture/{seed}")
    scene = scene_of(stage, dice)
    wrong = bool(dice.random() < _WRONG_CHANCE)
    role, ink, scene, change = _chosen(stage, scene, wrong, dice)
    ground = scene.ground if change.ground is None else change.ground
    beside, company = _beside(scene, wrong, dice)
    bare = scene.answered(scene.ground)
    change = replace(change, frame=change.frame or company.frame)
    without = Change(company.shapes, frame=change.frame) if wrong else Change()
    before = drawn(scene, scene.ground, without, ink, seed, bare)
    after = drawn(scene, ground, replace(change, shapes=company.shapes + change.shapes), ink, seed, bare)
    nuisance, level = _nuisance(dice)
    data, plain, seen, noisy = _photographed(scene, before, after, nuisance, level, seed)
    picture = _decoded(data)
    framed = plain.shape != seen.shape  # how visible a frame is, is of no interest
    return ComposedCase(
        seed=seed,
        instance=stage.puzzle.name,
        task=stage.task,
        kind=stage.kind,
        puzzle=stage.puzzle.task,
        data=data,
        picture=picture,
        plain=plain,
        wrong=wrong,
        family=role.family,
        role=role.name,
        ink=str(ink) if wrong else "",
        ink_kind=ink.kind if wrong else "",
        texture=ink.texture if wrong else "",
        opacity=round(ink.opacity, 3) if wrong else 0.0,
        width_px=round(ink.width_px, 2) if wrong else 0.0,
        beside=beside,
        nuisance=f"{nuisance}-{level}" if nuisance else "none",
        visibility=0.0 if framed else round(visibility(plain, seen, picture if noisy else None), 3),
    )


def _chosen(stage: Stage, scene: Scene, wrong: bool, dice: np.random.Generator) -> tuple[Role, Ink, Scene, Change]:
    """A role with an ink at a place that this puzzle has."""
    roles = WRONG[stage.task] if wrong else harmless.HARMLESS[stage.task]
    families = sorted({role.family for role in roles})
    for _ in range(_TRIES):
        if wrong:  # families are as likely as each other, and roles in a family
            family = families[int(dice.integers(len(families)))]
            own = [role for role in roles if role.family == family]
        else:
            own = list(roles)
        role = own[int(dice.integers(len(own)))]
        ground = scene
        if wrong and isinstance(scene, MazeScene) and dice.random() < _REPAINT_CHANCE:
            ground = _other_floor(scene, dice)
        ink = role.ink(ground, dice)
        if ink.kind == "lighter" and isinstance(ground, MazeScene) and too_light(ground.floor):
            ground = _other_floor(ground, dice)
            ink = replace(role, inks=("lighter",)).ink(ground, dice)
        change = role.draw(ground, ink, dice)
        if change is not None:
            return role, _as_used(ink, change), ground, change
    raise RuntimeError(f"{stage.puzzle.name}: no role has a place")


def _beside(scene: Scene, wrong: bool, dice: np.random.Generator) -> tuple[str, Change]:
    """A harmless thing that some wrong pictures have too: its name, and what is laid on."""
    if not wrong or dice.random() >= _BESIDE_CHANCE:
        return "", Change()
    task = "maze" if isinstance(scene, MazeScene) else "queens"
    roles = [role for role in harmless.HARMLESS[task] if role.family in ("companion", "sign", "frame")]
    role = roles[int(dice.integers(len(roles)))]
    return role.name, role.draw(scene, role.ink(scene, dice), dice) or Change()


def _as_used(ink: Ink, change: Change) -> Ink:
    """The ink with the width that is drawn; one that is not used at all is the puzzle's own."""
    if all(shape.plain for shape in change.shapes):
        return replace(ink, kind="own", texture="solid", opacity=1.0)
    widths = [shape.width for shape in change.shapes if shape.lines and not shape.plain]
    return ink if not widths or widths[0] is None else replace(ink, width_px=widths[0])


def _other_floor(scene: MazeScene, dice: np.random.Generator) -> MazeScene:
    """The scene on a darker floor, or on a lighter one where it is dark."""
    if sum(scene.floor) < 384:
        level = np.array(scene.floor) + dice.uniform(5, 30)
    else:
        level = np.array(scene.floor) * dice.uniform(0.7, 0.92) + dice.uniform(-6, 6, 3)
    red, green, blue = (int(value) for value in np.clip(np.rint(level), 0, 255))
    return repainted(scene, (red, green, blue))


def drawn(scene: Scene, ground: Picture, change: Change, ink: Ink, seed: int, bare: Picture | None = None) -> Picture:
    """The answer on its ground with all shapes, and its frame.

    Parameters
    ----------
    scene, ground, change, ink
        What is drawn, on what, and with what.
    seed
        Of what textures leave to chance.
    bare
        The answer on the scene's own ground, where it is known, for it takes long to draw.
    """
    dice = dice_of(f"composed/texture/{seed}")
    for shape in change.shapes:
        if shape.level is Level.UNDER:
            ground = laid(ground, shape, ink, dice)
    picture = scene.answered(ground) if bare is None or ground is not scene.ground else bare
    for shape in change.shapes:
        if shape.level is Level.OVER:
            picture = laid(picture, shape, ink, dice)
    if change.frame is not None:
        picture = change.frame.around(picture)
    for shape in change.shapes:
        if shape.level is Level.FRAMED:
            picture = laid(picture, shape, ink, dice)
    return picture


def _nuisance(dice: np.random.Generator) -> tuple[str, int]:
    """A nuisance and its strength; an empty name for none."""
    if dice.random() < _CLEAN_CHANCE:
        return "", 0
    names = (*_SMOOTH, *_GRAINY)
    return names[int(dice.integers(len(names)))], int(dice.integers(1, 4))


def _photographed(
    scene: Scene, before: Picture, after: Picture, nuisance: str, strength: int, seed: int
) -> tuple[bytes, Picture, Picture, bool]:
    """The candidate's file, what a person compares without and with the thing, and whether noise lies on the latter.

    What changes the picture as a whole is done to both; noise is not, for it would differ between the two.
    """
    if not nuisance:
        return _photo(scene, after).encoded(), before, after, False
    change, level = NUISANCES[nuisance].picture, NUISANCES[nuisance].levels[strength - 1]
    if change is None:
        raise RuntimeError(f"{nuisance} does not act on pictures")
    photo = change(_photo(scene, after), level, dice_of(f"composed/nuisance/{seed}"))
    if nuisance in _GRAINY:
        return photo.encoded(), before, after, True
    plain = change(_photo(scene, before), level, dice_of(f"composed/nuisance/{seed}")).picture
    return photo.encoded(), plain, photo.picture, False


def _photo(scene: Scene, picture: Picture) -> Photo:
    """A picture as nuisances take it."""
    room = scene.room
    return Photo(picture, room, 0.1 * room, (255, 255, 255), scene.floor, scene.colors[1])


def _decoded(data: bytes) -> Picture:
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if found is None:
        raise RuntimeError("OpenCV can't read what it wrote")
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), np.uint8)
