"""An experiment: what samples of stated size and seed confirm, and what they cannot."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...dims.expression import parse
from ...errors import VerifierError
from ...prove.refute import decimal_value
from ...terms import as_term
from ...verdict import Truth, Verdict
from ..claim import Reading
from ..context import Context
from ..quantities import kernel

SEED = 20170612
DRAWS = 2_000
LARGEST = 4.5
"""Standard errors that the worst of the head sizes may be away: a fair sample is further off once in 1000 runs."""


def establish(reading: Reading, context: Context) -> Verdict:
    """`sample_std(kernel) == prediction` for the head sizes `options.from` to `options.to`, standard normal entries.

    MEASURED where every sample's standard deviation lies within `LARGEST` standard errors of the prediction, which a
    finite sample can confirm; with `options.exact = true` they must be equal, which it cannot, and the first
    difference refutes. An experiment is never PROVED.
    """
    options = reading.options
    tree = parse(reading.relation).tree
    if not (
        isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq) and ast.unparse(tree.left) == "sample_std"
    ):
        raise VerifierError(f"{reading.relation!r} is no prediction", remedy="write sample_std == sqrt(d_k)")
    name = str(options.get("kernel", "attention_scores"))
    first, last = int(options.get("from", 1)), int(options.get("to", 128))
    if not 1 <= first <= last <= 4096:
        raise VerifierError("options.from and options.to must be head sizes", remedy="from = 1, to = 128")
    draws, seed = int(options.get("draws", DRAWS)), int(options.get("seed", SEED))
    rows = [dict(sample(name, d_k, draws, seed)) for d_k in range(first, last + 1)]
    for row in rows:
        row["predicted"] = prediction(reading.relation, context, row["d_k"])
        row["errors"] = (row["measured"] - row["predicted"]) / row["standard error"]
    worst = max(rows, key=lambda r: abs(r["errors"]))
    experiment = {"seed": seed, "draws": draws, "head sizes": f"{first} to {last}"}
    if options.get("exact"):
        unequal = next((r for r in rows if r["measured"] != r["predicted"]), None)
        if unequal is not None:
            return Verdict(
                Truth.REFUTED, "a finite sample does not hit it exactly", witness=_witness(unequal, experiment)
            )
        return Verdict(Truth.UNDECIDED, "every sample hit it exactly")
    if abs(worst["errors"]) > LARGEST:
        return Verdict(
            Truth.REFUTED, f"{worst['errors']:.1f} standard errors away", witness=_witness(worst, experiment)
        )
    certificate = {
        "kind": "measured",
        "kernel": name,
        "relation": reading.relation,
        **experiment,
        "worst": _rounded(worst),
    }
    text = (
        f"{last - first + 1} head sizes, {experiment['draws']} draws each, seed {experiment['seed']}: the worst is "
        f"{abs(worst['errors']):.1f} standard errors away, at d_k = {worst['d_k']}"
    )
    return Verdict(Truth.MEASURED, text, certificate=certificate, witness={"text": text}, steps=(text,))


def prediction(text: str, context: Context, d_k: int) -> float:
    """The standard deviation that the relation predicts at a head size."""
    sizes = {n: d_k if n == "d_k" else 1 for n in context.claim.sizes}
    relation = parse(text).value({"sample_std": 0, **sizes}, {"sqrt": lambda x: as_term(x) ** 0.5})
    return float(decimal_value(as_term(relation.right)))


@lru_cache(maxsize=1024)
def sample(name: str, d_k: int, draws: int, seed: int) -> Mapping[str, Any]:
    """The standard deviation of unscaled scores of standard normal vectors, and its standard error.

    The standard error of a standard deviation s over N draws with kurtosis κ is s·sqrt((κ - 1)/(4N)).
    """
    random = np.random.default_rng([seed, d_k])
    queries, keys = random.standard_normal((draws, 1, d_k)), random.standard_normal((draws, 1, d_k))
    scores = kernel(name)(queries, keys, 1.0).ravel()
    deviation = float(np.std(scores))
    kurtosis = float(np.mean((scores - np.mean(scores)) ** 4) / np.var(scores) ** 2)
    return {
        "d_k": d_k,
        "measured": deviation,
        "standard error": deviation * float(np.sqrt((kurtosis - 1) / (4 * draws))),
    }


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {k: round(v, 6) if isinstance(v, float) else v for k, v in row.items()}


def _witness(row: dict[str, Any], experiment: dict[str, Any]) -> dict[str, Any]:
    shown = _rounded(row)
    return {
        "experiment": experiment,
        "sizes": {"d_k": row["d_k"]},
        "left": f"{shown['measured']} ± {shown['standard error']}",
        "right": f"{shown['predicted']}",
    }
