"""Changes messages field by field, as their descriptors say: what is well-formed on the wire and yet makes no sense.

Bytes that are changed anywhere are mostly no protobuf any more, or damage a picture; numbers without bounds, lists of
other lengths, exchanged and missing parts reach what comes behind the decoding.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_FLOATS = (0.0, -0.0, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 1e-9, 1e9, -1.0, 0.5, 1.0)
_INTEGERS = (0, 1, -1, 2, 3, 255, 65_536, 2**31 - 1, -(2**31))
_TEXTS = ("", " ", "A", "\x00", "-1", "nan", "é" * 400, "[" * 300, "x" * 5000)
_WHOLE = frozenset(
    {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    }
)
_UNSIGNED = frozenset({FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64})
_DEEPEST = 8
_MOST_ITEMS = 400
"""That a list is made to have: more are refused by their number alone."""

Bytes = Callable[[bytes], bytes]


@dataclass(frozen=True)
class _Place:
    """A field of one message within a request."""

    holder: Message
    field: FieldDescriptor


def changed(message: Message, draw: random.Random, other_bytes: Bytes, times: int) -> None:
    """Changes some fields of a message.

    Parameters
    ----------
    message : Message
        Is changed.
    draw : Random
        What is drawn by.
    other_bytes : callable
        Makes other bytes of a field's, such as those of a picture.
    times : int
        How many fields.
    """
    for _ in range(times):
        places = list(_places(message))
        there = [place for place in places if _is_there(place)]
        place = draw.choice(there if there and draw.random() < 0.85 else places)
        if place.field.is_repeated:
            _change_list(place, draw, other_bytes)
        else:
            _change_one(place, draw, other_bytes)


def _places(message: Message, depth: int = 0) -> Iterator[_Place]:
    for field in message.DESCRIPTOR.fields:
        yield _Place(message, field)
        if field.cpp_type != FieldDescriptor.CPPTYPE_MESSAGE or depth >= _DEEPEST or _is_map(field):
            continue
        if field.is_repeated:
            for item in getattr(message, field.name)[:_MOST_ITEMS]:
                yield from _places(item, depth + 1)
        elif message.HasField(field.name):
            yield from _places(getattr(message, field.name), depth + 1)


def _is_map(field: FieldDescriptor) -> bool:
    kind = field.message_type
    return kind is not None and kind.GetOptions().map_entry


def _is_there(place: _Place) -> bool:
    return any(field.number == place.field.number for field, _ in place.holder.ListFields())


def _change_one(place: _Place, draw: random.Random, other_bytes: Bytes) -> None:
    name = place.field.name
    if draw.random() < 0.15:
        place.holder.ClearField(name)
    elif place.field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        getattr(place.holder, name).SetInParent()
    else:
        setattr(place.holder, name, _other(getattr(place.holder, name), place.field, draw, other_bytes))


def _change_list(place: _Place, draw: random.Random, other_bytes: Bytes) -> None:
    if _is_map(place.field):
        place.holder.ClearField(place.field.name)
        return
    items: Any = getattr(place.holder, place.field.name)
    kept = list(items)
    at = draw.randrange(len(kept)) if kept else 0
    match draw.randrange(6):
        case 0:
            del kept[at : at + draw.choice((1, 1, 2, 50))]
        case 1 if kept:
            kept.insert(draw.randrange(len(kept)), kept[at])
        case 2:
            draw.shuffle(kept)
        case 3:
            kept = (kept * draw.choice((2, 20)))[:_MOST_ITEMS]
        case 4:
            kept = []
        case _ if place.field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            items.add()
            return
        case _ if kept:
            kept[at] = _other(kept[at], place.field, draw, other_bytes)
        case _:
            kept = [_other(_zero(place.field), place.field, draw, other_bytes)]
    copies = [_copied(item) for item in kept]
    place.holder.ClearField(place.field.name)
    getattr(place.holder, place.field.name).extend(copies)


def _copied(item: Any) -> Any:
    if not isinstance(item, Message):
        return item
    made = type(item)()
    made.CopyFrom(item)
    return made


def _zero(field: FieldDescriptor) -> Any:
    return {FieldDescriptor.CPPTYPE_STRING: b"" if field.type == FieldDescriptor.TYPE_BYTES else ""}.get(
        field.cpp_type, 0
    )


def _other(value: Any, field: FieldDescriptor, draw: random.Random, other_bytes: Bytes) -> Any:
    """Another value of a field that is no message."""
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return not value
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return draw.choice((*(one.number for one in field.enum_type.values), 99))
    if kind in _WHOLE:
        made = draw.choice((*_INTEGERS, value + 1, value - 1, 2 * value, -value))
        return min(2**31 - 1, max(0 if kind in _UNSIGNED else -(2**31), made))
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        near = (value * (1 + draw.gauss(0, 0.1)), -value, value * 1e6, value / 1e6, value + draw.gauss(0, 1))
        return draw.choice((*_FLOATS, *near))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return other_bytes(value)
    return draw.choice((*_TEXTS, value + value, value[: len(value) // 2], value.swapcase()))
