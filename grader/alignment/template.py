"""What of a puzzle's picture a candidate is aligned with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.flow import FlowConfig
from grader.alignment.framing import Box, FramingConfig, content_box
from grader.alignment.structure import Rhythm, StructureConfig, rhythm_of
from grader.media.pyramid import fitted, reduce_picture

SOBEL_SCALE = 0.125  # not a threshold: it makes Sobel's sum a slope in grey levels a pixel


@dataclass(frozen=True)
class SearchConfig:
    """How the map is looked for under which a candidate agrees best.

    Attributes
    ----------
    better : by how much more a proposed map has to agree (-1 to 1) to be taken
    polish_loss : by how much less a polished map may agree: it is placed by edges, which tell more
    polish_steps : most steps of polishing...
    bend_steps : ...and of bending...
    rest : ...which end once nothing moves by this many template pixels any more
    bend_gain : by how much more a bent candidate has to agree...
    bend_share : ...and by this share of what does not agree: a blur seems to bend a little
    keystone_steps : most steps in which a perspective is looked for, at either resolution...
    keystone_below : ...where what was found agrees less than this
    local_blocks : rows and columns of blocks in which a local displacement is looked for
    zooms, turns : how many changes of scale, and of direction, are tried, evenly from the least to the largest
    sampled_px : they are compared on a grid of about so many points a side...
    coarse_px : ...at half the resolution where a template's longest side is at least this
    least_px : a displacement is looked for with a middle of the puzzle at least this high and wide, in template pixels
    least_pixels : fewer comparable pixels tell nothing
    compared_share : of the pixels that could be compared, the share below which agreement counts less
    least_gain, most_gain : range of the factor by which a candidate's contrast is brought to the puzzle's
    """

    better: float = 1e-4
    polish_loss: float = 1e-3
    polish_steps: int = 6
    bend_steps: int = 5
    rest: float = 0.05
    bend_gain: float = 0.002
    bend_share: float = 0.2
    keystone_steps: int = 8
    keystone_below: float = 0.985
    local_blocks: int = 6
    zooms: int = 15
    turns: int = 7
    sampled_px: int = 80
    coarse_px: int = 200
    least_px: int = 8
    least_pixels: int = 16
    compared_share: float = 0.75
    least_gain: float = 0.4
    most_gain: float = 2.5


@dataclass(frozen=True)
class AnswerConfig:
    """What of a candidate is its answer, and is not compared.

    Attributes
    ----------
    colorful : difference of the largest and smallest channel (0 to 255) from which a pixel counts as coloured, and is
        not compared where the puzzle has no colour
    are_dark : whether answers are dark marks, as queens are; then what is darker than the puzzle is not compared...
    darker : ...by at least so many grey levels...
    line_px : ...where it is at least this thick, in template pixels: thinner is a grid line that is out of place...
    rim_px : ...with what lies around it in a square of this side
    """

    colorful: int = 48
    are_dark: bool = False
    darker: float = 96.0
    line_px: int = 5
    rim_px: int = 5


@dataclass(frozen=True)
class AlignmentConfig:
    """How a candidate is aligned.

    Attributes
    ----------
    template_px : pictures are halved until their longest side is at most this, and then compared
    still : displacement, as a share of the longest side, below which a candidate is left where it is
    good : agreement (-1 to 1) above which the plain resize needs no other explanation if it is also still...
    sure : ...and above which bars around the puzzle are not even looked for
    accept : agreement below which alignment has failed
    mostly : agreement from which a displacement is tried before the puzzle is looked for beside other things
    hopeful : agreement below which zooms, turns and bends are not tried: another picture costs no more than a right one
    boxed : by how much more a letterbox has to agree, to be believed instead of a displacement
    max_bend : largest local displacement, as a share of the longest side; what lies further off was redrawn
    least_keystone, max_keystone : least and largest displacement by perspective, beside the affine map that is nearest
        to it, as such a share; a smaller one is a bend like others
    max_shift : largest displacement against the explanation that it refines, as a share of the longest side
    max_zoom : largest change of scale that is looked for
    max_rotation_rad : largest turn that is looked for
    framing : what counts as a frame around the drawing
    structure : how the puzzle is looked for in a picture that shows more than it
    flow : how displacements are told
    search : how maps are tried
    marks : what belongs to the answer
    """

    template_px: int = 320
    still: float = 0.0012
    good: float = 0.9
    sure: float = 0.98
    accept: float = 0.35
    mostly: float = 0.7
    hopeful: float = 0.15
    boxed: float = 0.01
    max_bend: float = 0.02
    least_keystone: float = 0.01
    max_keystone: float = 0.03
    max_shift: float = 0.06
    max_zoom: float = 0.07
    max_rotation_rad: float = 0.03
    framing: FramingConfig = field(default_factory=FramingConfig)
    structure: StructureConfig = field(default_factory=StructureConfig)
    flow: FlowConfig = field(default_factory=FlowConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    marks: AnswerConfig = field(default_factory=AnswerConfig)


@dataclass(frozen=True)
class Template:
    """What of a puzzle's picture a candidate is compared with; computed once a puzzle.

    Attributes
    ----------
    size : (width, height) of the puzzle's picture
    factor : puzzle pixels per template pixel, a power of two
    grey : (h, w) float32, 0 to 255
    colorless : (h, w) bool, pixels without colour in the puzzle
    compared : (h, w) bool, pixels that belong to the puzzle, and not to what lies around it
    content : the box inside the puzzle's own uniform rim, in puzzle pixels, or None where it has none
    gradients : two of (h, w) float32, of grey, along x and along y
    picture : (H, W, 3) uint8, what it was made of
    around : what lies around the puzzle, at any reduction, or None
    config : how candidates are aligned with it
    spread : (h, w) uint8, by how much channels differ, where answers are told on colours as well; else None
    """

    size: tuple[int, int]
    factor: int
    grey: NDArray[np.float32]
    colorless: NDArray[np.bool_]
    compared: NDArray[np.bool_]
    content: Box | None
    gradients: tuple[NDArray[np.float32], NDArray[np.float32]]
    picture: NDArray[np.uint8]
    around: NDArray[np.bool_] | None
    config: AlignmentConfig
    spread: NDArray[np.uint8] | None = None

    @cached_property
    def rhythm(self) -> Rhythm:
        """What the puzzle is looked for by in a picture that shows more than it."""
        grey, colored = grey_and_color(fitted(self.picture, self.config.structure.side_px), self.config)
        return rhythm_of(grey, colored, self.config.structure)

    def coarser(self, config: AlignmentConfig) -> Template | None:
        """The same at half the resolution, for a search that tries many maps; None where little would be left."""
        if max(self.grey.shape) < config.search.coarse_px:
            return None
        return _template(self.picture, 2 * self.factor, config, self.around, self.content, self.spread is not None)

    def finer(self, config: AlignmentConfig) -> Template | None:
        """The same at twice the resolution, to place thin lines exactly; None where there is none."""
        if self.factor == 1:
            return None
        return _template(self.picture, self.factor // 2, config, self.around, self.content, self.spread is not None)


def make_template(
    picture: NDArray[np.uint8],
    config: AlignmentConfig,
    around: NDArray[np.bool_] | None = None,
    *,
    over_colors: bool = False,
) -> Template:
    """Reduces a puzzle's picture to what candidates are compared with.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    config : AlignmentConfig
    around : ndarray, bool, optional
        What lies around the puzzle, at any reduction: a model may repaint it, which moves nothing.
    over_colors : bool
        Whether answers are told where the puzzle has colours as well: by pixels that are far more colourful than its.
    """
    height, width = picture.shape[:2]
    factor = 1
    while max(width, height) / factor > config.template_px:
        factor *= 2
    return _template(picture, factor, config, around, content_box(picture, config.framing), over_colors)


def _template(
    picture: NDArray[np.uint8],
    factor: int,
    config: AlignmentConfig,
    around: NDArray[np.bool_] | None,
    content: Box | None,
    over_colors: bool,
) -> Template:
    small = reduce_picture(picture, factor)
    plain_grey, spread = grey_and_spread(small)
    grey, colored = plain_grey.astype(np.float32), spread >= config.marks.colorful
    along_x = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=SOBEL_SCALE), np.float32)
    along_y = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=SOBEL_SCALE), np.float32)
    compared = np.ones(grey.shape, np.bool_)
    if around is not None:
        size = (grey.shape[1], grey.shape[0])
        # not a threshold: half of 255, so half of a pixel
        compared = cv2.resize(around.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) < 128
    return Template(
        size=(picture.shape[1], picture.shape[0]),
        factor=factor,
        grey=grey,
        colorless=~colored,
        compared=compared,
        content=content,
        gradients=(along_x, along_y),
        picture=picture,
        around=around,
        config=config,
        spread=spread if over_colors else None,
    )


def grey_and_color(
    picture: NDArray[np.uint8], config: AlignmentConfig
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A picture's grey, slightly blurred, and which of its pixels have a colour."""
    grey, spread = grey_and_spread(picture)
    return grey.astype(np.float32), spread >= config.marks.colorful


def grey_and_spread(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A picture's grey, slightly blurred, and by how much the channels of each pixel differ."""
    red, green, blue = cv2.split(picture)
    spread = cv2.subtract(cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue))
    # A slight blur takes away the difference between a line that falls on one pixel and one that falls on two.
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (3, 3), 0)
    return np.asarray(grey, np.uint8), np.asarray(spread, np.uint8)
