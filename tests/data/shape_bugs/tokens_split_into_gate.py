"""The gated projection is split along the tokens: half of them gates the other half."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 2*f"]) -> Float[np.ndarray, "_ _"]:
    # verifier: given n % 2 == 0
    gate, up = np.split(x @ W, 2, axis=0)
    return gate / (1 + np.exp(-gate)) * up


def fixed(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 2*f"]) -> Float[np.ndarray, "_ _"]:
    # verifier: given n % 2 == 0
    gate, up = np.split(x @ W, 2, axis=1)
    return gate / (1 + np.exp(-gate)) * up


CODE = "ATT039"
ASSUMES = []
