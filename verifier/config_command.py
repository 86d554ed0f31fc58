"""`verifier config` and `verifier explain`: options, exit statuses, and which report is printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .errors import VerifierError

if TYPE_CHECKING:
    from .config.model import ModelConfig
    from .rules import Context


UNUSABLE = "CFG001"
"""The rule about sizes that are no sizes: such a config cannot be read as one."""


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class Dtype(StrEnum):
    """The element type that the model is run in."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"
    FP8 = "fp8"
    INT8 = "int8"
    INT4 = "int4"


def config(
    paths: Annotated[
        list[Path],
        typer.Argument(help="config.json, params.json and the like; folders; - for standard input.", metavar="PATH..."),
    ],
    seq: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Tokens of the run: FLOPs, cache, positions.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=10**9, help="Sequences at once.")] = 1,
    dtype: Annotated[Dtype | None, typer.Option(help="Element type of the run.")] = None,
    tensor_parallel: Annotated[
        int | None, typer.Option(min=1, max=10**6, help="Devices that share every layer.")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="vllm, sglang, torchtitan, megatron ...: what it does with heads.")
    ] = None,
    attention: Annotated[str | None, typer.Option(help="flash_attention_2, sdpa, eager.")] = None,
    tokenizer_length: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Tokens that the tokenizer has.")
    ] = None,
    encoder_width: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Width of the encoder attended to.")
    ] = None,
    quantization: Annotated[
        str | None,
        typer.Option(help="fp8, gptq:128, awq:64, or a quantization_config as JSON.", metavar="KIND[:GROUP]"),
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A safetensors file, index or folder to hold the config against.")
    ] = None,
    formula: Annotated[
        str | None,
        typer.Option(help="params, flops, decode or kv_cache as a formula in the config's field names; all for all."),
    ] = None,
    compare: Annotated[Path | None, typer.Option(help="Another config: what differs, and what it costs.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes for many files.")] = 1,
    output: Annotated[Format, typer.Option("--format", help="How to print the results.")] = Format.TEXT,
) -> None:
    """Can this architecture exist, and what does it cost? Exact, without building it."""
    from .config.collect import collect
    from .rules import Context

    with _mistakes():
        context = Context(
            seq=seq,
            batch=batch,
            dtype=str(dtype) if dtype else None,
            tensor_parallel=tensor_parallel,
            engine=engine,
            tokenizer_length=tokenizer_length,
            encoder_width=encoder_width,
            quantization=parse_quantization(quantization),
            attention=attention,
        )
        if checkpoint is not None:
            from .config.checkpoint import read_checkpoint

            context = replace(context, checkpoint=read_checkpoint(checkpoint), checkpoint_is_whole=True)
        files = collect(paths)
        other = _load(compare, Context(seq=seq, batch=batch)) if compare else None
        if formula not in (None, "all", "params", "flops", "decode", "kv_cache"):
            raise VerifierError(f"there is no formula of {formula!r}", remedy="params, flops, decode, kv_cache or all")
    if output is Format.JSON and jobs > 1 and len(files) > jobs and not formula and not other:
        status = _many(files, context, jobs)
        raise typer.Exit(status)
    models: list[ModelConfig] = []
    errors: list[VerifierError] = []
    for file in files:
        try:
            models.append(_load(file, context))
        except VerifierError as error:
            errors.append(error)
            typer.echo(f"error: {error}", err=True)
    _print(models, errors, output, formula, other, many=len(files) > 1)
    raise typer.Exit(2 if errors or not models else max(status_of(m) for m in models))


def explain(code: Annotated[str, typer.Argument(help="The code of a finding, such as CFG003 or ATT033.")]) -> None:
    """What a finding's code means, why it matters, and what to do."""
    from .check.catalogue import KINDS
    from .check.catalogue import explain as of_check
    from .rules import explain as of_config
    from .rules import rules

    text = of_config(code) or of_check(code)
    if text is None:
        if "." in code:
            typer.echo(f"error: {code} is no code of a finding\n    fix  verifier audit --explain {code}", err=True)
            raise typer.Exit(2)
        known = [r.CODE for r in rules()] + sorted(KINDS)
        near = get_close_matches(code.upper(), known, 1)
        remedy = f"did you mean {near[0]}?" if near else f"{known[0]} ... {known[-1]}, listed in docs/reference"
        typer.echo(f"error: no finding has the code {code!r}\n    fix  {remedy}", err=True)
        raise typer.Exit(2)
    typer.echo(text)


