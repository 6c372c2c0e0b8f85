"""``grader make jigsaw`` and ``grader import jigsaw``: photographs by rule, the same bytes, answers to a run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from grader.cli import main as cli
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet
from grader.lpips.pairs import PicturePair
from grader.make import likeness as likeness_module
from grader.make.errors import MakeError
from grader.make.likeness import LikenessName, likeness
from grader.model.verdict import Outcome
from grader.runs.manifest import load_manifest
from puzzles.jigsaw.rendered import render_landscape

LESS = ("--size", 192, "--min-side", 120, "--quiet")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [*map(str, arguments)], env={"COLUMNS": "120"})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four landscapes, one of them twice, and four pictures that do not qualify."""
    folder = tmp_path_factory.mktemp("photos")
    (folder / "more").mkdir()
    for seed in range(4):
        Image.fromarray(render_landscape(seed, (256, 192))).save(folder / f"photo {seed}.png")
    shutil.copy(folder / "photo 0.png", folder / "more" / "again.png")
    Image.fromarray(render_landscape(9, (100, 80))).save(folder / "small.png")
    Image.fromarray(render_landscape(9, (512, 192))).save(folder / "long.png")
    Image.fromarray(np.full((192, 192, 3), 90, np.uint8)).save(folder / "flat.png")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
    (folder / "photo 1.license.txt").write_text("CC BY 4.0, somebody")
    (folder / "more" / "LICENSE").write_text("public domain")
    return folder


