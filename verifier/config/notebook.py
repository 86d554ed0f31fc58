"""A config as a table in a notebook, which asks the object itself for it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .summary import headline, short

if TYPE_CHECKING:
    from .model import ModelConfig


def table(model: ModelConfig) -> str:
    """Findings and the main quantities as HTML; every text from the config is escaped."""
    rows: list[tuple[str, str]] = []
    if model.architecture is not None:
        rows.append(("architecture", headline(model)))
        rows.append(("parameters", f"{model.params:,} ({short(model.params)})"))
        rows.append(("FLOPs forward", f"{model.flops():,} ({short(model.flops())})"))
        if model.caches:
            rows.append(("cache a token, 16 bits", f"{model.kv_cache():,} B"))
    rows += [(f"{f.code} {f.severity}", f"{f.message}; fix: {f.fix}") for f in model.findings]
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table><caption>{escape(model.file or model.model_type)}</caption>{body}</table>"
