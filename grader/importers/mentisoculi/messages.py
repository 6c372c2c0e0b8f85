"""Puzzles of MentisOculi as messages of the contract."""

from __future__ import annotations

import math

from grader.importers.mentisoculi.shapes import ShapesMessage
from grader.v1 import form_board_pb2, hinge_folding_pb2, paper_fold_pb2, rush_hour_pb2, service_pb2, sliding_pb2
from puzzles.rush_hour.lot import Lot, Pose, Side, Vehicle
from puzzles.sliding.tiles import SlidingPuzzle

MentisMessage = rush_hour_pb2.RushHourTask | sliding_pb2.SlidingTask | ShapesMessage
"""A puzzle of MentisOculi."""
_SIDES = {
    Side.LEFT: rush_hour_pb2.LOT_SIDE_LEFT,
    Side.RIGHT: rush_hour_pb2.LOT_SIDE_RIGHT,
    Side.BOTTOM: rush_hour_pb2.LOT_SIDE_BOTTOM,
    Side.TOP: rush_hour_pb2.LOT_SIDE_TOP,
}


def lot_message(lot: Lot) -> rush_hour_pb2.RushHourTask:
    """A lot as a task.

    The contract has no ids: vehicles go by their labels there, and obstacles by their order. An axis becomes its sign
    along the pose's angle.
    """
    puzzle = rush_hour_pb2.RushHourPuzzle(width=lot.width, height=lot.height)
    for opening in lot.exits:
        puzzle.exits.add(side=_SIDES[opening.side], start=opening.start, end=opening.end)
    for vehicle in lot.vehicles:
        puzzle.vehicles.add(
            label=vehicle.label,
            length=vehicle.length,
            width=vehicle.width,
            pose=_pose(vehicle.pose),
            forward_reversed=_is_reversed(vehicle),
            fixed=not vehicle.movable,
            color_hex=vehicle.color,
        )
    for obstacle in lot.obstacles:
        puzzle.obstacles.add(length=obstacle.length, width=obstacle.width, pose=_pose(obstacle.pose))
    return rush_hour_pb2.RushHourTask(puzzle=puzzle)


def tiles_message(puzzle: SlidingPuzzle) -> sliding_pb2.SlidingTask:
    """A sliding puzzle as a task, without its picture."""
    return sliding_pb2.SlidingTask(
        puzzle=sliding_pb2.SlidingPuzzle(size_cells=puzzle.size, tiles=puzzle.start),
        truth=sliding_pb2.SlidingTruth(tiles=puzzle.target),
    )


def _pose(pose: Pose) -> rush_hour_pb2.LotPose:
    return rush_hour_pb2.LotPose(x=pose.x, y=pose.y, theta_rad=pose.theta)


def _is_reversed(vehicle: Vehicle) -> bool:
    theta = vehicle.pose.theta
    return vehicle.axis[0] * math.cos(theta) + vehicle.axis[1] * math.sin(theta) < 0


def set_task(request: service_pb2.GradeRequest, message: MentisMessage) -> None:
    """Puts a puzzle into a request."""
    match message:
        case rush_hour_pb2.RushHourTask():
            request.rush_hour.CopyFrom(message)
        case sliding_pb2.SlidingTask():
            request.sliding.CopyFrom(message)
        case form_board_pb2.FormBoardTask():
            request.form_board.CopyFrom(message)
        case hinge_folding_pb2.HingeFoldingTask():
            request.hinge_folding.CopyFrom(message)
        case paper_fold_pb2.PaperFoldTask():
            request.paper_fold.CopyFrom(message)
