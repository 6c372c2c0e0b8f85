"""How paper folds look."""

from __future__ import annotations

from dataclasses import dataclass

from puzzles.common.lettering import Font
from puzzles.common.raster import Color
from puzzles.common.texture import Texture


@dataclass(frozen=True)
class FoldStyle:
    """Colours and widths. Lengths are shares of the sheet's side.

    Attributes
    ----------
    ground
        What lies around the sheet.
    front, back
        The sheet's two sides.
    edge, edge_width
        The lines around its layers.
    hole, rim, rim_width
        Holes, and the lines around them.
    sheet_share
        Side of the flat sheet as a share of that of the picture.
    ink
        Letters, arrows and dashes of the question.
    font
        Of the letters.
    texture
        Of the paper; none where it is None.

    Raises
    ------
    ValueError
        If the sheet does not fit into the picture, or a width is negative.
    """

    ground: Color = (255, 255, 255)
    front: Color = (206, 222, 240)
    back: Color = (232, 240, 214)
    edge: Color = (60, 70, 90)
    edge_width: float = 0.008
    hole: Color = (255, 255, 255)
    rim: Color = (40, 44, 56)
    rim_width: float = 0.008
    sheet_share: float = 0.8
    ink: Color = (40, 40, 48)
    font: Font = Font.PILLOW
    texture: Texture | None = None

    def __post_init__(self) -> None:
        if not 0 < self.sheet_share <= 1:
            raise ValueError(f"sheet_share must be above 0 and at most 1, not {self.sheet_share}")
        if min(self.edge_width, self.rim_width) < 0:
            raise ValueError("widths must not be negative")
