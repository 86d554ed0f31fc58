"""Reads each config class of an installed transformers as text and writes what it declares: fields, defaults, aliases.

    python tools/read_transformers_defaults.py SITE_PACKAGES/transformers

The result is `verifier/architectures/transformers_defaults.json`: what an absent field becomes. Nothing of
transformers is imported or run; `__post_init__` is not read, so derived defaults are the family files' business.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "verifier" / "architectures" / "transformers_defaults.json"
DROPPED = {"transformers_version", "architectures"}


def literal(node: ast.expr | None) -> Any:
    """The value of a default, or None where it is computed."""
    if isinstance(node, ast.Call):
        # interval(min=..)(default=0.02), field(default=...), field(default_factory=lambda: [..])
        for keyword in node.keywords:
            if keyword.arg == "default":
                return literal(keyword.value)
            if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Lambda):
                return literal(keyword.value.body)
        return None
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return list(value) if isinstance(value, tuple) else value


def main(package: Path) -> None:
    classes: dict[str, ast.ClassDef] = {}
    for file in sorted(package.glob("models/*/configuration_*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = node

    def read(name: str) -> dict[str, Any]:
        node = classes.get(name)
        if node is None:
            return {"fields": {}, "aliases": {}, "parts": {}}
        found: dict[str, Any] = {"fields": {}, "aliases": {}, "parts": {}}
        for base in node.bases:
            if isinstance(base, ast.Name):
                inherited = read(base.id)
                for key in found:
                    found[key].update(inherited[key])
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                found["fields"][item.target.id] = literal(item.value)
            elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
                target = item.targets[0].id
                if target == "attribute_map":
                    found["aliases"].update(literal(item.value) or {})
                elif target == "model_type":
                    found["model_type"] = literal(item.value)
                elif target in ("sub_configs", "sub_configs_defaults") and isinstance(item.value, ast.Dict):
                    for key, value in zip(item.value.keys, item.value.values, strict=True):
                        inner = classes.get(value.id) if isinstance(value, ast.Name) else None
                        if isinstance(key, ast.Constant) and inner is not None:
                            found["parts"][key.value] = read(inner.name).get("model_type", "")
        return found

    families: dict[str, Any] = {}
    for name in classes:
        found = read(name)
        model_type = found.pop("model_type", None)
        if model_type and (found["fields"] or found["aliases"]) and model_type not in families:
            found["fields"] = {k: v for k, v in sorted(found["fields"].items()) if k not in DROPPED}
            families[model_type] = {k: v for k, v in found.items() if v}
    lines = [f"{json.dumps(k)}:{json.dumps(families[k], separators=(',', ':'))}" for k in sorted(families)]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(families), "families,", TARGET.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
