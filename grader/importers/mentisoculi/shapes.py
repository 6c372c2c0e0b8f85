"""Reads MentisOculi puzzles whose public records name no coordinates: form board, hinge folding, paper fold.

Their records say which labels are right, or by which angles the hinges of a chain turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.model.json_fields import JsonObject, load_object, shown
from grader.v1 import form_board_pb2, hinge_folding_pb2, paper_fold_pb2
from puzzles.hinge_folding.chain import HingeShape
from puzzles.paper_fold.rules import FoldType

ShapesMessage = form_board_pb2.FormBoardTask | hinge_folding_pb2.HingeFoldingTask | paper_fold_pb2.PaperFoldTask


@dataclass(frozen=True)
class ShapesRecord:
    """A public puzzle: its number or name in its level, the puzzle as a message, and the picture of the question.

    The picture's name is empty where nothing is known of where things are in it.
    """

    puzzle_id: int | str
    message: ShapesMessage
    picture: str = ""


@dataclass(frozen=True)
class PaperFoldRecord(ShapesRecord):
    """A folded sheet; the files that show it without holes, flat and after each fold, where the record names some."""

    sheets: tuple[Path, ...] = ()


def read_form_board(path: Path) -> ShapesRecord:
    """Reads a form board's ``metadata.json``; OSError if that fails, ValueError naming file and field if it is none."""
    record = load_object(path.read_bytes(), str(path))
    pieces = record.children("pieces")
    right = [piece.text("label") for piece in pieces if piece.flag("is_solution")]
    said = _texts(record, "solution_pieces")
    if sorted(right) != sorted(said):
        raise record.fault("solution_pieces", f"are {shown(said)}, but by is_solution they are {shown(right)}")
    message = form_board_pb2.FormBoardTask()
    message.puzzle.labels.extend(piece.text("label") for piece in pieces)
    message.truth.labels.extend(said)
    picture = ""
    if record.has("geometry"):
        outlines = record.child("geometry")
        message.puzzle.silhouette.extend(_corners(outlines, "silhouette"))
        for label in message.puzzle.labels:
            message.puzzle.pieces.add(corners=_corners(outlines.child("pieces"), label))
        picture = record.text("combined_image")
    return ShapesRecord(record.whole_or_text("puzzle_id"), message, picture)


def read_paper_fold(path: Path) -> PaperFoldRecord:
    """Reads a folded sheet's ``metadata.json``, with its geometry where it has that; errors as of `read_form_board`."""
    record = load_object(path.read_bytes(), str(path))
    choices, right = _texts(record, "choices"), record.text("correct_choice")
    if right not in choices:
        raise record.fault("correct_choice", f"is {shown(right)}, which is none of choices")
    message = paper_fold_pb2.PaperFoldTask()
    message.puzzle.labels.extend(choices)
    message.truth.label = right
    if not record.has("folds"):
        return PaperFoldRecord(record.whole_or_text("puzzle_id"), message)
    lines = {kind.value: kind for kind in FoldType}
    for one in record.children("folds"):
        line = one.text("line")
        if line not in lines:
            raise one.fault("line", f"must be one of {', '.join(lines)}, not {shown(line)}")
        named = paper_fold_pb2.FoldLine.Value(f"FOLD_LINE_{lines[line].name}")
        message.puzzle.folds.add(line=named, offset=one.number("offset"), above=one.flag("above"))
    for place, entry in enumerate(record.items("punches")):
        if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(one, int | float) for one in entry):
            raise record.fault(f"punches[{place}]", f"must be two numbers, not {shown(entry)}")
        message.puzzle.punches.add(x=entry[0], y=entry[1])
    message.puzzle.hole_radius = record.number("hole_radius")
    frame = record.child("sheet_frame")
    for field in ("left_px", "top_px", "side_px"):
        setattr(message.puzzle.frame, field, frame.number(field))
    sheets = _texts(record, "sheet_images")
    for place, name in enumerate(sheets):
        if Path(name).name != name:
            raise record.fault(
                f"sheet_images[{place}]", f"must be the name of a file beside the record, not {shown(name)}"
            )
    return PaperFoldRecord(
        record.whole_or_text("puzzle_id"), message, sheets=tuple(path.with_name(name) for name in sheets)
    )


def read_hinges(path: Path) -> ShapesRecord:
    """Reads a chain's ``metadata.json``; errors as of `read_form_board`."""
    record = load_object(path.read_bytes(), str(path))
    message = hinge_folding_pb2.HingeFoldingTask()
    names = {shape.value: shape for shape in HingeShape}
    for place, name in enumerate(_texts(record, "shape_chain")):
        if name not in names:
            raise record.fault(f"shape_chain[{place}]", f"must be one of {', '.join(names)}, not {shown(name)}")
        message.puzzle.shapes.append(hinge_folding_pb2.HingeShape.Value(f"HINGE_SHAPE_{names[name].name}"))
    for step in record.children("rotation_steps"):
        message.truth.turns.add(hinge=step.text("hinge_id"), angle_deg=step.whole("angle"))
    picture = ""
    if record.has("frame"):
        frame = record.child("frame")
        place = message.puzzle.place
        place.unit_px, place.x_px, place.y_px = (frame.number(name) for name in ("unit_px", "x_px", "y_px"))
        picture = record.text("combined_image")
    return ShapesRecord(record.whole_or_text("puzzle_id"), message, picture)


def _corners(record: JsonObject, field: str) -> list[form_board_pb2.FormBoardCorner]:
    """Corners as pairs of numbers."""
    corners = []
    for place, pair in enumerate(record.items(field)):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(one, int | float) for one in pair):
            raise record.fault(f"{field}[{place}]", f"must be two numbers, not {shown(pair)}")
        corners.append(form_board_pb2.FormBoardCorner(x_px=pair[0], y_px=pair[1]))
    return corners


def _texts(record: JsonObject, field: str) -> list[str]:
    """A list of texts."""
    texts = []
    for place, entry in enumerate(record.items(field)):
        if not isinstance(entry, str):
            raise record.fault(f"{field}[{place}]", f"must be a text, not {shown(entry)}")
        texts.append(entry)
    return texts
