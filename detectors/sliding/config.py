"""What the reading of sliding puzzles takes for granted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TileConfig:
    """Settings of the reading of boards of tiles.

    Colour distances are root mean squares over pixels and channels, in levels of 0 to 255, after the change of colour
    that the whole board shares was taken out. Lengths called "small" are in pixels of the rectified board.

    Attributes
    ----------
    cell_px, most_px : side of a cell of the rectified board, and most side of that board
    rim_px : pixels along each side of a cell that do not count: borders, gaps, rounded corners, misplacement
    oversampling : samples a side that are averaged to one small pixel
    radius_share : a cell shows a tile if it is nearer to it than this share of the way to the most similar other one
    least_radius, most_radius : bounds of that radius, colour distances; tiles nearer than the lower bound look alike
    texture : that radius exceeds its least one by no more than this times the standard deviation within the tile
    alike_margin : a cell is taken for another tile than the expected one only if that fits better by this factor
    still_change : a board whose cells all differ by less, mean absolute levels, from the one read last is not read anew
    color_shift : most root mean square change, levels, that is taken for a change of light or colour of the whole board
    color_stiffness : how much the estimate of that change is drawn to "none", in levels squared per pixel
    least_offset : a tile that lies off its cell by less, in cells, lies in it
    arrival : a tile has made its move once it has come this far, in cells
    gain : a slide is seen if it lowers the squared error of its cells to this share or less of that at rest
    edge_px : small pixels on both sides of the edges of moving tiles that do not count
    settle_frames : a new arrangement that is no move must be seen in so many frames, or up to the end
    certain_frames : frames after an unexplained stretch, or up to the end, after which what it ended in is read again
    at_once_frames : a change with at most so many unexplained frames happens at once; also a flaw this short is none
    lasting_s : content that is no part of the board for as long is reported, seconds
    samples : boards of an unexplained stretch that are kept to tell a fade from motion
    recent : boards at rest that are kept for the same purpose
    fade_error : most error of a mixture of both ends, as a share of their distance, in a fade
    fade_band : a mixture with a share of the later end between this and one minus it is neither end
    scene_share : if more than this share of the cells shows what it should not, the scene was replaced
    match_px : longer side of the reduced frame in which the board is searched
    match_step : ratio of successive sizes in that search
    least_side, most_side : sizes of the board that are searched, as shares of the largest that fits the frame
    padding : how far a board may leave the frame, as a share of the frame's longer side
    least_match : least normalised correlation of a board that is found, 0 to 1
    stretch_change : most ratio between the found shape and the picture's shape
    candidates : places from the coarse search that are refined
    refinements : steps of the refinement of the board's place in the first frame
    drift_limit : most change of size, and most shift in sides of the board, that a moving camera explains
    relocate_frames : unexplained frames in a row after which the board is no longer searched anew
    """

    cell_px: int = 24
    most_px: int = 100
    rim_px: int = 3
    oversampling: int = 3
    radius_share: float = 0.5
    least_radius: float = 11.0
    most_radius: float = 40.0
    texture: float = 1.0
    alike_margin: float = 0.6
    still_change: float = 0.7
    color_shift: float = 60.0
    color_stiffness: float = 40.0
    least_offset: float = 0.05
    arrival: float = 0.92
    gain: float = 0.6
    edge_px: int = 2
    settle_frames: int = 2
    certain_frames: int = 5
    at_once_frames: int = 2
    lasting_s: float = 0.25
    samples: int = 16
    recent: int = 12
    fade_error: float = 0.25
    fade_band: float = 0.12
    scene_share: float = 0.5
    match_px: int = 112
    match_step: float = 1.05
    least_side: float = 0.3
    most_side: float = 1.1
    padding: float = 0.1
    least_match: float = 0.5
    stretch_change: float = 1.25
    candidates: int = 3
    refinements: int = 12
    drift_limit: float = 0.2
    relocate_frames: int = 3
