"""Why an edit can fail."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_NONE = FailureMode.NO_ANSWER

REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("BACKGROUND_CHANGED", "What lies outside of the edited object's boxes is not as it was.", _ALTERED),
    ReasonInfo("NO_BACKGROUND", "The boxes leave no background that could be compared.", _ALTERED),
    ReasonInfo(
        "LOOK_CHANGED",
        "The picture as a whole has another tone or colours, or is blurred or moved.",
        _ALTERED,
    ),
    ReasonInfo("VIEWPOINT_CHANGED", "The camera turned, and with it all that the picture shows.", _ALTERED),
    ReasonInfo("TARGET_MISSING", "The object was not found where it could be.", _INCOMPLETE),
    ReasonInfo("STILL_THERE", "Something still stands where the object was to be removed.", _NONE),
    ReasonInfo("STILL_SEEN", "A box in the picture still shows the object where it was to be removed.", _NONE),
    ReasonInfo(
        "NOT_CLEARED",
        "Where the object was, something else is shown than the surface around, or its outline is left.",
        _NONE,
    ),
    ReasonInfo("TARGET_ELSEWHERE", "The object is not gone: there are as many of its label as before.", _WRONG),
    ReasonInfo("BARELY_MOVED", "The object moved by less than 5 cm.", _NONE),
    ReasonInfo("NOT_A_NEW_PLACE", "The object stands where something stood before.", _WRONG),
    ReasonInfo("NOT_TURNED", "The object did not turn.", _NONE),
    ReasonInfo("NOT_RESIZED", "The object's size hardly changed.", _NONE),
    ReasonInfo("SCORE_TOO_LOW", "The object is too far from where it should be.", _WRONG),
    ReasonInfo("VIEW_DIFFERS", "The picture differs too much from the one that the view should give.", _WRONG),
    ReasonInfo("WRONG_DIRECTION", "The object moved more than 30 degrees off the way that it should go.", _WRONG),
    ReasonInfo(
        "NOT_NEARER", "What is seen is hardly nearer to what was asked than before, or farther from it.", _WRONG
    ),
    ReasonInfo("PLACE_NOT_CONFIRMED", "No box in the picture shows the object where its box in space is.", _WRONG),
    ReasonInfo(
        "TARGET_NOT_SOLID",
        "The object has holes, or one can see through it, or it is a flat patch, or it hangs in the air.",
        _WRONG,
    ),
    ReasonInfo("COUNT_DIFFERS", "There are more or fewer objects of the label than there should be.", _WRONG),
    ReasonInfo("TURNED_BESIDES", "Something turned without being asked to.", _WRONG),
    ReasonInfo("RESIZED_BESIDES", "Another object has another size than before.", _WRONG),
    ReasonInfo("TARGET_ALTERED", "The object was changed in another way than was asked.", _WRONG),
    ReasonInfo("OTHERS_REMOVED", "Other objects are gone, or stand elsewhere.", _WRONG),
    ReasonInfo("OBJECTS_ADDED", "There are objects that were not there before.", _ALTERED),
    ReasonInfo("MARKS_ADDED", "Something is drawn beside the object, or another one looks otherwise.", _ALTERED),
)
"""Gravest first."""
