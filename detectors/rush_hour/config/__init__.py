"""Settings of the detector for parking lots, a class a stage. Lengths are in units of the lot, colours in CIELAB.

A colour distance is Euclidean in CIELAB, with the lightness weighed less, because pictures drift in brightness more
than in hue.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.rush_hour.config.border import BorderConfig, BorderFollowConfig, FirstFrameConfig, ViewConfig
from detectors.rush_hour.config.colors import InsideConfig, LotColorConfig, PaletteConfig
from detectors.rush_hour.config.remainder import LotRemainderConfig
from detectors.rush_hour.config.scene import ChangeConfig, ConductConfig, EventConfig, JumpConfig, LotSceneConfig
from detectors.rush_hour.config.vehicles import RepaintConfig, ShapeConfig, StillConfig, TrackConfig, VehicleConfig

__all__ = [
    "LOT_CONFIG",
    "BorderConfig",
    "BorderFollowConfig",
    "ChangeConfig",
    "ConductConfig",
    "EventConfig",
    "FirstFrameConfig",
    "InsideConfig",
    "JumpConfig",
    "LotColorConfig",
    "LotConfig",
    "LotRemainderConfig",
    "LotSceneConfig",
    "PaletteConfig",
    "RepaintConfig",
    "ShapeConfig",
    "StillConfig",
    "TrackConfig",
    "VehicleConfig",
    "ViewConfig",
]


@dataclass(frozen=True)
class LotConfig:
    """What counts as a lot, a vehicle, and a change of the scene: the settings of every stage.

    Attributes
    ----------
    border : how the lot is found in a picture
    view : how it is cut out
    follow : how its border is followed
    colors : which colour is which thing's
    palette : how colours are learned from a picture
    vehicles : how a vehicle is measured
    tracks : how it is followed
    first : what the first frame must show
    scene : how exits, obstacles and the floor are looked at
    events : what is an event
    stills : how single pictures are read
    remainder : what counts as drawn over the lot
    """

    border: BorderConfig = field(default_factory=BorderConfig)
    view: ViewConfig = field(default_factory=ViewConfig)
    follow: BorderFollowConfig = field(default_factory=BorderFollowConfig)
    colors: LotColorConfig = field(default_factory=LotColorConfig)
    palette: PaletteConfig = field(default_factory=PaletteConfig)
    vehicles: VehicleConfig = field(default_factory=VehicleConfig)
    tracks: TrackConfig = field(default_factory=TrackConfig)
    first: FirstFrameConfig = field(default_factory=FirstFrameConfig)
    scene: LotSceneConfig = field(default_factory=LotSceneConfig)
    events: EventConfig = field(default_factory=EventConfig)
    stills: StillConfig = field(default_factory=StillConfig)
    remainder: LotRemainderConfig = field(default_factory=LotRemainderConfig)


LOT_CONFIG = LotConfig()
"""The settings in use."""
