"""A study on disk: candidates, people, what they are asked, and what they said. An SQLite file.

Whatever a person does is one transaction, and is on disk before the answer to it goes out; nothing is kept in memory.
So a process that is killed at any moment has lost nothing, and what is sent again because no answer came is told from
what is new. Nothing is ever deleted: what was taken back stays, marked.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.labelling.model import DrawnItem, Rater, RaterProgress, ShownCandidate, StaleError, order_of
from calibration.labelling.protocol import LabelProtocol
from calibration.labelling.rows import LabelRow
from calibration.labelling.schema import FIRST_LABELS, FORMAT, IS_FIRST, SCHEMA
from calibration.labels import CalibrationError

_TOKEN_BYTES = 18


class StudyStore:
    """A study's file, opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10.0, check_same_thread=False)
        try:
            # FULL: a transaction is on disk before it is said to be.
            self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
            self._settings = {name: json.loads(value) for name, value in self._all("SELECT name, value FROM study")}
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise CalibrationError(
                f"{path} is no study of `grader label` ({error}); name another file with --study"
            ) from error
        if self._settings.get("format") != FORMAT:
            self._db.close()
            raise CalibrationError(
                f"{path} was begun by another version of `grader label`; name another file with --study"
            )
        self.protocol = LabelProtocol.model_validate(self._settings["protocol"])

    @classmethod
    def begin(
        cls, path: Path, protocol: LabelProtocol, items: Sequence[DrawnItem], plan: Mapping[str, Any]
    ) -> StudyStore:
        """Makes the file of a study; only its owner may read it.

        Parameters
        ----------
        path : Path
            Where there is none yet.
        protocol : LabelProtocol
            What is asked.
        items : sequence of DrawnItem
            The candidates.
        plan : mapping
            How they were drawn, for `plan`.
        """
        # Whole or not at all: one that was killed at half of it would be taken for a study.
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        part.touch(mode=0o600)
        try:
            with contextlib.closing(sqlite3.connect(part)) as db, db:
                db.executescript(SCHEMA)
                settings = {"format": FORMAT, "protocol": protocol.model_dump(), "plan": plan}
                db.executemany(
                    "INSERT INTO study VALUES (?, ?)", [(name, json.dumps(value)) for name, value in settings.items()]
                )
                db.executemany(
                    "INSERT INTO item (request_id, stratum) VALUES (?, ?)",
                    [(one.request_id, one.stratum) for one in items],
                )
            os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
        return cls(path)

    def close(self) -> None:
        """Closes it."""
        self._db.close()

    @property
    def plan(self) -> Mapping[str, Any]:
        """How candidates were drawn."""
        plan: Mapping[str, Any] = self._settings["plan"]
        return plan

    def items(self) -> tuple[DrawnItem, ...]:
        """The candidates."""
        return tuple(DrawnItem(*row) for row in self._all("SELECT request_id, stratum FROM item ORDER BY id"))

    def raters(self) -> tuple[Rater, ...]:
        """All people."""
        rows = self._all("SELECT id, name, coalesce(token, ''), decides FROM rater ORDER BY id")
        return tuple(Rater(key, name, token, bool(decides)) for key, name, token, decides in rows)

    def find(self, token: str) -> Rater | None:
        """Who has a token. It is compared in a time that does not tell how much of it is right."""
        given = token.encode()
        return next(
            (one for one in self.raters() if one.token and secrets.compare_digest(one.token.encode(), given)), None
        )

    def invite(self, name: str, *, decides: bool = False) -> Rater:
        """A person's place in the study: the one that there is, or a new one with an order of its own.

        Raises
        ------
        CalibrationError
            If that person is asked already, and to decide or not is the other way.
        """
        if not name.strip() or len(name) > 80:
            raise CalibrationError(f"a person's name is 1 to 80 characters, not {name!r}")
        with self._transaction():
            known = next((one for one in self.raters() if one.name == name), None)
            if known is not None and known.decides is not decides:
                raise CalibrationError(
                    f"{name} labels in this study and so can't decide between labels; or the other way round"
                )
            if known is None:
                self._db.execute("INSERT INTO rater (name, decides) VALUES (?, ?)", (name, decides))
            if known is None or not known.token:
                self._db.execute(
                    "UPDATE rater SET token = ? WHERE name = ?", (secrets.token_urlsafe(_TOKEN_BYTES), name)
                )
                if not decides:
                    self._ask_all(name)
            return next(one for one in self.raters() if one.name == name)

    def _ask_all(self, name: str) -> None:
        """Puts all candidates that a person has no label of into an order."""
        ((rater,),) = self._all("SELECT id FROM rater WHERE name = ?", name)
        had = {item for (item,) in self._all("SELECT item FROM showing WHERE rater = ?", rater)}
        items = [item for (item,) in self._all("SELECT id FROM item ORDER BY id") if item not in had]
        order = order_of(items, float(self.plan["twice"]), int(self.plan["seed"]), name)
        start = self._end(rater)
        self._db.executemany(
            "INSERT INTO showing (rater, item, place) VALUES (?, ?, ?)",
            [(rater, item, start + at) for at, item in enumerate(order)],
        )

    def progress(self, rater: Rater, ahead: int = 3) -> RaterProgress:
        """What a person is asked now; and for who decides, what others have come to differ in meanwhile."""
        if rater.decides:
            with self._transaction():
                self._ask_differing(rater)
        size = len(self.protocol.questions)
        asked = self._all(
            "SELECT s.id, i.request_id, s.place, s.comment, i.id FROM showing s JOIN item i ON i.id = s.item "
            "WHERE s.rater = ? AND s.answered < ? ORDER BY s.place LIMIT ?", rater.key, size, ahead + 1,
        )  # fmt: skip
        ((total, done),) = self._all(
            "SELECT count(*), coalesce(sum(answered >= ?), 0) FROM showing WHERE rater = ?", size, rater.key
        )
        made = tuple(
            ShownCandidate(
                showing, request_id, place, self._said(showing), comment, self._others(item) if rater.decides else {}
            )
            for showing, request_id, place, comment, item in asked
        )
        return RaterProgress(made, done, total, self._last(rater))

    def _said(self, showing: int) -> dict[str, str]:
        return dict(
            self._all("SELECT question, label FROM deed WHERE showing = ? AND undone = 0 AND label <> ''", showing)
        )

    def _others(self, item: int) -> dict[str, list[str]]:
        """What people said first of a candidate, by question; in an order that does not tell who."""
        found: dict[str, list[str]] = {}
        for question, label in self._all(FIRST_LABELS + " AND s.item = ? ORDER BY d.question, d.label", item):
            found.setdefault(question, []).append(label)
        return found

    def _ask_differing(self, rater: Rater) -> None:
        rows = self._all(
            "SELECT item FROM (SELECT s.item AS item, d.question AS question, d.label AS label FROM showing s "
            f"JOIN deed d ON d.showing = s.id JOIN rater r ON r.id = s.rater WHERE {IS_FIRST}) "
            "WHERE item NOT IN (SELECT item FROM showing WHERE rater = ?) "
            "GROUP BY item, question HAVING count(DISTINCT label) > 1",
            rater.key,
        )
        start = self._end(rater.key)
        self._db.executemany(
            "INSERT INTO showing (rater, item, place) VALUES (?, ?, ?)",
            [(rater.key, item, start + at) for at, item in enumerate(sorted({item for (item,) in rows}))],
        )

    def _last(self, rater: Rater) -> int:
        rows = self._all(
            "SELECT max(d.id) FROM deed d JOIN showing s ON s.id = d.showing "
            "WHERE s.rater = ? AND d.undone = 0 AND d.was_at >= 0",
            rater.key,
        )
        return int(rows[0][0] or 0)

    def answer(self, rater: Rater, showing: int, question: str, label: str, took_s: float | None) -> None:
        """Notes an answer. The same once more, as after a break, changes nothing.

        Raises
        ------
        StaleError
            If something else was answered already, or the showing is not this person's.
        CalibrationError
            If there is no such question or label.
        """
        asked = self.protocol.find(question)
        if asked is None or label not in [one.label for one in asked.labels]:
            raise CalibrationError(f"there is no label {label!r} of a question {question!r}")
        with self._transaction():
            place = self._place(rater, showing)
            said = self._said(showing).get(question)
            if said == label:
                return
            if said is not None:
                raise StaleError(f"{question} was answered already")
            self._answer(showing, place, question, label, took_s, _now())

    def _answer(self, showing: int, place: int, question: str, label: str, took_s: float | None, at: str) -> None:
        self._db.execute(
            "INSERT INTO deed (showing, question, label, was_at, took_s, at) VALUES (?, ?, ?, ?, ?, ?)",
            (showing, question, label, place, took_s, at),
        )
        self._db.execute("UPDATE showing SET answered = answered + 1 WHERE id = ?", (showing,))

    def skip(self, rater: Rater, showing: int, place: int) -> None:
        """Puts a showing off to the end. Once it was put off from a place, the same once more changes nothing.

        Raises
        ------
        StaleError
            If the showing is not this person's.
        """
        with self._transaction():
            if self._place(rater, showing) != place:
                return
            self._db.execute(
                "INSERT INTO deed (showing, question, label, was_at, at) VALUES (?, '', '', ?, ?)",
                (showing, place, _now()),
            )
            self._db.execute("UPDATE showing SET place = ? WHERE id = ?", (self._end(rater.key), showing))

    def undo(self, rater: Rater, last: int) -> None:
        """Takes back the last thing done, if it is still the one of that number."""
        with self._transaction():
            if not last or self._last(rater) != last:
                return
            ((showing, label, was_at),) = self._all("SELECT showing, label, was_at FROM deed WHERE id = ?", last)
            self._db.execute("UPDATE deed SET undone = 1 WHERE id = ?", (last,))
            if label:
                self._db.execute("UPDATE showing SET answered = answered - 1 WHERE id = ?", (showing,))
            else:
                self._db.execute("UPDATE showing SET place = ? WHERE id = ?", (was_at, showing))

    def comment(self, rater: Rater, showing: int, text: str) -> None:
        """Keeps what a person wrote of a showing, instead of what was there.

        Raises
        ------
        StaleError
            If the showing is not this person's.
        """
        with self._transaction():
            self._place(rater, showing)
            self._db.execute("UPDATE showing SET comment = ? WHERE id = ?", (text, showing))

    def request_of(self, rater: Rater, showing: int) -> str | None:
        """The candidate of a showing of that person."""
        rows = self._all(
            "SELECT i.request_id FROM showing s JOIN item i ON i.id = s.item WHERE s.id = ? AND s.rater = ?",
            showing, rater.key,
        )  # fmt: skip
        return rows[0][0] if rows else None

    def rows(self) -> list[LabelRow]:
        """All labels that hold, in the order in which they were given."""
        found = self._all(
            "SELECT i.request_id, r.name, d.question, d.label, (SELECT count(*) FROM showing o WHERE o.rater = s.rater "
            "AND o.item = s.item AND o.id <= s.id), s.comment, i.stratum, iif(r.decides, 'yes', ''), "
            "d.took_s, d.at FROM deed d JOIN showing s ON s.id = d.showing JOIN item i ON i.id = s.item "
            "JOIN rater r ON r.id = s.rater WHERE d.undone = 0 AND d.label <> '' ORDER BY d.id"
        )
        return [LabelRow(*one) for one in found]

    def add(self, row: LabelRow) -> bool:
        """Takes in a label from elsewhere; False where it is here already.

        Raises
        ------
        CalibrationError
            If that person said something else at that visit, or is here in another part.
        """
        decides = bool(row.adjudicated)
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO item (request_id, stratum) VALUES (?, ?)", (row.request_id, row.stratum)
            )
            self._db.execute("INSERT OR IGNORE INTO rater (name, decides) VALUES (?, ?)", (row.rater, decides))
            ((rater, here),) = self._all("SELECT id, decides FROM rater WHERE name = ?", row.rater)
            if bool(here) is not decides:
                raise CalibrationError(
                    f"{row.rater} labels and decides between labels; give one of the two another name"
                )
            ((item,),) = self._all("SELECT id FROM item WHERE request_id = ?", row.request_id)
            visits = self._all("SELECT id, place FROM showing WHERE rater = ? AND item = ? ORDER BY id", rater, item)
            while len(visits) < row.visit:
                end = self._end(rater)
                made = self._db.execute("INSERT INTO showing (rater, item, place) VALUES (?, ?, ?)", (rater, item, end))
                visits.append((made.lastrowid, end))
            showing, _ = visits[row.visit - 1]
            said = self._said(showing).get(row.question)
            if said == row.label:
                return False
            if said is not None:
                raise CalibrationError(
                    f"{row.rater} said {said!r} of {row.request_id!r} (visit {row.visit}), and {row.label!r} here"
                )
            # Before all places: what came from a file is not taken back by a key.
            self._answer(showing, -1, row.question, row.label, row.took_s, row.at or _now())
            if row.comment:
                self._db.execute("UPDATE showing SET comment = ? WHERE id = ?", (row.comment, showing))
            return True

    def _place(self, rater: Rater, showing: int) -> int:
        rows = self._all("SELECT place FROM showing WHERE id = ? AND rater = ?", showing, rater.key)
        if not rows:
            raise StaleError(f"{rater.name} is not asked about that")
        return int(rows[0][0])

    def _end(self, rater: int) -> int:
        ((end,),) = self._all("SELECT coalesce(max(place), -1) + 1 FROM showing WHERE rater = ?", rater)
        return int(end)

    def _all(self, text: str, *values: Any) -> list[Any]:
        return self._db.execute(text, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
