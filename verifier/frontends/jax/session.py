"""JAX's functions do not dispatch: for the length of a run their public names hold functions that ask our rules.

On anything without symbols these call JAX's own. What decorates at import (`jit`, `vmap` ...) is replaced before the
code under test is imported, and then for good: outside a run it is what it was.
"""

from __future__ import annotations

import enum
import functools
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import CellType, FunctionType, ModuleType
from typing import Any

from ..explorer import is_machinery
from ..front_end import MAPPINGS
from ..recording import graph_at_work
from ..surroundings import tell, telling
from .engine import jax
from .libraries import LIBRARIES, in_place
from .lowering import holds_symbols, opened
from .random_rules import initializer
from .table import ALWAYS, raising_as_jax, rule, rules

NAMESPACES = (
    *("jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg", "jax.nn"),
    *("jax.nn.initializers", "jax.random", "jax.scipy.special", "jax.scipy.linalg", "jax.scipy.signal"),
    *("jax.ops", "jax.image", "jax.dtypes", "jax.debug", "jax.experimental", "jax.experimental.pallas"),
    *("jax.experimental.shard_map",),
)
FACTORIES = frozenset(
    f"jax.{n}"
    for n in (
        *("jit", "vmap", "grad", "value_and_grad", "checkpoint", "remat", "jacfwd", "jacrev", "jacobian", "hessian"),
        *("named_call", "pmap", "shard_map"),
    )
)
"""What turns a function into another: applied at import, and asked again at every call."""
INITIALIZERS = "jax._src.nn.initializers"
LEFT = frozenset(
    f"jax.{n}"
    for n in (
        *("devices", "device_count", "local_devices", "named_scope", "default_backend", "disable_jit", "clear_caches"),
        *("ds", "custom_jvp", "custom_vjp", "local_device_count", "process_index", "process_count"),
    )
)
ASKED = frozenset(
    f"jax.{n}"
    for n in (
        *("devices", "device_count", "local_devices", "default_backend", "local_device_count", "process_index"),
        "process_count",
    )
)
"""Functions whose answers are no matter of the arguments, of those that are left."""
SWITCHES = ("jax_enable_x64", "jax_disable_jit", "jax_debug_nans", "jax_numpy_rank_promotion")
TYPES = (
    *("issubdtype", "dtype", "promote_types", "can_cast", "iinfo", "finfo", "isdtype"),
    *("canonicalize_dtype", "safe_to_cast", "scalar_type_of"),
)
"""Functions about element types alone: they never see an array's sizes."""


class Deferred:
    """A transformed function: JAX's own outside a run, ours within."""

    def __init__(self, name: str, original: Any, function: Any, args: Any, options: Any) -> None:
        self.name = name
        self.original = original
        self.function = function
        self.args = args
        self.options = options
        functools.update_wrapper(self, function, updated=())

    @functools.cached_property
    def real(self) -> Any:
        """What JAX makes of the function."""
        return self.original(self.function, *self.args, **self.options)

    def __call__(self, *args: Any, **options: Any) -> Any:
        if graph_at_work() is None:
            return self.real(*args, **options)
        return rule(self.name)(self.function, *self.args, **self.options)(*args, **options)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("original", "function", "real"):
            raise AttributeError(name)
        return getattr(self.real, name)


def _factory(name: str, original: Any) -> Callable[..., Any]:
    def transform(fun: Any = None, *args: Any, **options: Any) -> Any:
        if fun is None:
            named = options.pop("fun", options.pop("f", None))
            if named is None:
                return functools.partial(transform, *args, **options)
            fun = named
        if not callable(fun):
            return original(fun, *args, **options)  # JAX says what is wrong
        return Deferred(name, original, fun, args, options)

    return transform


def _asking(name: str, original: Any) -> Callable[..., Any]:
    """JAX's function, which asks the rule where a symbol is passed within a run."""
    always = name in ALWAYS

    def function(*args: Any, **options: Any) -> Any:
        if graph_at_work() is None or not (always or holds_symbols(args) or holds_symbols(options)):
            return original(*map(_own, args), **{k: _own(v) for k, v in options.items()})
        if not always:  # transformations take Flax's variables for the trees that they are
            args, options = tuple(map(opened, args)), {k: opened(v) for k, v in options.items()}
        with raising_as_jax():
            return rule(name)(*args, **options)

    return function


def _own(value: Any) -> Any:
    """JAX knows its own functions again, `lax.add` in `lax.reduce_window`, and not ours that stand for them."""
    return vars(value)["__wrapped__"] if type(value) is FunctionType and "__ours__" in vars(value) else value


