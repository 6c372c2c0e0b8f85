"""How exactly boxes are found in pictures of tables: ``python -m benchmarks.tabletop --scenes 120``.

Each scene is edited, with the operations in turn, rightly or with one of the faults, and drawn; the sizes that a grader
would know are given to the detector: all, but that of a target that was to be resized. It prints errors of place, turn
and size, boxes that were missed and boxes that are not there, and writes the twelve worst pictures to one sheet.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as TextTable

from detectors.spatial_edit.boxes.detector import find_boxes
from detectors.spatial_edit.boxes.findings import (
    BoxFinding,
    BoxFindings,
    BoxKind,
    BoxView,
    FoundBox,
    TablePlane,
    same_looking,
)
from detectors.spatial_edit.boxes.geometry import EDGES, SIGNS, project
from puzzles.tabletop.edits import Edit, EditImpossibleError, Operation, make_edit
from puzzles.tabletop.faults import wrong_results
from puzzles.tabletop.generator import SceneOptions, generate_scene
from puzzles.tabletop.render import render_scene, visible_shares
from puzzles.tabletop.scene import Scene, TableCamera, camera_box, table_plane

_MATCH_M = 0.15  # a found box further off is another one
_CONFIDENT = 0.5
_SHEET = (4, 3)
_NUISANCES = ("none", "jpeg", "noise", "blur", "small", "dark", "warm")


@dataclass(frozen=True)
class Subject:
    """A picture of known truth: what was edited, what came of it, what the detector is told, and how it was spoilt."""

    name: str
    edit: Edit
    scene: Scene
    kinds: tuple[BoxKind, ...]
    nuisance: str


@dataclass(frozen=True)
class BoxError:
    """One true box: how far the found one is off, in metres, radians and the greatest share of an extent."""

    subject: Subject
    index: int
    visible: float
    found: BoxFinding | None
    place: float
    turn: float
    size: float


def subjects(seeds: Iterable[int], nuisance: str) -> Iterator[Subject]:
    """Draw scenes; every other one has a wrong edit, every third has two boxes of one label."""
    operations = tuple(Operation)
    for seed in seeds:
        operation = operations[seed % len(operations)]
        hidden = 0.45 if seed % 5 == 0 else 0.6
        scene = generate_scene(seed, SceneOptions(twins=seed % 3 == 2, least_visible=hidden))
        try:
            edit = make_edit(scene, operation, seed)
        except EditImpossibleError:
            edit = make_edit(scene, Operation.REMOVE, seed)
        after, name = edit.after, "right"
        if seed // len(operations) % 2:
            wrong = wrong_results(edit)
            chosen = wrong[seed // (2 * len(operations)) % len(wrong)]
            after, name = chosen.scene, chosen.fault.value
        yield Subject(f"{seed} {edit.operation.value}, {name}", edit, after, kinds_of(edit), nuisance)


def kinds_of(edit: Edit) -> tuple[BoxKind, ...]:
    """What a grader knows before it sees the edited picture."""
    found: dict[str, BoxKind] = {}
    for cuboid in edit.before.cuboids:
        resized = edit.operation is Operation.RESIZE and cuboid.label == edit.label
        size = None if resized else cuboid.size
        before = edit.source.rotation if resized and edit.source is not None else None
        found.setdefault(cuboid.label, BoxKind(cuboid.label, cuboid.color, size, before))
    return tuple(found.values())


def spoil(picture: NDArray[np.uint8], nuisance: str) -> NDArray[np.uint8]:
    """Do to a picture what happens to pictures; ``none`` leaves it."""
    height, width = picture.shape[:2]
    if nuisance == "jpeg":
        _, data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 60])
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        return np.asarray(cv2.cvtColor(np.asarray(decoded), cv2.COLOR_BGR2RGB), np.uint8)
    if nuisance == "noise":
        noise = np.random.default_rng(0).normal(0, 8, picture.shape)
        return np.asarray(np.clip(picture + noise, 0, 255).round(), np.uint8)
    if nuisance == "blur":
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)
    if nuisance == "small":
        small = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    if nuisance == "dark":
        return np.asarray((picture * 0.6).round(), np.uint8)
    if nuisance == "warm":
        return np.asarray(np.clip(picture * np.array([1.06, 1.0, 0.92]), 0, 255).round(), np.uint8)
    return picture


def view_of(camera: TableCamera) -> BoxView:
    """The detector's camera."""
    return BoxView.of(camera.intrinsics, camera.width, camera.height)


