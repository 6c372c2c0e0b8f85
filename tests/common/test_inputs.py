"""What a request gives is decoded and checked, and every fault of it is named at once."""

from __future__ import annotations

import numpy as np
import pytest

from grader.media.types import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.tasks.common.inputs import Inputs
from tests.samples.media import encode

PICTURE = np.random.default_rng(3).integers(0, 256, (6, 9, 3), np.uint8)
LABELS = np.zeros((6, 9, 3), np.uint8)
LABELS[2:, 3:] = (7, 1, 0)
WHITE = np.full((6, 9, 3), 255, np.uint8)


def inputs() -> Inputs:
    return Inputs(MediaLimits())


def faults(given: Inputs) -> list[tuple[str, str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        given.check()
    return [(one.field, one.reason, one.description) for one in raised.value.violations]


def test_what_is_right_is_decoded_and_no_fault():
    given = inputs()
    assert np.array_equal(given.picture("task.image", encode(PICTURE)), PICTURE)
    # 7 + 256 x 1
    assert np.array_equal(np.unique(given.labels("task.cells", encode(LABELS))), [0, 263])
    assert given.mask("task.mask", encode(WHITE)).all()
    given.check()
    assert given.checked(5) == 5


@pytest.mark.parametrize("read", ["picture", "labels"])
def test_a_required_picture_is_missed(read):
    given = inputs()
    assert getattr(given, read)("task.image", None) is None
    assert faults(given) == [("task.image", "MISSING", "set this picture's data or uri")]


def test_an_optional_picture_may_be_missing():
    given = inputs()
    assert given.picture("task.image", None, required=False) is None
    assert given.mask("task.mask", None) is None
    given.check()


@pytest.mark.parametrize("read", ["picture", "labels", "mask"])
@pytest.mark.parametrize(("data", "reason"), [(b"no picture", "UNKNOWN_FORMAT"), (b"", "EMPTY")])
def test_what_does_not_decode_is_named_also_where_it_is_optional(read, data, reason):
    given = inputs()
    assert getattr(given, read)("task.image", data) is None
    ((field, code, text),) = faults(given)
    assert (field, code) == ("task.image", reason)
    assert text


def test_a_picture_over_the_limits_is_named():
    given = Inputs(MediaLimits(max_pixels=53))  # it has 6 x 9 = 54
    assert given.picture("task.image", encode(PICTURE)) is None
    assert given.mask("task.mask", encode(WHITE)) is None
    assert given.labels("task.cells", encode(LABELS)) is None
    assert [code for _, code, _ in faults(given)] == ["TOO_MANY_PIXELS"] * 3


@pytest.mark.parametrize("shape", [(6, 8), (5, 9), (9, 6)])
def test_a_mask_of_another_size_is_named_with_both(shape):
    given = inputs()
    given.same_size("task.mask", np.ones(shape, np.bool_), PICTURE)
    text = f"it is {shape[1]}x{shape[0]} and what it belongs to 9x6; give them in one size"
    assert faults(given) == [("task.mask", "SIZE_MISMATCH", text)]


def test_a_mask_of_the_size_or_none_is_no_fault():
    given = inputs()
    given.same_size("task.mask", np.ones((6, 9), np.bool_), PICTURE)
    given.same_size("task.mask", None, PICTURE)
    given.check()


def test_all_faults_are_named_in_order_before_anything_is_used():
    given = inputs()
    given.fault("task.one", "MISMATCH", "first")
    missing = given.picture("task.two", None)
    with pytest.raises(InvalidRequestError) as raised:
        given.checked(missing)
    assert [one.field for one in raised.value.violations] == ["task.one", "task.two"]


def test_what_is_missing_without_a_fault_is_no_request_s_fault():
    with pytest.raises(ValueError, match="not noted as a fault"):
        inputs().checked(None)
