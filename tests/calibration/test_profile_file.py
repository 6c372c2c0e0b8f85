"""What was fitted as a profile: written once, loaded by service and commands, refused where it does not fit."""

import json
from dataclasses import replace

import pytest

from calibration.cases import CalibrationOptions
from calibration.fitting import ThresholdKind
from calibration.labels import CalibrationError
from calibration.make import make_calibration
from calibration.profile_file import ProfileWish
from grader import __version__
from grader.model.verdict import Metric, Outcome, Provenance, Reason, Verdict
from grader.profiles.calibrated import BELOW_THRESHOLD
from grader.profiles.profile import ProfileError
from grader.profiles.reading import check_files, load_profiles, package_profiles
from grader.report.data.estimates import Resampling
from grader.report.data.failure_modes import mode_of
from grader.serving.catalogue import make_catalogue
from grader.serving.settings import load_settings
from grader.tasks.registry import find_task
from tests.cli.run import run, run_json
from tests.samples.report import FAIL, PASS, Line, response, write_run

MAZE, QUEENS = find_task("maze"), find_task("queens")
DIGEST = package_profiles().find("default").digest_of(MAZE)


def made_by(line, version=__version__, profile="default", digest=DIGEST):
    said = response(line)
    said["verdict"]["provenance"] |= {"graderVersion": version, "profile": profile, "profileDigest": digest}
    return said


def graded(folder, lines=None, **made):
    """400 verdicts, two of each puzzle: all with a score from 0.3 on pass; people say right from 0.5 on."""
    lines = lines or [
        Line(f"p{at}", PASS if at % 100 >= 30 else FAIL, f"puzzle {at // 2}", score=at % 100 / 100) for at in range(400)
    ]
    answered = made.pop("answered", lambda line: made_by(line, **made))
    found = write_run(folder, lines, answered=answered)
    labels = folder / "people.csv"
    said = [f"{one.request_id},{who},{'right' if one.score >= 0.5 else 'wrong'}\n" for one in lines for who in "ab"]
    labels.write_text("request_id,rater,label\n" + "".join(said))
    return found, labels


def fit(folder, file, *, number="score", kind=ThresholdKind.BOUND, **made):
    found, labels = graded(folder, **made)
    options = CalibrationOptions(number=number, resampling=Resampling(0), most_false_passes=0.05)
    make_calibration(found, [labels], None, options, profile=ProfileWish(file, kind))
    return found


@pytest.fixture
def profiles(tmp_path):
    """A folder with what was fitted."""
    folder = tmp_path / "profiles"
    folder.mkdir()
    fit(tmp_path / "fit", folder / "strict.json")
    return folder


def verdict(score, outcome=Outcome.PASS, **more):
    reasons = () if outcome is Outcome.PASS else (Reason("GAP", "a gap"),)
    made = Provenance(__version__, "strict", "0" * 64)
    return Verdict(outcome, score, 1.0, (), reasons, None, None, made, **more)


def test_a_profile_says_what_was_fitted_to_what(profiles):
    said = json.loads((profiles / "strict.json").read_text())
    fitted = said["calibration"]
    assert (said["name"], said["extends"]) == ("strict", "default")
    assert (
        said["description"]
        == "default, held to labels of people: score at least 0.5 (false passes below 0.05, to 95 %)."
    )
    assert fitted["fitted_to"] == {
        "grader_version": __version__,
        "profile": "default",
        "task_digests": {"maze": DIGEST},
    }
    assert (fitted["labels"]["raters"], fitted["labels"]["labels"], fitted["labels"]["candidates"]) == (2, 800, 400)
    assert fitted["split"] == {"share": 0.5, "seed": 0}
    done = fitted["agreement"]
    assert done["passed"] == done["right"] - done["false_fails"] + done["false_passes"]
    assert 150 < done["wrong"] + done["right"] < 250
    assert (done["false_fails"], done["people_percent"], done["people_ac1"]) == (0, 1.0, 1.0)
    assert (done["false_passes"], 0.02 < done["bound"] < 0.05) == (0, True)


def test_what_passes_by_rules_is_held_to_the_threshold(profiles):
    calibration = load_profiles(profiles).find("strict").calibration
    least = calibration.threshold
    assert calibration.applied(verdict(least), "maze") == verdict(least)
    below = calibration.applied(verdict(least - 0.01), "maze")
    assert (below.outcome, below.score, below.reward, below.codes) == (
        Outcome.FAIL,
        least - 0.01,
        0.0,
        (BELOW_THRESHOLD,),
    )
    assert below.reasons[0].message == (
        f"score is {least - 0.01:g}, and {least:g} is the least that passes by the labels of people; "
        "by the rules alone it is right"
    )
    failed = verdict(0.99, Outcome.FAIL)
    assert calibration.applied(failed, "maze") == failed, "what fails by rules does not pass by a score"
    assert calibration.applied(verdict(0.1), "queens") == verdict(0.1), "nobody labelled a board"
    assert mode_of(BELOW_THRESHOLD).value == "below the threshold"


def test_a_metric_over_100_has_its_own_scale_and_one_that_is_missing_does_not_pass(profiles):
    calibration = load_profiles(profiles).find("strict").calibration
    over_100 = calibration.model_copy(update={"number": "el", "scale": 100, "threshold": 0.7})
    for value, outcome in ((70.0, Outcome.PASS), (69.9, Outcome.FAIL), (None, Outcome.FAIL)):
        metric = Metric("el", value, "" if value is not None else "no boxes")
        assert over_100.applied(verdict(None, Outcome.PASS) if value is None else replace(
            verdict(0.0), metrics=(metric,)), "maze").outcome is outcome  # fmt: skip


