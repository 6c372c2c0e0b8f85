"""How often verdicts are right on mazes with textures, tiles and sprites; truth is known by construction.

Run by hand: ``python -m benchmarks.textured --count 200 --seed 1``. Each instance is a maze in one of three forms:
tiles, walls as wide as corridors, thin walls. It is drawn with own textures, with right and wrong answers, each under a
nuisance of pictures.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path

import cv2

import grader
from benchmarks.textured.answers import ANSWERS, NUISANCES, nuisance
from benchmarks.textured.scenes import tiles_scene, walled_scene
from grader.model.verdict import Outcome


def main() -> None:
    """Grades and prints tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for pictures that are judged wrongly")
    asked = parser.parse_args()
    totals: Counter[tuple[str, str]] = Counter()
    wrong: dict[tuple[str, str], list[str]] = defaultdict(list)
    refused: Counter[str] = Counter()
    shown = 0
    for number in range(asked.count):
        rng = random.Random(asked.seed * 100_000 + number)
        scene = (tiles_scene if rng.random() < 0.5 else walled_scene)(rng)
        chosen = ["right", "right", "right", *rng.sample([one for one in ANSWERS if one != "right"], 3)]
        for name in chosen:
            kind = rng.choice(NUISANCES)
            drawn = ANSWERS[name](scene, rng)
            if drawn is None:
                continue
            candidate = nuisance(drawn, kind, rng)
            try:
                verdict = grader.grade(scene.puzzle, candidate)
            except grader.InvalidRequestError as error:
                refused[scene.name] += 1
                print("refused", number, scene.name, str(error)[:300])
                break
            passed = verdict.outcome is Outcome.PASS
            totals[("right" if name == "right" else "wrong", kind)] += 1
            if passed is not (name == "right"):
                wrong["right" if name == "right" else "wrong", kind].append(
                    f"{number} {scene.name} {name} {kind}: {','.join(verdict.codes)}"
                )
                if asked.keep is not None:
                    asked.keep.mkdir(parents=True, exist_ok=True)
                    shown += 1
                    path = asked.keep / f"{number}_{scene.name}_{name}_{kind}_{shown}.png"
                    cv2.imwrite(str(path), candidate[..., ::-1])
    for key in sorted(totals):
        print(f"{key[0]:6} {key[1]:8} {totals[key]:5} judged wrongly {len(wrong[key]):4}")
    for key in sorted(wrong):
        for text in wrong[key]:
            print("  ", text)
    print("refused", dict(refused), "of", asked.count)


if __name__ == "__main__":
    main()
