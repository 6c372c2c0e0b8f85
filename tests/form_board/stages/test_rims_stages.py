"""How rims are told, stage by stage, at each stage's bounds: with 200 pixels of the silhouette's longer side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.form_board import rims as stage
from detectors.form_board.config import PieceRimConfig
from detectors.form_board.rims import (
    PiecePose,
    Rims,
    _designs,
    _ends,
    _insets,
    _robust,
    find_askew,
    find_poses,
    find_rims,
)
from detectors.form_board.stretches import _stretches, stretches_of

CONFIG = PieceRimConfig()
SIDE = 200.0
STILL = PiecePose("A", 0.0, 0.0, 0.0, 0.0, 0.0)


def rims(offset=0.0, outer=False, alike=(False, False), number=8):
    """Stretches of two pieces, each so far out."""
    count = 2 * number
    return Rims(
        np.zeros((count, 2)), np.tile([1.0, 0.0], (count, 1)), np.full(count, float(offset)),
        np.repeat([0, 1], number), np.zeros(count, np.intp), np.full(count, outer), ("A", "B"), (False, False), alike,
        False, 0.7,
    )  # fmt: skip


def askew(monkeypatch, pose, *others, exact=True, side=SIDE, alike=False, offset=0.0):
    """Whether a piece that lies so is askew, of all that lie as others do, or as they should."""
    poses = (pose, *(others or (STILL, STILL)))
    monkeypatch.setattr(stage, "find_poses", lambda *_: poses)
    return "A" in find_askew(rims(offset, alike=(alike, *(False,) * (len(poses) - 1))), side, exact, CONFIG)


@pytest.mark.parametrize(
    ("part", "most"),
    [
        ({"moved": 1.0}, 0.0105),
        ({"turned": 1.0}, 0.006),
        ({"grown": 1.0}, 0.007),
        ({"grown": -1.0}, 0.0065),
        ({"edge": 1.0}, 0.0155),
        ({"bent": 1.0}, 0.0072),
    ],
)
def test_how_far_a_piece_may_lie_off(monkeypatch, part, most):
    (name, sign), others = next(iter(part.items())), (replace(STILL, label="B"), replace(STILL, label="C"))
    for size, told in ((0.98, False), (1.02, True)):
        pose = replace(STILL, **{name: sign * size * most})
        assert askew(monkeypatch, pose, *others) == told
        # By 1.4 times as much where the picture had to be laid onto the puzzle's; what is bent as before.
        more = 1.0 if name == "bent" else 0.013 / 0.0105 * 1.4 if name == "moved" else 1.4
        pose = replace(STILL, **{name: sign * size * more * most})
        assert askew(monkeypatch, pose, *others, exact=False) == told
        # And by twice as much of 80 pixels as of 160.
        pose = replace(STILL, **{name: sign * size * 2 * most})
        assert askew(monkeypatch, pose, *others, side=80.0) == told
        pose = replace(STILL, **{name: sign * size * most})
        assert askew(monkeypatch, pose, *others, side=160.0) == told


@pytest.mark.parametrize(
    ("usual", "moved", "told"),
    [
        (0.003, 0.0104, False),
        (0.003, 0.0106, True),
        (0.004, 0.0119, False),  # three times as far as the middle one
        (0.004, 0.0121, True),
        (0.005, 0.0129, False),
        (0.005, 0.0131, True),  # in any case
    ],
)
def test_how_far_a_piece_may_be_moved_where_others_are(monkeypatch, usual, moved, told):
    others = (replace(STILL, label="B", moved=usual), replace(STILL, label="C", moved=usual))
    assert askew(monkeypatch, replace(STILL, moved=moved), *others) == told


@pytest.mark.parametrize(
    ("usual", "bent", "told"),
    [(0.0017, 0.0073, True), (0.0019, 0.0073, False), (0.0019, 0.0124, False), (0.0019, 0.0126, True)],
)
def test_a_bent_piece_is_told_sooner_where_all_lie_well(monkeypatch, usual, bent, told):
    others = (replace(STILL, label="B", moved=usual), replace(STILL, label="C", moved=usual))
    assert askew(monkeypatch, replace(STILL, bent=bent), *others) == told


@pytest.mark.parametrize(("part", "most"), [("moved", 0.0105), ("turned", 0.006), ("bent", 0.0125), ("edge", 0.0155)])
def test_a_piece_that_is_hardly_told_from_its_line_may_lie_off_more(monkeypatch, part, most):
    for size, told in ((0.98, False), (1.02, True)):
        pose = replace(STILL, **{part: size * 2.5 * most})
        assert askew(monkeypatch, pose, STILL, STILL, alike=True) == told


@pytest.mark.parametrize(("offset", "told"), [(-4.7, False), (-4.9, True)])
def test_pieces_with_wide_seams_are_all_too_small(monkeypatch, offset, told):
    """Of more than 0.024 x 200 pixels."""
    assert askew(monkeypatch, STILL, offset=offset) == told


# --- where rims are looked for ---


@pytest.mark.parametrize(("length", "parts"), [(8.9, 0), (9.1, 1), (14.9, 1), (15.1, 2), (100.0, 16)])
def test_edges_are_looked_at_in_stretches(length, parts):
    """Of some 6 pixels, from 3 pixels beside their corners on, if 3 are left then."""
    at, out, edges = _stretches(np.array([(0, 0), (length, 0), (length, 1), (0, 1)], float), SIDE, CONFIG)
    assert at.shape == (2 * parts, 4, 2)
    assert edges.tolist() == [0] * parts + [2] * parts
    if parts:
        assert out[0].tolist() == [0, -1]
        assert out[-1].tolist() == [0, 1]
        room = (length - 6) / (4 * parts)
        assert at[0, :, 0] == pytest.approx(3 + room * (np.arange(4) + 0.5))
    turned, outward, _ = _stretches(np.array([(0, 1), (length, 1), (length, 0), (0, 0)], float), SIDE, CONFIG)
    assert len(turned) == 2 * parts
    assert not parts or outward[0].tolist() == [0, 1]


def test_lines_across_rims():
    """From 10 pixels within to 10 beyond by halves; 3.4 pixels from the outline a rim lies along the silhouette."""
    square = np.array([(50, 50), (90, 50), (90, 90), (50, 90)], float)
    away = np.zeros((200, 200), np.float32)
    away[:, 60:] = 3.3
    away[:, :60] = 3.5
    found = stretches_of({"A": square, "B": square + 20}, away, SIDE, CONFIG)
    assert len(found.steps) == 41
    assert found.steps[[0, 20, 40]] == pytest.approx([-10.0, 0.0, 10.0])
    # An edge of 40 has 34 pixels, six stretches; of four lines each.
    assert found.piece.tolist() == [0] * 24 + [1] * 24
    assert found.across.shape == (48 * 4, 41)
    assert found.edge.tolist() == [*np.repeat(range(4), 6), *np.repeat(range(5, 9), 6)]
    first = found.middle[0]
    assert first == pytest.approx((50 + 3 + 34 / 12, 50))
    assert (found.across[0, 20], found.down[0, 20]) == pytest.approx((50 + 3 + 34 / 48 - 0.5, 49.5), abs=1e-4)
    assert (found.across[0, 0], found.down[0, 0]) == pytest.approx((50 + 3 + 34 / 48 - 0.5, 59.5), abs=1e-4)
    left = found.middle[:, 0] < 60
    assert found.outer.tolist() == (~left).tolist()


# --- where rims are seen ---

STEPS = np.arange(-10.0, 10.5, 0.5)


def ends(*profiles, other=24.0):
    """Where lines leave a piece's colour, and how softly; each is given from 5 pixels within to 5 beyond by halves."""
    away = np.array([np.pad(one, (10, 10), mode="edge") for one in profiles], np.float32)
    return _ends(away, np.full(len(away), other), STEPS, SIDE, CONFIG)


