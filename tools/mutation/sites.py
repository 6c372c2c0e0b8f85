"""Where a file can be mutated, and how: every small fault that could be put into it, told by its place and new text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

COMPARES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
# Between masks of pixels these are "and" and "or".
MASKS: dict[type[ast.operator], type[ast.operator]] = {ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}
# A keyword that only guards against a programmer's slip: nothing can tell its value as long as the program is right.
GUARDS = frozenset({"strict"})
SMALL_INT = 10


@dataclass(frozen=True)
class Mutation:
    """One small fault.

    Parameters
    ----------
    path : file, relative to the root of the tree
    operator : kind of fault, such as ``compare``
    line : number of the line it is in, from 1
    start, end : the bytes of the file that are replaced
    text : what they are replaced with
    before, after : the lines that change, without indentation and line breaks
    reads : lines that run where the fault can be felt; empty at the top of a module or class
    name : the constant or field that is changed, at the top of a module or class
    """

    path: str
    operator: str
    line: int
    start: int
    end: int
    text: str
    before: str
    after: str
    reads: tuple[int, ...]
    name: str = ""

    def applied(self, source: bytes) -> bytes:
        """The file with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


@dataclass(frozen=True)
class _Place:
    """Where the walk is: lines that run with it, the name that is assigned, and whether the function answers a bool."""

    reads: tuple[int, ...] = ()
    name: str = ""
    inside: bool = False
    answers_bool: bool = False


