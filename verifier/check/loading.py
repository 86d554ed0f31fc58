"""Files under test as modules, with the handful of Python calls that insist on numbers made to take sizes.

`float(d)`, `int(d)`, `len(x)` and `table[:n]` of a real table give up a size before any stand-in can answer. In a
file that is checked these calls are rewritten, line for line, to ask the stand-in first; on plain values they are
what they were.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from ..errors import Place, VerifierError
from ..frontends.explorer import put_under_test
from ..frontends.front_end import prepare_frameworks
from ..frontends.numpy.libraries import wrap_scipy
from ..frontends.watching import serves, watch
from . import conversions, lookups, swallowing
from .messages import messages_of

CALLS = frozenset(
    [
        "float",
        "int",
        "len",
        "range",
        "round",
        "list",
        "sum",
        "hash",
        "type",
        "set",
        "frozenset",
        "hasattr",
        "getattr",
        "suppress",
        "id",
    ]
)
OURS = __name__.partition(".")[0]
CALL_NAME, ITEM_NAME, RETURN_NAME = "__verifier_call__", "__verifier_item__", "__verifier_return__"
UPDATE_NAME = "__verifier_update__"
LOOKUPS = {
    "__verifier_in__": lookups.contains,
    "__verifier_not_in__": lookups.lacks,
    "__verifier_set__": lookups.set_of,
    "__verifier_dict__": lookups.mapping_of,
    "__verifier_key__": lookups.key_in,
    "__verifier_is__": lookups.same_object,
    "__verifier_is_not__": lookups.other_object,
    "__verifier_subject__": lookups.subject_of,
    "__verifier_caught__": swallowing.caught,
    "__verifier_uncached__": swallowing.uncached,
}
"""What stands for Python's own look-ups by hash, and what stands in handlers."""

serves(conversions.__file__)
serves(lookups.__file__, asks=True)


class Rewriting(ast.NodeTransformer):
    """Rewrites calls of `CALLS` and subscripts inside function bodies; annotations stay."""

    def __init__(self) -> None:
        self.depth = 0

    def _function(self, node: Any) -> Any:
        self.depth += 1
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        if any("cache" in ast.unparse(d).split("(")[0] for d in decorators):
            decorators.insert(0, ast.copy_location(ast.Name("__verifier_uncached__", ast.Load()), decorators[0]))
        node.body = [self.visit(s) for s in node.body] if isinstance(node.body, list) else self.visit(node.body)
        self.depth -= 1
        if getattr(node, "name", "") in ("__exit__", "__aexit__"):
            node.body.insert(0, _caught(node.body[0]))  # a context manager that passes over errors is a handler
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function  # noqa: N815  ast's names

    def visit_Return(self, node: ast.Return) -> Any:
        """What is returned passes by `conversions.returned`, so that a finding can name the line."""
        self.generic_visit(node)
        if node.value is None:
            return node
        call = ast.Call(ast.Name(RETURN_NAME, ast.Load()), [node.value], [])
        node.value = ast.fix_missing_locations(ast.copy_location(call, node.value))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`y[key] += v`: a part of a stand-in is taken, changed and put back."""
        self.generic_visit(node)
        target = node.target
        if not self.depth or not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            return node
        array = ast.Name(target.value.id, ast.Load())
        operation = ast.Constant(type(node.op).__name__)
        call = ast.Call(ast.Name(UPDATE_NAME, ast.Load()), [array, _key(target.slice), operation, node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, node)), node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if (self.depth and isinstance(node.func, ast.Name) and node.func.id in CALLS) or (
            self.depth and _is_attribute_call(node.func)
        ):
            helper = ast.copy_location(ast.Name(CALL_NAME, ast.Load()), node.func)
            node.args = [node.func, *node.args]
            node.func = helper
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """What only a stand-in raises is not for the code under test to catch."""
        self.generic_visit(node)
        node.body.insert(0, _caught(node.body[0]))
        return node

    def visit_Try(self, node: ast.Try) -> Any:
        self.generic_visit(node)
        if node.finalbody:
            node.finalbody.insert(0, _caught(node.finalbody[0]))
        return node

    def visit_TryStar(self, node: ast.TryStar) -> Any:
        return self.visit_Try(cast("ast.Try", node))

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        node.subject = _instead(node.subject, "__verifier_subject__", [node.subject])
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`n in {1, 2}` asks whether n is one of them."""
        self.generic_visit(node)
        name = COMPARISONS.get(type(node.ops[0]))
        if not self.depth or len(node.ops) != 1 or name is None or _is_none(node.comparators[0]):
            return node
        return _instead(node, name, [node.left, node.comparators[0]])

    def visit_Set(self, node: ast.Set) -> Any:
        self.generic_visit(node)
        if not self.depth:
            return node
        return _instead(node, "__verifier_set__", [ast.List(node.elts, ast.Load())])

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        if not self.depth or (node.keys and all(isinstance(k, ast.Constant) for k in node.keys)):
            return node
        pairs: list[ast.expr] = [
            ast.Tuple([k, v], ast.Load())
            if k is not None
            else ast.Starred(ast.Call(ast.Attribute(v, "items", ast.Load()), [], []), ast.Load())
            for k, v in zip(node.keys, node.values, strict=True)
        ]
        return _instead(node, "__verifier_dict__", [ast.List(pairs, ast.Load())])

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if self.depth and isinstance(node.ctx, ast.Store) and _is_name_for_key(node):
            node.slice = _instead(node.slice, "__verifier_key__", [_read_again(node.value), node.slice])
            return node
        if not self.depth or not isinstance(node.ctx, ast.Load):
            return node
        call = ast.Call(ast.Name(ITEM_NAME, ast.Load()), [node.value, _key(node.slice)], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.In: "__verifier_in__",
    ast.NotIn: "__verifier_not_in__",
    ast.Is: "__verifier_is__",
    ast.IsNot: "__verifier_is_not__",
}


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _caught(before: ast.stmt) -> ast.stmt:
    call = ast.Expr(ast.Call(ast.Name("__verifier_caught__", ast.Load()), [], []))
    return ast.fix_missing_locations(ast.copy_location(call, before))


