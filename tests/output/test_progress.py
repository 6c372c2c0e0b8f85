"""Progress without a terminal: a line now and then."""

import io
import sys

import pytest

from grader.output.progress import ProgressLines, Silence, progress_of, tracked


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def run(capsys, total, seconds_each, unit="item", initial=0):
    """The lines of a command whose every item takes so long, with the moment of each."""
    clock = Clock()
    lines = ProgressLines(total, unit, "grade", initial, clock)
    found = []
    for _ in range(total - initial):
        clock.now += seconds_each
        lines.update()
        told = capsys.readouterr().err
        if told:
            found.append((clock.now - 100, told.strip()))
    return found


def test_a_short_command_writes_none(capsys):
    assert run(capsys, 29, 1) == []


def test_lines_are_half_a_minute_apart_at_least_and_a_tenth_of_the_work(capsys):
    moments = [at for at, _ in run(capsys, 100, 1)]
    assert moments == [30, 60, 90]
    moments = [at for at, _ in run(capsys, 1000, 1)]
    assert moments == [100 * step for step in range(1, 11)]


def test_a_long_command_says_every_ten_minutes_that_it_goes_on(capsys):
    moments = [at for at, _ in run(capsys, 100, 700)][:3]
    assert moments == [700, 1400, 2100]
    moments = [at for at, _ in run(capsys, 10_000, 1)][:2]
    assert moments == [600, 1200]


def test_a_line_says_how_much_is_done_and_how_long_it_takes_yet(capsys):
    assert run(capsys, 100, 1)[0][1] == "grader: grade: 30 of 100 items (30 %) in 0:30, about 1:10 left"
    # 50 were done before: the speed is that of now.
    (_, line), *_ = run(capsys, 100, 40, initial=50)
    assert line == "grader: grade: 60 of 100 items (60 %) in 6:40, about 26:40 left"


def test_bytes_are_told_in_their_unit(capsys):
    clock = Clock()
    lines = ProgressLines(5_000_000, "B", "read", clock=clock)
    clock.now += 60
    lines.update(2_500_000)
    assert capsys.readouterr().err == "grader: read: 2.5 MB of 5.0 MB (50 %) in 1:00, about 1:00 left\n"
    lines = ProgressLines(None, "B", "read", clock=clock)
    clock.now += 3700
    lines.update(1234)
    assert capsys.readouterr().err == "grader: read: 1.2 kB in 1:01:40\n"


def test_a_terminal_gets_a_bar_and_nobody_gets_anything_unasked(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert list(tracked("abc", "import", 3, "puzzle")) == ["a", "b", "c"]
    assert "import" in screen.getvalue()
    assert "3/3" in screen.getvalue()
    screen.truncate(0)
    assert list(tracked("abc", "import", 3, "puzzle", show=False)) == ["a", "b", "c"]
    assert screen.getvalue() == ""


@pytest.mark.parametrize("show", [True, False])
def test_where_there_is_no_terminal_no_bar_is_drawn(monkeypatch, show):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_of("grade", 3, "item", show=show) as progress:
        assert isinstance(progress, ProgressLines if show else Silence)
        progress.update(3)
    assert sys.stderr.getvalue() == ""