@pytest.fixture(scope="module")
def made(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "jigsaw"
    before = contents(photos)
    done = run("make", "jigsaw", photos, "--out", out, "--count", 4, *LESS)
    assert done.exit_code == 0, done.output
    assert contents(photos) == before  # they are only read
    return out


def test_every_photograph_is_listed_with_its_fate_and_licence(made: Path) -> None:
    listing = json.loads((made / "photographs.json").read_text())
    assert listing["counts"] == {
        "found": 9, "qualify": 4, "unreadable": 1, "resolution": 1, "aspect": 1, "sharpness": 1, "duplicate": 1,
    }  # fmt: skip
    by_file = {one["file"]: one for one in listing["photographs"]}
    assert by_file["long.png"]["fault"] == "aspect"  # 512 / 192 = 2.67 is over 2
    assert by_file["photo 1.png"]["licence"] == "CC BY 4.0, somebody"
    assert by_file["more/again.png"]["licence"] == "public domain"
    assert by_file["photo 2.png"]["size"] == [256, 192]
    assert {by_file["photo 0.png"]["fault"], by_file["more/again.png"]["fault"]} == {"", "duplicate"}


def test_questions_tell_no_answer_and_their_pictures_are_there(made: Path) -> None:
    questions, answers = lines(made / "questions.jsonl"), lines(made / "answers.jsonl")
    assert len(questions) == 8 * 4
    assert [one["puzzle"] for one in questions] == [one["puzzle"] for one in answers]
    for question in questions:
        assert set(question) == {"puzzle", "kind", "pictures", "question"}
        for picture in question["pictures"]:
            assert (made / picture).is_file()
    shown = {picture for question in questions for picture in question["pictures"]}
    assert shown == {f"pictures/{path.name}" for path in (made / "pictures").iterdir()}


def test_the_same_photographs_give_the_same_bytes_whatever_they_are_called(
    photos: Path, made: Path, tmp_path: Path
) -> None:
    other = tmp_path / "photos"
    other.mkdir()
    for number, seed in enumerate((2, 0, 3, 1)):
        shutil.copy(photos / f"photo {seed}.png", other / f"{number}.png")
    done = run("make", "jigsaw", other, "--out", tmp_path / "out", "--count", 4, *LESS)
    assert done.exit_code == 0, done.output
    again, first = contents(tmp_path / "out"), contents(made)
    for name in again:
        assert name == "photographs.json" or again[name] == first[name], name
    # The folder takes no other set.
    refused = run("make", "jigsaw", other, "--out", tmp_path / "out", "--count", 5, *LESS)
    assert refused.exit_code == 2
    assert "holds what other options or other photographs made" in refused.output
    kept = run("make", "jigsaw", other, "--out", tmp_path / "out", "--count", 4, *LESS)
    assert kept.exit_code == 0
    assert contents(tmp_path / "out") == again


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a folder of photographs, or give --rendered, and not both"),
        (("PHOTOS", "--rendered", 3), "and not both"),
        (("nowhere",), "nowhere is no folder"),
        (("PHOTOS", "--size", 200), "--size 200 is no multiple of 6; give 198"),
        (("PHOTOS", "--min-side", 999), "qualifies: found 9, unreadable 1, resolution 7"),
        (("PHOTOS", "--similarity", "clip"), "--similarity clip needs --clip-model"),
        (("PHOTOS", "--similarity", "clip", "--clip-model", "no.pt"), "no.pt is not there"),
    ],
)
def test_what_can_t_be_made_is_said(photos: Path, tmp_path: Path, arguments: tuple[object, ...], message: str) -> None:
    given = [photos if one == "PHOTOS" else one for one in arguments]
    done = run("make", "jigsaw", *given, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_pictures_of_our_own_can_be_cut(tmp_path: Path) -> None:
    options = ("--kind", "connection", "--count", 5, "--size", 192, "--json")
    done = run("make", "jigsaw", "--rendered", 2, "--out", tmp_path, *options)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["made"] == {"connection": 5}
    assert len(list((tmp_path / "rendered").iterdir())) == 2


def test_clip_needs_torch_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.pt").write_bytes(b"")
    monkeypatch.setattr(likeness_module.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MakeError, match="needs the package torch"):
        likeness(LikenessName.CLIP, tmp_path / "model.pt")


class FarOff:
    """Says of each next pair that it is more alike, or that it can't be measured."""

    def __init__(self, kind: AnswerKind) -> None:
        self.kind, self.asked = kind, 0

    def score(self, net: LpipsNet, pair: PicturePair) -> PairAnswer:
        assert net is LpipsNet.ALEX
        assert pair.candidate.shape == pair.reference.shape
        self.asked += 1
        return PairAnswer(self.kind, 1 / self.asked if self.kind is AnswerKind.MEASURED else None, "too small")


def test_lpips_is_asked_for_each_piece() -> None:
    pieces = [render_landscape(seed, (30, 30)) for seed in range(4)]
    measured = likeness(LikenessName.LPIPS, scores=FarOff(AnswerKind.MEASURED))
    assert measured.name == "lpips_alex"
    assert measured.rerank is not None
    assert measured.rerank(pieces[0], pieces[1:]) == [1.0, 1 / 2, 1 / 3]
    small = likeness(LikenessName.LPIPS, scores=FarOff(AnswerKind.UNMEASURABLE))
    assert small.rerank is not None
    with pytest.raises(MakeError, match="LPIPS can't compare pieces: too small"):
        small.rerank(pieces[0], pieces[1:])


# --- answers ---


def test_answers_become_requests_that_are_graded_as_what_they_are(made: Path, tmp_path: Path) -> None:
    truths = lines(made / "answers.jsonl")
    written = [
        {"puzzle": one["puzzle"], "model": model, "text": one["answer"] if model == "right" else "I see a hill."}
        for one in truths
        for model in ("right", "lost")
    ]
    file, manifest = tmp_path / "said.jsonl", tmp_path / "manifest.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in written))
    done = run("import", "jigsaw", made, "--answers", file, "--manifest", manifest, "--quiet")
    assert done.exit_code == 0, done.output
    first = load_manifest(manifest).read(0, max_bytes=1 << 20)
    assert (first.puzzle_id, first.model, first.tags["kind"]) == (
        "jigsaw-missing_piece_easy-00001",
        "right",
        "missing_piece_easy",
    )
    assert len(first.tags["photograph"]) == 16
    engine, loaded = Engine(), load_manifest(manifest)
    requests = [loaded.read(place, max_bytes=1 << 20) for place in range(len(loaded))]
    passed = {
        request.request_id
        for request in requests
        if engine.grade(job_from_proto(request, lambda *_: b"")).outcome is Outcome.PASS
    }
    assert len(requests) == 2 * len(truths)
    assert passed == {f"right/{one['puzzle']}" for one in truths}


def imported(made: Path, tmp_path: Path, *written: dict[str, object], missing: str = "wrong") -> tuple[Result, Path]:
    file, manifest = tmp_path / "said.jsonl", tmp_path / "manifest.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in written))
    options = ("--answers", file, "--manifest", manifest, "--missing", missing, "--json")
    return run("import", "jigsaw", made, *options), manifest


@pytest.mark.parametrize(("missing", "count"), [("wrong", 4), ("leave-out", 1)])
def test_questions_that_were_not_answered_are_wrong(made: Path, tmp_path: Path, missing: str, count: int) -> None:
    """One connection of four was answered, one has no text, two are not there; nothing of other kinds was asked."""
    answered = {"puzzle": "jigsaw-connection-00001", "model": "m", "text": "A"}
    empty = {"puzzle": "jigsaw-connection-00002", "model": "m", "text": None}
    done, manifest = imported(made, tmp_path, answered, empty, missing=missing)
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert len(said["missing_answers"]) == 3
    assert len(load_manifest(manifest)) == count


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (({"puzzle": "other", "text": "A"},), "is to a question"),
        (({"puzzle": "jigsaw-connection-00001", "text": "A"},) * 2, "is a second answer"),
        (({"puzzle": "jigsaw-connection-00001"},), "text"),
        (({"text": "A"},), "puzzle"),
    ],
)
def test_answers_that_belong_to_nothing_are_refused(
    made: Path, tmp_path: Path, written: tuple[dict[str, object], ...], message: str
) -> None:
    done, _ = imported(made, tmp_path, *written)
    assert done.exit_code == 2
    assert message in done.output


