"""How often verdicts on unfolded sheets are right: ``python -m benchmarks.paper_fold [--count N] [--seed S]``.

Puzzles of levels 1 to 5 in all looks are drawn, half of them rightly, half with one of the faults, with holes of many
looks and under the nuisances of mazes; so what is right is known. Ends with 1 where a wrong one passes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from benchmarks.accuracy.nuisances import NUISANCES, Stage
from benchmarks.accuracy.scenes import Scene
from benchmarks.accuracy.seeds import dice_of
from benchmarks.paper_fold.drawing import DrawnSheet, HoleLook
from benchmarks.paper_fold.faults import FAULTS, MISTAKES
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from puzzles.mentis.paper_folds import FOLD_STYLES, random_fold_style
from puzzles.paper_fold.generator import generate_paper_fold

RIGHT = "right"
SIDES = (512, 640, 768, 1024)
LOOKS: dict[str, HoleLook] = {
    "own": HoleLook(),
    "faint": HoleLook(opacity=0.5),
    "small": HoleLook(radius=0.8),
    "large": HoleLook(radius=1.25),
    "oval": HoleLook(aspect=1.15),
    "astray": HoleLook(astray=0.3),
    "red": HoleLook(fill=(205, 30, 40), rim=(205, 30, 40)),
    "black": HoleLook(fill=(10, 10, 12), rim=(10, 10, 12)),
    "ring": HoleLook(hollow=True, rim=(30, 30, 36), rim_width=0.22),
    "green": HoleLook(fill=(40, 150, 60), rim=(20, 60, 30), rim_width=0.15),
    "soft": HoleLook(fill=(60, 60, 70), rim=(60, 60, 70), soft=0.15),
    "casting": HoleLook(beneath="shadow"),
    "glowing": HoleLook(beneath="glow"),
    "thick": HoleLook(upon="inner_shadow"),
    "bevelled": HoleLook(upon="bevel"),
    "glossy": HoleLook(upon="gloss"),
    "slanted": HoleLook(upon="gradient"),
}
"""Looks of holes."""
SHADED = ("casting", "glowing", "thick", "bevelled", "glossy", "slanted")
"""Those with companions, which are hardly seen on dark paper."""
CHANGES = {name: one for name, one in NUISANCES.items() if one.picture and one.stage is not Stage.GROUND}
PUZZLES_EACH = 8


@lru_cache(maxsize=4)
def sheet_of(level: int, seed: int, style: str, side: int) -> DrawnSheet:
    """A puzzle in a look."""
    look = random_fold_style(seed) if style == "random" else FOLD_STYLES[style]
    return DrawnSheet(generate_paper_fold(level, seed), look, side)


def compose(number: int, seed: int) -> tuple[str, str, str, DrawnSheet, bytes] | None:
    """A candidate: what is wrong with it, its hole look, what happened to it, the sheet, and the file."""
    place = number // PUZZLES_EACH
    level = 1 + place % 5
    style = [*FOLD_STYLES, "random"][place % (len(FOLD_STYLES) + 1)]
    sheet = sheet_of(level, seed * 1000 + place // 5, style, SIDES[place % len(SIDES)])
    dice = dice_of(f"paper-fold {seed} {number}")
    fault = RIGHT if number % 2 == 0 else list(FAULTS)[number // 2 % len(FAULTS)]
    look = list(LOOKS)[int(dice.integers(len(LOOKS)))] if fault == RIGHT or fault in MISTAKES else "own"
    if sheet.style.front[0] < 150 and look in ("black", "ring", "soft", "faint", *SHADED):
        look = "own"
    picture = (
        sheet.holes(sheet.puzzle.holes[0], LOOKS[look], dice)
        if fault == RIGHT
        else FAULTS[fault](sheet, LOOKS[look], dice)
    )
    if picture is None:
        return None
    free = 0.1 * sheet.frame.scale
    scene = Scene(picture, free, 0.008 * sheet.frame.scale, sheet.style.ground, sheet.style.front, sheet.style.rim)
    named = []
    if fault == RIGHT or fault in MISTAKES or dice.random() < 0.3:
        names = list(CHANGES)
        # A cheat that is handed in is not made harder to see.
        strengths = (0, 1, 2) if fault == RIGHT or fault in MISTAKES else (0,)
        count = 1 + int(dice.random() < 0.3)
        chosen = sorted((names[int(at)] for at in dice.choice(len(names), count, replace=False)),
                        key=lambda name: CHANGES[name].stage)  # fmt: skip
        for name in chosen:
            strength = int(dice.choice(strengths)) if count == 1 else 0
            change = CHANGES[name].picture
            if change is not None:
                scene = change(scene, CHANGES[name].levels[strength], dice)
                named.append(f"{name}-{strength + 1}")
    return fault, look, "+".join(named) or "clean", sheet, scene.encoded()


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for what is judged wrongly")
    said = parser.parse_args(arguments)
    engine = Engine()
    ended: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = Counter({"false passes": 0, "false fails": 0})
    total = 0
    for number in range(said.first, said.first + said.count):
        made = compose(number, said.seed)
        if made is None:
            continue
        fault, look, nuisance, sheet, data = made
        total += 1
        job = GradeJob(
            str(number), replace(sheet.task, sheets=sheet.task.sheets[:1]), ImageCandidate(data), overlay=False
        )
        verdict = engine.grade(job)
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[fault][code] += 1
        if (verdict.outcome is Outcome.PASS) != (fault == RIGHT):
            wrong["false passes" if code == "PASS" else "false fails"] += 1
            print(f"candidate {number}: {fault}, holes {look}, {nuisance}: {_said(verdict)}", flush=True)
            if said.keep:
                said.keep.mkdir(parents=True, exist_ok=True)
                (said.keep / f"{number}-{fault}-{look}-{nuisance}.png").write_bytes(data)
    for fault, codes in ended.items():
        print(f"{fault:18} {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    share = 1 - sum(wrong.values()) / max(1, total)
    print(f"{total} candidates: {100 * share:.2f} % right, {', '.join(f'{n} {kind}' for kind, n in wrong.items())}")
    return int(wrong["false passes"] > 0)


def _said(verdict: Verdict) -> str:
    return "; ".join(f"{one.code}: {one.message}" for one in verdict.reasons) or "PASS"


if __name__ == "__main__":
    sys.exit(main())
