"""What commands print: lines for people, or with ``--json`` one object for machines; with ``--quiet`` only errors."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.common.errors import one_line_errors, say

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors: no bar, no table, no hint.")]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object, and nothing else, on stdout. Its keys are in docs/cli.md."),
]

EXIT_CODES = (
    "Exit codes: 0 all is well; 1 the grader or the machine failed, or lacks something; 2 what was asked for is wrong; "
    "130 stopped by Ctrl-C."
)


def epilog(*examples: str, more: str = "", codes: str = EXIT_CODES) -> str:
    """The end of a command's help: examples, what else there is to know, and exit codes."""
    listed = "\n".join(f"- `{example}`" for example in examples)
    return "\n\n".join(part for part in (f"Examples:\n\n{listed}" if examples else "", more, codes) if part)


@dataclasses.dataclass(frozen=True)
class Output:
    """How a command prints.

    Attributes
    ----------
    quiet : whether only errors are printed; what ``as_json`` asks for is printed all the same
    as_json : whether one object is printed on stdout, and nothing else there
    """

    quiet: bool = False
    as_json: bool = False

    @property
    def progress(self) -> bool:
        """Whether to show how far the command is."""
        return not self.quiet

    @property
    def for_people(self) -> bool:
        """Whether lines and tables are printed on stdout."""
        return not self.quiet and not self.as_json

    def line(self, text: str) -> None:
        """Prints a line for people on stdout."""
        if self.for_people:
            print(text)

    def note(self, text: str) -> None:
        """Prints on stderr what is no error."""
        if not self.quiet:
            say(text)

    def last(self, text: str, *, tables_for_people: bool = True) -> None:
        """Prints what people are to do next: below tables for them on stdout, on stderr where stdout is for machines.

        On another stream than the tables it might stand before them.
        """
        if self.for_people and tables_for_people:
            print(f"\n{text}")
        else:
            self.note(text)

    def answer(self, content: Mapping[str, Any]) -> None:
        """Prints the answer for machines, once a command."""
        if self.as_json:
            print(json.dumps(plain(content), ensure_ascii=False, allow_nan=False))

    @contextlib.contextmanager
    def errors(self, writes: Path | None = None) -> Iterator[None]:
        """As `one_line_errors`; with ``as_json`` the object on stdout is the error."""

        def told(text: str, code: int) -> None:
            self.answer({"error": text, "exit_code": code})

        with one_line_errors(writes, told):
            yield


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses as objects, paths and enums as text.

    Examples
    --------
    >>> plain({"at": Path("a"), "of": (1, 2)})
    {'at': 'a', 'of': [1, 2]}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value
