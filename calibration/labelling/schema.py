"""The tables of a study's file."""

from __future__ import annotations

FORMAT = 1
SCHEMA = """
CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE item (id INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, stratum TEXT NOT NULL);
CREATE TABLE rater (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token TEXT UNIQUE, decides INTEGER NOT NULL);
CREATE TABLE showing (
  id INTEGER PRIMARY KEY, rater INTEGER NOT NULL REFERENCES rater, item INTEGER NOT NULL REFERENCES item,
  place INTEGER NOT NULL, answered INTEGER NOT NULL DEFAULT 0, comment TEXT NOT NULL DEFAULT '', UNIQUE (rater, place));
CREATE TABLE deed (
  id INTEGER PRIMARY KEY AUTOINCREMENT, showing INTEGER NOT NULL REFERENCES showing, question TEXT NOT NULL,
  label TEXT NOT NULL, was_at INTEGER NOT NULL, took_s REAL, at TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX one_answer ON deed (showing, question) WHERE undone = 0 AND label <> '';
CREATE INDEX deeds ON deed (showing);
CREATE INDEX of_item ON showing (item);
"""
"""A deed is an answer, or with an empty label a showing that was put off; `was_at` is where that was before."""

IS_FIRST = (
    "r.decides = 0 AND d.undone = 0 AND d.label <> '' AND NOT EXISTS (SELECT 1 FROM showing e JOIN deed f "
    "ON f.showing = e.id WHERE e.rater = s.rater AND e.item = s.item AND f.question = d.question AND f.undone = 0 "
    "AND f.label <> '' AND f.id < d.id)"
)
FIRST_LABELS = (
    "SELECT d.question, d.label FROM showing s JOIN deed d ON d.showing = s.id JOIN rater r ON r.id = s.rater "
    f"WHERE {IS_FIRST}"
)
"""What people said first of each candidate, to each question."""
