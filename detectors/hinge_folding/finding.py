"""Finds a chain in a picture: first where it was given, and if it is not there, anywhere and at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from detectors.common.framing import alone_in, inner_frame
from detectors.hinge_folding.colors import GivenLook
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact.check import ExactCheck, check_exactly
from detectors.hinge_folding.exact.discs import given_disc
from detectors.hinge_folding.fits import joint_of, score_poses
from detectors.hinge_folding.fitting import EdgeCheck, check_edges, snapped
from detectors.hinge_folding.placing import LaidChain, lay_chain, lay_rigid
from detectors.hinge_folding.scan import ChainRemainder, ChainScan, look_around, reach_box, scan_chain
from detectors.hinge_folding.search import (
    ChainSighting,
    Sizes,
    same_shape,
    same_size,
    search_chain,
    search_colored,
    search_native,
    sizes_to_try,
    sizes_within,
)
from detectors.hinge_folding.view import ChainView, Floats, Pixels, make_view
from grader.media.pyramid import Pyramid
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, folded, outline_of

_Search = Callable[[Pixels, Sequence[HingeShape], GivenLook, ChainConfig], list[ChainSighting]]


@dataclass(frozen=True, eq=False)
class ChainFindings:
    """What was found of a chain.

    Attributes
    ----------
    scan : the picture explained by it
    scale : working pixels over the picture's, across and down
    view : that picture at its working size
    around : what is drawn outside of its reach, and is not in the given picture
    second : whether another chain lies there
    exact : how exactly it is that chain; None where not all pieces were found
    """

    scan: ChainScan
    scale: tuple[float, float]
    view: ChainView
    around: tuple[ChainRemainder, ...] = ()
    second: bool = False
    exact: ExactCheck | None = None

    @property
    def unit(self) -> tuple[float, float]:
        """Pixels of a unit in the picture, across and down."""
        return self.scan.unit_px / self.scale[0], self.scan.unit_px / self.scale[1]

    def poses(self) -> Floats:
        """Of each piece its centre in pixels of the picture, and its angle."""
        return np.array([(*(piece.pose[:2] / self.scale), piece.pose[2]) for piece in self.scan.pieces])

    def outlines(self) -> tuple[Floats, ...]:
        """The corners of each piece in pixels of the picture."""
        return tuple(piece.corners / self.scale for piece in self.scan.pieces)


def given_look(
    picture: Pixels,
    shapes: Sequence[HingeShape],
    unit_px: float,
    x_px: float,
    y_px: float,
    reach: float,
    config: ChainConfig,
) -> GivenLook:
    """Looks at the picture that was given, in which all hinges are at 0; its unit and first centre are known."""
    box = (x_px - reach * unit_px, y_px - reach * unit_px, x_px + reach * unit_px, y_px + reach * unit_px)
    view = make_view(Pyramid(picture), (unit_px, unit_px), box, config.view)
    poses = np.array(
        [(x_px * view.scale[0] + one[:, 0].mean() * view.unit_px, y_px * view.scale[1], 0.0)
         for one in folded(shapes, [0.0] * (len(shapes) - 1))]
    )  # fmt: skip
    blank = GivenLook(np.zeros((len(shapes), 3)), picture, unit_px, x_px, y_px, reach)
    edges = EdgeCheck(np.ones(len(shapes)), np.zeros(len(shapes)))
    scan = scan_chain(view, shapes, poses, 1.0, edges, blank, config.scan, config.view)
    contrasts = np.array([piece.contrast for piece in scan.pieces])
    disc = given_disc(view, picture, shapes, poses, [piece.color for piece in scan.pieces], config.exact)
    return GivenLook(contrasts, picture, unit_px, x_px, y_px, reach, disc)


def find_chain(picture: Pixels, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig) -> ChainFindings:
    """Finds the chain in a picture, (H, W, 3) uint8 RGB, and says how exactly it is there.

    It is looked for where it was given, at the sizes that the picture's own size may mean; then anywhere.
    """
    return _exactly(picture, shapes, _found(Pyramid(picture), shapes, given, config), given, config)


def other_end(
    found: ChainFindings, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig
) -> ChainFindings | None:
    """The same chain read from its other end, where neither shapes nor colours tell which piece is the first one."""
    ends = [(outline_of(shape).left, outline_of(shape).right) for shape in shapes]
    told = list(shapes) != list(reversed(shapes)) or any(left != -right for left, right in ends)
    if told or found.exact is None or not found.scan.complete or not _recoloured(found, given, config):
        return None
    half_turn = np.array([0.0, 0.0, FULL_TURN / 2])
    pieces = tuple(replace(one, pose=one.pose + half_turn) for one in reversed(found.scan.pieces))
    exact = replace(
        found.exact,
        poses=found.exact.poses[::-1] + half_turn,
        colors=found.exact.colors[::-1],
        fits=found.exact.fits[::-1],
        cut=tuple(len(shapes) - 1 - at for at in found.exact.cut),
    )
    return replace(found, scan=replace(found.scan, pieces=pieces), exact=exact)


def _exactly(
    picture: Pixels, shapes: Sequence[HingeShape], found: ChainFindings, given: GivenLook, config: ChainConfig
) -> ChainFindings:
    """What was found, held against the picture, if that was not done yet and all pieces are there."""
    if not found.scan.complete or found.exact is not None:
        return found
    reach = given.reach * np.array(found.unit)
    first = found.poses()[0, :2]
    around = (*(first - reach), *(first + reach))
    exact = check_exactly(picture, shapes, found.poses(), found.unit, given.disc, around, config)
    return replace(found, exact=exact)


def _found(pyramid: Pyramid, shapes: Sequence[HingeShape], given: GivenLook, config: ChainConfig) -> ChainFindings:
    picture = pyramid.picture
    best: ChainFindings | None = None
    expected: list[Sizes] = []
    for unit, place in sizes_to_try(picture, given, config.search):
        expected.append((unit, place))
        best = _better(best, _near(pyramid, shapes, unit, place, given, config))
        if _clean(best, config):
            around = look_around(best.view, best.scan, given, config.scan)
            return replace(best, around=around.things, second=around.colors > 1)
    frame = inner_frame(picture, config.framing)
    if frame is not None:
        # What lies beyond the puzzle's own ground is no part of what the chain is held against.
        alone = alone_in(picture, frame)
        for unit, place in sizes_within(frame, given, config.search):
            expected.append((unit, place))
            found = _near(Pyramid(alone), shapes, unit, place, given, config)
            if _clean(found, config):
                whole = _view(pyramid, unit, place, given, config)
                return _with_beyond(_exactly(alone, shapes, found, given, config), whole, given, config)
            best = _better(best, found)
    others: list[ChainFindings] = []
    searches = _searches(picture, best, given, config)
    if best is None or searches:
        clean: list[ChainFindings] = []
        for search in searches:
            for one in search(picture, shapes, given, config):
                unit, place = one.unit, one.poses[0][:2]
                if search is search_chain:
                    unit, place = _sized(pyramid, shapes, one, given, config)
                found = _near(pyramid, shapes, unit, place, given, config)
                best = _better(best, found)
                others.append(found)
                clean += [_exactly(picture, shapes, found, given, config)] if _clean(found, config) else []
            if clean:
                # A chain of equal pieces can be read from either end; its pieces are joined, and its first one has its
                # own colour, or is nearer to where it was given.
                best = min(
                    clean,
                    key=lambda one: (
                        _doubtful(one),
                        _loose(one, shapes, config),
                        _recoloured(one, given, config),
                        _astray(one, expected),
                    ),
                )
                if not _doubtful(best):
                    break
    if best is None:
        raise RuntimeError("a picture has at least one size")
    around = look_around(best.view, best.scan, given, config.scan)
    best = replace(best, around=around.things)
    if not any(one.area >= config.scan.around for one in around.things):
        return best
    return replace(best, second=around.colors > 1 or any(_second(best, one, given, config) for one in others))


def _searches(
    picture: Pixels, best: ChainFindings | None, given: GivenLook, config: ChainConfig
) -> tuple[_Search, ...]:
    """How a chain is looked for elsewhere: not at all where it was mostly found in a picture as large as the given one.

    A picture of the same shape in another size may still be a part that was cut out of it.
    """
    if best is not None and _empty(best):
        return ()
    if best is None or not (same_shape(picture, given, config.search) and _mostly(best, config)):
        return search_native, search_colored, search_chain
    return () if same_size(picture, given) else (search_native, search_colored)


def _with_beyond(found: ChainFindings, shown: ChainView, given: GivenLook, config: ChainConfig) -> ChainFindings:
    """A finding with what is drawn outside of its reach in the whole picture, of which it saw but a part."""
    scan = config.scan
    outside = shown.paint > scan.tolerance + scan.noise_weight * shown.noise
    outside[reach_box(found.scan.pieces[0].pose, given.reach * found.scan.unit_px)] = False
    around = look_around(shown, replace(found.scan, outside=outside | found.scan.outside), given, scan)
    return replace(found, around=around.things, second=around.colors > 1)


def _second(best: ChainFindings, other: ChainFindings, given: GivenLook, config: ChainConfig) -> bool:
    """Whether a finding is another chain of about the same size that begins outside of the first one's reach."""
    apart = np.abs(best.poses()[0, :2] - other.poses()[0, :2]) / best.unit
    ratio = other.unit[1] / best.unit[1]
    alike = max(ratio, 1 / ratio) <= config.search.most_stretch
    # The silhouette that stands beside a chain has the places of its pieces, and not their colours.
    return _clean(other, config) and alike and float(apart.max()) > given.reach