def _initializers(original: Any) -> Callable[..., Any]:
    """`lecun_normal()` and the like: what they make draws arrays of symbolic shape, too."""

    def make(*args: Any, **options: Any) -> Any:
        return _drawing(original(*args, **options), options.get("dtype"))

    return make


def _drawing(real: Any, dtype: Any = None) -> Callable[..., Any]:
    ours = initializer(dtype=dtype)

    def init(key: Any, shape: Any, *rest: Any, **named: Any) -> Any:
        symbolic = graph_at_work() is not None and holds_symbols([key, list(shape)])
        return (ours if symbolic else real)(key, shape, *rest, **named)

    return init


def _replacement(name: str, original: Any) -> Any:
    if name in FACTORIES:
        made = _factory(name, original)
    elif name.startswith("jax.nn.initializers.") and name.rpartition(".")[2] not in ("zeros", "ones"):
        made = _initializers(original)
    else:
        made = _asking(name, original)
    made = functools.update_wrapper(made, original, updated=())
    made.__dict__["__wrapped__"] = original
    for part in ("at", "reduce", "accumulate", "outer", "defjvp", "defvjp", "fun"):  # of ufuncs and custom derivatives
        if hasattr(original, part):
            made.__dict__[part] = getattr(original, part)
    made.__dict__["__ours__"] = name
    return made


def _told(name: str, known: property) -> property:
    """A switch of JAX's, which tells what it is where code under test reads it."""

    def answer(config: Any) -> Any:
        value = known.__get__(config)
        if not is_machinery(sys._getframe(1).f_code.co_filename):  # pyright: ignore[reportPrivateUsage]
            tell(f"jax.config.{name} is {value}")
        return value

    return property(answer, known.fset)


def _is_function(value: Any) -> bool:
    if isinstance(value, (type, enum.Enum, ModuleType)) or not callable(value):
        return False
    return type(value).__name__ not in ("State", "_ScalarMeta", "_UnionGenericAlias", "GenericAlias", "_DTypeMeta")


class Patch:
    """One name of one place, with what it holds outside a run and within."""

    def __init__(self, place: Any, name: str, before: Any, within: Any) -> None:
        self.place, self.name, self.before, self.within = place, name, before, within


_originals: dict[str, Any] = {}
_patches: list[Patch] = []
_by_original: dict[int, tuple[Any, Any]] = {}
_seen: dict[str, int] = {}
_state = {"for good": False, "depth": 0}


def originals() -> dict[str, Any]:
    """JAX's own functions by full name."""
    return _originals


def _collect() -> None:
    """The patches of the namespaces that are imported by now, and of modules that hold JAX's functions by name."""
    rules()
    fresh = [n for n in NAMESPACES if n in sys.modules and n not in _seen]
    for space in fresh:
        _seen[space] = 1
        module = sys.modules[space]
        names = [n for n in vars(module) if not n.startswith("_")] + [n for n in dir(module) if not n.startswith("_")]
        for short in dict.fromkeys(names):
            name = f"{space}.{short}"
            value = getattr(module, short, None)
            if value is not None and name in ASKED and not hasattr(value, "__ours__"):
                made: Any = telling(value, name)
                made.__ours__ = name
                _add(Patch(module, short, value, made))
                continue
            if value is None or name in LEFT or not _is_function(value) or hasattr(value, "__ours__"):
                continue
            if short in TYPES and space in ("jax.numpy", "jax.dtypes"):
                continue
            made = _replacement(name, value)
            _originals[name] = value
            if id(value) not in _by_original:
                _by_original[id(value)] = (value, made)
            _add(Patch(module, short, value, made))
    if "jax" in fresh:
        config = type(jax.config)
        for name in SWITCHES:
            known = vars(config).get(name)
            if isinstance(known, property):
                _add(Patch(config, name, known, _told(name, known)))
    if fresh:
        from .real_arrays import class_patches

        for place, short, before, within in class_patches(fresh):
            _add(Patch(place, short, before, within))
    _collect_holders(bool(fresh))


def _add(patch: Patch) -> None:
    _patches.append(patch)
    if _state["for good"] or _state["depth"]:
        setattr(patch.place, patch.name, patch.within)


