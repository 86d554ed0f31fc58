"""Reading configs of any notation, and what follows from one: findings, parameters, shapes, FLOPs, cache.

>>> from verifier.config import load
>>> model = load({"model_type": "llama", "hidden_size": 770, "num_attention_heads": 12, "num_hidden_layers": 2})
>>> model.findings[0].code, model.findings[0].fields
('CFG003', ('hidden_size', 'num_attention_heads'))
"""

from ..rules import Context, Finding, Severity
from .model import ModelConfig, load
from .read import UnreadableConfig

__all__ = ["Context", "Finding", "ModelConfig", "Severity", "UnreadableConfig", "load"]
