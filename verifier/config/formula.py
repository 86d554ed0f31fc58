"""Quantities as formulas in the config's own field names: the same families run on symbols, term by term.

SymPy is imported here and nowhere else in this package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..architectures import Architecture, Config, build
from ..architectures.derive import part_flops, product, sum_of
from ..architectures.fields import size_value
from ..architectures.part import Part, shape_of
from ..dims import symbol
from ..dims.dim import FloorDiv, rebuild
from ..dims.relation import HOLDS, Relation, deciding
from ..errors import VerifierError

if TYPE_CHECKING:
    from .model import ModelConfig

QUANTITIES = ("params", "flops", "decode", "kv_cache")


@dataclass(frozen=True)
class TermOfFormula:
    """One summand: what it is, its formula and its number."""

    what: str
    formula: str
    value: int


@dataclass(frozen=True)
class Formula:
    """A quantity in the config's field names, with the numbers put in.

    `expression` is a SymPy expression; at `values` it equals `value`, which was counted without it.
    """

    quantity: str
    expression: Any
    values: dict[str, int]
    value: int
    terms: tuple[TermOfFormula, ...]

    def __str__(self) -> str:
        return str(self.expression)

    def as_json(self) -> dict[str, Any]:
        terms = [{"what": t.what, "formula": t.formula, "value": t.value} for t in self.terms]
        return {"formula": str(self.expression), "values": self.values, "value": self.value, "terms": terms}


def formula(model: ModelConfig, quantity: str, *, seq: int | None = None, batch: int | None = None) -> Formula:
    """A quantity's formula.

    Raises:
        VerifierError: there is no such quantity, or the model cannot be built.
    """
    if quantity not in QUANTITIES:
        raise VerifierError(f"there is no formula of {quantity!r}", remedy=f"one of {', '.join(QUANTITIES)}")
    if model.architecture is None:
        raise VerifierError("the model cannot be derived", remedy="see the findings")
    plain = model.view.config
    config = Config(plain.raw, plain.model_type, symbolic=True, prefix=plain.prefix)
    values: dict[str, int] = config.values
    token = deciding.set(lambda relation: _holds(relation, values))
    try:
        symbolic = build(config)
        rows = terms(symbolic, quantity)
    finally:
        deciding.reset(token)
    values |= {"seq": seq or model.default_seq, "batch": batch or model.context.batch}
    values |= {"source": values["seq"], "past": values["seq"]}
    values |= {name: length for name, length in model.architecture.lengths.items() if name in ("source",)}
    for text in limited(symbolic):
        length, _, limit = text.partition(":")
        if length in ("past", "new"):
            whole = values["past" if length == "past" else "seq"]
            values[text.replace(":", "_")] = min(whole, int(limit) - (length == "past"))
    found: list[TermOfFormula] = []
    total: Any = 0
    for what, size in rows:
        expression = to_sympy(size)
        total = total + expression
        found.append(TermOfFormula(what, str(expression), size_value(size, values) if type(size) is not int else size))
    used = {str(s) for s in getattr(total, "free_symbols", ())}
    shown = {k: v for k, v in values.items() if k in used}
    return Formula(quantity, total, shown, sum(t.value for t in found), tuple(found))


def _holds(relation: Relation, values: dict[str, int]) -> bool:
    return HOLDS[relation.op](size_value(relation.left, values), size_value(relation.right, values))


def terms(a: Architecture, quantity: str) -> list[tuple[str, Any]]:
    """The summands of a quantity: one for each role and shape, in the order of the model."""
    if quantity == "kv_cache":
        kinds = [(f"window {c.window}" if c.window else "keys and values", c) for c in a.caches if not c.cross]
        return [(what, 2 * sum_of(c.elements) * c.layers) for what, c in kinds]
    lengths: dict[str, Any] = {"new": symbol("seq"), "past": 0, "source": symbol("source")}
    if quantity == "decode":
        lengths = {"new": 1, "past": symbol("past"), "source": symbol("source")}
    lengths |= a.lengths
    lengths |= {
        length: symbol(length.replace(":", "_"))
        for length in limited(a)
        if type(lengths[length.split(":")[0]]) is not int
    }
    batch: Any = symbol("batch") if quantity == "flops" else 1

    def measure(part: Part) -> Any:
        if quantity == "params":
            return _parameters(part)
        return part_flops(part, lengths, batch) if part.is_done(decoding=quantity == "decode") else 0

    summed: dict[str, Any] = {}
    for part in a.parts:
        what = f"{part.role}: {_name(part)}"
        summed[what] = summed.get(what, 0) + measure(part)
    return [(what, size) for what, size in summed.items() if type(size) is not int or size]


def limited(a: Architecture) -> set[str]:
    """The lengths with a limit, such as "past:4096": each is a symbol of its own, past_4096."""
    texts = {s.rpartition("*")[2] for p in a.parts for s in p.sizes.values() if type(s) is str}
    return {text for text in texts if ":" in text}


def _parameters(part: Part) -> Any:
    return sum_of(product(shape_of(w.layout, part.sizes)) for w in part.weights) * part.count


def _name(part: Part) -> str:
    if not part.weights:
        return part.kernel
    names = [w.name.split(".") for w in part.weights]
    shared = 0
    while all(len(n) > shared + 1 and n[shared] == names[0][shared] for n in names):
        shared += 1
    return ".".join(names[0][: shared or 1]) if len(names) > 1 else part.weights[0].name


def to_sympy(size: Any) -> Any:
    """A size as a SymPy expression; its symbols are plain, so that `subs({"hidden_size": 64})` works."""
    import sympy  # pyright: ignore[reportMissingTypeStubs]

    def atom(a: Any) -> Any:
        if isinstance(a, FloorDiv):
            return sympy.floor(to_sympy(a.numerator) / to_sympy(a.denominator))
        return sympy.Symbol(str(a))

    return sympy.Integer(size) if type(size) is int else sympy.sympify(rebuild(size, atom))


__all__ = ["QUANTITIES", "Formula", "TermOfFormula", "formula"]
