"""BART and Pegasus for long sources: LED's windows with global tokens, BigBird-Pegasus's blocks, in the encoder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import attention, embedding, head, norm, plain, project
from ..encoder_decoder import decoder_alone, facts, stack
from ..fields import Config
from ..part import Architecture
from .longformer import window_of

MODEL_TYPES = ("led", "bigbird_pegasus")


def build(c: Config) -> Architecture:
    led = c.model_type == "led"
    if "CausalLM" in c.architecture and not led:
        return alone(c)
    a = Architecture()
    width, vocabulary, tied = c.size("d_model"), c.size("vocab_size"), c.tied(True)
    bias = True if led else c.flag("use_bias")
    own = "led" if led else "model"
    whole = c.architecture.endswith("Model")
    base = "" if whole else f"{own}."
    a.add(embedding(f"{base}shared.weight", vocabulary, width))
    for side in ("encoder", "decoder"):
        rows = c.size(f"max_{side}_position_embeddings") if led else c.size("max_position_embeddings")
        path = f"{base}{side}"
        a.add(embedding(f"{path}.embed_positions.weight", rows, width, role="position"))
        heads, inner, layers = (c.size(f"{side}_{n}") for n in ("attention_heads", "ffn_dim", "layers"))
        if side == "encoder":
            encoder(a, c, f"{path}.layers.*", heads, inner, layers, bias=bias)
        else:
            attending_bias(a, f"{path}.layers.*", width, heads, inner, layers, bias=bias)
        a.add(norm(f"{path}.layernorm_embedding", width, "layer", stage=side))
    if not whole:
        a.add(head("lm_head", width, vocabulary, tied=tied))
        a.buffers = c.number("vocab_size")
    a = facts(a, c, tied=tied)
    a.notes.append("flops_forward has full scores; flops_forward_windowed what a query of the encoder sees")
    span = window_of(c) if led else c.number("block_size") * (c.number("num_random_blocks", least=0) + 5)
    if span:
        a.facts["sees"] = span
    return a


def encoder(a: Architecture, c: Config, path: str, heads: Any, inner: Any, layers: Any, *, bias: bool) -> None:
    """Layers whose attention is saved under BERT's names, in LED with a second set for global tokens."""
    width, led = c.size("d_model"), c.model_type == "led"
    inside = "longformer_self_attn" if led else "self"
    names = {"q": f"{inside}.query", "k": f"{inside}.key", "v": f"{inside}.value", "o": "output"}
    own: dict[str, Any] = {"causal": False, "tokens": "source", "stage": "encoder", "count": layers}
    name = f"{path}.self_attn"
    a.add(attention(name, width, heads, width // heads, bias=bias, **names, **own))
    if led:
        for word in ("query", "key", "value"):
            wide = f"{name}.{inside}.{word}_global"
            a.add(project(wide, width, width, count=layers, tokens=0, stage="encoder", role="attention"))
    a.add(norm(f"{path}.self_attn_layer_norm", width, "layer", count=layers, stage="encoder"))
    worked: dict[str, Any] = {"count": layers, "tokens": "source", "stage": "encoder"}
    a.add(plain(f"{path}.fc1", f"{path}.fc2", width, inner, **worked))
    a.add(norm(f"{path}.final_layer_norm", width, "layer", count=layers, stage="encoder"))


def attending_bias(a: Architecture, path: str, width: Any, heads: Any, inner: Any, layers: Any, *, bias: bool) -> None:
    """A decoder's layers; `bias` is the attention's alone, the feed-forward keeps its own."""
    stack(a, path, width, heads, inner, layers, decoder=True, bias=bias)
    if not bias:
        a.parts = [p for p in a.parts if not any(w.name == f"{path}.fc1.weight" for w in p.weights)]
        a.add(plain(f"{path}.fc1", f"{path}.fc2", width, inner, count=layers))


def alone(c: Config) -> Architecture:
    """BigBird-Pegasus's decoder as a language model."""
    a = decoder_alone(c, 0, embedding_norm=True, final_norm=False, saved=True)
    # This class does not tie its head, whatever the config says.
    untied = head("lm_head", c.size("d_model"), c.size("vocab_size"), tied=False)
    a.parts = [untied if p.role == "head" else p for p in a.parts]
    a.facts["tied"] = False
    if not c.flag("use_bias"):
        bare = Architecture()
        layers, heads, inner = c.size("decoder_layers"), c.size("decoder_attention_heads"), c.size("decoder_ffn_dim")
        attending_bias(bare, "model.decoder.layers.*", c.size("d_model"), heads, inner, layers, bias=False)
        layered = [replace(p, runs=0) if p.role == "cross-attention" else p for p in bare.parts]
        others = [p for p in a.parts if not any(".layers.*." in w.name for w in p.weights)]
        a.parts = [*others, *layered]
    return a
