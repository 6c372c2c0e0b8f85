"""Published values of LPIPS on the example pictures of its reference implementation, in ../shared/fixtures/lpips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from grader.lpips.nets import LpipsNet
from grader.lpips.network import LpipsScorer

pytestmark = [pytest.mark.lpips, pytest.mark.shared]

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "lpips"


def picture(name: str) -> np.ndarray:
    return np.asarray(Image.open(ROOT / f"ex_{name}.png").convert("RGB"))


@pytest.mark.parametrize(
    ("net", "name", "expected"),
    [
        # The reference prints 0.722 and 0.138 for alex; more digits are from a run of it elsewhere.
        (LpipsNet.ALEX, "p0", 0.7219),
        (LpipsNet.ALEX, "p1", 0.1376),
        (LpipsNet.VGG, "p0", 0.5686),
        (LpipsNet.VGG, "p1", 0.4217),
    ],
)
def test_published_values(net, name, expected) -> None:
    scorer, reference, candidate = LpipsScorer(net), picture("ref"), picture(name)
    # Four digits are known.
    assert scorer.score(candidate, reference) == pytest.approx(expected, abs=5e-5)
    assert scorer.score(candidate / 255.0, reference / 255.0) == pytest.approx(expected, abs=5e-5)
