"""Whisper: two convolutions over a spectrogram, an encoder of fixed length, a decoder with learned positions."""

from __future__ import annotations

from dataclasses import replace

from ..blocks import embedding, head, norm
from ..encoder_decoder import facts, stack
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("whisper",)


def build(c: Config) -> Architecture:

    a = Architecture()
    width, bins, vocabulary = c.size("d_model"), c.size("num_mel_bins"), c.size("vocab_size")
    name = c.architecture
    if "CausalLM" in name:
        return decoder_alone(c)
    base = "" if name.endswith("Model") else "model."
    source = c.number("max_source_positions")
    # The second convolution has stride 2: twice as many frames go in as positions come out.
    path = f"{base}encoder"
    for number, (inside, frames) in enumerate(((bins, 2 * source), (width, source)), 1):
        sizes = {"n": frames, "groups": 1, "d_out": width, "c": inside, "w": 3}
        weights = (
            Weight(f"{path}.conv{number}.weight", "(groups d_out) c w", ("W",)),
            Weight(f"{path}.conv{number}.bias", "(groups d_out)", ("bias",)),
        )
        constants = frozenset({"windows"} if number == 1 else ())
        part = Part("convolution", "windowed_projection", sizes, weights, frozenset({"bias"}), constants=constants)
        a.add(replace(part, stage="encoder"))
    a.add(
        embedding(
            f"{path}.embed_positions.weight", c.size("max_source_positions"), width, role="position", stage="encoder"
        )
    )
    for side in ("encoder", "decoder"):
        if side == "decoder":
            a.add(embedding(f"{base}decoder.embed_tokens.weight", vocabulary, width))
            rows = c.size("max_target_positions")
            a.add(embedding(f"{base}decoder.embed_positions.weight", rows, width, role="position"))
        heads, inner, layers = (c.size(f"{side}_{w}") for w in ("attention_heads", "ffn_dim", "layers"))
        tokens = source if side == "encoder" else "new"
        own = f"{base}{side}"
        decoding = side == "decoder"
        stack(
            a,
            f"{own}.layers.*",
            width,
            heads,
            inner,
            layers,
            decoder=decoding,
            tokens=tokens,
            bias_k=False,
            source=source,
        )
        a.add(norm(f"{own}.layer_norm", width, "layer", stage=side))
    if base and "Classification" not in name:
        a.add(head("proj_out", width, vocabulary, tied=True))
        a.tied.append((f"{base}decoder.embed_tokens.weight", "proj_out.weight"))
    a.lengths = {"source": source}
    return facts(a, c, tied=True)


def decoder_alone(c: Config) -> Architecture:
    """The decoder as a language model: its cross-attention is kept, and not used without an encoder."""
    a = Architecture()
    width, vocabulary = c.size("d_model"), c.size("vocab_size")
    a.add(embedding("model.decoder.embed_tokens.weight", vocabulary, width))
    rows = c.size("max_target_positions")
    a.add(embedding("model.decoder.embed_positions.weight", rows, width, role="position"))
    heads, inner, layers = (c.size(f"decoder_{w}") for w in ("attention_heads", "ffn_dim", "layers"))
    stack(a, "model.decoder.layers.*", width, heads, inner, layers, decoder=True, bias_k=False)
    a.parts = [replace(p, runs=0) if p.role == "cross-attention" else p for p in a.parts]
    a.caches = [cache for cache in a.caches if not cache.cross]
    a.add(norm("model.decoder.layer_norm", width, "layer"))
    a.add(head("proj_out", width, vocabulary, tied=c.tied(True)))
    a = facts(a, c, tied=c.tied(True))
    a.kind = "decoder"
    return a