def _collect_holders(again: bool) -> None:
    """Modules that hold one of JAX's functions under a name of their own: `from jax.nn import softmax`."""
    for name, module in list(sys.modules.items()):
        if (name in _seen and not again) or _is_internal(name) or type(module) is not ModuleType:
            continue
        _seen[name] = 1
        for short, value in list(vars(module).items()):
            within = _instead(value)
            if within is not value:
                _add(Patch(module, short, value, within))
            elif type(value).__name__ == "PjitFunction" and hasattr(value, "__wrapped__"):
                _add(Patch(module, short, value, _compiled(value)))
            elif name.partition(".")[0] in LIBRARIES:
                _collect_kept(value, name)


def _collect_kept(value: Any, module: str) -> None:
    """What a library's functions and methods keep of JAX's: `dot_general=lax.dot_general`, and what encloses them."""
    known: list[Any] = [value]
    if isinstance(value, type) and value.__module__ == module:
        known = list(vars(value).values())
        fields: dict[str, Any] = vars(value).get("__dataclass_fields__", {})
        held = [(value, n, h) for n, h in vars(value).items()] + [(f, "default", f.default) for f in fields.values()]
        for place, name, default in held:
            if _instead(default) is not default:
                _add(Patch(place, name, default, _instead(default)))
    for function in (f for outer in known for f in _wrapped(outer)):
        if type(function) is not FunctionType or hasattr(function, "__ours__"):
            continue
        if function is value and function.__module__ != module:
            continue  # another module's, found there
        places, named = function.__defaults__ or (), function.__kwdefaults__ or {}
        if any(_instead(d) is not d for d in places):
            _add(Patch(function, "__defaults__", places, tuple(map(_instead, places))))
        if any(_instead(d) is not d for d in named.values()):
            _add(Patch(function, "__kwdefaults__", named, {k: _instead(d) for k, d in named.items()}))
        for cell in function.__closure__ or ():
            held = _contents(cell)
            if held is not None and _instead(held) is not held:
                _add(Patch(cell, "cell_contents", held, _instead(held)))


def _wrapped(function: Any) -> Iterator[Any]:
    """A function, and those that it wraps."""
    while function is not None:
        yield function
        function = vars(function).get("__wrapped__") if type(function) is FunctionType else None


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return None


def _instead(value: Any) -> Any:
    """What takes a value's place within a run, if it is one of JAX's functions or was made by one."""
    known = _by_original.get(id(value))
    if known is None and type(value) is FunctionType and value.__module__ == INITIALIZERS:
        if "<locals>" not in value.__qualname__:
            return value
        known = _by_original[id(value)] = (value, _drawing(value))  # made before we came
    return known[1] if known is not None and known[0] is value else value


def _compiled(value: Any) -> Any:
    """A function that was compiled before we came."""
    return Deferred("jax.jit", lambda *_, **__: value, value.__wrapped__, (), {})


def _is_internal(name: str) -> bool:
    top = name.partition(".")[0]
    return top in ("jax", "jaxlib", "numpy", "scipy", "sympy") or top == __name__.partition(".")[0]


def _register_mappings() -> None:
    """JAX takes only what it knows for a branch of a tree: dictionaries that may hold sizes are dictionaries."""
    for kind in MAPPINGS:
        if kind not in _registered:
            _registered.append(kind)
            key = jax.tree_util.DictKey

            def parts(made: dict[Any, Any], key: Any = key) -> Any:
                names = sorted(made)
                return [(key(n), made[n]) for n in names], tuple(names)

            def made(names: Any, values: Any, kind: Any = kind) -> Any:
                return kind(zip(names, values, strict=True))

            jax.tree_util.register_pytree_with_keys(kind, parts, made)


_registered: list[type[dict[Any, Any]]] = []


def prepare() -> None:
    """Replaces for good what must be in place when the code under test is imported."""
    _register_mappings()
    if not _state["for good"]:
        _collect()
        _state["for good"] = True
        for patch in _patches:
            setattr(patch.place, patch.name, patch.within)


@contextmanager
def session() -> Generator[None]:
    """Everything in place for the length of a run."""
    if _state["depth"] == 0 and len(sys.modules) != _seen.get("modules"):
        _collect()
        _seen["modules"] = len(sys.modules)
    outermost = _state["depth"] == 0 and not _state["for good"]
    if outermost:
        for patch in _patches:
            setattr(patch.place, patch.name, patch.within)
    _state["depth"] += 1
    try:
        with in_place():
            yield
    finally:
        _state["depth"] -= 1
        if outermost:
            for patch in reversed(_patches):
                setattr(patch.place, patch.name, patch.before)
