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
from typing import Any

from ..errors import Place, VerifierError
from ..frontends.explorer import put_under_test
from ..frontends.front_end import prepare_frameworks
from ..frontends.numpy.libraries import wrap_scipy
from ..frontends.watching import serves, watch
from . import conversions, lookups, operators
from .messages import messages_of
from .rewriting import HELPERS, Rewriting

OURS = __name__.partition(".")[0]
serves(conversions.__file__)
serves(operators.__file__)
serves(lookups.__file__, asks=True)


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
        module.__dict__.update(HELPERS)
        super().exec_module(module)
        operators.replace_in(module.__dict__)


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


def package_of(file: str) -> Path | None:
    """The folder of the outermost package that a file lies in, where it lies in one."""
    found: Path | None = None
    folder = Path(file).resolve().parent if file else None
    while folder is not None and (folder / "__init__.py").exists():
        found, folder = folder, folder.parent
    return found


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


def installed_file(name: str) -> Path | None:
    """The file of an installed module, found without importing the packages that it lies in."""
    top, *rest = name.split(".")
    spec = importlib.util.find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    for place in places:
        near = Path(place, *rest)
        for file in (near / "__init__.py", near.with_suffix(".py")):
            if file.is_file():
                return file
    origin = spec.origin if spec is not None and not rest else None
    return Path(origin) if origin is not None and origin.endswith(".py") else None


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
        file = installed_file(name) if name.partition(".")[0] != OURS else None
        if file is not None:
            return load_file(file)
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
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return VerifierError(
        f"does not import: {type(error).__name__}: {text}",
        place=Place(file, line),
        remedy=f"install {missing} where verifier runs, or run it from the folder that holds {missing}"
        if missing
        else "python -c 'import ...' shows the whole error",
    )
