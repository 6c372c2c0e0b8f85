"""What is left of a small picture of a lot, once what is known of it is taken off."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.remainder.field import LotResidual, lot_residual
from detectors.rush_hour.remainder.finding import LotRemainderFinder, plainness
from detectors.rush_hour.remainder.plan import FLOOR, LotPlan, LotPlanner
from detectors.rush_hour.vehicles import VehicleShape
from puzzles.rush_hour.lot import Exit, Lot, Side
from tests.rush_hour.lot_clips import RED, rgb, vehicle
from tests.rush_hour.stages.small_pictures import inside, view_of

LOT = Lot(8.0, 6.0, (Exit(Side.RIGHT, 3.2, 4.8),), (vehicle("R", 3.0, 2.0, 0.0, RED),), ())
CONFIG = LOT_CONFIG.remainder
FLOOR_COLOR = np.array([0.9, 0.0, 0.0], np.float32)
GREEN = np.array([-0.15, -0.1, 0.06], np.float32)
"""From the floor's colour to the exit's, in the colours of `seen`."""


def planned() -> tuple[np.ndarray, LotPlan]:
    """The picture, in which there is floor alone and a body of another lightness, and its plan."""
    view, shape = view_of(LOT)
    lab = np.tile(FLOOR_COLOR, (*shape, 1)).astype(np.float32)
    places = [one.pose for one in LOT.vehicles]
    plan = LotPlanner(LOT, CONFIG).plan(lab, view, places)
    lab[plan.owner == 0, 0] = 0.5
    return lab, plan


def left_of(lab: np.ndarray, plan: LotPlan) -> np.ndarray:
    residual = lot_residual(lab, plan, np.zeros(lab.shape[:2], np.bool_), CONFIG)
    return np.asarray(np.sqrt((residual.values**2).sum(axis=2)))


def test_the_hue_of_an_exit_may_reach_a_pixel_beyond_its_lightness():
    """Video keeps hues at half the resolution."""
    lab, plan = planned()
    bar = plan.exits & (plan.owner == FLOOR) & (plan.inside > CONFIG.mixing.side_px)
    lab[bar] += GREEN
    deepest = float(plan.inside[bar].max())
    rim = bar & (plan.inside > deepest - 1.5)
    lab[rim] = FLOOR_COLOR + np.array([0.0, *(0.6 * GREEN[1:])], np.float32)
    assert float(left_of(lab, plan)[rim].max()) < 0.02
    # What is of another hue is something else.
    lab[rim] = FLOOR_COLOR + np.array([0.0, 0.08, 0.0], np.float32)
    assert float(left_of(lab, plan)[rim].max()) > 0.04


def test_noise_of_bodies_counts_in_windows_whose_middles_lie_beside_them():
    """What bodies have everywhere is noise, and a window that lies half on a body has half of it."""
    _, plan = planned()
    body = plan.bodies[0]
    values = np.zeros((*plan.owner.shape, 3), np.float32)
    part = values[body.window]
    part[..., 0] = np.where(body.depth > 0, np.random.default_rng(0).normal(0, 0.03, body.depth.shape), 0)
    residual = LotResidual(values, plan.owner >= FLOOR)
    usual = plainness(residual, plan, CONFIG)
    edge = cv2.dilate((plan.owner == 0).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    beside = edge & (plan.owner == FLOOR)
    strict = plainness(residual, plan, replace(CONFIG, usual=0.0))
    assert (usual[beside] <= strict[beside] + 1e-6).all()
    assert float(usual[beside].max()) < float(strict[beside].max())


def drawn(darker: int, *, clip: bool) -> float | None:
    """How plain a square on the floor is that is so many levels darker; None where it does not count."""
    view, shape = view_of(LOT)
    red = LOT.vehicles[0]
    picture = np.full((*shape, 3), 230, np.uint8)
    picture[inside(view, shape, red.pose, red.length, red.width)] = rgb(red.color)
    picture[20:32, 20:32] -= np.uint8(darker)
    finder = LotRemainderFinder(LOT, CONFIG, [VehicleShape(red, LOT_CONFIG.vehicles.shape)], clip=clip)
    things = finder.find(picture, view, [(red.pose,)]).things
    return things[0].plainness if things else None


def test_in_clips_what_counts_is_half_again_as_plain():
    levels = range(2, 24)
    still, clip = ([drawn(darker, clip=one) for darker in levels] for one in (False, True))
    # The same plainness, from 1 on and from 1.5 on, and not all of it is below either.
    assert clip == [one if one is not None and one >= 1.5 else None for one in still]
    assert any(one is None for one in still)
    assert any(one is not None and one < 1.5 for one in still)
    assert clip[-1] is not None
