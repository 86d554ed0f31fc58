"""BERT, and encoders that differ from it in no tensor."""

from __future__ import annotations

from ..encoder import bert
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("bert",)


def build(c: Config) -> Architecture:

    return bert(c)
