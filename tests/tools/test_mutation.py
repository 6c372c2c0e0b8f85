"""Faults that the mutation tool puts into code: which there are, which are drawn, and that tests tell them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutation.choice import choose, read_equivalents
from tools.mutation.sites import mutations

ROOT = Path(__file__).resolve().parents[2]


def faults(line, before=""):
    """The changed line for each fault of a line in a function."""
    source = f"def f(a, b, c) -> int:\n{before}    {line}\n".encode()
    return {found.operator: found.after for found in mutations("one.py", source) if found.before == line.strip()}


@pytest.mark.parametrize(
    ("line", "operator", "after"),
    [
        ("a = b < c", "compare", "a = b <= c"),
        ("a = b >= c", "compare", "a = b > c"),
        ("a = b == c", "compare", "a = b != c"),
        ("a = b in c", "compare", "a = b not in c"),
        ("a = b and c", "boolean", "a = (b or c)"),
        ("a = not b", "boolean", "a = (b)"),
        ("a = b & ~c", "boolean", "a = b & (c)"),
        ("a = b + c", "arithmetic", "a = (b - c)"),
        ("a = b // c", "arithmetic", "a = (b * c)"),
        ("a -= b", "arithmetic", "a += b"),
        ("a = 2.5", "number", "a = 3.5"),
        ("a = 0.0", "number", "a = 0.4"),
        ("a = 3", "number", "a = 4"),
        ("a = 100", "number", "a = 140"),
        ("a = True", "constant", "a = False"),
        ("a = b[c:]", "slice", "a = b[(c) + 1:]"),
        ("a = b if c else 1", "branch", "a = b if False else 1"),
        ("a = [b for b in c if b]", "branch", "a = [b for b in c if True]"),
        ("return a", "return", "return None"),
        ("a[b] = c", "drop", "pass"),
        ("a = a + b", "drop", "pass"),
        ("a.append(b)", "drop", "pass"),
        ("raise ValueError(b)", "drop", "pass"),
    ],
)
def test_has_faults_of_every_kind(line, operator, after):
    assert faults(line)[operator] == after


def test_a_branch_is_dropped():
    source = b"def f(a):\n    if a > 1:\n        a = 2\n    return a\n"
    assert {found.after for found in mutations("one.py", source) if found.line == 2} == {
        "if False:",
        "if a >= 1:",
        "if a > 2:",
    }


def test_an_answer_of_yes_or_no_is_turned_round():
    assert "return not (a == 1)" in {
        found.after for found in mutations("one.py", b"def f(a) -> bool:\n    return a == 1\n")
    }


@pytest.mark.parametrize(
    "source",
    [
        '"""Words about 3 things."""\n',
        "import a\n",
        "@cache(3)\ndef f(a: Literal[3]) -> tuple[3]: ...\n",
        'def f(a):\n    b = f"{a + 1} cells"\n',
        "def f(a, b):\n    c = zip(a, b, strict=True)\n",
        "def f(a):\n    a = b\n",
        "if TYPE_CHECKING:\n    A = 3\n",
    ],
)
def test_leaves_alone_what_no_verdict_depends_on(source):
    assert list(mutations("one.py", source.encode())) == []


def test_places_are_bytes():
    source = "A = 'ä' + b; B = 3\n".encode()
    (number,) = [found for found in mutations("one.py", source) if found.operator == "number"]
    assert number.applied(source).decode() == "A = 'ä' + b; B = 4\n"
    assert (number.name, number.reads) == ("B", ())


LINES = "".join(f"def f{index}(a):\n    return a + {index}\n" for index in range(40)).encode()


def texts(source, count=10, seed=1, equivalents=()):
    return [found.before for found in choose({"one.py": source}, count, seed, list(equivalents))[0]]


def test_the_draw_depends_on_the_seed_and_stays_when_other_lines_change():
    drawn = texts(LINES)
    assert len(set(drawn)) == 10
    assert drawn == texts(b"import os\n\n" + LINES)
    assert drawn != texts(LINES, seed=2)
    assert texts(LINES, count=1000) != []
    assert len(texts(LINES, count=1000)) == 40  # one fault a line


def test_equivalent_faults_are_left_out_and_stale_ones_are_told(tmp_path):
    (fault,) = choose({"one.py": LINES}, 1, 1, [])[0]
    listed = tmp_path / "list.txt"
    listed.write_text(
        f"# words\none.py\n- {fault.before}\n+ {fault.after}\n= never read\n\none.py\n- gone\n+ away\n= removed\n"
    )
    chosen, passed, stale = choose({"one.py": LINES}, 1, 1, read_equivalents(listed))
    assert [one.before for one in chosen] != [fault.before]
    assert [one.reason for one in passed] == ["never read"]
    assert [one.before for one in stale] == ["gone"]
    listed.write_text("one.py\n- a\n")
    with pytest.raises(ValueError, match=r"this is none:\none\.py"):
        read_equivalents(listed)


def test_the_list_of_equivalents_names_lines_that_are_there():
    listed = read_equivalents(ROOT / "tools" / "mutate_equivalent.txt")
    sources = {item.path: (ROOT / item.path).read_bytes() for item in listed}
    assert choose(sources, 0, 1, listed)[2] == []


CODE = """\
from functools import cache

LIMIT = 3


@cache
def made(a):
    return a * 2


def small(a) -> bool:
    return a < LIMIT


def unseen(a):
    return a - 1
"""
TESTS = """\
import pytest

from detectors.maze.one import made, small


@pytest.fixture(scope="module")
def four():
    return made(2)


def test_first(four): ...


def test_second(four):
    assert four == 4


def test_small():
    assert small(1) and not small(5)
"""


def test_a_run_tells_what_slips_through_and_goes_on_where_it_was(tmp_path):
    """``LIMIT`` may be 4; ``unseen`` is never run; what the first test makes for both is told by the second alone."""
    plugins = {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for file in (ROOT / "tools" / "mutation").glob("*.py")
    }
    for name, text in {
        **plugins,
        "detectors/maze/one.py": CODE,
        "tests/maze/test_one.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["shared", "lpips"]\n',
        ".gitignore": "build/\n__pycache__/\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    words = ["--mutations", "50", "--seed", "4", "--at-least", "0.9"]
    program = f"import sys; from pathlib import Path; sys.path.insert(0, {str(ROOT / 'tools')!r}); import mutate; "
    program += f"sys.exit(mutate.main({words!r}, Path({str(tmp_path)!r})))"
    first = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    results = tmp_path / "build" / "mutation" / "results.jsonl"
    found = {one["before"]: one for one in map(json.loads, results.read_text(encoding="utf-8").splitlines())}
    assert {line: one["by"] for line, one in found.items()} == {
        "LIMIT = 3": "1 tests pass",
        "return a * 2": "tests/maze/test_one.py::test_second",
        "return a < LIMIT": "tests/maze/test_one.py::test_small",
        "return a - 1": "no test runs this line",
    }
    assert first.returncode == 1, first.stderr  # fewer than 9 of 10
    assert "detectors/maze/one.py:3 (number)\n  - LIMIT = 3\n  + LIMIT = 4" in first.stdout
    again = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert len(results.read_text(encoding="utf-8").splitlines()) == len(found)
    assert again.stdout.split("slipped through:")[1] == first.stdout.split("slipped through:")[1]