def _better(one: ChainFindings | None, other: ChainFindings) -> ChainFindings:
    if one is None:
        return other
    doubts = [scan.unexplained + (1 - scan.held) / 3 for scan in (one.scan, other.scan)]
    return other if doubts[1] < doubts[0] else one


def _empty(found: ChainFindings) -> bool:
    """Whether there is nothing but ground."""
    scan = found.scan
    return not (scan.remainders or scan.outside.any() or any(piece.found for piece in scan.pieces))


def _mostly(found: ChainFindings, config: ChainConfig) -> bool:
    """Whether more than half of the pieces were found, the first among them, and not much is drawn beside them."""
    there = [piece.found for piece in found.scan.pieces]
    return there[0] and 2 * sum(there) > len(there) and found.scan.unexplained < config.scan.mostly


def _recoloured(found: ChainFindings, given: GivenLook, config: ChainConfig) -> bool:
    """Whether most pieces have other colours than those that were given."""
    off = np.abs(np.array([piece.contrast for piece in found.scan.pieces]) - given.contrasts).max(axis=1)
    return float(np.median(off)) > config.scan.recoloured


def _doubtful(found: ChainFindings) -> bool:
    """Whether something is drawn that is no piece, or a piece has another shape, when looked at closely."""
    return found.exact is None or any(not one.mark for one in found.exact.left)


