"""Writes ``outside.json``: statistics of random and of degenerate tables, by libraries that this project doesn't need.

In an environment of its own: ``pip install scikit-learn statsmodels krippendorff irrCAC ppi-python``, then
``python -m tests.calibration.outside > tests/calibration/outside.json``. What a library calls undefined is null.
"""

import json
import math
import warnings
from importlib.metadata import version

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from sklearn import metrics
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

LIBRARIES = ("scikit-learn", "statsmodels", "krippendorff", "irrCAC", "ppi-python")


def finite(value):
    return None if not math.isfinite(value) else float(value)


def ratings(rng, items, raters, classes, missing):
    truth = rng.integers(0, classes, items)
    said = np.where(rng.random((raters, items)) < 0.65, truth, rng.integers(0, classes, (raters, items)))
    return np.where(rng.random((raters, items)) < missing, -1, said)


def raters_of(said, classes):
    """Rows are people; -1 is no label."""
    data = np.where(said < 0, np.nan, said)
    made = {"said": said.tolist(), "classes": classes}
    for level in ("nominal", "ordinal", "interval"):
        made[level] = finite(krippendorff.alpha(data, level_of_measurement=level, value_domain=list(range(classes))))
    frame = pd.DataFrame(data.T)
    made["ac1"] = finite(CAC(frame, categories=list(range(classes)), digits=15).gwet()["est"]["coefficient_value"])
    both = (said[0] >= 0) & (said[1] >= 0)
    for name, weights in (("kappa", None), ("linear", "linear"), ("quadratic", "quadratic")):
        made[name] = finite(
            metrics.cohen_kappa_score(said[0][both], said[1][both], labels=list(range(classes)), weights=weights)
        )
    return made


def scores_of(scores, right):
    made = {"scores": scores.tolist(), "right": right.tolist()}
    made["auroc"] = finite(metrics.roc_auc_score(right, scores))
    made["average_precision"] = finite(metrics.average_precision_score(right, scores))
    fitted = IsotonicRegression(out_of_bounds="clip").fit(scores, right)
    grid = np.linspace(-0.2, 1.2, 29)
    made["isotonic"] = fitted.predict(grid).tolist()
    a, b = _sigmoid_calibration(scores, right)
    made["platt"] = (1 / (1 + np.exp(a * grid + b))).tolist()
    probabilities = np.clip(scores, 0, 1)
    made["brier"] = float(metrics.brier_score_loss(right, probabilities))
    made["log_loss"] = float(metrics.log_loss(right, np.clip(probabilities, 1e-6, 1 - 1e-6)))
    return made


def powered_of(said, verdicts, others):
    (value,) = np.atleast_1d(ppi_mean_pointestimate(said, verdicts, others, lam=1))
    low, high = ppi_mean_ci(said, verdicts, others, alpha=0.05, lam=1)
    return {
        "said": said.tolist(), "verdicts": verdicts.tolist(), "others": others.tolist(),
        "value": float(value), "low": float(np.squeeze(low)), "high": float(np.squeeze(high)),
    }  # fmt: skip


def main():
    rng = np.random.default_rng(19)
    shapes = ((40, 2, 2, 0.0), (60, 4, 3, 0.4), (25, 3, 5, 0.2), (9, 6, 2, 0.3))
    tables = [raters_of(ratings(rng, items, raters, classes, missing), classes)
              for items, raters, classes, missing in shapes]  # fmt: skip
    tables.append(raters_of(np.array([[0, 1], [0, 1]]), 2))
    tables.append(raters_of(np.array([[0, 1], [1, 0]]), 2))
    tables.append(raters_of(np.array([[1, 1, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1]]), 2))
    numbers = []
    for n, digits in ((50, 6), (200, 1), (12, 1), (2, 6)):
        right = np.concatenate([[True, False], rng.random(n - 2) < 0.6])
        numbers.append(scores_of(np.round(np.clip(rng.normal(0.4 + 0.2 * right, 0.25), 0, 1), digits), right))
    numbers.append(scores_of(np.array([0.5, 0.5, 0.7, 0.7]), np.array([True, False, True, False])))
    bounds = [
        [count, n, proportion_confint(count, n, 0.1, "beta")[1], *proportion_confint(count, n, 0.05, "beta")]
        for count, n in ((0, 59), (1, 10), (5, 5), (0, 1), (37, 100))
    ]
    pairs = [[one, two, mcnemar([[9, one], [two, 4]], exact=True).pvalue] for one, two in ((1, 5), (0, 6), (3, 3))]
    powered = []
    for n, others, flips in ((200, 2000, 0.1), (60, 300, 0.3)):
        truth = rng.random(n + others) < 0.6
        verdicts = truth ^ (rng.random(n + others) < flips)
        powered.append(powered_of(*(part.astype(float) for part in (truth[:n], verdicts[:n], verdicts[n:]))))
    made = {
        "libraries": {name: version(name) for name in LIBRARIES},
        "raters": tables, "numbers": numbers, "bounds": bounds, "mcnemar": pairs, "powered": powered,
    }  # fmt: skip
    print(json.dumps(made, allow_nan=False))


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
