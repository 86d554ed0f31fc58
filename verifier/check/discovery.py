"""Annotated functions and methods in files, folders and modules; premises and allowances in their comments."""

from __future__ import annotations

import inspect
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import Place, VerifierError
from .annotated import hints_of, holds_array, names_sizes
from .loading import load_file, load_module, package_folder
from .locating import line_of, tree_of

COMMENT = re.compile(r"#\s*verifier:\s*(given|allow)\b\s*(.*)")
SKIPPED = {".venv", "venv", "node_modules", "__pycache__", ".git", "build", "dist", "site-packages"}


@dataclass
class Allowance:
    """`# verifier: allow CODE reason`: silences one code on a line, or on the line below."""

    code: str
    reason: str
    line: int
    used: bool = False


@dataclass
class Subject:
    """A function under test."""

    function: Callable[..., Any]
    name: str
    file: str
    line: int
    owner: type | None = None
    premises: tuple[str, ...] = ()
    allowances: list[Allowance] = field(default_factory=lambda: list[Allowance]())
    unread: VerifierError | None = None
    """Why its annotations cannot be read, where they cannot."""

    @property
    def names_sizes(self) -> bool:
        """Whether its annotations name a size; those that cannot be read are taken to."""
        return self.unread is not None or any(map(names_sizes, hints_of(self.function).values()))


@dataclass(frozen=True)
class Target:
    """A file, or a module, and the function wanted of it."""

    file: Path | None
    module: str = ""
    function: str = ""

    @property
    def key(self) -> str:
        return str(self.file) if self.file is not None else self.module


def targets_of(text: str) -> list[Target]:
    """The files that `model.py`, a folder, `package`, `model.py:f` or `package.module:f` name.

    Raises:
        VerifierError: there is no such thing.
    """
    path, _, function = text.partition("::") if "::" in text else _split(text)
    place = Path(path)
    if place.is_dir():
        files = sorted(f for f in place.rglob("*.py") if not SKIPPED & set(f.relative_to(place).parts))
        if not files:
            raise VerifierError(
                f"{text}: the folder holds no Python file", remedy="name a file, a folder or module:function"
            )
        return [Target(f, function=function) for f in files]
    if place.is_file():
        return [Target(place, function=function)]
    if path.endswith(".py") or "/" in path:
        raise VerifierError(f"{text}: there is no such file", remedy="name a file, a folder or module:function")
    package = None if function else package_folder(path)
    return [Target(None, path, function)] if package is None else targets_of(str(package))


def _split(text: str) -> tuple[str, str, str]:
    head, colon, tail = text.rpartition(":")
    if colon and re.fullmatch(r"[A-Za-z_][\w.]*", tail) and len(head) > 1:
        return head, colon, tail
    return text, "", ""


def subjects_of(target: Target) -> list[Subject]:
    """The annotated functions of a target, in the order of the file.

    Raises:
        VerifierError: it does not import, or has no such function.
    """
    module = load_file(target.file) if target.file is not None else load_module(target.module)
    found = list(_in_module(module, bool(target.function)))
    if target.function:
        chosen = [s for s in found if target.function in (s.name, s.name.rpartition(".")[2])]
        if not chosen:
            known = ", ".join(s.name for s in found[:8]) or "none with jaxtyping annotations"
            raise VerifierError(
                f"{target.key} has no annotated function {target.function!r}", remedy=f"there are: {known}"
            )
        found = chosen
    return sorted(found, key=lambda s: (s.file, s.line))


def _in_module(module: ModuleType, by_name: bool) -> Iterator[Subject]:
    seen: set[int] = set()
    for name, value in list(vars(module).items()):
        if inspect.isclass(value):
            if value.__module__ == module.__name__:
                yield from _in_class(value, value.__name__, seen)
            continue
        subject = _subject(name, value, None, module.__name__, by_name)
        if subject is not None and id(subject.function) not in seen:
            seen.add(id(subject.function))
            yield subject


def _in_class(owner: type, prefix: str, seen: set[int]) -> Iterator[Subject]:
    for name, value in list(vars(owner).items()):
        bound: type | None = owner
        if isinstance(value, staticmethod):
            value, bound = value.__func__, None
        elif isinstance(value, (classmethod, property)) or name == "__init__":
            continue
        subject = _subject(f"{prefix}.{name}", value, bound, owner.__module__, False)
        if subject is not None and id(subject.function) not in seen:
            seen.add(id(subject.function))
            yield subject


def _subject(name: str, value: Any, owner: type | None, module: str, by_name: bool) -> Subject | None:
    if not callable(value):
        return None
    function = inspect.unwrap(value)
    if not inspect.isfunction(function) or (function.__module__ != module and not by_name):
        return None
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        return None
    file = function.__code__.co_filename
    line = line_of(function)
    try:
        hints = hints_of(function)
    except VerifierError as error:
        if any("[" in str(h) for h in getattr(function, "__annotations__", {}).values()):
            return Subject(function, name, file, line, owner, unread=error.at(Place(file, line)))
        return None
    if not any(map(holds_array, hints.values())):
        return None
    premises, allowances = comments_of(function)
    return Subject(function, name, file, line, owner, premises, allowances)


def comments_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], list[Allowance]]:
    """The premises and allowances in a function's source, and premises at the top of its file."""
    file, first = function.__code__.co_filename, line_of(function)
    last = first
    spans: list[tuple[int, int]] = []
    import ast

    tree = tree_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            spans.append((node.lineno, node.end_lineno or node.lineno))
            if node.lineno == first:
                last = node.end_lineno or first
    premises: list[str] = []
    allowances: list[Allowance] = []
    for line, kind, text in file_comments(file):
        inside = first - 1 <= line <= last
        nowhere = not any(a - 1 <= line <= b for a, b in spans)
        if kind == "given" and (inside or nowhere):
            premises.append(text)
        elif kind == "allow" and inside:
            code, _, reason = text.partition(" ")
            allowances.append(Allowance(code, reason.strip(), line))
    return tuple(premises), allowances


def file_comments(file: str) -> list[tuple[int, str, str]]:
    """Line, kind and text of every `# verifier:` comment."""
    try:
        source = Path(file).read_text(encoding="utf-8")
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (OSError, UnicodeDecodeError, tokenize.TokenError, SyntaxError):
        return []
    found: list[tuple[int, str, str]] = []
    for token in tokens:
        if token.type == tokenize.COMMENT:
            match = COMMENT.match(token.string)
            if match is not None:
                found.append((token.start[0], match[1], match[2].strip()))
    return found
