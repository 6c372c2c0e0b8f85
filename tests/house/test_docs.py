"""What the documentation names is there, and what is there is named."""

import re
from pathlib import Path

import pytest

from grader.media.pictures import MediaReason
from grader.profiles.reading import package_profiles
from grader.tasks.registry import list_tasks
from grader.wire.statuses import StatusReason

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


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
