"""How each framework spells what NumPy calls by its name: the one place where a message gets its words.

Rules and readings say `np.repeat`, `axis=-1`, `keepdims=True`; whoever shows the text to a user of another framework
has it spelled here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping

TORCH: Mapping[str, str] = {
    "repeat": "torch.repeat_interleave",
    "concatenate": "torch.cat",
    "swapaxes": "torch.transpose",
    "transpose": "torch.permute",
    "expand_dims": "torch.unsqueeze",
    "take_along_axis": "torch.take_along_dim",
    "put_along_axis": "torch.scatter",
    "array": "torch.tensor",
    "pad": "F.pad",
    "absolute": "torch.abs",
    "power": "torch.pow",
    "maximum": "torch.maximum",
    "indices": "torch.meshgrid",
}
"""What PyTorch calls otherwise; any other function it calls `torch.` and NumPy's name, where it has it."""

PREFIX = {"PyTorch": "torch.", "jax": "jnp."}
HOMES = {"PyTorch": "torch", "jax": "jax.numpy"}

WORDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "PyTorch": (
        (r"\baxis=", "dim="),
        (r"\bkeepdims=", "keepdim="),
        (r"\.swapaxes\(", ".transpose("),
        (r"\bndarray\.", "Tensor."),
    ),
    "jax": ((r"\bndarray\.", "jax.Array."),),
}
NAMED = re.compile(r"(?<![\w.])(?:np|numpy)\.([a-z_]\w*(?:\.[a-z_]\w*)*)")


def spelled(text: str, framework: str) -> str:
    """The text in the words of a framework, which goes by its front end's name.

    >>> spelled("repeat each one in place (np.repeat), along axis=-1", "PyTorch")
    'repeat each one in place (torch.repeat_interleave), along dim=-1'
    """
    if framework not in PREFIX:
        return text
    for pattern, replacement in WORDS[framework]:
        text = re.sub(pattern, replacement, text)
    return NAMED.sub(_named(framework), text)


def _named(framework: str) -> Callable[[re.Match[str]], str]:
    def change(found: re.Match[str]) -> str:
        name = found[1]
        if framework == "PyTorch" and name in TORCH:
            return TORCH[name]
        return PREFIX[framework] + name if _has(framework, name) else found[0]

    return change


def _has(framework: str, name: str) -> bool:
    """Whether the framework, which the code under test has imported, has a function of that name."""
    home = sys.modules.get(HOMES[framework])
    for part in name.split("."):
        home = getattr(home, part, None)
    return callable(home)