def _loose(found: ChainFindings, shapes: Sequence[HingeShape], config: ChainConfig) -> bool:
    """Whether two pieces are apart at their hinge."""
    exact = found.exact
    poses = found.poses() / (*found.unit, 1.0) if exact is None else exact.poses / (*exact.unit, 1.0)
    ends = zip(shapes, shapes[1:], poses, poses[1:], strict=False)  # one less than pieces
    gaps = [
        joint_of(one, outline_of(shape).right, 1.0) - joint_of(other, outline_of(following).left, 1.0)
        for shape, following, one, other in ends
    ]
    return any(float(np.hypot(*gap)) > config.search.loose for gap in gaps)


def _astray(found: ChainFindings, expected: Sequence[Sizes]) -> float:
    """How far a first piece is from where it may be expected, in units."""
    place = found.scan.pieces[0].pose[:2] / found.scale
    unit = found.scan.unit_px / found.scale[0]
    return min(float(np.hypot(*(place - one[1]))) / unit for one in expected) if expected else 0.0


def _clean(found: ChainFindings, config: ChainConfig) -> bool:
    stretched = max(found.scale) > config.scan.stretched * min(found.scale)
    return found.scan.clean(config.scan.clean) and (not stretched or found.scan.held >= config.scan.stretched_held)