def plane_of(camera: TableCamera) -> TablePlane:
    """The detector's table."""
    plane = table_plane(camera)
    return TablePlane(plane.normal, plane.offset)


def find_in(subject: Subject, picture: NDArray[np.uint8]) -> BoxFindings:
    """Ask the detector."""
    camera = subject.scene.camera
    return find_boxes(picture, view_of(camera), subject.kinds, plane_of(camera))


def turn_between(one: FoundBox, rotation: NDArray[np.float64]) -> float:
    """The angle in radians between a box's rotation and another, 3 x 3."""
    trace = float((np.array(one.rotation) * rotation).sum())
    return math.acos(max(-1.0, min(1.0, (trace - 1) / 2)))


def errors_of(subject: Subject, findings: BoxFindings) -> tuple[list[BoxError], list[BoxFinding]]:
    """Match found boxes to true ones, the nearest first; return the errors, and the boxes that are not there."""
    scene = subject.scene
    truth = [camera_box(scene.camera, cuboid) for cuboid in scene.cuboids]
    pairs = sorted(
        (math.dist(box.center, found.box.center), i, j)
        for i, box in enumerate(truth)
        for j, found in enumerate(findings.boxes)
        if found.label == scene.cuboids[i].label
    )
    matched: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance < _MATCH_M and i not in matched and j not in matched.values():
            matched[i] = j
    sized = {kind.label: kind.size is not None for kind in subject.kinds}
    errors = []
    for i, share in enumerate(visible_shares(scene)):
        if i not in matched:
            errors.append(BoxError(subject, i, share, None, math.inf, math.inf, math.inf))
            continue
        found = findings.boxes[matched[i]]
        names = same_looking(found.box, 0.03)
        # With the rotation of before, the box must have the right name at once; without, half a turn looks the same.
        named = names[0]
        if sized[found.label]:
            named = min(names, key=lambda name: turn_between(name, np.array(truth[i].rotation)))
        size = max(abs(a - b) / b for a, b in zip(named.size, truth[i].size, strict=True))
        turn = turn_between(named, np.array(truth[i].rotation))
        place = math.dist(named.center, truth[i].center)
        errors.append(BoxError(subject, i, share, found, place, turn, size))
    ghosts = [found for j, found in enumerate(findings.boxes) if j not in matched.values()]
    return errors, ghosts


