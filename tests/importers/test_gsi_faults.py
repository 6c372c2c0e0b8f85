"""GSI-Bench's import: files that are broken, missing or not clear are named, and nothing is written."""

import pytest

from grader.importers.common.errors import ImportFormatError
from grader.importers.gsi.edits import parse_dataset
from grader.importers.gsi.importer import Sources, import_gsi
from tests.samples.gsi import (
    MOVED,
    RECORDS,
    SOURCE,
    detection,
    edits,
    entry,
    imported,
    picture,
    rating,
    record,
    said,
    two_models,
    whole_set,
    write,
)


@pytest.fixture
def whole(tmp_path):
    return whole_set(tmp_path)


def _break(name, content):
    def change(folder):
        write(folder / name, content)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_break("fine_dataset/room_edit_0.json", "{"), r"room_edit_0\.json: is not JSON"),
        (_break("fine_dataset/room_edit_0.json", {"target": "a"}), r"room_edit_0\.json: prompt is missing"),
        (
            _break("fine_dataset/room_edit_0.json", record("Paint it.")),
            r"room_edit_0\.json: prompt begins with no word",
        ),
        (
            _break("fine_dataset/room_edit_0.json", record("Move it.", operation="paint")),
            r"room_edit_0\.json: operation is 'paint'",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"original_bbox_3d": [1, 2]}),
            r"room_edit_0\.json: original_bbox_3d must be \[x, y, z, w, h, l, yaw\], not 2 numbers",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"new_bbox_3d": [*MOVED[:6], "a"]}),
            r"room_edit_0\.json: new_bbox_3d\[6\] must be a finite number",
        ),
        (_break("fine_dataset/room_edit_0.json", record("Move it.")), r"room_edit_0\.json: new_bbox_3d is missing"),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"rotation_matrix": [[1, 0, 0]]}),
            r"room_edit_0\.json: rotation_matrix must be 9 numbers, not 3",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"camera_intrinsics": [[1, 0, 0]]}),
            r"room_edit_0\.json: camera_intrinsics is no camera",
        ),
        (
            _break("fine_dataset/room_edit_0.json", record("Remove it.", camera_intrinsics=None)),
            r"room_edit_0\.json: camera_intrinsics is missing",
        ),
        (
            _break("eval/toy/fine_eval/infer_cache.json", {"room_0": entry([{"label": "chair"}], [])}),
            r"infer_cache\.json: room_0\.origin_result\.detections\[0\]\.bbox_3d is missing",
        ),
        (_break("eval/toy/fine_eval/infer_cache.json", {"room_0": 3}), r"room_0 must be an object"),
        (_break("eval/toy/fine_eval/infer_cache.json", "[]"), r"infer_cache\.json: must hold an object"),
        (_break("eval/toy/infer_cache.json", {"room_0": {}}), r"room_0 is in .*fine_eval.* too"),
        (_break("infer_results/predictions_infer_1_k_fine_toy.json", "3"), r"ratings must be a list"),
        (
            _break("infer_results/predictions_infer_1_k_fine_toy.json", [rating("room_edit_0", said(1))]),
            r"room_edit_0 of toy is rated in .* too",
        ),
        (
            _break("infer_results/predictions_infer_1_k_fine_toy.json", [rating("room", said(1))]),
            r"meta\.index must be <img_id>_edit_<qid>",
        ),
        (_break("fine_dataset/room.png", "no picture"), r"room\.png is unusable"),
        (lambda folder: picture(folder / "fine_dataset/room.jpg"), r"is the same picture as room\.jpg"),
        (
            lambda folder: picture(folder / "eval/toy/generated_images_fine/room_edit_0_rgb.png"),
            r"is of the same edit as room_edit_0\.png",
        ),
        (lambda folder: picture(folder / "fine_dataset/room_gtedit_4.png"), r"is the same picture as"),
    ],
)
def test_a_broken_file_is_named(whole, change, message):
    change(whole)
    with pytest.raises(ImportFormatError, match=message):
        imported(whole)
    assert not (whole / "run.jsonl").exists()


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(ImportFormatError, match="there is no folder"):
        import_gsi(Sources(tmp_path / "none"), tmp_path / "run.jsonl", progress=False)
    with pytest.raises(ImportFormatError, match="holds none of fine_dataset"):
        imported(tmp_path)
    (tmp_path / "fine_dataset").mkdir()
    with pytest.raises(ImportFormatError, match=r"there is no <img_id>_edit_<qid>\.json"):
        imported(tmp_path)
    edits(tmp_path / "fine_dataset", [RECORDS["remove"]])
    with pytest.raises(ImportFormatError, match="--outputs, or what was found in it with --cache"):
        imported(tmp_path)
    with pytest.raises(ImportFormatError, match="there is no cache"):
        imported(tmp_path, caches=(tmp_path / "a.json",))
    with pytest.raises(ImportFormatError, match="of what models made; check the path"):
        imported(tmp_path, outputs=tmp_path / "out")
    write(tmp_path / "infer_cache.json", {"room_0": entry([], [])})
    with pytest.raises(ImportFormatError, match="there are no ratings"):
        imported(tmp_path, ratings=tmp_path / "fine_dataset")
    # All edits are left out: nothing is written.
    with pytest.raises(
        ImportFormatError, match="1 edit: each is of a picture before the edit in which nothing found has"
    ):
        imported(tmp_path)
    assert not (tmp_path / "run.jsonl").exists()


def test_models_and_caches_that_are_not_clear(tmp_path):
    two_models(tmp_path)
    with pytest.raises(ImportFormatError, match="has no model 'm_3'; there are: m_1, m_2"):
        imported(tmp_path, model="m_3")
    cache_file = write(tmp_path / "c.json", {"room_0": entry([detection(SOURCE)], [])})
    with pytest.raises(ImportFormatError, match="--cache is of one model"):
        imported(tmp_path, caches=(cache_file,))
    with pytest.raises(ImportFormatError, match="room_0 may be of fine_dataset or robothor_dataset"):
        imported(tmp_path, caches=(cache_file,), model="m_1")


@pytest.mark.parametrize("text", ["a", "a=b", "a=b=c=d", "=b=gsi_syn", "a==gsi_syn", "a/b=c=gsi_syn", "a=b=none"])
def test_a_dataset_option_that_says_too_little(text):
    with pytest.raises(ImportFormatError, match="--dataset"):
        parse_dataset(text)
