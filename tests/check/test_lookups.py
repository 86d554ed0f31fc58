"""Programs that decide by a set, a dictionary, a text or a type of a size: each misuse is found, none is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

HEAD = "import numpy as np\nfrom jaxtyping import Float\n\n\n"
SIGNATURE = 'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:\n    n, d = x.shape\n'
WRONG = {
    "set": "return x if n in {1, 2} else x.T",
    "not in a set": "return x.T if n not in {1, 2} else x",
    "get": "return {3: x}.get(n, x.T)",
    "subscript": "try:\n        return {3: x}[n]\n    except KeyError:\n        return x.T",
    "text": 'return x if str(n) == "3" else x.T',
    "hash": "return x if hash(n) == 3 else x.T",
    "type": "return x.T if type(x) is not np.ndarray else x",
    "size of a set": "return x if len({n, d}) == 2 else x.T",
    "membership after adding": "seen = set()\n    seen.add(3)\n    return x if n in seen else x.T",
}
RIGHT = {
    "equal where it matters": "return x if len({n, d}) == 1 else x.T",
    "keys of sizes": "t = {}\n    t[n] = x.T\n    t[d] = x\n    return t[n]",
    "plain keys": 'options = {"a": x.T, "b": x}\n    return options["a"] if "b" in options else x',
    "printed": 'print(str(n) + " rows", f"{d}")\n    return x.T',
    "a part in place": "y = x.T.copy()\n    y[:, ::2] += 1\n    y[0] *= 2\n    return y",
}


def verdict(body: str, folder: Path) -> str:
    file = folder / "program.py"
    file.write_text(f"{HEAD}{SIGNATURE}    {body}\n")
    forget()
    (subject,) = subjects_of(Target(file))
    return str(judge(subject).verdict)


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_a_size_that_decides_is_not_overlooked(body: str, tmp_path: Path) -> None:
    assert verdict(body, tmp_path) == "REFUTED"


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_what_does_not_depend_on_the_number_is_proved(body: str, tmp_path: Path) -> None:
    assert verdict(body, tmp_path) == "PROVED"


def test_a_loop_that_ends_at_a_size_is_only_tested(tmp_path: Path) -> None:
    assert verdict("i = 0\n    while i < n:\n        i += 1\n    return x.T", tmp_path) == "TESTED"