class _File:
    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of a node. Columns of the syntax tree count bytes of UTF-8."""
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError("a node without an end was not parsed from text")
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def mutation(self, operator: str, node: ast.expr | ast.stmt, text: str, place: _Place) -> Mutation:
        start, end = self.span(node)
        first = max(at for at in self.starts if at <= start)
        last = min((at for at in self.starts if at >= end), default=len(self.source))
        before, after = self.source[first:last], self.source[first:start] + text.encode() + self.source[end:last]
        return Mutation(
            self.path, operator, node.lineno, start, end, text, _flat(before), _flat(after), place.reads, place.name
        )


def _flat(lines: bytes) -> str:
    return " ".join(part for line in lines.decode().splitlines() if (part := line.strip()))


def mutations(path: str, source: bytes) -> Iterator[Mutation]:
    """Every fault that can be put into a file, in the order of the file's syntax tree.

    Left alone: annotations, decorators, imports, docstrings, the words of messages, and what runs for types only.
    """
    file = _File(path, source)
    for statement in ast.parse(source).body:
        yield from _statement(file, statement, _Place())


def _lines(node: ast.expr | ast.stmt) -> tuple[int, ...]:
    return tuple(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _statements(file: _File, found: Iterable[ast.stmt], place: _Place) -> Iterator[Mutation]:
    for statement in found:
        yield from _statement(file, statement, place)


def _statement(file: _File, node: ast.stmt, place: _Place) -> Iterator[Mutation]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            body = tuple(line for part in node.body for line in _lines(part))
            for default in [*node.args.defaults, *(value for value in node.args.kw_defaults if value)]:
                yield from _expression(file, default, replace(place, reads=body))
            answers = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
            yield from _statements(file, node.body, _Place(inside=True, answers_bool=answers))
        case ast.ClassDef():
            yield from _statements(file, node.body, _Place())
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Global() | ast.Nonlocal() | ast.Assert() | ast.Delete():
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from _statements(file, node.orelse, place)
        case ast.If() | ast.While():
            here = _at(place, node.test)
            yield file.mutation("branch", node.test, "False", here)
            yield from _expression(file, node.test, here)
            yield from _statements(file, [*node.body, *node.orelse], place)
        case ast.For() | ast.AsyncFor():
            yield from _expression(file, node.iter, _at(place, node.iter))
            yield from _statements(file, [*node.body, *node.orelse], place)
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                yield from _expression(file, item.context_expr, _at(place, item.context_expr))
            yield from _statements(file, node.body, place)
        case ast.Try():
            handled = [statement for handler in node.handlers for statement in handler.body]
            yield from _statements(file, [*node.body, *handled, *node.orelse, *node.finalbody], place)
        case ast.Match():
            yield from _expression(file, node.subject, _at(place, node.subject))
            for case in node.cases:
                if case.guard:
                    yield from _expression(file, case.guard, _at(place, case.guard))
                yield from _statements(file, case.body, place)
        case _:
            yield from _simple(file, node, replace(place, reads=_lines(node) if place.inside else ()))


def _at(place: _Place, node: ast.expr) -> _Place:
    return replace(place, reads=_lines(node) if place.inside else ())


def _simple(file: _File, node: ast.stmt, place: _Place) -> Iterator[Mutation]:
    """A statement that holds no others."""
    match node:
        case ast.Expr(value=ast.Call()):
            yield file.mutation("drop", node, "pass", place)
            yield from _expression(file, node.value, place)
        case ast.Expr(value=ast.Yield(value=ast.expr() as value)) | ast.Expr(value=ast.YieldFrom(value=value)):
            yield from _expression(file, value, place)
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Return(value=None):
            yield file.mutation("drop", node, "pass", place)
        case ast.Return(value=ast.expr() as value):
            if place.answers_bool:
                yield file.mutation("return", value, f"not ({file.text(value)})", place)
            elif not (isinstance(value, ast.Constant) and value.value is None):
                yield file.mutation("return", value, "None", place)
            yield from _expression(file, value, place)
        case ast.AugAssign():
            yield file.mutation("drop", node, "pass", place)
            other = {**ARITHMETIC, **MASKS}.get(type(node.op))
            if other:
                yield file.mutation(
                    "arithmetic", node, ast.unparse(ast.AugAssign(node.target, other(), node.value)), place
                )
            yield from _expression(file, node.value, place)
        case ast.Assign():
            if place.inside and _changes(node):
                yield file.mutation("drop", node, "pass", place)
            yield from _expression(file, node.value, _named(place, node.targets[0]))
        case ast.AnnAssign(value=ast.expr() as value):
            yield from _expression(file, value, _named(place, node.target))


def _named(place: _Place, target: ast.expr) -> _Place:
    return replace(place, name=target.id) if isinstance(target, ast.Name) and not place.inside else place


def _changes(node: ast.Assign) -> bool:
    """Whether what is assigned was there before; without a first assignment nothing would run at all."""
    if any(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets):
        return True
    names = {target.id for target in node.targets if isinstance(target, ast.Name)}
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node.value))


def _expression(file: _File, node: ast.expr, place: _Place) -> Iterator[Mutation]:
    match node:
        case ast.JoinedStr():  # the words of a message
            return
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                ops = [*node.ops[:index], COMPARES[type(operator)](), *node.ops[index + 1 :]]
                other = ast.Compare(node.left, ops, node.comparators)
                yield file.mutation("compare", node, ast.unparse(other), place)
        case ast.BoolOp():
            flipped = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            yield file.mutation("boolean", node, f"({ast.unparse(flipped)})", place)
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield file.mutation("boolean", node, f"({file.text(node.operand)})", place)
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _is_text(node.left) and not _is_text(node.right):
            changed = ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
            yield file.mutation("arithmetic", node, f"({ast.unparse(changed)})", place)
        case ast.BinOp() if type(node.op) in MASKS:
            changed = ast.BinOp(node.left, MASKS[type(node.op)](), node.right)
            yield file.mutation("boolean", node, f"({ast.unparse(changed)})", place)
        case ast.Constant(value=bool() as value):
            yield file.mutation("constant", node, str(not value), place)
        case ast.Constant(value=int() | float() as number):
            yield file.mutation("number", node, _other_number(number), place)
        case ast.IfExp():
            yield file.mutation("branch", node.test, "False", place)
        case ast.Subscript(slice=ast.Slice() as part):
            yield from _slices(file, part, place)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for test in (test for part in node.generators for test in part.ifs):
            yield file.mutation("branch", test, "True", place)
    for child in _children(node):
        yield from _expression(file, child, place)


def _children(node: ast.expr) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.keyword) and child.arg not in GUARDS:
            yield child.value
        elif isinstance(child, ast.comprehension):
            yield child.iter
            yield from child.ifs


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _other_number(number: int | float) -> str:
    """Times 1.4, or one more where that is the same or a small count."""
    if isinstance(number, int):
        return str(number + 1 if abs(number) < SMALL_INT else round(number * 1.4))
    return repr(number * 1.4 if number else 0.4)


def _slices(file: _File, part: ast.Slice, place: _Place) -> Iterator[Mutation]:
    """Bounds off by one, where they are no plain numbers, which have faults of their own."""
    if part.lower and not _is_number(part.lower):
        yield file.mutation("slice", part.lower, f"({file.text(part.lower)}) + 1", place)
    if part.upper and not _is_number(part.upper):
        yield file.mutation("slice", part.upper, f"({file.text(part.upper)}) - 1", place)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def compiles(mutation: Mutation, source: bytes) -> bool:
    """Whether the file with the fault is still Python, and not the same program as before."""
    changed = mutation.applied(source)
    try:
        return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


def reading_lines(name: str, source: bytes) -> Sequence[int]:
    """The lines of a file that mention a constant or field."""
    tree = ast.parse(source)
    return sorted(
        {
            node.lineno
            for node in ast.walk(tree)
            if (isinstance(node, ast.Attribute) and node.attr == name)
            or (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        }
    )
