"""A classifier has as many outputs as names for them.

Why: num_labels is overridden by the length of id2label: the head is built with the other size, and a checkpoint of
the first does not load.

Fix: as many names as labels, or one of the two alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG041"
SEVERITY = Severity.WARNING
FIELDS = ("num_labels", "id2label")
GOOD = {"model_type": "bert", "num_labels": 2, "id2label": {"0": "no", "1": "yes"}}
BAD = {"model_type": "bert", "num_labels": 3, "id2label": {"0": "no", "1": "yes"}}


def check(v: View) -> Iterator[Finding]:
    labels, names, back = v.raw.get("num_labels"), v.raw.get("id2label"), v.raw.get("label2id")
    prefix = v.config.prefix
    if type(labels) is int and isinstance(names, dict) and names and len(names) != labels:
        fields = [prefix + "num_labels", prefix + "id2label"]
        message = f"{fields[0]} = {labels}, {fields[1]} names {len(names)}"
        yield finding(message, fields, f"{fields[0]} = {len(names)}, or {labels} names")
    if isinstance(names, dict) and isinstance(back, dict) and len(names) != len(back):
        fields = [prefix + "id2label", prefix + "label2id"]
        yield finding(
            f"{fields[0]} has {len(names)} labels, {fields[1]} {len(back)}", fields, "one entry a label in both"
        )
