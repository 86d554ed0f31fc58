"""Annotated functions and methods in files, folders and modules; premises and allowances in their comments."""

from __future__ import annotations

import inspect
import io
import re
import sys
import tokenize
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from ..errors import Place, VerifierError
from ..frontends.explorer import is_machinery
from .annotated import hints_of, holds_array, names_sizes
from .bare.hints import METHODS, array_of_module, made_of_bare, takes_bare
from .census import Unchecked, promises_only, unchecked_in
from .frameworks import framework_of
from .loading import load_file, load_module, package_folder
from .locating import definition_at, line_of, tree_of

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
    checked: bool = False
    """Whether jaxtyping checks its calls at run time."""

    is_bare: bool = False
    """Whether it takes arrays whose annotations name no axes."""
    says_no_shapes: bool = False
    """Whether none of its annotations is one of jaxtyping's."""

    @property
    def names_sizes(self) -> bool:
        """Whether its annotations name a size, as far as they can be read; what is decorated away is taken to."""
        if self.unread is not None:
            return not hasattr(self.function, "__code__") or _may_name_sizes(self.function)
        return any(map(names_sizes, hints_of(self.function).values()))

    @cached_property
    def framework(self) -> str:
        """The framework whose arrays it takes or returns, by its front end's name."""
        if self.unread is not None:
            return "numpy"
        hints = [*hints_of(self.function).values(), array_of_module(self.owner)]
        return next((name for name in map(framework_of, hints) if name), "numpy")


def _may_name_sizes(function: Callable[..., Any]) -> bool:
    """Whether one annotation names a size, or cannot be read and looks as if it did."""
    for name, hint in getattr(inspect.unwrap(function), "__annotations__", {}).items():
        try:
            found = typing.get_type_hints(
                SimpleNamespace(__annotations__={name: hint}), getattr(function, "__globals__", {}), include_extras=True
            )
        except Exception:  # whatever evaluating a text raises
            if "[" in str(hint):
                return True
        else:
            if any(map(names_sizes, found.values())):
                return True
    return False


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
            for other in _unchecked(module, found):
                if target.function in (other.name, other.name.rpartition(".")[2]):
                    raise VerifierError(f"{target.key}:{other.line}: {other.name}: {other.reason}")
            known = ", ".join(s.name for s in found[:8]) or "none with jaxtyping annotations"
            there = getattr(module, target.function, None)
            raise VerifierError(
                f"{target.key} has no annotated function {target.function!r}",
                remedy=f"there are: {known}" if not callable(there) else _calling(target.function, there),
            )
        found = chosen
    return sorted(found, key=lambda s: (s.file, s.line))


def unchecked_of(target: Target, subjects: Sequence[Subject]) -> list[Unchecked]:
    """The annotated functions of a target's file that are not among its subjects, each with the reason."""
    if target.function:
        return []
    module = load_file(target.file) if target.file is not None else load_module(target.module)
    return _unchecked(module, subjects)


def _unchecked(module: ModuleType, subjects: Sequence[Subject]) -> list[Unchecked]:
    file = getattr(module, "__file__", None)
    if file is None:
        return []
    return list(unchecked_in(module, file, {s.line for s in subjects if s.file == file}))


def _calling(name: str, there: Any) -> str:
    """What to do about a library's function or layer, whose annotations name no axes."""
    what = "makes it and sets its parameters from its arguments" if inspect.isclass(there) else "calls it"
    return f"{name} names no axes: write a function with jaxtyping annotations that {what}, and name that"


def _in_module(module: ModuleType, by_name: bool) -> Iterator[Subject]:
    seen: set[int] = set()
    for name, value in list(vars(module).items()):
        if inspect.isclass(value):
            if value.__module__ == module.__name__:
                yield from _in_class(value, value.__name__, seen)
            continue
        subject = _subject(name, value, None, module.__name__, by_name)
        if subject is not None and id(plain_of(subject.function)) not in seen:
            seen.add(id(plain_of(subject.function)))
            yield subject


def _in_class(owner: type, prefix: str, seen: set[int]) -> Iterator[Subject]:
    if id(owner) in seen:
        return
    seen.add(id(owner))
    for name, value in list(vars(owner).items()):
        bound: type | None = owner
        if inspect.isclass(value) and value.__qualname__ == f"{owner.__qualname__}.{name}":
            yield from _in_class(value, f"{prefix}.{name}", seen)
            continue
        if isinstance(value, staticmethod):
            value, bound = value.__func__, None
        elif isinstance(value, classmethod):
            value, bound = getattr(owner, name), None
        elif isinstance(value, property):
            value = value.fget
        elif isinstance(value, cached_property):
            value = value.func
        elif name == "__init__":
            continue
        subject = _subject(f"{prefix}.{name}", value, bound, owner.__module__, False)
        if subject is not None and id(plain_of(subject.function)) not in seen:
            seen.add(id(plain_of(subject.function)))
            yield subject


def plain_of(function: Any) -> Any:
    """The function under all decorators and bindings."""
    return getattr(inspect.unwrap(function), "__func__", inspect.unwrap(function))


def called(value: Any) -> Any:
    """What is run for a decorated function: without libraries' wrappers, with those of the code under test."""
    for _ in range(32):
        inner = getattr(value, "__wrapped__", None)
        if inner is None or not is_machinery(_file_of(value)):
            break
        value = inner
    return value


def is_checked(value: Any) -> bool:
    """Whether a wrapper of jaxtyping's is among those around a function."""
    for _ in range(32):
        if value is None:
            break
        if "/jaxtyping/" in _file_of(value).replace("\\", "/"):
            return True
        value = getattr(value, "__wrapped__", None)
    return False


def _file_of(value: Any) -> str:
    """Where a function is written, or the class of an object that is called as one."""
    code = getattr(value, "__code__", None)
    if code is not None:
        return code.co_filename
    return getattr(sys.modules.get(type(value).__module__), "__file__", None) or "<string>"


def _subject(name: str, value: Any, owner: type | None, module: str, by_name: bool) -> Subject | None:
    if not callable(value):
        return None
    plain = inspect.unwrap(value)
    if not isinstance(plain, (FunctionType, MethodType)) or (plain.__module__ != module and not by_name):
        return None
    if getattr(plain, "__isabstractmethod__", False):
        node = definition_at(plain.__code__.co_filename, plain.__code__.co_firstlineno)
        if node is not None and promises_only(node):
            return None
    function = called(value)
    file = plain.__code__.co_filename
    line = line_of(plain)
    try:
        takes_arrays = any(map(holds_array, hints_of(function).values()))
        bare = takes_bare(function, owner) or ((takes_arrays or plain.__name__ in METHODS) and made_of_bare(owner))
    except VerifierError as error:
        if any("[" in str(h) for h in getattr(plain, "__annotations__", {}).values()):
            return Subject(function, name, file, line, owner, unread=error.at(Place(file, line)))
        return None
    if not (takes_arrays or bare):
        return None
    premises, allowances = comments_of(plain)
    unread = None
    if not hasattr(function, "__code__"):
        text = f"it is decorated by an object of {type(function).__name__}, whose calls are not followed"
        unread = VerifierError(
            text, place=Place(file, line), remedy="decorate it with a function that uses functools.wraps"
        )
    return Subject(
        function, name, file, line, owner, premises, allowances, unread, is_checked(value), bare, not takes_arrays
    )


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