def draw(picture: NDArray[np.uint8], subject: Subject, findings: BoxFindings, note: str) -> NDArray[np.uint8]:
    """Draw true boxes in white and found ones in black with their confidence."""
    image = np.ascontiguousarray(picture)
    view = view_of(subject.scene.camera)
    boxes = [(camera_box(subject.scene.camera, c), (255, 255, 255)) for c in subject.scene.cuboids]
    outlines = [(np.array(b.rotation), np.array(b.center), np.array(b.size), color) for b, color in boxes]
    outlines += [
        (np.array(f.box.rotation), np.array(f.box.center), np.array(f.box.size), (0, 0, 0)) for f in findings.boxes
    ]
    for rotation, center, size, color in outlines:
        pixels = project((SIGNS * size / 2) @ rotation.T + center, view)
        for start, end in EDGES:
            ends = [tuple(int(x) for x in np.rint((pixels[i] - 0.5) * 16)) for i in (start, end)]
            cv2.line(image, ends[0], ends[1], color, 1, cv2.LINE_AA, 4)
    for found in findings.boxes:
        place = (int(found.bounds[0]), int(found.bounds[1]) - 3)
        cv2.putText(image, f"{found.confidence:.2f}", place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1)
    cv2.putText(image, note, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return np.asarray(image, np.uint8)


def _figures(errors: list[BoxError]) -> tuple[str, ...]:
    found = [error for error in errors if error.found is not None]
    if not found:
        return ("-",) * 6

    def two(values: list[float], factor: float) -> tuple[str, str]:
        scaled = np.array(values) * factor
        return f"{np.median(scaled):.2f}", f"{np.percentile(scaled, 90):.2f}"

    return (
        *two([error.place for error in found], 1000),
        *two([math.degrees(error.turn) for error in found], 1),
        *two([error.size for error in found], 100),
    )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=120)
    parser.add_argument("--nuisance", choices=_NUISANCES, default="none")
    parser.add_argument("--sheet", type=Path, default=Path("runs/tabletop/worst.png"))
    parser.add_argument("--seeds", type=int, nargs="*", help="these scenes only")
    options = parser.parse_args()
    results: list[tuple[float, Subject, BoxFindings, list[BoxError], list[BoxFinding]]] = []
    spent = 0.0
    for subject in subjects(options.seeds or range(options.scenes), options.nuisance):
        picture = spoil(render_scene(subject.scene), options.nuisance)
        start = time.process_time()
        findings = find_in(subject, picture)
        spent += time.process_time() - start
        errors, ghosts = errors_of(subject, findings)
        badness = max([min(e.place / 0.02, 9) + min(e.turn / 0.05, 9) for e in errors] + [18.0 * bool(ghosts)])
        results.append((badness, subject, findings, errors, ghosts))
    every = [error for *_, errors, _ in results for error in errors]
    sure = [error for error in every if error.found is not None and error.found.confidence >= _CONFIDENT]
    table = TextTable(title=f"{len(results)} scenes, {options.nuisance}, {spent / len(results):.2f} s each (one core)")
    for column in ("boxes", "n", "mm", "90 %", "degrees", "90 %", "size %", "90 %", "missed", "unsure"):
        table.add_column(column, justify="right")
    for operation in Operation:
        own = [error for error in every if error.subject.edit.operation is operation]
        table.add_row(operation.value, str(len(own)), *_figures(own), *_counts(own))
    unsized = [e for e in every if _unsized(e)]
    hidden = [e for e in every if e.visible < 0.9]
    for name, some in (("size unknown", unsized), ("partly hidden", hidden), ("sure", sure), ("all", every)):
        table.add_row(name, str(len(some)), *_figures(some), *_counts(some))
    Console(width=120).print(table)
    ghost_list = [(subject.name, ghost) for _, subject, _, _, ghosts in results for ghost in ghosts]
    for name, ghost in ghost_list:
        print(f"not there: {name}: {ghost.label}, confidence {ghost.confidence:.2f}")
    wrong = [e for e in sure if e.place > 0.02 or e.turn > math.radians(3)]
    print(f"{len(wrong)} of {len(sure)} sure boxes are more than 2 cm or 3 degrees off")
    results.sort(key=lambda one: -one[0])
    _write_sheet(options.sheet, [(s, f, b) for b, s, f, _, _ in results[: _SHEET[0] * _SHEET[1]]])


def _unsized(error: BoxError) -> bool:
    label = error.subject.scene.cuboids[error.index].label
    return any(kind.label == label and kind.size is None for kind in error.subject.kinds)


def _counts(errors: list[BoxError]) -> tuple[str, str]:
    missed = sum(error.found is None for error in errors)
    unsure = sum(error.found is not None and error.found.confidence < _CONFIDENT for error in errors)
    return str(missed), str(unsure)


def _write_sheet(path: Path, worst: list[tuple[Subject, BoxFindings, float]]) -> None:
    columns, rows = _SHEET
    tiles = [
        draw(spoil(render_scene(s.scene), s.nuisance), s, f, f"{s.name} ({badness:.1f})") for s, f, badness in worst
    ]
    while len(tiles) < columns * rows:
        tiles.append(np.zeros_like(tiles[0]))
    sheet = np.vstack([np.hstack(tiles[row * columns : (row + 1) * columns]) for row in range(rows)])
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), sheet[..., ::-1])
    print(f"the worst are in {path}")


if __name__ == "__main__":
    main()