def test_digests_tell_it_from_what_it_departs_from(profiles):
    found = load_profiles(profiles)
    strict, default = found.find("strict"), found.find("default")
    assert strict.digest_of(MAZE) != default.digest_of(MAZE)
    assert strict.digest_of(QUEENS) == default.digest_of(QUEENS)
    assert strict.digest != default.digest
    assert strict.settings_of(MAZE) == default.settings_of(MAZE)


def test_list_tasks_and_commands_tell_it(profiles):
    (told,) = [one for one in make_catalogue(load_settings(profiles=profiles)).profiles if one.HasField("calibration")]
    one = told.calibration
    assert (told.name, one.number, one.threshold, list(one.tasks)) == ("strict", "score", 0.5, ["maze"])
    assert (one.grader_version, one.fitted_profile, one.question) == (__version__, "default", "right_or_wrong")
    assert (one.wrong > 0, one.HasField("bound"), one.bound_level, len(one.labels_digest)) == (True, True, 0.95, 64)
    assert (
        "fitted: score at least 0.5 (false passes below 0.05, to 95 %) on maze; labels"
        in run("tasks", "maze", "--profiles", profiles).stdout
    )
    code, shown = run_json("profile", "show", "strict", "--profiles", profiles)
    assert (code, shown["calibration"]["threshold"]) == (0, 0.5)
    assert run("profile", "check", profiles / "strict.json").exit_code == 0


def refusal(folder):
    with pytest.raises(ProfileError) as raised:
        load_profiles(folder)
    return str(raised.value)


def test_a_profile_of_another_version_is_refused_by_name(profiles, monkeypatch):
    monkeypatch.setattr("grader.profiles.reading.__version__", "9.9")
    assert (
        f"calibration: strict was fitted to verdicts of grader {__version__}, and this is 9.9; grade the labelled"
        in (refusal(profiles))
    )
    (checked,) = check_files([profiles / "strict.json"])
    assert "strict was fitted to verdicts of grader" in checked.fault


def test_a_profile_of_other_settings_is_refused_by_name(tmp_path):
    fit(tmp_path / "fit", tmp_path / "old.json", digest="a" * 64)
    assert "old was fitted to verdicts by other settings of maze than those of the profile default here" in refusal(
        tmp_path
    )


@pytest.mark.parametrize("change", [("threshold", 0.01), ("rule", "none"), ("sha256", "0" * 64)])
def test_what_was_fitted_can_t_be_changed(profiles, change):
    file = profiles / "strict.json"
    said = json.loads(file.read_text())
    said["calibration"][change[0]] = change[1]
    file.write_text(json.dumps(said))
    assert (
        "calibration: the file was changed since it was written; what is fitted is never changed, so fit anew"
        in refusal(profiles)
    )


def test_nor_can_it_be_extended_or_misread(profiles):
    (profiles / "heir.json").write_text(json.dumps({"name": "heir", "description": "x", "extends": "strict"}))
    assert "extends: strict is fitted to people's labels, which say nothing of other settings" in refusal(profiles)
    (profiles / "heir.json").write_text(json.dumps({"name": "heir", "description": "x", "calibration": {"number": 5}}))
    told = check_files([profiles / "heir.json"])[0].fault
    assert "calibration.number: input should be a valid string" in told
    assert "calibration.fitted_to: field required" in told


def test_it_is_written_once(tmp_path):
    file = tmp_path / "strict.json"
    found = fit(tmp_path / "fit", file)
    before = file.read_bytes()
    labels = tmp_path / "fit" / "people.csv"
    same = ["calibrate", found, "--labels", labels, "--profile", file, "--bootstrap", "0"]
    assert run(*same).exit_code == 0
    other = run(*same, "--seed", "5")
    assert (other.exit_code, "is another profile, and what was fitted is never changed" in other.stderr) == (2, True)
    assert file.read_bytes() == before
    code, said = run_json("calibrate", found, "--labels", labels, "--profile", tmp_path / "cheap.json",
                          "--profile-threshold", "cost", "--bootstrap", "0")  # fmt: skip
    assert (code, said["profile"]) == (0, str(tmp_path / "cheap.json"))
    assert json.loads((tmp_path / "cheap.json").read_text())["calibration"]["threshold"] == 0.5


@pytest.mark.parametrize(
    ("file", "number", "lines", "why"),
    [
        ("strict", "score", None, "a profile is a file NAME.json"),
        ("strict.json", "confidence", None, "held to score, reward or a metric, not to confidence"),
        (
            "strict.json",
            "score",
            [Line(f"p{at}", PASS, score=at % 2 / 2) for at in range(20)],
            "there is no threshold for",
        ),
    ],
)
def test_what_can_t_be_held_to_is_said(tmp_path, file, number, lines, why):
    with pytest.raises(CalibrationError, match=why):
        fit(tmp_path / "fit", tmp_path / file, number=number, lines=lines)
    assert not (tmp_path / file).exists()


def test_verdicts_by_two_versions_have_no_one_profile(tmp_path):
    with pytest.raises(
        CalibrationError, match=r"several versions or profiles \(grader 0.1, profile default; grader 0.2,"
    ):
        fit(tmp_path / "fit", tmp_path / "x.json", answered=lambda line: made_by(
            line, version="0.1" if line.score > 0.5 else "0.2"))  # fmt: skip
