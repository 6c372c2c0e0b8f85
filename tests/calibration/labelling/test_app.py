"""The page's service: a token for each person, nothing of the verdict, nothing for strangers."""

import json

import numpy as np
import pytest
from starlette.testclient import TestClient

from calibration.labelling.app import POLICY, make_app
from calibration.labelling.items import SeenItems
from calibration.labelling.study import StudyWish, open_study
from grader.media.encoding import encode_mp4
from grader.report.data.reading import read_runs
from tests.calibration.labelling.study import SECRETS, inline, picture, pictured_run
from tests.samples.report import PASS, Line, request, write_run


class Page:
    """Somebody's window."""

    def __init__(self, client, token):
        self.client, self.below = client, f"/{token}"

    def get(self, path="", **options):
        return self.client.get(f"{self.below}/{path}", **options)

    def post(self, path, said, **options):
        return self.client.post(f"{self.below}/{path}", json=said, **options)

    def now(self):
        return self.get("state").json()["asked"][0]


@pytest.fixture
def study(tmp_path):
    opened = open_study(pictured_run(tmp_path), StudyWish(sample=["random=all"], twice=0.0))
    with SeenItems(opened.results) as items:
        client = TestClient(make_app(opened.store, items), base_url="http://127.0.0.1:8350")
        yield opened.store, client
    opened.store.close()


@pytest.fixture
def ann(study):
    store, client = study
    return Page(client, store.invite("ann").token)


def test_a_label_is_kept_before_what_comes_next_is_told(study, ann):
    store, _ = study
    first = ann.now()
    said = ann.post(
        "answer", {"showing": first["showing"], "question": "right", "label": "wrong", "took_s": 0.8}
    ).json()
    assert (said["done"], said["total"], len(said["asked"])) == (1, 6, 4)
    assert said["asked"][0]["showing"] != first["showing"]
    assert [(row.label, row.took_s) for row in store.rows()] == [("wrong", 0.8)]
    back = ann.post("undo", {"last": said["last"]}).json()
    assert back["asked"][0] == first
    after = ann.post("skip", {"showing": first["showing"], "place": first["place"]}).json()
    assert (after["done"], after["asked"][0]["showing"] == first["showing"]) == (0, False)
    kept = ann.post("comment", {"showing": after["asked"][0]["showing"], "text": "hm"}).json()
    assert kept["asked"][0]["comment"] == "hm"
    assert ann.get("state").headers["cache-control"] == "no-store"


def test_nothing_of_the_verdict_or_of_any_name_is_told(study, ann):
    """Ids and files' names say how the candidates of this run ended, as those of many data sets do."""
    _, _ = study
    texts = [ann.get(name).text for name in ("", "study", "state")]
    question = json.loads(texts[1])["protocol"]
    assert texts[2].count("media/") == 8
    for text in (texts[0], texts[2]):
        assert [word for word in SECRETS if word in text] == []
    assert "stratum" not in texts[2]
    assert question["name"] == "right_or_wrong"


def test_a_candidate_and_its_puzzle_are_shown_but_neither_truth_nor_maps(study, ann):
    item = ann.now()
    assert [one["kind"] for one in item["puzzle"] + item["candidate"]] == ["picture", "picture"]
    assert item["hint"].startswith("Right is one way from start to goal")
    for side in ("puzzle", "candidate"):
        got = ann.get(item[side][0]["src"])
        assert (got.status_code, got.headers["content-type"]) == (200, "image/png")
    assert ann.get(item["candidate"][0]["src"]).content == picture()
    for path in (f"media/{item['showing']}/puzzle/1", f"media/{item['showing']}/truth/0", "media/999/puzzle/0"):
        assert ann.get(path).status_code == 404


def test_strangers_get_nothing(study, ann):
    store, client = study
    ben = Page(client, store.invite("ben").token)
    theirs = ben.now()
    nobody = Page(client, "x" * 24)
    for path in ("", "study", "state", theirs["candidate"][0]["src"]):
        assert nobody.get(path).status_code == 404
    for path in ("answer", "skip", "undo", "comment"):
        assert nobody.post(path, {}).status_code == 404
    assert client.get("/").status_code == 404
    assert ann.get(theirs["candidate"][0]["src"]).status_code == 404
    said = {"showing": theirs["showing"], "question": "right", "label": "right"}
    assert ann.post("answer", said).status_code == 409
    assert store.rows() == []


def test_every_answer_says_what_may_run(study, ann):
    _, client = study
    answers = [ann.get(path) for path in ("", "study", "label.js", "label.css")] + [client.get("/nothing")]
    for one in answers:
        assert one.headers["content-security-policy"] == POLICY
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in POLICY
    assert [one.status_code for one in answers] == [200, 200, 200, 200, 404]
    page = answers[0].text
    assert "://" not in page
    assert page.count("<script") == 1
    assert "<style" not in page


