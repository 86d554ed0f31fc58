"""M2M-100 and NLLB: sinusoidal positions that are not saved, a norm at the end of each stack."""

from __future__ import annotations

from ..encoder_decoder import bart
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("m2m_100",)


def build(c: Config) -> Architecture:

    return bart(c, saved_positions=False, embedding_norm=False, final_norm=True, logits_bias=False)
