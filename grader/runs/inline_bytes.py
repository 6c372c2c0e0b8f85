"""Bytes that a manifest holds itself, as base64: whether they are that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

_BASE64 = re.compile(r"[A-Za-z0-9+/_\-\s]*(=\s*){0,2}")
"""Of both alphabets and perhaps without padding, as the JSON form of protos has it, and in lines, as tools write it.

The reader of messages tells a length that can't be.
"""


def not_base64(message: Descriptor, said: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Paths of fields of bytes whose text is no base64, of which the reader of messages makes other bytes or none.

    Parameters
    ----------
    message : Descriptor
        Of the message that was read.
    said : mapping
        What it was read from.
    path : str
        That of the message.

    Examples
    --------
    >>> from grader.v1.service_pb2 import GradeRequest
    >>> list(not_base64(GradeRequest.DESCRIPTOR, {"image": {"data": "%%%"}, "text": "%%%"}))
    ['image.data']
    """
    for field in message.fields:
        value = said.get(field.json_name, said.get(field.name))
        name = f"{path}.{field.name}" if path else field.name
        places = [(f"{name}[{place}]", one) for place, one in enumerate(value)] if isinstance(value, list) else None
        for where, one in places or [(name, value)]:
            if isinstance(one, str) and field.type == FieldDescriptor.TYPE_BYTES and not _BASE64.fullmatch(one):
                yield where
            elif isinstance(one, dict) and field.message_type and not field.message_type.GetOptions().map_entry:
                yield from not_base64(field.message_type, one, where)