def _instead(node: ast.expr, name: str, args: list[ast.expr]) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), args, [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def _is_name_for_key(node: ast.Subscript) -> bool:
    """`cache[key] = value`, where reading `cache` twice does nothing and the key is no slice."""
    return isinstance(node.value, ast.Name) and isinstance(node.slice, (ast.Name, ast.Attribute, ast.Call))


def _read_again(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Name)
    return ast.Name(node.id, ast.Load())


MATH = frozenset(
    f"math.{name}" for name in ("sqrt", "log", "exp", "pow", "log2", "sin", "cos", "ceil", "floor", "prod")
)


RANDOM = frozenset(
    ["normal", "standard_normal", "random", "uniform", "integers", "permutation", "choice", "binomial", "exponential"]
)
"""Methods of NumPy's generators, whose compiled code trusts what passes for an int."""


JOINING = frozenset(f.__name__ for f in conversions.JOINING)


def _is_attribute_call(node: ast.expr) -> bool:
    named = RANDOM | JOINING | lookups.METHODS | lookups.ALGEBRA | {"suppress"}
    return isinstance(node, ast.Attribute) and (_dotted(node) in MATH or node.attr in named)


def _dotted(node: ast.Attribute) -> str:
    return f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""


def _key(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Slice):
        parts = [p if p is not None else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_key(e) for e in node.elts], ast.Load())
    return node


def before_torch() -> None:
    """PyTorch as it is without its compilers, whose decorators take away the Python that is checked."""
    os.environ.setdefault("PYTORCH_JIT", "0")
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    known = sys.modules.get("torch.jit._state")
    if known is not None:
        known.disable()


loaded: dict[str, tuple[Path, Path]] = {}
"""Modules imported from files under test, each with its root folder and file."""


def files_loaded() -> list[Path]:
    """The files that what was imported last depends on, itself included."""
    return sorted({file for _, file in loaded.values()})


def forget() -> None:
    """Drops every module under test, so that the next file finds its own helpers and not another folder's."""
    for name in loaded:
        sys.modules.pop(name, None)
    loaded.clear()
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, Finder)]


