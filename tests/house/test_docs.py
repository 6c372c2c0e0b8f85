"""What the documentation names is there, and what is there is named."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from grader.media.pictures import MediaReason
from grader.profiles.changes import paths_of
from grader.profiles.reading import package_profiles
from grader.tasks.registry import list_tasks
from grader.v1 import service_pb2
from grader.wire.statuses import StatusReason

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
DOTTED = re.compile(r"`([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)`")
SETTINGS = {path for task in list_tasks() for path in paths_of(task.settings_type(), task.name)}
GROUPS = {field.name for task in list_tasks() for field in fields(task.settings_type)}


def anchors(page):
    """The anchors of a page's headings, as they are made of their text: lower case, hyphens, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page):
    broken = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page if not name else page.parent / name
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("task", list_tasks(), ids=lambda task: task.name)
def test_a_task_page_names_every_metric_and_reason(task):
    page = (DOCS / "tasks" / f"{task.name}.md").read_text(encoding="utf-8")
    names = [metric.name for metric in task.metrics] + [reason.code for reason in task.reasons]
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("media.md", [reason.value for reason in MediaReason]),
        ("contract.md", [reason.value for reason in StatusReason]),
        ("profiles.md", list(package_profiles().names)),
    ],
)
def test_a_page_names_what_it_is_about(page, names):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []


def test_each_dependency_has_its_reason():
    pins = re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    page = (DOCS / "dependencies.md").read_text(encoding="utf-8")
    assert pins
    assert [name for name in pins if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)] == []


def is_of_the_contract(path):
    """Whether a path leads somewhere in a request or a verdict, or, in short, from a field of a task on."""
    request, verdict = (
        service_pb2.GradeRequest.DESCRIPTOR,
        service_pb2.GradeResponse.DESCRIPTOR.fields_by_name["verdict"],
    )
    tasks = [request.fields_by_name[task.name].message_type for task in list_tasks()]
    for message in (request, verdict.message_type, *tasks):
        for name in path.split("."):
            field = message.fields_by_name.get(name) if message is not None else None
            if field is None:
                break
            message = field.message_type
        else:
            return True
    return False


@pytest.mark.parametrize(
    "page",
    [*sorted((DOCS / "tasks").glob("*.md")), DOCS / "limits.md", DOCS / "profiles.md"],
    ids=lambda page: page.stem,
)
def test_settings_are_named_by_the_path_that_a_profile_has_them_by(page):
    starts = {task.name for task in list_tasks()} | GROUPS
    spans = [span for span in DOTTED.findall(page.read_text(encoding="utf-8")) if span.split(".")[0] in starts]
    assert [span for span in spans if span not in SETTINGS and not is_of_the_contract(span)] == []