def _near(
    picture: Pyramid,
    shapes: Sequence[HingeShape],
    unit: tuple[float, float],
    place: tuple[float, float],
    given: GivenLook,
    config: ChainConfig,
) -> ChainFindings:
    """The best chain whose first piece lies near to a place, in pixels of the picture."""
    view = _view(picture, unit, place, given, config)
    placing = config.placing
    steps = np.arange(-placing.first_reach, placing.first_reach + 1e-9, placing.first_step) * view.unit_px
    x, y = place[0] * view.scale[0], place[1] * view.scale[1]
    poses = np.stack(np.meshgrid(x + steps, y + steps, [0.0], indexing="ij"), axis=-1).reshape(-1, 3)
    scores = score_poses(view, shapes[0], poses, 1.0, placing, config.view.edge_half)
    first = poses[np.argsort(-scores, kind="stable")[: placing.kept]]
    best: ChainFindings | None = None
    for scan in _scanned(view, shapes, first, given, config):
        best = _better(best, ChainFindings(scan, view.scale, view))
    if best is None:
        raise RuntimeError("a chain was laid at least once")
    return best


def _view(
    picture: Pyramid, unit: tuple[float, float], place: tuple[float, float], given: GivenLook, config: ChainConfig
) -> ChainView:
    across, down = given.reach * unit[0], given.reach * unit[1]
    box = (place[0] - across, place[1] - down, place[0] + across, place[1] + down)
    return make_view(picture, unit, box, config.view)


def _sized(
    picture: Pyramid, shapes: Sequence[HingeShape], sighting: ChainSighting, given: GivenLook, config: ChainConfig
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Size of a unit and place of the first piece where a chain was sighted, more exactly."""
    unit, place = sighting.unit, sighting.poses[0][:2]
    view = _view(picture, unit, place, given, config)
    poses = np.array(sighting.poses) * (*view.scale, 1.0)
    chain = LaidChain(poses, np.zeros(len(poses)))
    fitted = snapped(view, shapes, chain, config.placing, config.view, config.placing.wide)
    if fitted is None:
        return unit, place
    x, y, _ = fitted.poses[0]
    return (
        (unit[0] * fitted.scale, unit[1] * fitted.scale),
        (float(x) / view.scale[0], float(y) / view.scale[1]),
    )


def _scanned(
    view: ChainView, shapes: Sequence[HingeShape], first: Floats, given: GivenLook, config: ChainConfig
) -> Iterator[ChainScan]:
    """Pictures explained by the best chains, first with the angles that hinges have; a clean one is the last."""
    for one in _chains(view, shapes, first, config):
        edges = check_edges(view, shapes, one, config.placing, config.view)
        scan = scan_chain(view, shapes, one.poses, one.scale, edges, given, config.scan, config.view)
        yield scan
        if scan.clean(config.scan.clean):
            return


def _chains(view: ChainView, shapes: Sequence[HingeShape], first: Floats, config: ChainConfig) -> Iterator[LaidChain]:
    placing = config.placing
    rigid: list[LaidChain] = []
    likeliest: LaidChain | None = None
    for scale in placing.rigid_scales:
        rigid += lay_rigid(view, shapes, first, scale, placing, config.view)
        if scale == 1.0:
            # Mostly the picture is as large as it should be, and no more is needed.
            likeliest = max(rigid, key=lambda one: one.total)
            fitted = snapped(view, shapes, likeliest, placing, config.view)
            if fitted is not None:
                yield fitted
    rigid.sort(key=lambda one: -one.total)
    for one in _different(rigid)[: placing.rigid_kept]:
        if one is likeliest:
            continue
        fitted = snapped(view, shapes, one, placing, config.view)
        if fitted is not None:
            yield fitted
    if rigid[0].total < placing.rigid_least * len(shapes):
        # Hardly any piece lies here; then angles that hinges can't have are not looked for.
        yield rigid[0]
        return
    free = lay_chain(view, shapes, first, placing, config.view)
    for one in free:
        fitted = snapped(view, shapes, one, placing, config.view)
        if fitted is not None:
            yield fitted
    yield from free


def _different(chains: Sequence[LaidChain]) -> list[LaidChain]:
    """The first of those with the same angles."""
    kept: dict[bytes, LaidChain] = {}
    for one in chains:
        kept.setdefault(np.rint(np.degrees(one.poses[:, 2] - one.poses[0, 2])).astype(np.int64).tobytes(), one)
    return list(kept.values())
