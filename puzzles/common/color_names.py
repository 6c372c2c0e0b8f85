"""What people call a colour, for instructions and records: a name from hue, saturation and value."""

from __future__ import annotations

import colorsys

from puzzles.common.raster import Color

_DARK_VALUE = 0.22
_LIGHT_VALUE = 0.85
_GREY_SATURATION = 0.15
# Where each name ends, in degrees of HSV hue; what is left up to 360 is red again.
_HUES_DEG = (
    (18.0, "red"),
    (45.0, "orange"),
    (68.0, "yellow"),
    (165.0, "green"),
    (188.0, "cyan"),
    (255.0, "blue"),
    (288.0, "purple"),
    (344.0, "magenta"),
)


def color_name(color: Color) -> str:
    """Return black, white, grey, red, orange, yellow, green, cyan, blue, purple or magenta.

    Colours near the border of two names may be called by the other one elsewhere.

    Parameters
    ----------
    color
        RGB from 0 to 255.
    """
    hue, saturation, value = colorsys.rgb_to_hsv(*(channel / 255 for channel in color))
    if value < _DARK_VALUE:
        return "black"
    if saturation < _GREY_SATURATION:
        return "white" if value > _LIGHT_VALUE else "grey"
    return next((name for end, name in _HUES_DEG if hue * 360 < end), "red")
