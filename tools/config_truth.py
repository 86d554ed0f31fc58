"""Ground truth for `verifier config`: what instantiated models say, on the meta device, with transformers and torch.

    python tools/config_truth.py OUT [--types llama,bert] [--variants 2] [--layers 6]

For each model_type that transformers registers for a language model a config of the class's own defaults, with few
layers, and variants with one field changed each, are built; a JSON file a config holds parameters, tensor shapes and
FLOPs in the notation of the truth set. What cannot be built is listed in OUT/refused.json with transformers' reason.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

LAYER = re.compile(r"\.\d+(?=\.|$)")
COUNTS = ("num_hidden_layers", "num_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers")
COUNTS += ("num_decoder_layers", "num_encoder_layers")
SEQ = 32


def shapes_of(named: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    """{name with `*` for every number: [[shape, layers], ...]}."""
    shapes: dict[str, list[Any]] = {}
    for name, tensor in named:
        rows = shapes.setdefault(LAYER.sub(".*", name), [])
        shape = list(tensor.shape)
        for row in rows:
            if row[0] == shape:
                row[1] += 1
                break
        else:
            rows.append([shape, 1])
    return shapes


def groups_of(named: list[tuple[str, Any]]) -> dict[str, int]:
    groups: dict[str, int] = {}
    for name, tensor in named:
        path = LAYER.sub(".*", name)
        head, star, rest = path.partition(".*.")
        group = f"{head}.*.{rest.split('.')[0]}" if star else path
        groups[group] = groups.get(group, 0) + tensor.numel()
    return groups


def measure(job: tuple[str, str, str, dict[str, Any]]) -> dict[str, Any]:
    """One model, built and run on the meta device."""
    import torch
    import transformers

    label, model_type, name, fields = job
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError("too slow")))
    signal.alarm(90)
    found: dict[str, Any] = {"name": label, "family": model_type}
    try:
        made = transformers.AutoConfig.for_model(model_type, **fields)
        made._attn_implementation = "eager"
        made._experts_implementation = "batched_mm"
        with torch.device("meta"):
            model = getattr(transformers, name)(made).eval()
        named = list(model.named_parameters())
        found["config"] = {"model_type": model_type, "architectures": [name], **fields}
        found["params_total"] = sum(p.numel() for _, p in named)
        saved = set(model.state_dict(keep_vars=True))
        found["persistent_buffer_elems"] = sum(b.numel() for n, b in model.named_buffers() if n in saved)
        found["params_by_module"] = {"by_group": groups_of(named)}
        found["weight_shapes"] = shapes_of(named)
        found["flops_error"] = None
        try:
            found["flops_forward"] = {"batch": 1, "seq": SEQ, "total": flops_of(model, SEQ)}
            found["flops_forward_half_seq"] = {"batch": 1, "seq": SEQ // 2, "total": flops_of(model, SEQ // 2)}
        except Exception as error:
            found["flops_error"] = f"{type(error).__name__}: {error}"[:300]
    except Exception as error:
        found["refused"] = f"{type(error).__name__}: {error}"[:300]
    signal.alarm(0)
    return found


def flops_of(model: Any, seq: int) -> int:
    """Counted FLOPs of a pass; in bfloat16, in which grouped products of experts are counted."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    tokens = torch.zeros(1, seq, dtype=torch.long, device="meta")
    more: dict[str, Any] = {"decoder_input_ids": tokens} if model.config.is_encoder_decoder else {}
    failed: Exception | None = None
    for cached in ({}, {}, {"use_cache": False}):
        try:
            with torch.no_grad(), FlopCounterMode(display=False) as counter:
                model(input_ids=tokens, **more, **cached)
            return counter.get_total_flops()
        except Exception as error:
            failed = failed or error
            model = model.bfloat16()
    raise failed or RuntimeError("nothing was run")


def jobs(types: list[str] | None, layers: int, variants: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    """What to build: (label, model_type, class, fields)."""
    from transformers import AutoConfig
    from transformers.models.auto import modeling_auto as auto

    made: list[tuple[str, str, str, dict[str, Any]]] = []
    seen: set[tuple[str, str]] = set()
    for mapping in (
        auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    ):
        for model_type, names in mapping.items():
            name = names if isinstance(names, str) else names[0]
            if (types and model_type not in types) or (model_type, name) in seen:
                continue
            seen.add((model_type, name))
            try:
                defaults = AutoConfig.for_model(model_type)
            except Exception:
                made.append((f"{model_type}.{name}", model_type, name, {}))
                continue
            fields: dict[str, Any] = {}
            plain = defaults.to_dict()
            for count in COUNTS:
                own = getattr(defaults, "attribute_map", {}).get(count, count)
                if type(plain.get(own)) is int and plain[own] > layers:
                    fields[own] = layers
            made.append((f"{model_type}.{name}", model_type, name, fields))
            for key, value in list(changes(plain))[:variants]:
                made.append((f"{model_type}.{name}.{key}", model_type, name, {**fields, key: value}))
    return made


def changes(plain: dict[str, Any]) -> list[tuple[str, Any]]:
    """Fields to change, one a variant: flags turned over, and sizes of heads and widths."""
    skip = ("use_cache", "output_", "return_", "is_encoder_decoder", "is_decoder", "router_", "scale_", "chunk_size")
    found: list[tuple[str, Any]] = []
    for key, value in plain.items():
        if key.startswith(skip) or key.startswith("_"):
            continue
        if isinstance(value, bool):
            found.append((key, not value))
        elif (
            type(value) is int
            and value > 1
            and any(
                m in key
                for m in ("intermediate", "vocab_size", "ffn", "n_inner", "d_ff", "rank", "expert", "state", "conv")
            )
        ):
            found.append((key, value // 2 if value % 2 == 0 else value + 1))
        elif type(value) is int and value > 3 and "key_value" in key:
            found.append((key, max(1, value // 2)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--types")
    parser.add_argument("--configs", type=Path, help="a JSON object: label -> config with architectures")
    parser.add_argument("--variants", type=int, default=0)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.configs:
        given = json.loads(options.configs.read_text("utf-8"))
        work = [(k, v.pop("model_type"), v.pop("architectures")[0], v) for k, v in given.items()]
    else:
        work = jobs(options.types.split(",") if options.types else None, options.layers, options.variants)
    import torch

    torch.set_num_threads(1)
    refused: dict[str, str] = {}
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=25) as pool:
        for i, found in enumerate(pool.imap_unordered(measure, work)):
            if "refused" in found:
                refused[found["name"]] = found["refused"]
                continue
            (options.out / f"{found['name']}.json").write_text(json.dumps(found))
            sys.stderr.write(f"{i + 1}/{len(work)} {found['name']} {found['flops_error'] or ''}\n")
    (options.out / "refused.json").write_text(json.dumps(refused, indent=1))


if __name__ == "__main__":
    main()
