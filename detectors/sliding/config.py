"""Settings of the reading of sliding puzzles, a class a stage.

Colour distances are root mean squares over pixels and channels, in levels of 0 to 255, after the change of colour that
the whole board shares was taken out. Lengths called "small" are in pixels of the rectified board.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.residual.windows import WindowConfig, WindowsConfig


@dataclass(frozen=True)
class TileBoardConfig:
    """How a board is cut out of a frame.

    Attributes
    ----------
    cell_px, most_px : side of a cell of the rectified board, and most side of that board
    rim_px : small pixels along each side of a cell that do not count: borders, gaps, rounded corners, misplacement
    oversampling : samples a side that are averaged to one small pixel
    blur_px : standard deviation of the smoothing that follows, small pixels
    """

    cell_px: int = 24
    most_px: int = 100
    rim_px: int = 3
    oversampling: int = 3
    blur_px: float = 0.7


@dataclass(frozen=True)
class BoardSearchConfig:
    """How the board is searched in a frame.

    Attributes
    ----------
    match_px : longer side of the reduced frame in which it is searched
    match_step : ratio of successive sizes in that search
    least_side, most_side : sizes of the board that are searched, as shares of the largest that fits the frame
    least_px : a board or frame is not made smaller than this
    padding : how far a board may leave the frame, as a share of the frame's longer side
    candidates : places from the coarse search that are refined
    refinements : steps of the refinement of the board's place in the first frame
    stretch_change : most ratio between the found shape and the picture's shape
    least_match : least normalised correlation of a board that is found, 0 to 1
    """

    match_px: int = 112
    match_step: float = 1.05
    least_side: float = 0.3
    most_side: float = 1.1
    least_px: int = 8
    padding: float = 0.1
    candidates: int = 3
    refinements: int = 12
    stretch_change: float = 1.25
    least_match: float = 0.5


@dataclass(frozen=True)
class RegistrationConfig:
    """How the board's place is refined, and followed when the camera moves.

    Attributes
    ----------
    robust : differences beyond this, in levels, count little: something else is there
    stiffness : how much a step is drawn to none, as a share of the mean weight of what it changes
    most_step : most shift and growth in one step, in sides of the board
    worse, worse_by : a cell fits worse if its mean squared error grows by more than this factor, and by more than this
        many levels squared
    relocate_frames : unexplained frames in a row after which the board is no longer searched anew
    relocate_steps : steps of that search
    drift_limit : most change of size, and most shift in sides of the board, that a moving camera explains
    """

    robust: float = 20.0
    stiffness: float = 1e-3
    most_step: float = 0.05
    worse: float = 1.1
    worse_by: float = 1.0
    relocate_frames: int = 3
    relocate_steps: int = 4
    drift_limit: float = 0.2


@dataclass(frozen=True)
class BoardColorConfig:
    """Which change of colour the whole board may share.

    Attributes
    ----------
    shift : most root mean square change, levels, that is taken for a change of light or colour
    stiffness : how much the estimate of that change is drawn to "none", in levels squared per pixel
    offset_stiffness : the same for a change that is the same for all colours, as a share of it
    every_px : one pixel in so many a side counts
    least_share : least share of them that must count
    """

    shift: float = 60.0
    stiffness: float = 40.0
    offset_stiffness: float = 0.02
    every_px: int = 3
    least_share: float = 0.2


@dataclass(frozen=True)
class LikenessConfig:
    """When a cell shows a tile.

    Attributes
    ----------
    radius_share : it does if it is nearer to the tile than this share of the way to the most similar other one
    least_radius, most_radius : bounds of that radius, colour distances; tiles nearer than the lower bound look alike
    told : tiles that differ by less can't be told apart
    texture : that radius exceeds its least one by no more than this times the standard deviation within the tile
    alike_margin : a cell is taken for another tile than the expected one only if that fits better by this factor
    still_change : a board whose cells all differ by less, mean absolute levels, from the one read last is not read anew
    """

    radius_share: float = 0.5
    least_radius: float = 11.0
    most_radius: float = 40.0
    told: float = 2.5
    texture: float = 1.0
    alike_margin: float = 0.6
    still_change: float = 0.7


@dataclass(frozen=True)
class SlideConfig:
    """When a tile is on its way.

    Attributes
    ----------
    least_offset : a tile that lies off its cell by less, in cells, lies in it
    arrival : a tile has made its move once it has come this far, in cells
    gain : a slide is seen if it lowers the squared error of its cells to less than this share of that at rest
    edge_px : small pixels on both sides of the edges of moving tiles that do not count
    """

    least_offset: float = 0.05
    arrival: float = 0.92
    gain: float = 0.6
    edge_px: int = 2


@dataclass(frozen=True)
class StretchConfig:
    """What is made of frames that no slide explains.

    Attributes
    ----------
    settle_frames : a new arrangement that is no move must be seen in so many frames, or up to the end; a flaw as
        well. A change with no more unexplained frames happens at once
    certain_frames : frames after an unexplained stretch, or up to the end, after which what it ended in is read again
    lasting_s : content that is no part of the board for as long is reported, seconds
    samples : boards of an unexplained stretch that are kept to tell a fade from motion
    recent : boards at rest that are kept for the same purpose
    fade_error : most error of a mixture of both ends, as a share of their distance, in a fade
    fade_band : a mixture with a share of the later end between this and one minus it is neither end
    scene_share : if more than this share of the cells shows what it should not, the scene was replaced
    """

    settle_frames: int = 2
    certain_frames: int = 5
    lasting_s: float = 0.1
    samples: int = 16
    recent: int = 12
    fade_error: float = 0.25
    fade_band: float = 0.12
    scene_share: float = 0.5


@dataclass(frozen=True)
class BoardStillConfig:
    """How a single picture is read.

    Attributes
    ----------
    rim_levels : a rim in which no pixel differs more from the picture's corner, in any channel, is no part of the board
    trusted : cells that are farther from what they should show than so many times the median do not tell the colours
    """

    rim_levels: int = 10
    trusted: float = 2.0


@dataclass(frozen=True)
class TileRemainderConfig:
    """What counts as drawn over a board.

    Attributes
    ----------
    least_px, most_px : side of a cell of the board that is looked at, in pixels
    parts : noise is told in so many parts of a cell's side
    steps : steps of the refinement of the board's place and colours
    every_px, stiffness : of the change of colours that the whole board shares: one pixel in so many a side counts, and
        how much it is drawn to none
    most_gain : a tile may have so many times the contrast it should have, or as much less
    reach : a pixel may have any colour that is predicted so near to it, as a share of a cell
    beyond : and lie beyond these by this share of the range that they have
    rim : along the sides of cells nothing is told, as a share of a cell
    flare : share of stray light under which a picture is seen
    windows : what is plain to see
    arrived : a tile that lies off its cell by no more than this share of it lies in it
    sets_off_s : so long before and after it is seen on its way, a tile may lie off its cell, in seconds
    least, least_in_clips : what is so many times as plain as what is just seen is drawn, in pictures and in clips
    lasting_s : in clips it counts from this time on, in seconds; what is seen once only does not
    every_s : in clips it is looked at so often, in seconds
    same_levels : a frame no pixel of which is farther than this from the one looked at, in any channel, shows the same
    """

    least_px: int = 24
    most_px: int = 64
    parts: int = 2
    steps: int = 4
    every_px: int = 3
    stiffness: float = 0.002
    most_gain: float = 1.3
    reach: float = 0.025
    beyond: float = 0.15
    rim: float = 0.06
    flare: float = 0.03
    windows: WindowsConfig = field(
        default_factory=lambda: WindowsConfig(
            dot=WindowConfig(0.0, 3, 0.5, 0.07, 3.0, 5.5, 10.0, 0.07),
            spot=WindowConfig(0.1, 5, 0.5, 0.03, 3.0, 6.5, 0.03, 0.03),
            blot=WindowConfig(0.2, 9, 0.4, 0.02, 3.0, 7.0, 0.025, 0.02),
            patch=WindowConfig(0.4, 17, 0.35, 0.014, 3.0, 5.0, 0.019, 0.014),
            line=WindowConfig(0.15, 7, 0.7, 0.06, 3.0, 5.5, 10.0, 0.06),
        )
    )
    arrived: float = 0.02
    lasting_s: float = 0.2
    sets_off_s: float = 0.15
    least: float = 1.3
    least_in_clips: float = 1.8
    every_s: float = 0.1
    same_levels: float = 6.0


@dataclass(frozen=True)
class TileConfig:
    """Settings of the reading of boards of tiles.

    Attributes
    ----------
    board : how a board is cut out
    search : how it is found
    registration : how its place is refined and followed
    colors : how its colours are brought to those of the puzzle
    likeness : when a cell shows a tile
    slide : when a tile is on its way
    stretch : what is made of frames that no slide explains
    still : how a single picture is read
    remainder : what counts as drawn over it
    """

    board: TileBoardConfig = field(default_factory=TileBoardConfig)
    search: BoardSearchConfig = field(default_factory=BoardSearchConfig)
    registration: RegistrationConfig = field(default_factory=RegistrationConfig)
    colors: BoardColorConfig = field(default_factory=BoardColorConfig)
    likeness: LikenessConfig = field(default_factory=LikenessConfig)
    slide: SlideConfig = field(default_factory=SlideConfig)
    stretch: StretchConfig = field(default_factory=StretchConfig)
    still: BoardStillConfig = field(default_factory=BoardStillConfig)
    remainder: TileRemainderConfig = field(default_factory=TileRemainderConfig)


TILE_CONFIG = TileConfig()
"""The settings in use."""
