"""A notebook grades in this process: puzzles from pictures of every form, candidates of every kind."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import grader
from grader.face.errors import NoFileError, WrongKindError, WrongValueError
from grader.face.pictures import encoded
from grader.importers.common.errors import ImportFormatError
from grader.media.encoding import encode_mp4
from grader.model.jobs import BoxInput, RotationForm
from puzzles.amaze.files import encode_ids, write_maze, write_queens
from puzzles.maze.geometry import Geometry
from puzzles.rush_hour.generator import generate_lot
from puzzles.sliding.motion import clip_frames, plan_glides
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import generate_sliding, solve
from tests.samples.puzzles import board_sample, maze_sample, png

SAMPLE = maze_sample(Geometry.SQUARE)
RIGHT, WRONG = SAMPLE.pictures.solution, SAMPLE.step(*SAMPLE.wall)


def described(image, cell_map, **changes):
    known = {
        "geometry": "square",
        "path_cell_ids": SAMPLE.path,
        "cell_size_px": SAMPLE.style.cell_size_px,
        "wall_width_px": SAMPLE.style.wall_width_px,
        "width_cells": SAMPLE.maze.width,
        "height_cells": SAMPLE.maze.height,
    }
    return grader.maze(image, cell_map, **{**known, **changes})


def forms(picture, folder):
    """One picture in every form that is taken."""
    file = folder / "picture.png"
    file.write_bytes(png(picture))
    return {
        "path": file,
        "text": str(file),
        "bytes": png(picture),
        "array": picture,
        "pillow": Image.fromarray(picture),
    }


def test_a_picture_is_graded_in_five_lines(tmp_path):
    write_maze(tmp_path / "puzzle", SAMPLE.maze, SAMPLE.style)
    (tmp_path / "answer.png").write_bytes(png(WRONG))

    puzzle = grader.load_puzzle(tmp_path / "puzzle")
    verdict = grader.grade(puzzle, tmp_path / "answer.png", overlay=True)

    assert verdict.outcome is grader.Outcome.FAIL
    assert verdict.codes[0] == verdict.reasons[0].code
    assert 0 < verdict.metric("coverage") <= 1
    assert Image.open(io.BytesIO(verdict.overlay._repr_png_())).format == "PNG"


@pytest.mark.parametrize("form", ["path", "text", "bytes", "array", "pillow"])
def test_a_picture_may_have_any_form(form, tmp_path):
    image = forms(SAMPLE.pictures.input, tmp_path)[form]
    puzzle = described(image, encode_ids(SAMPLE.pictures.cell_map))
    verdict = grader.grade(puzzle, forms(RIGHT, tmp_path)[form])
    assert (verdict.outcome, verdict.codes, verdict.reward) == (grader.Outcome.PASS, (), 1.0)


def test_a_maze_from_arrays_is_that_of_the_contract():
    """Ids and masks as arrays say the same as the pictures that the contract asks for."""
    puzzle = described(
        SAMPLE.pictures.input,
        SAMPLE.pictures.cell_map,
        solution_image=RIGHT,
        mask=SAMPLE.pictures.mask > 0 if SAMPLE.pictures.mask.ndim == 2 else SAMPLE.pictures.mask,
    )
    for candidate in (RIGHT, WRONG):
        job = grader.GradeJob("", SAMPLE.task, grader.ImageCandidate(png(candidate)))
        ours, theirs = grader.grade(puzzle, candidate), grader.Engine().grade(job)
        assert replace(ours, provenance=theirs.provenance) == theirs


def test_large_ids_survive():
    ids = np.array([[0, 255, 256, 65535], [65536, 2**24 - 1, 1, 2]])
    decoded = np.asarray(Image.open(io.BytesIO(described(SAMPLE.pictures.input, ids).cell_map))).astype(int)
    assert (decoded @ [1, 256, 65536] == ids).all()
    with pytest.raises(ValueError, match="ids of cells are 0 to 16777215, not -1 to 5"):
        described(SAMPLE.pictures.input, np.array([[-1, 5]]))


def test_what_is_missing_in_a_puzzle_is_named():
    with pytest.raises(grader.InvalidRequestError, match=r"maze\.puzzle\.width_cells"):
        grader.grade(described(SAMPLE.pictures.input, SAMPLE.pictures.cell_map, width_cells=0), RIGHT)


@pytest.mark.parametrize("mode", ["CMYK", "YCbCr", "HSV", "LAB", "RGBX", "RGBa", "P", "1", "L"])
def test_images_of_pillow_are_taken_in_all_modes_that_show_something(mode):
    """What Pillow itself shows of them in RGB; one that is not RGB keeps no profile of its own colours."""
    given = Image.fromarray(RIGHT).convert("RGBA" if mode == "RGBa" else "RGB").convert(mode)
    given.info["icc_profile"] = b"of other colours" if mode in ("CMYK", "LAB") else None
    with Image.open(io.BytesIO(encoded(given))) as made:
        assert np.array_equal(made.convert("RGB"), given.convert("RGB"))
        assert made.info.get("icc_profile") is None


@pytest.mark.parametrize("mode", ["F", "I", "I;16L"])
def test_images_of_pillow_whose_black_and_white_are_not_known_are_refused(mode):
    with pytest.raises(WrongKindError, match=f"mode '{mode}' holds numbers whose black and white are not known"):
        grader.grade(SAMPLE.task, Image.new(mode, (9, 9)))


def test_an_image_of_pillow_that_was_cut_off_is_refused():
    image = Image.open(io.BytesIO(png(RIGHT)[:400]))
    with pytest.raises(WrongValueError, match="can't be read"):
        grader.grade(SAMPLE.task, image)


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        ("no/such.png", FileNotFoundError, "there is no file 'no/such.png'; a text is a path here, and words are Text"),
        (np.zeros((4, 4, 3)), TypeError, r"shape \(H, W, 3\) and the type uint8, in RGB, not \(4, 4, 3\) and float64"),
        (np.zeros((4, 4), np.uint8), TypeError, r"not \(4, 4\) and uint8"),
        (7, TypeError, "a path, bytes, an array or a Pillow image, not int"),
    ],
)
def test_what_is_no_picture_is_refused(made, error, message):
    with pytest.raises(error, match=message):
        grader.grade(SAMPLE.task, made)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: described(b"", b"", geometry="cube"), "geometry is 'cube'; it is one of 'square', 'hexagon'"),
        (lambda: described(b"", b"", path_color="mauve"), "path_color is 'mauve'; it is one of 'blue'"),
        (lambda: grader.spatial_edit(None, operation="paint"), "operation is 'paint'; it is one of 'move'"),
        (
            lambda: grader.grade(SAMPLE.task, b"", similarity=["likeness"]),
            "similarity is 'likeness'; it is one of 'ssim'",
        ),
        (lambda: grader.grade(SAMPLE.task, b"", video_policy="LAST"), "video_policy is 'LAST'; it is one of"),
        (lambda: grader.queens(b"", regions=[[0, 0], [1]], queens=[]), "regions has 2 rows, so each has 2 numbers"),
        (lambda: grader.box((0, 0, 1), (1, 1, 1), yaw_rad=1.0, matrix=[0.0] * 9), "in one form"),
    ],
)
def test_a_wrong_word_is_named_with_those_that_are_taken(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_candidate_that_is_no_picture_is_ungradable():
    verdict = grader.grade(SAMPLE.task, b"this is no picture")
    assert (verdict.outcome, verdict.codes) == (grader.Outcome.UNGRADABLE, ("UNKNOWN_FORMAT",))


def test_a_board():
    board = board_sample()
    regions = board.board.regions
    puzzle = grader.queens(board.pictures.input, regions=regions, queens=board.board.queens)
    assert grader.grade(puzzle, board.pictures.solution).outcome is grader.Outcome.PASS
    verdict = grader.grade(puzzle, board.draw(board.board.queens[1:]))
    assert (verdict.outcome, verdict.metric("coverage")) == (grader.Outcome.FAIL, (board.board.n - 1) / board.board.n)


def test_a_lot_in_words():
    made = generate_lot(1, seed=4)
    puzzle = grader.rush_hour(made.lot)
    right = grader.TextCandidate(json.dumps({"answer": ", ".join(map(str, made.solution))}))
    assert grader.grade(puzzle, right).outcome is grader.Outcome.PASS
    assert grader.grade(puzzle, grader.TextCandidate("I don't know.")).outcome is grader.Outcome.FAIL


def test_tiles_in_words_pictures_and_a_clip():
    picture, tiles = make_picture(120, seed=3), generate_sliding(2, 2, 5)
    moves = solve(tiles.start, tiles.target)
    board = render_board(picture, tiles.start, tiles.target)
    puzzle = grader.sliding(tiles.start, tiles.target, image=board)
    clip = list(clip_frames(picture, plan_glides(tiles.start, moves), tiles.target, None, (120, 120), 12.0))
    words = grader.TextCandidate(" ".join(move.value for move in moves))
    for candidate in (words, encode_mp4(clip, 12.0)):
        assert grader.grade(puzzle, candidate).outcome is grader.Outcome.PASS
    still = grader.grade(puzzle, [board, board])
    assert still.outcome is grader.Outcome.FAIL
    assert still.observation.steps
    with_words = grader.grade(puzzle, grader.FramesCandidate((board, board), "no words"))
    assert with_words.reasons == still.reasons


def test_an_edit_by_its_boxes():
    source, there = grader.box((0.0, 0.0, 2.0), (0.3, 0.3, 0.3)), grader.box((0.5, 0.0, 2.0), (0.3, 0.3, 0.3))
    puzzle = grader.spatial_edit(
        None,
        operation="move",
        target="mug",
        source_box=source,
        destination_box=there,
        detections=[("mug", source)],
        intrinsics=(300.0, 300.0, 160.0, 120.0),
    )
    blank = np.full((240, 320, 3), 128, np.uint8)
    moved, stays = (grader.grade(puzzle, grader.scene(blank, [("mug", one)])) for one in (there, source))
    assert (moved.metric("ic_ungated"), stays.metric("ic_ungated")) == (1.0, 0.0)


def test_boxes_have_their_rotation_in_any_form():
    one, size = (0.0, 0.0, 2.0), (1.0, 1.0, 1.0)
    assert grader.box(one, size) == BoxInput(one, size, RotationForm.YAW, (0.0,))
    assert grader.box(one, size, quaternion=(1.0, 0.0, 0.0, 0.0)).form is RotationForm.QUATERNION
    assert grader.box(one, size, matrix=[1.0] * 9).rotation == (1.0,) * 9


def test_a_comparison():
    half = np.zeros(RIGHT.shape[:2], np.bool_)
    half[: len(half) // 2] = True
    verdict = grader.grade(grader.compare(RIGHT, mask=half), WRONG, similarity=["ssim"])
    assert verdict.outcome is grader.Outcome.MEASURED
    assert verdict.metric("ssim_in") <= 1.0


@pytest.mark.parametrize("name", ["maze", "queens"])
def test_a_puzzle_is_read_from_its_folder(name, tmp_path):
    if name == "maze":
        pictures = write_maze(tmp_path, SAMPLE.maze, SAMPLE.style)
    else:
        pictures = write_queens(tmp_path, board_sample().board)
    for place in (tmp_path, str(tmp_path / "metadata.json")):
        assert grader.grade(grader.load_puzzle(place), pictures.solution).outcome is grader.Outcome.PASS
    (tmp_path / "input.png").unlink()
    with pytest.raises(grader.GraderError, match=r"has no input\.png"):
        grader.load_puzzle(tmp_path)
    (tmp_path / "input.png").mkdir()
    with pytest.raises(ImportFormatError, match=r"input\.png is a folder"):
        grader.load_puzzle(tmp_path)


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        (None, WrongKindError, "a puzzle is read from a path, not from NoneType"),
        (b"puzzle", WrongKindError, "not from bytes"),
        ("no/such", NoFileError, "there is no file no/such; name the folder of one puzzle"),
        ("x" * 5000, NoFileError, "there is no file x{200};"),
        ("a\0b", NoFileError, "there is no file a"),
    ],
)
def test_what_is_no_path_of_anything_is_refused(place, error, message):
    with pytest.raises(error, match=message):
        grader.load_puzzle(place)


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "there is no file .*metadata.json; name the folder"), ("[", "make the instance"), ("{}", "no record of a")],
)
def test_what_is_no_puzzle_is_refused(content, message, tmp_path):
    if content is not None:
        (tmp_path / "metadata.json").write_text(content)
    with pytest.raises(grader.GraderError, match=message):
        grader.load_puzzle(tmp_path)


def test_a_path_that_is_no_puzzles_says_what_it_is_and_what_to_name(tmp_path):
    place = tmp_path / "set" / "instances" / "one"
    write_maze(place, SAMPLE.maze, SAMPLE.style)
    (tmp_path / "m.jsonl").write_text("{}")
    for path, said in (
        (place / "input.png", f"{place}/input.png is a picture (PNG); name the folder of the puzzle, {place}"),
        (tmp_path / "set", f"{tmp_path}/set holds 1 puzzle; name the folder of one, such as {place}"),
        (place.parent, f"{place.parent} holds 1 puzzle; name the folder of one, such as {place}"),
        (tmp_path / "m.jsonl", f"{tmp_path}/m.jsonl is no puzzle; a manifest is read by grader.load_manifest"),
        (tmp_path / "no", f"there is no file {tmp_path}/no; name the folder of one puzzle"),
    ):
        with pytest.raises(grader.GraderError) as refused:
            grader.load_puzzle(path)
        assert str(refused.value) == said
        assert refused.value.__suppress_context__  # one error is shown, without what led to it


def test_a_record_may_begin_with_a_byte_order_mark(tmp_path):
    write_maze(tmp_path, SAMPLE.maze, SAMPLE.style)
    record = tmp_path / "metadata.json"
    known = grader.load_puzzle(tmp_path)
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes())
    assert grader.load_puzzle(tmp_path) == known


def test_the_reason_says_where_a_picture_is_wholly_transparent():
    nothing = Image.fromarray(np.dstack([RIGHT, np.zeros(RIGHT.shape[:2], np.uint8)]))
    white = grader.grade(SAMPLE.task, np.full_like(RIGHT, 255))
    verdict = grader.grade(SAMPLE.task, nothing)
    assert verdict.codes == white.codes
    more = " The picture is wholly transparent, so that nothing of it shows."
    assert verdict.reasons[0].message == white.reasons[0].message + more
    assert [reason.message for reason in verdict.reasons[1:]] == [reason.message for reason in white.reasons[1:]]


def test_an_engine_of_ones_own(tmp_path):
    from grader.media.pictures import MediaLimits

    small = grader.Engine(MediaLimits(max_pixels=SAMPLE.pictures.input[..., 0].size))
    wide = np.full((RIGHT.shape[0], RIGHT.shape[1] + 1, 3), 255, np.uint8)
    assert grader.grade(SAMPLE.task, wide, engine=small).codes == ("TOO_MANY_PIXELS",)


def test_profiles_of_ones_own(tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps({"name": "mine", "extends": "default", "description": "ours"}))
    with pytest.raises(grader.InvalidRequestError, match="mine"):
        grader.grade(SAMPLE.task, RIGHT, profile="mine")
    engine = grader.Engine(profiles=grader.load_profiles(str(tmp_path)))
    assert grader.grade(SAMPLE.task, RIGHT, profile="mine", engine=engine).provenance.profile == "mine"


def test_a_manifest_is_graded_in_this_process(tmp_path):
    (tmp_path / "right.png").write_bytes(png(RIGHT))
    (tmp_path / "reference.png").write_bytes(png(RIGHT))
    line = {
        "request_id": "a",
        "model": "m",
        "compare": {"reference": {"uri": "reference.png"}},
        "image": {"uri": "right.png"},
    }
    (tmp_path / "manifest.jsonl").write_text(json.dumps(line) + "\n")
    manifest = grader.load_manifest(str(tmp_path / "manifest.jsonl"))
    (job,) = manifest.jobs()
    assert (job.request_id, job.model) == ("a", "m")
    assert grader.Engine().grade(job) == grader.Engine().grade(manifest.job(0))
    assert grader.Engine().grade(job).metric("mse_in") == 0.0


def test_the_folder_of_a_puzzle_may_stand_for_it(tmp_path):
    write_maze(tmp_path / "puzzle", SAMPLE.maze, SAMPLE.style)
    known = grader.load_puzzle(tmp_path / "puzzle")
    for task in (tmp_path / "puzzle", str(tmp_path / "puzzle"), tmp_path / "puzzle" / "metadata.json"):
        assert grader.grade(task, RIGHT).to_dict() == grader.grade(known, RIGHT).to_dict()


def test_what_is_given_wrongly_is_a_grader_error_whatever_it_is(tmp_path):
    known = described(SAMPLE.pictures.input, SAMPLE.pictures.cell_map)
    for call, message in (
        (lambda: grader.grade("no/such", RIGHT), "there is no file no/such; name the folder of one puzzle"),
        (lambda: grader.grade(7, RIGHT), r"a puzzle is wanted, not int; grader.load_puzzle\(folder\) reads one"),
        (lambda: grader.grade(known, tmp_path), "is a folder; name the file in it"),
        (lambda: grader.grade(known, "no.png"), "there is no file 'no.png'"),
        (lambda: grader.grade(known, None), "not NoneType"),
        (lambda: grader.grade(known, RIGHT[:0, :0]), "a picture has pixels; this one is 0 wide and 0 high"),
        (lambda: grader.grade(known, RIGHT[:0, :7]), "this one is 7 wide and 0 high"),
        (lambda: grader.grade(known, RIGHT, video_policy="x"), "video_policy is 'x'"),
        (lambda: grader.queens(RIGHT, regions=[[1], [1, 2]], queens=[]), "regions has 2 rows"),
    ):
        with pytest.raises(grader.GraderError, match=message):
            call()


@pytest.mark.parametrize(
    ("puzzle", "right", "wrong"),
    [
        (grader.form_board("ABCDE", "ACE"), "The pieces A, C and E.", "A and C"),
        (grader.paper_fold("ABCDE", "D"), "Pattern D", "Pattern A"),
        (grader.hinge_folding(["square", "rectangle"], {"A": 90}), "A 90", "A 270"),
        (grader.grid_maze("S .\n# G"), '{"reachable": true, "path": "RD"}', '{"reachable": true, "path": "DR"}'),
    ],
)
def test_labels_and_turns_are_graded_from_plain_values(puzzle, right, wrong):
    assert grader.grade(puzzle, grader.TextCandidate(right)).outcome is grader.Outcome.PASS
    assert grader.grade(puzzle, grader.TextCandidate(wrong)).outcome is grader.Outcome.FAIL


def test_a_shape_that_is_none_is_named():
    with pytest.raises(WrongValueError, match="circle"):
        grader.hinge_folding(["square", "circle"], {"A": 90})


@pytest.mark.parametrize("words", [None, 5, b"A 90", "\ud800A"])
def test_words_that_are_no_text_are_named(words):
    with pytest.raises(WrongValueError, match="words"):
        grader.grade(grader.paper_fold("AB", "A"), grader.TextCandidate(words))
