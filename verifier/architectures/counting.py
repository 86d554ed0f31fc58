"""A kernel's costs and conditions as polynomials, read once off its graph and evaluated at a config's numbers.

The polynomials are kept between processes under a digest of every file that decides them, so that a single config needs
neither NumPy nor a trace; a change to a kernel, a primitive or a reading makes them anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..dims import Relation, Size
from ..dims.dim import Dim, FloorDiv, rebuild
from ..dims.relation import HOLDS
from ..errors import VerifierError
from . import kept

if TYPE_CHECKING:
    from ..graph.node import Node
    from ..readings import Trace


@dataclass(frozen=True)
class KernelFacts:
    """What one kernel does, in the symbols of its annotations.

    Units: FLOPs, a multiply-add is 2, matrix products alone; parameters in elements.
    """

    forward: Size
    backward: Size
    parameters: Mapping[str, Size]
    conditions: tuple[Relation, ...]
    """What the kernel needs of its sizes: it raises where one does not hold."""


NOTHING: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def facts_of(kernel: str, optional: frozenset[str] = NOTHING, constants: frozenset[str] = NOTHING) -> KernelFacts:
    """The facts of a kernel with these optional arguments, where `constants` need no gradient.

    Raises:
        VerifierError: there is no such kernel.
    """
    key = f"{kernel}({','.join(sorted(optional))};{','.join(sorted(constants))})"
    known = kept.get(key)
    if known is not None:
        conditions = tuple(Relation(op, left, right) for op, left, right in known["conditions"])
        return KernelFacts(known["forward"], known["backward"], known["parameters"], conditions)
    facts = read_off(kernel, optional, constants)
    kept.put(
        key,
        {
            "forward": facts.forward,
            "backward": facts.backward,
            "parameters": dict(facts.parameters),
            "conditions": [[r.op, r.left, r.right] for r in facts.conditions],
        },
    )
    return facts


def read_off(kernel: str, optional: frozenset[str], constants: frozenset[str]) -> KernelFacts:
    """The facts off the kernel's graph."""
    from .. import kernels
    from ..graph.primitive import elements
    from ..readings import cost_of, trace

    function = getattr(kernels, kernel, None)
    if function is None:
        raise VerifierError(f"there is no kernel {kernel!r}")
    traced = trace(function, optional)
    learned = [a.name for a in traced.arguments if a.is_parameter and (not a.optional or a.name in optional)]
    return KernelFacts(
        cost_of(traced).matmul,
        backward_cost(traced, constants),
        {name: elements(traced.input(name).shape) for name in learned},
        traced.path.conditions,
    )


def backward_cost(traced: Trace, constants: frozenset[str]) -> Size:
    """FLOPs of the gradients: each product costs its forward FLOPs again for every operand that needs a gradient.

    An operand needs one where it depends on a floating-point argument that is not in `constants`.
    Source: the reverse mode of Baur and Strassen 1983, product by product.
    """
    needs: dict[int, bool] = {}
    total: Any = 0
    for node in traced.graph.reaching(traced.outputs):
        needs[id(node)] = _is_variable(node, constants) or any(needs[id(n)] for n in node.inputs)
        matmul = node.op.cost(node).matmul
        total = total + matmul * sum(needs[id(n)] for n in node.inputs)
    return total


def _is_variable(node: Node, constants: frozenset[str]) -> bool:
    from ..graph.ops import Input

    return isinstance(node.op, Input) and node.dtype.kind == "f" and node.op.name not in constants


def at_sizes(size: Size, sizes: Mapping[str, Any]) -> Any:
    """A polynomial at numbers or at other sizes; an int where the sizes are ints."""
    if type(size) is not Dim:
        return size
    if all(type(v) is int for v in sizes.values()):
        return _evaluate(_compiled(size), sizes)

    def value(atom: Any) -> Any:
        if isinstance(atom, FloorDiv):
            return at_sizes(atom.numerator, sizes) // at_sizes(atom.denominator, sizes)
        return sizes[atom]

    return rebuild(size, value)


_by_identity: dict[int, tuple[Dim, Any]] = {}


def _compiled(size: Size) -> Any:
    """The polynomial as plain rows; an int stays one. Kept by identity: kernels' polynomials live as long as we do."""
    if type(size) is not Dim:
        return size
    known = _by_identity.get(id(size))
    if known is None or known[0] is not size:
        known = _by_identity[id(size)] = (size, _rows(size))
    return known[1]


def _rows(size: Dim) -> Any:
    """(coefficient, names, floor quotients) for each monomial; a power is a repetition."""
    rows: list[Any] = []
    for monomial, coefficient in size.terms.items():
        names: list[str] = []
        floors: list[tuple[Any, Any]] = []
        for atom, power in monomial:
            for _ in range(int(power)):
                if isinstance(atom, FloorDiv):
                    floors.append((_compiled(atom.numerator), _compiled(atom.denominator)))
                else:
                    names.append(str(atom))
        rows.append((coefficient, tuple(names), tuple(floors)))
    return tuple(rows)


def _evaluate(rows: Any, sizes: Mapping[str, int]) -> Any:
    if type(rows) is int:
        return rows
    total = 0
    for coefficient, names, floors in rows:
        product = coefficient
        for name in names:
            product *= sizes[name]
        for numerator, denominator in floors:
            product *= _evaluate(numerator, sizes) // _evaluate(denominator, sizes)
        total += product
    return total


def broken_conditions(kernel: str, sizes: Mapping[str, int], optional: frozenset[str] = NOTHING) -> list[Relation]:
    """What the kernel needs and these sizes do not give: where it would raise.

    >>> [str(r) for r in broken_conditions("split_heads", {"d_model": 10, "h": 3, "n": 1})]
    ['d_model - h*(d_model // h) == 0']
    """
    broken: list[Relation] = []
    for relation in facts_of(kernel, optional).conditions:
        try:
            if not HOLDS[relation.op](at_sizes(relation.left, sizes), at_sizes(relation.right, sizes)):
                broken.append(relation)
        except ZeroDivisionError:
            broken.append(relation)
    return broken
