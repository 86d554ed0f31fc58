"""BART: learned positions two rows longer, a norm after the embeddings."""

from __future__ import annotations

from ..encoder_decoder import bart
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("bart",)


def build(c: Config) -> Architecture:

    return bart(c)