def step(at, low=0.0, high=100.0):
    return [low] * at + [high] * (21 - at)


def test_a_rim_is_half_way_to_what_comes_next():
    found, soft = ends(step(10), step(12), step(10, 0.0, 24.0), step(10, 0.0, 25.0))
    # From 4.5 to 5 pixels within -0.5 to 0; half of 100 is half of a step.
    assert found[:2] == pytest.approx([-0.25, 0.75])
    assert np.isnan(found[2])
    assert found[3] == pytest.approx(-0.25)
    # A step of half a pixel: its height over 200 levels a pixel, and over the root of 2 pi.
    assert soft[0] == pytest.approx(0.5 / np.sqrt(2 * np.pi))


def test_of_several_ends_the_nearest_counts_that_lasts():
    """A colour that is the piece's for three steps before; the dip of two steps is a mixture."""
    dipped = step(6)
    dipped[8:10] = [0.0, 0.0]
    assert ends(dipped)[0] == pytest.approx([-2.25])
    lasting = step(6)
    lasting[7:10] = [0.0, 0.0, 0.0]
    assert ends(lasting)[0] == pytest.approx([-0.25])
    # A gap within does not last.
    torn = step(6)
    torn[7], torn[9] = 0.0, 0.0
    assert ends(torn)[0] == pytest.approx([-2.25])
    # Where nothing lasts, what there is counts.
    short = [100.0] * 21
    short[9] = 0.0
    assert ends(short)[0] == pytest.approx([-0.25])