def test_a_name_that_points_here_is_no_way_in(study, ann):
    """Another site could have its own name point to the loopback, and its script read what is answered to that."""
    assert ann.get("state", headers={"host": "evil.example"}).status_code == 400
    assert ann.get("state", headers={"host": "localhost:8350"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("answer", {"showing": 1, "question": "right", "label": "perhaps"}),
        ("answer", {"showing": 1, "question": "color", "label": "right"}),
        ("answer", {"showing": "1", "question": "right", "label": "right"}),
        ("answer", {"showing": 1, "question": "right", "label": "right", "took_s": -1}),
        ("answer", {"showing": 1, "question": "right", "label": "right", "more": 1}),
        ("answer", [1]),
        ("skip", {"showing": 1}),
        ("comment", {"showing": 1, "text": "x" * 10_001}),
    ],
)
def test_what_can_t_be_understood_changes_nothing(study, ann, path, said):
    store, _ = study
    before = store.progress(store.raters()[0])
    assert ann.post(path, said).status_code == 400
    assert store.progress(store.raters()[0]) == before


def test_forms_and_floods_are_refused(study, ann):
    _, client = study
    assert client.post(f"{ann.below}/undo", data={"last": "1"}).status_code == 415
    headers = {"content-type": "application/json"}
    assert client.post(f"{ann.below}/undo", content=b"{" + b" " * 70_000 + b"}", headers=headers).status_code == 413
    assert client.post(f"{ann.below}/undo", content=b"{", headers=headers).status_code == 400
    assert client.get(f"{ann.below}/undo").status_code == 405


def seen(folder, asked):
    """What is shown of one candidate; `asked` changes its request."""
    folder.mkdir(exist_ok=True)
    results = read_runs([write_run(folder, [Line("a", PASS)], asked=lambda line: asked(request(line)))])
    with SeenItems(results) as items:
        return items.find("a")


def test_words_series_clips_and_pictures_within_the_manifest(tmp_path):
    words = seen(tmp_path / "words", lambda said: {"requestId": "a", "maze": said["maze"], "text": "go <b>left</b>"})
    assert [(one.kind, one.text) for one in words.candidate] == [("words", "go <b>left</b>")]
    frames = {"images": [inline(picture()), inline(picture(kind="JPEG"))], "text": "so"}
    series = seen(tmp_path / "series", lambda said: {"requestId": "a", "maze": said["maze"], "frames": frames})
    assert [one.kind for one in series.candidate] == ["picture", "picture", "words"]
    lot = {"rushHour": {"puzzle": {"width": 10}, "truth": {"moves": 7}}}
    bare = seen(tmp_path / "bare", lambda _: {"requestId": "a", **lot, "text": "A 1"})
    assert [(one.kind, json.loads(one.text)) for one in bare.puzzle] == [("words", {"width": 10})]


def test_a_clip_is_served_in_parts_with_the_time_of_each_frame(tmp_path):
    (tmp_path / "clip.mp4").write_bytes(encode_mp4([np.full((64, 64, 3), 200, np.uint8)] * 5, 10.0))
    run = write_run(tmp_path, [Line("a", PASS)], asked=lambda line: {
        "requestId": "a", "maze": {}, "video": {"uri": "clip.mp4"}})  # fmt: skip
    opened = open_study(run, StudyWish(sample=["random=all"]))
    with SeenItems(opened.results) as items:
        client = TestClient(make_app(opened.store, items), base_url="http://127.0.0.1")
        page = Page(client, opened.store.invite("ann").token)
        (clip,) = page.now()["candidate"]
        assert clip["kind"] == "clip"
        part = page.get(clip["src"], headers={"range": "bytes=4-7"})
        assert (part.status_code, part.content, part.headers["content-type"]) == (206, b"ftyp", "video/mp4")
        assert page.get(clip["src"].replace("media", "times")).json() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize("name", ["secret.txt", "page.html", "drawing.svg", "gone.png"])
def test_only_pictures_and_clips_are_served_whatever_a_manifest_names(tmp_path, name):
    for file, text in (
        ("secret.txt", "root:x:0"),
        ("page.html", "<html><script>1</script>"),
        ("drawing.svg", "<svg/>"),
    ):
        (tmp_path / file).write_text(text)
    (tmp_path / "gone.png").write_bytes(picture())
    opened = open_study(write_run(tmp_path, [Line("a", PASS, picture=name)]), StudyWish(sample=["random=all"]))
    with SeenItems(opened.results) as items:
        client = TestClient(make_app(opened.store, items), base_url="http://127.0.0.1")
        page = Page(client, opened.store.invite("ann").token)
        source = page.now()["candidate"][0]["src"]
        (tmp_path / "gone.png").unlink()
        assert page.get(source).status_code == 404
