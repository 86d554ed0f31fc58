"""mBART and PLBart: BART; mBART with a norm at the end of each stack."""

from __future__ import annotations

from ..encoder_decoder import bart
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("mbart", "plbart", "mvp")


def build(c: Config) -> Architecture:

    return bart(c, final_norm=c.model_type == "mbart")