def worth_reporting(model: ModelConfig) -> bool:
    """Whether a finding is more than information."""
    return any(f.severity != "info" for f in model.findings)


def status_of(model: ModelConfig) -> int:
    """0 where nothing is worse than information, 2 where a size is none (text, zero, absurd), 1 for other findings."""
    if any(f.code == UNUSABLE for f in model.findings):
        return 2
    return int(worth_reporting(model))


def parse_quantization(text: str | None) -> dict[str, Any] | None:
    """A quantization_config, from JSON or from `kind:group`.

    >>> parse_quantization("gptq:128")
    {'quant_method': 'gptq', 'group_size': 128}
    """
    if text is None:
        return None
    if text.lstrip().startswith("{"):
        from .config.read import parse

        return parse(text.encode(), "--quantization")
    kind, _, group = text.partition(":")
    if group and not group.isdigit():
        raise VerifierError(f"--quantization {text!r}: {group!r} is no number", remedy="gptq:128, say")
    kind = kind.lower()
    if kind == "fp8":
        block = int(group) if group else 128
        return {"quant_method": "fp8", "weight_block_size": [block, block]}
    return {"quant_method": kind, "group_size": int(group) if group else 128}


def _load(path: Path, context: Context) -> ModelConfig:
    from .config.model import from_fields, load
    from .config.read import MAX_BYTES, parse

    if str(path) == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        return from_fields(parse(data, "<stdin>"), context, "<stdin>")
    return load(path, context)


def _print(
    models: list[ModelConfig],
    errors: list[VerifierError],
    output: Format,
    formula: str | None,
    other: ModelConfig | None,
    *,
    many: bool,
) -> None:
    if output is Format.SARIF:
        from .report.config_sarif import sarif

        typer.echo(sarif(models, errors))
    elif output is Format.JSON:
        results = [_json(m, formula, other) for m in models]
        typer.echo(json.dumps(results if many else (results[0] if results else []), indent=2, ensure_ascii=False))
    else:
        _print_text(models, formula, other, many=many)


def _json(model: ModelConfig, formula: str | None, other: ModelConfig | None) -> dict[str, Any]:
    found = model.as_json()
    if formula and model.architecture is not None:
        found["formulas"] = {f.quantity: f.as_json() for f in _formulas(model, formula)}
    if other is not None:
        from .config.compare import compare

        found["comparison"] = compare(model, other)
    return found


def _print_text(models: list[ModelConfig], formula: str | None, other: ModelConfig | None, *, many: bool) -> None:
    from rich.console import Console

    from .report import config_text

    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 120)
    for model in models:
        config_text.show(model, console, brief=many)
        if formula and model.architecture is not None:
            for found in _formulas(model, formula):
                config_text.show_formula(found, console)
        if other is not None:
            config_text.show_comparison(model, other, console)
    if many:
        bad = sum(worth_reporting(m) for m in models)
        typer.echo(f"{len(models)} configs, {bad} with something to report")


def _formulas(model: ModelConfig, name: str) -> Iterator[Any]:
    names = ("params", "flops", "decode", "kv_cache") if name == "all" else (name,)
    for quantity in names:
        if quantity in ("decode", "kv_cache") and not model.caches:
            continue
        yield model.formula(quantity)


def _many(files: list[Path], context: Context, jobs: int) -> int:
    """JSON of many files by several processes, in order."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    status = 0
    # What called us may have threads, which a plain fork would copy half of (JAX has some).
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(jobs, multiprocessing.get_context(method)) as pool:
        first = True
        typer.echo("[", nl=False)
        for text, error, bad in pool.map(
            partial(_one, context=context), files, chunksize=max(1, min(64, len(files) // jobs))
        ):
            if error:
                typer.echo(f"error: {error}", err=True)
                status = 2
                continue
            typer.echo(("\n" if first else ",\n") + text, nl=False)
            first, status = False, max(status, bad)
        typer.echo("\n]")
    return status


def _one(file: Path, context: Context) -> tuple[str, str, int]:
    try:
        model = _load(file, context)
    except VerifierError as error:
        return "", str(error), 2
    return json.dumps(model.as_json(), ensure_ascii=False), "", status_of(model)


class _mistakes:  # noqa: N801  a context manager, used as a word
    """A mistake of the user's ends the command with its text and exit status 2."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, VerifierError):
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(2) from None


__all__ = ["config", "explain"]
