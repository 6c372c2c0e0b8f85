"""The colours of grid mazes: the four palettes, whose names are those of MazeBench."""

from __future__ import annotations

from dataclasses import dataclass

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Palette:
    """Colours of a picture, each of 8 bits.

    Attributes
    ----------
    wall_kind : the sprite of its walls: hedge, blocks, bricks or stones
    floor, floor_mark : of the floor, and of what lies on it
    wall, wall_light, wall_dark : of a wall, where it is lit, and of its joints
    trap, trap_light, trap_dark : of a trap's pit, its spikes and its rim
    coat, skin, hair : of the player
    chest, chest_dark, gold : of the treasure
    line, frame, around : between tiles, around the grid, and beside it
    """

    wall_kind: str
    floor: Color
    floor_mark: Color
    wall: Color
    wall_light: Color
    wall_dark: Color
    trap: Color
    trap_light: Color
    trap_dark: Color
    coat: Color
    skin: Color
    hair: Color
    chest: Color
    chest_dark: Color
    gold: Color
    line: Color
    frame: Color
    around: Color


PALETTES = {
    "forest": Palette(
        wall_kind="hedge",
        floor=(196, 178, 128),
        floor_mark=(176, 156, 106),
        wall=(38, 94, 50),
        wall_light=(66, 132, 66),
        wall_dark=(22, 62, 36),
        trap=(60, 34, 28),
        trap_light=(224, 96, 54),
        trap_dark=(128, 42, 30),
        coat=(52, 88, 176),
        skin=(238, 198, 160),
        hair=(86, 52, 28),
        chest=(134, 78, 34),
        chest_dark=(84, 46, 20),
        gold=(246, 204, 66),
        line=(158, 140, 96),
        frame=(20, 44, 26),
        around=(28, 34, 26),
    ),
    "desert": Palette(
        wall_kind="blocks",
        floor=(238, 212, 150),
        floor_mark=(222, 192, 126),
        wall=(164, 104, 62),
        wall_light=(192, 134, 86),
        wall_dark=(118, 70, 42),
        trap=(78, 30, 40),
        trap_light=(232, 70, 78),
        trap_dark=(146, 34, 52),
        coat=(30, 128, 132),
        skin=(214, 160, 116),
        hair=(250, 246, 232),
        chest=(120, 62, 42),
        chest_dark=(74, 36, 26),
        gold=(255, 224, 92),
        line=(212, 182, 118),
        frame=(92, 54, 32),
        around=(52, 38, 30),
    ),
    "dungeon": Palette(
        wall_kind="bricks",
        floor=(132, 134, 146),
        floor_mark=(114, 116, 130),
        wall=(54, 50, 66),
        wall_light=(76, 70, 90),
        wall_dark=(30, 28, 40),
        trap=(40, 10, 14),
        trap_light=(236, 62, 46),
        trap_dark=(138, 20, 24),
        coat=(142, 62, 168),
        skin=(232, 190, 158),
        hair=(222, 196, 92),
        chest=(126, 82, 44),
        chest_dark=(72, 44, 24),
        gold=(250, 208, 70),
        line=(104, 106, 118),
        frame=(16, 14, 24),
        around=(8, 8, 14),
    ),
    "meadow": Palette(
        wall_kind="stones",
        floor=(146, 204, 104),
        floor_mark=(120, 180, 84),
        wall=(146, 142, 138),
        wall_light=(180, 176, 170),
        wall_dark=(98, 94, 92),
        trap=(72, 42, 22),
        trap_light=(240, 120, 40),
        trap_dark=(150, 66, 24),
        coat=(206, 54, 60),
        skin=(240, 204, 168),
        hair=(60, 40, 30),
        chest=(146, 84, 40),
        chest_dark=(92, 50, 24),
        gold=(252, 214, 74),
        line=(124, 182, 88),
        frame=(70, 104, 54),
        around=(206, 228, 240),
    ),
}
"""By name."""