def test_behind_a_gap_lies_no_more_of_a_piece():
    """A line of nearly the piece's colour ends with it, unless there is a gap before it that is plainly another one."""
    lined = [0.0] * 6 + [30.0] * 4 + [100.0] * 11
    behind = [0.0] * 6 + [100.0] * 4 + [30.0] * 4 + [100.0] * 7
    away = np.array([np.pad(one, (10, 10), mode="edge") for one in (lined, behind)], np.float32)
    found, _ = _ends(away, np.full(2, 50.0), STEPS, SIDE, CONFIG, beyond=24.0)
    # Half of 100 lies between 30 and 100, by 20 of 70 from -0.5 to 0; the other between 0 and 100, from -2.5 to -2.
    assert found == pytest.approx([-0.5 + 0.5 * 20 / 70, -2.25])
    plain, _ = _ends(away, np.full(2, 50.0), STEPS, SIDE, CONFIG)
    assert plain[1] == pytest.approx(1.5 + 0.5 * 20 / 70)  # where the line behind the gap ends


def test_what_comes_next_comes_within_some_pixels():
    """0.014 of 200 pixels are 2.8: six steps of half a pixel."""
    rising = step(10, 0.0, 40.0)
    rising[15] = 400.0
    assert ends(rising)[0] == pytest.approx([2.0 + 0.5 * (200 - 40) / (400 - 40)])
    later = step(10, 0.0, 40.0)
    later[16] = 400.0
    assert ends(later)[0] == pytest.approx([-0.25])


@pytest.mark.parametrize(
    ("line", "piece", "around", "lined"),
    [
        (250, 200, False, False),  # none
        (237, 200, False, False),  # 13 of three channels are 22.5 from the paper
        (235, 200, True, True),  # 15 are 26; and 35 are 61 from the piece
        (30, 104, True, True),  # 74 are 128
        (30, 106, True, False),  # 76 are 132, and more than 130
    ],
)
def test_the_silhouettes_line_around_pieces(line, piece, around, lined):
    """A square that fills its silhouette, whose line is seen around it."""
    picture = np.full((140, 140, 3), 250, np.uint8)
    picture[48:92, 48:92] = line
    picture[50:90, 50:90] = piece
    square = np.array([(50, 50), (90, 50), (90, 90), (50, 90)], float)
    where = stretches_of({"A": square}, np.zeros((140, 140), np.float32), SIDE, CONFIG)
    found = find_rims(picture, where, {"A": np.full(3, piece, np.float32)}, CONFIG)
    assert (found.around, found.lined, found.alike) == (around, (lined,), (False,))
    assert len(found.offset) == 24
    # Half way to what comes next; where the line has about the piece's colour, where the line of two pixels ends.
    assert found.offset == pytest.approx(2.0 if lined else 0.2, abs=0.3)


