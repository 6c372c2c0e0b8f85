"""What is wrong with files that are imported."""

from __future__ import annotations

from grader.model.errors import GraderError


class ImportFormatError(GraderError):
    """A data set is not as it should be; the message names the file and the row or field, and says what to do."""