def test_orders_that_were_drawn_become_requests_with_their_pieces(made: Path, tmp_path: Path) -> None:
    """The first question was put together rightly, the second as it was given, the others not at all."""
    questions = [one for one in lines(made / "questions.jsonl") if one["kind"] == "order_generation"]
    truths = {one["puzzle"]: one for one in lines(made / "answers.jsonl")}
    for number, question in enumerate(questions[:2]):
        pieces = [np.asarray(Image.open(made / name)) for name in question["pictures"]]
        order = truths[question["puzzle"]]["order"]
        laid = [pieces[at - 1] for at in order] if number == 0 else [pieces[at - 1] for at in reversed(order)]
        (tmp_path / "drawn" / question["puzzle"]).mkdir(parents=True)
        picture = np.vstack([np.hstack(laid[:2]), np.hstack(laid[2:])])
        Image.fromarray(picture).save(tmp_path / "drawn" / question["puzzle"] / "out.png")
    Image.fromarray(picture).save(tmp_path / "drawn" / "stray.png")
    options = ("--outputs", tmp_path / "drawn", "--manifest", tmp_path / "manifest.jsonl", "--model", "m", "--json")
    done = run("import", "jigsaw", made, *options)
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert (said["requests"], len(said["missing_answers"]), said["unmatched_outputs"]) == (4, 2, ["stray.png"])
    loaded = load_manifest(tmp_path / "manifest.jsonl", roots=[made])
    requests = [loaded.read(place, max_bytes=1 << 24) for place in range(len(loaded))]
    engine = Engine()
    ended = [engine.grade(job_from_proto(one, lambda media, _: media.data)).outcome for one in requests]
    assert ended == [Outcome.PASS, Outcome.FAIL, Outcome.UNGRADABLE, Outcome.UNGRADABLE]
    assert [one.tags.get("missing") for one in requests] == [None, None, "true", "true"]


def test_an_import_of_nothing_is_refused(made: Path, tmp_path: Path) -> None:
    done = run("import", "jigsaw", made, "--manifest", tmp_path / "manifest.jsonl")
    assert done.exit_code == 2
    assert "give --answers or --outputs" in done.output
