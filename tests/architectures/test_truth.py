"""Every derived number is the one that an instantiated model gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shared import cases
from verifier.architectures import Architecture
from verifier.architectures.counting import at_sizes, facts_of
from verifier.architectures.derive import backward_flops, bind, cache_elements, flops, product
from verifier.architectures.part import shape_of
from verifier.config import ModelConfig, load

GROUPED_CONVOLUTIONS = {"wav2vec2", "hubert", "squeezebert", "lfm2"}
"""Families whose measured backward count is known to be too high."""


def lengths(a: Architecture, work: dict[str, Any]) -> dict[str, int]:
    new = work.get("decoder_seq", work.get("seq", 0))
    found = {"new": new, "past": 0, "source": work.get("encoder_seq", new), **a.lengths}
    return {**found, **(a.facts["frames"](work["samples"]) if "samples" in work else {})}


def built(case: dict[str, Any]) -> tuple[ModelConfig, Architecture]:
    model = load(case["config"])
    assert model.architecture is not None
    assert not model.architecture.facts.get("generic")
    return model, model.architecture


@pytest.mark.parametrize("case", cases("truth"))
def test_parameters_and_shapes(case: dict[str, Any]) -> None:
    model, a = built(case)
    assert model.params == case["params_total"]
    assert model.weight_shapes == case["weight_shapes"]
    assert model.params_by_group == case["params_by_module"]["by_group"]
    assert a.buffers == case["persistent_buffer_elems"]


@pytest.mark.parametrize("case", cases("truth"))
def test_flops(case: dict[str, Any]) -> None:
    _, a = built(case)
    work = case.get("flops_forward")
    if work:
        forward = flops(a, lengths(a, work), work["batch"])
        assert forward == work["total"]
        if case["family"] not in GROUPED_CONVOLUTIONS:
            both = forward + backward_flops(a, lengths(a, work), work["batch"])
            assert both == case["flops_forward_backward"]["total"]
    if half := case.get("flops_forward_half_seq"):
        assert flops(a, lengths(a, {**work, **half}), half.get("batch", work["batch"])) == half["total"]
    if step := case.get("flops_decode_step"):
        at = {"new": 1, "past": step["cached"], "source": step.get("encoder_positions", 0), **a.lengths}
        assert flops(a, at, step["batch"], decoding=True) == step["total"]


@pytest.mark.parametrize("case", cases("truth"))
def test_cache(case: dict[str, Any]) -> None:
    _, a = built(case)
    if "kv_cache_bytes_per_token_bf16" in case:
        assert 2 * cache_elements(a) == case["kv_cache_bytes_per_token_bf16"]
    if "kv_cache_bytes_per_token_bf16_unexpanded" in case:
        assert 2 * cache_elements(a, least=True) == case["kv_cache_bytes_per_token_bf16_unexpanded"]


@pytest.mark.parametrize("case", cases("truth"))
def test_saved_tensors_hold_the_kernels_parameters(case: dict[str, Any]) -> None:
    """What is saved under a name has as many elements as the arguments that it is said to hold."""
    _, a = built(case)
    work = lengths(a, case.get("flops_forward") or {"seq": 4})
    for part in a.parts:
        facts = facts_of(part.kernel, part.optional, part.constants)
        sizes = bind(part.sizes, work)
        for weight in part.weights:
            if weight.holds:
                held = sum(at_sizes(facts.parameters[name], sizes) for name in weight.holds)
                assert product(shape_of(weight.layout, sizes)) == held, weight


@pytest.mark.parametrize("case", cases("truth"))
def test_kernels_accept_the_sizes(case: dict[str, Any]) -> None:
    """No part of a published model breaks its kernel's own conditions."""
    from verifier.architectures.counting import broken_conditions

    _, a = built(case)
    work = lengths(a, case.get("flops_forward") or {"seq": 4})
    for part in a.parts:
        assert not broken_conditions(part.kernel, bind(part.sizes, work), part.optional), part.kernel
