"""How textured mazes are read, and turned into flat ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.colors import HuesConfig


@dataclass(frozen=True)
class ZoneConfig:
    """How it is told whether a part of a textured maze looks like floor.

    Attributes
    ----------
    inset : share of a zone's shorter side, at each of its edges, that is not looked at
    least_px : zones with fewer pixels of the picture than this are not looked at
    apart : how much less two zones of one kind may differ than two of different kinds, as a share of that
    least : OKLab distance up to which two zones look alike in any case
    most : share of the floor's zones that a colour is at home in from which it is the floor's own
    long : a mark in other colours that is longer than this many cells is drawn already
    binned : colours are told apart in steps of this many levels, 0 to 255
    """

    inset: float = 0.12
    least_px: int = 9
    apart: float = 0.75
    least: float = 0.02
    most: float = 0.5
    long: float = 1.25
    binned: int = 24


@dataclass(frozen=True)
class FlatConfig:
    """How the flat maze is drawn that stands for a textured one.

    Attributes
    ----------
    apart : least OKLab distance of the flat colours of floor and walls; nearer walls are black or white
    marker_apart : least OKLab distance of a marker's flat colour to every mixture of those two
    beyond : by how many levels, 0 to 255, a pixel of a marker is beyond what the floor has in its place elsewhere
    closed : gaps of a marker up to this share of a cell are closed
    marker : smallest marker, as a share of a cell's area
    inside : a marker keeps away from the edges of its cell by this share of it
    stray : smallest mark that does not belong where neither start nor goal is, as a share of the smaller marker
    hues : colours, 0 to 255, of markers whose own are too near to those of floor and walls...
    named : ...of which none is taken that has the name of the path's...
    slack_deg : ...or nearly, by so many degrees of hue
    """

    apart: float = 0.35
    marker_apart: float = 0.2
    beyond: float = 24.0
    closed: float = 0.08
    marker: float = 0.02
    inside: float = 0.06
    stray: float = 0.6
    hues: tuple[tuple[int, int, int], ...] = (
        (235, 60, 220),
        (250, 150, 20),
        (30, 200, 240),
        (130, 60, 250),
        (240, 230, 60),
        (220, 40, 40),
        (40, 180, 70),
    )
    named: HuesConfig = field(default_factory=HuesConfig)
    slack_deg: float = 12.0


@dataclass(frozen=True)
class SettlingConfig:
    """How a candidate is brought onto its textures.

    Attributes
    ----------
    blurs : standard deviations, in working pixels, of blurs under which it is, from coarse to fine
    rounds : most steps under each...
    rest_px : ...which end once a corner moves by less than this, in working pixels
    samples, least : it is told by about so many pixels, and not by fewer than these
    trimmed : quantile of the differences at which a pixel counts a quarter
    still_px, most_px : it is moved only where a corner moves by more than the first, and by no more than the second
    """

    blurs: tuple[float, ...] = (3.0, 1.5, 0.8)
    rounds: int = 6
    rest_px: float = 0.03
    samples: int = 20_000
    least: int = 400
    trimmed: float = 0.6
    still_px: float = 0.1
    most_px: float = 5.0


@dataclass(frozen=True)
class DifferenceConfig:
    """How a candidate is compared with a textured maze.

    Attributes
    ----------
    blurs : standard deviations, in working pixels, of the blurs that the candidate may have
    slack : levels, 0 to 255, that a pixel may be beyond the range of those around it...
    rough : ...and this share of that range beside, for compression blurs what has strong edges
    usual : quantile of that excess in a cell...
    quiet : ...of which the one at this quantile of all cells...
    noisy : ...times this, is allowed as well...
    most_noise : ...up to so many levels
    painted : excess, 0 to 255, up to which a pixel is what it was, with something seen through...
    opaque : ...and from which it was painted over
    closed_px : gaps up to twice so many working pixels between pixels that were painted over are, too...
    closed_alike : ...where their colour is that of these up to so many levels, 0 to 255
    trimmed : share of the pixels, those that differ least, by which blur and colours are told
    rounds : how often colours are fitted, each time by what differs least
    told : a channel's factor is told where it varies by so many times what is left of it, else by the middles of what
        is dark and of what is light...
    few : ...of which there is at least this share each
    most_gain : largest factor of a channel that is undone
    most_shift : largest shift of a channel that is undone
    even : side of the square, as a share of a cell, over which light is compared
    mark_hue_deg : what marks start or goal has its hue still within so many degrees...
    mark_chroma : ...if it had one, by this OKLab chroma...
    mark_kept : ...of which it has this share still
    mark_aside : what is off every mixture of floor and mark by no more than this share of what these are apart is one
    settling : how it is brought onto its textures
    """

    blurs: tuple[float, ...] = (0.0, 0.6, 1.0, 1.6, 2.4)
    slack: float = 5.0
    rough: float = 0.2
    usual: float = 0.7
    quiet: float = 0.25
    noisy: float = 3.0
    most_noise: float = 24.0
    painted: float = 18.0
    opaque: float = 48.0
    closed_px: int = 3
    closed_alike: float = 60.0
    trimmed: float = 0.7
    rounds: int = 4
    told: float = 4.0
    few: float = 0.01
    most_gain: float = 1.8
    most_shift: float = 60.0
    even: float = 0.5
    mark_hue_deg: float = 25.0
    mark_chroma: float = 0.06
    mark_kept: float = 0.4
    mark_aside: float = 0.12
    settling: SettlingConfig = field(default_factory=SettlingConfig)


@dataclass(frozen=True)
class LooksConfig:
    """How textured mazes are read.

    Attributes
    ----------
    zones : how floor is told
    flat : how the flat maze is drawn
    difference : how a candidate is compared
    rim : share of a tile by which a tile's cell reaches into the blocked tiles beside it
    """

    zones: ZoneConfig = field(default_factory=ZoneConfig)
    flat: FlatConfig = field(default_factory=FlatConfig)
    difference: DifferenceConfig = field(default_factory=DifferenceConfig)
    rim: float = 0.15