class Loader(SourceFileLoader):
    """Compiles a module with the rewriting; never from or to a cache of bytecode."""

    def __init__(self, fullname: str, path: str, root: Path) -> None:
        super().__init__(fullname, path)
        self.root = root

    def get_code(self, fullname: str) -> Any:
        source = self.get_source(fullname)
        if "scipy" in (source or ""):
            wrap_scipy()
        if "torch" in (source or ""):
            before_torch()
        plain = ast.parse(source or "", self.path)
        watch(self.path, messages_of(plain))
        tree = Rewriting().visit(plain)
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        loaded[module.__name__] = (self.root, Path(self.path))
        put_under_test(self.path)
        module.__dict__[CALL_NAME] = conversions.call
        module.__dict__[ITEM_NAME] = conversions.item
        module.__dict__[RETURN_NAME] = conversions.returned
        module.__dict__[UPDATE_NAME] = conversions.update
        module.__dict__.update(LOOKUPS)
        super().exec_module(module)


class Finder:
    """Loads the modules below a folder with the rewriting, so that helpers of a checked file take sizes too.

    Among installed packages only the one that was asked for is code under test.
    """

    def __init__(self, root: Path, top: str) -> None:
        self.root = root
        self.top = top

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] == OURS and not name.startswith(f"{OURS}.kernels"):
            return None
        folders = [Path(p) for p in path] if path is not None else [self.root]
        last = name.rpartition(".")[2]
        for folder in folders:
            if not folder.is_relative_to(self.root):
                continue
            if "site-packages" in folder.parts and name.partition(".")[0] != self.top:
                continue
            package = folder / last / "__init__.py"
            for file in (package, folder / f"{last}.py"):
                if file.is_file():
                    found = [str(file.parent)] if file == package else None
                    return importlib.util.spec_from_file_location(
                        name, file, loader=Loader(name, str(file), self.root), submodule_search_locations=found
                    )
        return None


def load_file(file: Path) -> ModuleType:
    """The module of a file, imported as pytest does: from the folder above its outermost package.

    Raises:
        VerifierError: it does not import; with its own error, in one line.
    """
    file = file.resolve()
    root, name = file.parent, file.stem
    while (root / "__init__.py").exists():
        root, name = root.parent, f"{root.name}.{name}"
    name = name.removesuffix(".__init__")
    known = sys.modules.get(name)
    if known is not None and Path(getattr(known, "__file__", None) or "?") == file:
        return known
    prepare_frameworks()
    finder = Finder(root, name.partition(".")[0])
    sys.meta_path.insert(0, finder)  # pyright: ignore[reportArgumentType]
    sys.path.insert(0, str(root))
    try:
        sys.modules.pop(name, None)
        return importlib.import_module(name)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise
        raise import_error(error, str(file)) from None
    finally:
        sys.path.remove(str(root))


def package_folder(name: str) -> Path | None:
    """Where an installed package's modules lie; None for a module of one file, and for our own."""
    if name.partition(".")[0] == OURS or not all(part.isidentifier() for part in name.split(".")):
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else None


def load_module(name: str) -> ModuleType:
    """An installed module, or one below the working folder.

    Raises:
        VerifierError: it does not import.
    """
    near = Path(*name.split("."))
    for file in (near.with_suffix(".py"), near / "__init__.py"):
        if file.is_file():
            return load_file(file)
    try:
        spec = importlib.util.find_spec(name) if name.partition(".")[0] != OURS else None
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            return load_file(Path(spec.origin))
        return importlib.import_module(name)
    except VerifierError:
        raise
    except Exception as error:
        raise import_error(error, name) from None


def import_error(error: BaseException, file: str) -> VerifierError:
    """What importing raised, in one line, at its line in the file."""
    line: int | None = getattr(error, "lineno", None)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    text = " ".join(str(error).split()) or type(error).__name__
    return VerifierError(
        f"does not import: {type(error).__name__}: {text}",
        place=Place(file, line),
        remedy="python -c 'import ...' shows the whole error",
    )
