"""Asks a detector of boxes that runs as a service of its own (``grader.v1.BoxDetectorService``)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import grpc
import numpy as np
from numpy.typing import NDArray

from grader.box_sources import FoundBoxes
from grader.convert_edits import detection_input
from grader.errors import BoxDetectorError, InvalidRequestError
from grader.media import MediaLimits
from grader.metrics.projection import Camera
from grader.tasks.edit_boxes import read_detections
from grader.tasks.inputs import Inputs
from grader.v1 import box_detector_service_pb2, box_detector_service_pb2_grpc, spatial_edit_pb2

UNNAMED = "unnamed"
"""What a detector is called that does not name itself."""


class RemoteBoxes:
    """A detector behind an address. One process holds one connection, which is made when it is first needed.

    Parameters
    ----------
    address : str
        ``host:port``, in plain text.
    timeout_s : float
        The longest that it may take for one picture.
    """

    def __init__(self, address: str, timeout_s: float = 60.0) -> None:
        self._address, self._timeout_s = address, timeout_s
        self._channel = grpc.insecure_channel(
            address, [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        )
        self._stub = box_detector_service_pb2_grpc.BoxDetectorServiceStub(  # type: ignore[no-untyped-call]
            self._channel
        )

    def close(self) -> None:
        """Closes the connection."""
        self._channel.close()

    def find(self, picture: NDArray[np.uint8], camera: Camera, labels: Sequence[str]) -> FoundBoxes:
        """Finds boxes; see `grader.box_sources.BoxSource.find`."""
        _, png = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        request = box_detector_service_pb2.DetectBoxesRequest(
            png=png.tobytes(),
            labels=labels,
            intrinsics=spatial_edit_pb2.CameraIntrinsics(
                fx_px=camera.fx, fy_px=camera.fy, cx_px=camera.cx, cy_px=camera.cy, skew_px=camera.skew
            ),
        )
        try:
            answer = self._stub.DetectBoxes(request, timeout=self._timeout_s)
        except grpc.RpcError as error:
            raise BoxDetectorError(f"the detector at {self._address} gave no answer: {error.code().name}") from error
        inputs = Inputs(MediaLimits())
        found = read_detections([detection_input(one) for one in answer.detections], "detections", inputs)
        try:
            inputs.check()
        except InvalidRequestError as error:
            raise BoxDetectorError(
                f"the detector at {self._address} answered with what are no boxes: {error}"
            ) from error
        return FoundBoxes(found, answer.detector or UNNAMED)
