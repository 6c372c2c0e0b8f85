"""The meanings that a word can have, as bits of a number: a word may have several."""

from __future__ import annotations

from typing import Final

# Which way.
FORWARD: Final = 1 << 0
BACKWARD: Final = 1 << 1
UP: Final = 1 << 2
DOWN: Final = 1 << 3
LEFT: Final = 1 << 4
RIGHT: Final = 1 << 5
CLOCKWISE: Final = 1 << 6
ANTICLOCKWISE: Final = 1 << 7
# What is moved, and that it is.
VEHICLE: Final = 1 << 8
COLOR: Final = 1 << 9
RED: Final = 1 << 10
BLANK: Final = 1 << 11
TILE: Final = 1 << 12
OBJECT: Final = 1 << 13
MOVES: Final = 1 << 14
DEGREES: Final = 1 << 15
# What holds a plan together.
THEN: Final = 1 << 16
AND: Final = 1 << 17
FILLER: Final = 1 << 18
STEP: Final = 1 << 19
ORDINAL: Final = 1 << 20
TIMES: Final = 1 << 21
NUMBER: Final = 1 << 22
AGAIN: Final = 1 << 23
ADVERB: Final = 1 << 24
BECAUSE: Final = 1 << 25
UNTIL: Final = 1 << 26
CONTACT: Final = 1 << 27
CHANGES: Final = 1 << 28
MAY: Final = 1 << 29
# What a sentence does.
ANSWER: Final = 1 << 30
FINAL: Final = 1 << 31
HEDGE: Final = 1 << 32
OPTION: Final = 1 << 33
OPTIONS: Final = 1 << 34
TRIED: Final = 1 << 35
EARLIER: Final = 1 << 36
QUOTES: Final = 1 << 37
EXPLAINS: Final = 1 << 38
THOUGHT: Final = 1 << 39
OR: Final = 1 << 41
NOT: Final = 1 << 42
BAD: Final = 1 << 43
GOOD: Final = 1 << 44
THIS: Final = 1 << 45
IS: Final = 1 << 46
ARTICLE: Final = 1 << 47
TAKES_BACK: Final = 1 << 48
NO: Final = 1 << 49
BUT: Final = 1 << 50
WAY: Final = 1 << 51
THING: Final = 1 << 52
STATE: Final = 1 << 53
TO: Final = 1 << 54
FORMAT: Final = 1 << 55
YES: Final = 1 << 56
PIECE: Final = 1 << 57
HINGE: Final = 1 << 58
PATTERN: Final = 1 << 59
WRITER: Final = 1 << 60
CHOOSES: Final = 1 << 61
OTHER: Final = 1 << 62
TURNS: Final = 1 << 63
AMENDS: Final = 1 << 64
UNSURE: Final = 1 << 65
# Under what condition, of which, whose.
IF: Final = 1 << 66
WHEN: Final = 1 << 67
ELSE: Final = 1 << 68
INVERTED: Final = 1 << 69
INDEFINITE: Final = 1 << 70
CONCLUDES: Final = 1 << 71
OWN: Final = 1 << 72
EITHER: Final = 1 << 73
ONE_MOVE: Final = 1 << 74
WOULD: Final = 1 << 75