# --- what they say ---


def board(offsets, number=6, around=False, lined=(False,) * 4):
    """Rims of four squares of 100 pixels that fill one of 200: of each its four edges, with so many stretches."""
    at, out, piece, edge, outer = [], [], [], [], []
    for label, (x, y) in enumerate(((0, 0), (100, 0), (0, 100), (100, 100))):
        corners = np.array([(0, 0), (100, 0), (100, 100), (0, 100)]) + np.array([x, y])
        for side, (start, end) in enumerate(zip(corners, np.roll(corners, -1, axis=0), strict=True)):
            for share in (np.arange(number) + 0.5) / number:
                at.append(start + share * (end - start))
                out.append(((0, -1), (1, 0), (0, 1), (-1, 0))[side])
                piece.append(label)
                edge.append(5 * label + side)
                outer.append(bool((np.abs(at[-1] - 100) == 100).any()))
    at, out = np.array(at, float), np.array(out, float)
    return Rims(
        at, out, np.asarray(offsets(at, out, np.array(piece), np.array(outer)), float), np.array(piece),
        np.array(edge), np.array(outer), ("A", "B", "C", "D"), lined, (False,) * 4, around, 0.7,
    )  # fmt: skip


def poses(offsets, exact=True):
    return {one.label: one for one in find_poses(board(offsets), SIDE, exact, CONFIG)}


def test_a_piece_that_is_moved_is_told_by_how_much():
    """By 3 and 4 pixels of 200, less what a deviation of 0.02 beside 24 stretches, of 0.002 each, holds it back."""

    def moved(at, out, piece, outer):
        return np.where(piece == 3, out @ (3.0, 4.0), 0.0)

    found = poses(moved)
    # Twelve stretches look across and down each: 12 / 0.002^2 of 12 / 0.002^2 + 1 / 0.02^2.
    kept = 12 / 0.002**2 / (12 / 0.002**2 + 1 / 0.02**2)
    assert found["D"].moved == pytest.approx(0.025 * kept, rel=0.05)
    assert max(found[one].moved for one in "ABC") < 0.002
    assert found["D"].edge == pytest.approx(0.02, rel=0.06)
    assert (found["D"].turned, found["D"].grown, found["D"].bent) == pytest.approx((0, 0, 0), abs=0.0015)


def test_a_piece_that_is_larger_and_one_that_is_turned():
    def larger(at, out, piece, outer):
        return np.where(piece == 0, 2.0, 0.0)

    def turned(at, out, piece, outer):
        away = at - (50.0, 50.0)
        return np.where(piece == 0, 0.04 * (out[:, 1] * away[:, 0] - out[:, 0] * away[:, 1]), 0.0)

    grown = poses(larger)
    # Out by 0.01; its stretches are 57.7 pixels off its middle in the mean square, and 50 of them count.
    assert grown["A"].grown == pytest.approx(0.0115, abs=0.001)
    assert grown["A"].moved < 0.001
    # By 0.04 of 57.7 pixels, of which their edges have 28.9 along them.
    spun = poses(turned)
    assert spun["A"].turned == pytest.approx(0.0115, abs=0.001)
    assert max(spun["A"].grown, spun["A"].moved) < 0.001


def test_lines_between_pieces_are_no_fault_of_one():
    found = poses(lambda at, out, piece, outer: np.where(outer, -4.0, -3.0))
    for one in found.values():
        assert (one.moved, one.turned, one.grown, one.bent, one.edge) == pytest.approx((0,) * 5, abs=0.0008)


