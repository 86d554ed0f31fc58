"""Marian and Pegasus: sinusoidal positions saved as a table, no norm after the embeddings."""

from __future__ import annotations

from ..encoder_decoder import bart
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("marian", "pegasus", "blenderbot", "blenderbot-small")


def build(c: Config) -> Architecture:

    small = c.model_type == "blenderbot-small"
    return bart(c, offset=0, embedding_norm=small, final_norm=c.model_type in ("pegasus", "blenderbot"))
