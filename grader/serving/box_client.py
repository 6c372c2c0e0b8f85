"""Asks a detector of boxes that runs as a service of its own (``grader.v1.BoxDetectorService``)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import cv2
import grpc
import numpy as np
from numpy.typing import NDArray

from grader.media.types import MediaLimits
from grader.metrics.space.projection import Camera
from grader.model.errors import BoxDetectorError, InvalidRequestError
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.scene.boxes import read_detections
from grader.tasks.spatial_edit.scene.scene import check_count
from grader.tools.box_sources import BoxSource, FoundBoxes
from grader.v1 import box_detector_service_pb2, box_detector_service_pb2_grpc, spatial_edit_pb2
from grader.wire.boxes import detection_input

UNNAMED = "unnamed"
"""What a detector is called that does not name itself."""
MAX_TEXT_CHARS = 200
"""The longest label, and the longest name of a detector, that is taken."""
_MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""As many boxes as are taken, with the longest labels, have less than a tenth of this."""
_SHARE_OF_TIME = 2 / 3
"""One picture may take so much of the time that is left, so that a detector that hangs is told from a slow grader."""


class RemoteBoxes:
    """A detector behind an address. One process holds one connection, which is made when it is first needed.

    Parameters
    ----------
    address : str
        ``host:port``, in plain text.
    timeout_s : float
        The longest that it may take for one picture, however much time there is.
    """

    def __init__(self, address: str, timeout_s: float = 60.0) -> None:
        self._address, self._timeout_s = address, timeout_s
        self._channel = grpc.insecure_channel(
            address, [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", _MAX_ANSWER_BYTES)]
        )
        self._stub = box_detector_service_pb2_grpc.BoxDetectorServiceStub(  # type: ignore[no-untyped-call]
            self._channel
        )

    def close(self) -> None:
        """Closes the connection."""
        self._channel.close()

    def until(self, end_at: float) -> BoxSource:
        """The same detector, asked in time; see `grader.tools.box_sources.BoxSource.until`."""
        return _Timed(self, end_at)

    def find(self, picture: NDArray[np.uint8], camera: Camera, labels: Sequence[str]) -> FoundBoxes:
        """Finds boxes; see `grader.tools.box_sources.BoxSource.find`."""
        return self.find_within(self._timeout_s, picture, camera, labels)

    def find_within(
        self, limit_s: float, picture: NDArray[np.uint8], camera: Camera, labels: Sequence[str]
    ) -> FoundBoxes:
        """Finds boxes, and waits no longer than a time."""
        _, png = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        request = box_detector_service_pb2.DetectBoxesRequest(
            png=png.tobytes(),
            labels=labels,
            intrinsics=spatial_edit_pb2.CameraIntrinsics(
                fx_px=camera.fx, fy_px=camera.fy, cx_px=camera.cx, cy_px=camera.cy, skew_px=camera.skew
            ),
        )
        timeout_s = min(limit_s, self._timeout_s)
        try:
            answer = self._stub.DetectBoxes(request, timeout=timeout_s)
        except grpc.RpcError as error:
            text = f"the detector at {self._address} gave no answer: {error.code().name} (it had {timeout_s:.3g} s)"
            raise BoxDetectorError(text) from error
        try:
            return _read(answer)
        except InvalidRequestError as error:
            raise BoxDetectorError(
                f"the detector at {self._address} answered with what are no boxes: {error}"
            ) from error


class _Timed:
    """A detector for the time that one request has."""

    def __init__(self, boxes: RemoteBoxes, end_at: float) -> None:
        self._boxes, self._end_at = boxes, end_at

    def until(self, end_at: float) -> BoxSource:
        return _Timed(self._boxes, min(end_at, self._end_at))

    def find(self, picture: NDArray[np.uint8], camera: Camera, labels: Sequence[str]) -> FoundBoxes:
        left_s = max(0.0, self._end_at - time.monotonic())
        return self._boxes.find_within(_SHARE_OF_TIME * left_s, picture, camera, labels)


def _read(answer: box_detector_service_pb2.DetectBoxesResponse) -> FoundBoxes:
    """What an answer says; raises InvalidRequestError where it is out of the limits, or holds what are no boxes."""
    inputs = Inputs(MediaLimits())
    check_count(answer.detections, "detections", inputs)
    inputs.check()
    texts = {"detector": answer.detector}
    texts |= {f"detections[{place}].label": one.label for place, one in enumerate(answer.detections)}
    for path, text in texts.items():
        if len(text) > MAX_TEXT_CHARS:
            inputs.fault(path, "TOO_LONG", f"it has {len(text)} characters; at most {MAX_TEXT_CHARS} are taken")
    inputs.check()
    found = read_detections([detection_input(one) for one in answer.detections], "detections", inputs)
    inputs.check()
    return FoundBoxes(found, answer.detector or UNNAMED)