def test_a_warp_is_no_fault_of_one_but_where_the_picture_lies_exactly():
    def warped(at, out, piece, outer):
        x, y = at.T / 100 - 1
        return out[:, 0] * 1.5 * x * y + out[:, 1] * 1.5 * (x * x - y * y)

    laid, exact = (max(one.moved for one in poses(warped, exact=exact).values()) for exact in (False, True))
    assert laid < 0.0015 < 0.0018 < exact


def test_four_stretches_are_a_letter_and_three_are_an_edge():
    """Bent is what the fifth of a piece's stretches is."""

    def some(number):
        def offsets(at, out, piece, outer):
            made = np.zeros(len(at))
            made[[72, 79, 86, 93, 75, 82][:number]] = [6.0, -6.0, 6.0, -6.0, 6.0, -6.0][:number]
            return made

        return poses(offsets)["D"]

    assert some(4).bent < 0.008 < 0.02 < some(5).bent
    assert some(4).edge < 0.002
    few = board(lambda at, out, piece, outer: np.where(piece == 3, out @ (6.0, 0.0), 0.0), number=2)
    assert [one.edge for one in find_poses(few, SIDE, True, CONFIG)] == [0.0] * 4  # two stretches are no edge
    three = board(lambda at, out, piece, outer: np.where(piece == 3, out @ (6.0, 0.0), 0.0), number=3)
    assert find_poses(three, SIDE, True, CONFIG)[3].edge > 0.02
    assert find_poses(replace(few, offset=np.zeros(0)), SIDE, True, CONFIG) == ()


def test_what_all_rims_have_in_common_is_theirs_by_kind():
    found = _insets(board(lambda at, *_: np.zeros(len(at)), lined=(False, True, False, False)))
    assert found.shape == (96, 3)
    assert found[:, 0].tolist() == [1.0] * 96
    assert found[:, 1].sum() == 8 * 6
    assert np.flatnonzero(found[:, 2]).tolist() == list(range(24, 48))
    around = _insets(board(lambda at, *_: np.zeros(len(at)), lined=(False, True, False, False), around=True))
    assert around[:, 2].sum() == 12


def test_by_how_much_a_pose_moves_a_rim():
    field, own = _designs(board(lambda at, *_: np.zeros(len(at))))
    assert (field.shape, own.shape) == ((96, 12), (96, 4))
    # The first stretch of the first piece: up, a twelfth of its edge along.
    x = 2 * (100 / 12) / 200 - 1
    assert field[0] == pytest.approx([0] * 6 + [-1, -x, 1, -x * x, x, -1])
    # Their middle is 50 off, and the others lie on edges: the mean square of 50 and of the places along an edge.
    along = ((np.arange(6) + 0.5) / 6 - 0.5) * 100
    radius = np.sqrt(50**2 + (along**2).mean())
    assert own[0] == pytest.approx([0, -1, -along[0] / radius, 50 / radius])


def test_what_explains_most_is_not_led_astray():
    """What is off by 0.003 counts half: at the end each is weighted so by where it lies to the others' mean."""
    offset = np.array([0.0, 0.0, 0.0, 0.0005, 0.01])
    (fit,) = _robust(np.ones((5, 1)), offset, np.array([1e9]), CONFIG)
    weights = 1 / (1 + ((offset - fit) / 0.003) ** 2)
    assert fit == pytest.approx((weights * offset).sum() / weights.sum(), rel=1e-3)
    # A deviation of 0.02 beside five of 0.008: 1 / 0.02^2 are 2500, and 5 / 0.008^2 are 78125.
    (held,) = _robust(np.ones((5, 1)), np.full(5, 1e-5), np.array([0.02]), CONFIG)
    assert held == pytest.approx(1e-5 * 78125 / (78125 + 2500), rel=1e-5)
