"""`[tool.verifier.make]`: a user says how to make what annotations alone cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.check.settings import settings_near
from verifier.cli import app
from verifier.errors import VerifierError

MODEL = """
import numpy as np
from jaxtyping import Float

class Config:
    def __init__(self, width, kind, **rest):
        assert kind in ("plain", "wide")
        self.width = width
        self.kind = kind
        self.layers: int = rest.get("layers", 1)

class Config2(Config):
    layers: int = 1

class Layer:
    def __init__(self, config: {config}):
        self.w = np.zeros((config.width, config.width))

    def apply(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
        return x @ self.w{end}
"""
MAKERS = """
from typing import Literal
from model import Config, Config2

def config({parameters}) -> Config:
    return {made}
"""


def checked(folder: Path, parameters: str, made: str, make: str | None = None, **model: str) -> dict[str, object]:
    model = {"config": "Config", "end": "", **model}
    (folder / "model.py").write_text(MODEL.format(**model))
    (folder / "makers.py").write_text(MAKERS.format(parameters=parameters, made=made))
    table = '"model.Config" = "makers.py:config"\n"model.Config2" = "makers.py:config"' if make is None else make
    (folder / "pyproject.toml").write_text(f"[tool.verifier.make]\n{table}\n")
    result = CliRunner().invoke(app, ["check", str(folder / "model.py"), "--no-cache", "--format", "json"])
    assert result.stdout, result.output
    report = json.loads(result.stdout)
    return report["functions"][0] if report["functions"] else report


def test_without_it_nothing_is_proved(tmp_path: Path) -> None:
    assert checked(tmp_path, "width: int", "0", make="")["verdict"] == "UNSUPPORTED"


def test_a_size_of_an_axis_name_is_that_axis(tmp_path: Path) -> None:
    told = checked(tmp_path, "d: int", "Config(d, 'plain')")
    assert told["verdict"] == "PROVED"
    assert told["assumptions"] == ["the argument d is the axis d", "self.config is made by makers.py:config"]


def test_every_value_of_a_literal_is_tried(tmp_path: Path) -> None:
    end = '[: 1 if self.kind == "wide" else None]'
    model = {"end": end.replace("self.kind", "self.config.kind")}
    source = "d: int, kind: Literal['plain', 'wide']"
    (tmp_path / "x").mkdir()
    told = checked(tmp_path, source, "Config(d, kind)", **model)
    assert told["verdict"] == "REFUTED"  # self.config is no attribute: the finding stands, whatever the kind
    told = checked(tmp_path, source, "Config(d, kind if kind == 'plain' else 'none')")
    assert told["verdict"] == "PROVED"  # the constructor refuses the other by an assert of its own


def test_a_mistake_behind_a_maker_is_found(tmp_path: Path) -> None:
    told = checked(tmp_path, "d: int", "Config(d + 1, 'plain')")
    assert told["verdict"] == "REFUTED"


def test_a_size_set_to_a_number_is_told_and_nothing_is_proved(tmp_path: Path) -> None:
    told = checked(tmp_path, "d: int", "_fixed(d)", config="Config2")
    assert told["verdict"] != "PROVED"
    (tmp_path / "makers.py").write_text(
        "from model import Config2\n\ndef config(d: int):\n"
        "    made = Config2(d, 'plain')\n    made.layers = 3\n    return made\n"
    )
    result = CliRunner().invoke(app, ["check", str(tmp_path / "model.py"), "--no-cache", "--format", "json"])
    (told,) = json.loads(result.stdout)["functions"]
    assert (told["verdict"], told["reason"]) == ("BOUNDED", "self.config.layers = 3")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('"model.Config" = "makers.py:nothing"', "there is no such function"),
        ('"model.Config" = "nowhere.py:config"', "there is no such file"),
        ('"model.Config" = "makers"', "names no function"),
    ],
)
def test_a_wrong_maker_is_told(tmp_path: Path, row: str, said: str) -> None:
    report = checked(tmp_path, "d: int", "Config(d, 'plain')", make=row)
    (error,) = report["errors"]  # type: ignore[misc]
    assert said in error["fact"]


def test_a_row_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.verifier.make]\n[tool.verifier.make.model]\nConfig = 'x'\n")
    with pytest.raises(VerifierError, match="the class in quotes"):
        settings_near(tmp_path)


LAYER = """
import numpy as np
from jaxtyping import Float

class Layer:
    def __init__(self, width: int):
        self.w = np.zeros((width, width))

    def apply(self, x: Float[np.ndarray, "n channels"]) -> Float[np.ndarray, "n channels"]:
        return x @ self.w{end}
"""


@pytest.mark.parametrize(("end", "verdict"), [("", "PROVED_IF"), ("[:, 1:]", "REFUTED")])
def test_the_width_that_a_maker_gave_is_asked_of_the_caller(tmp_path: Path, end: str, verdict: str) -> None:
    (tmp_path / "model.py").write_text(LAYER.format(end=end))
    maker = "from model import Layer\n\ndef layer(base: int) -> Layer:\n    return Layer(4 * base)\n"
    (tmp_path / "makers.py").write_text(maker)
    (tmp_path / "pyproject.toml").write_text('[tool.verifier.make]\n"model.Layer" = "makers.py:layer"\n')
    result = CliRunner().invoke(app, ["check", str(tmp_path / "model.py"), "--no-cache", "--format", "json"])
    (told,) = json.loads(result.stdout)["functions"]
    assert told["verdict"] == verdict
    assert ("channels == 4*self.base" in told["assumptions"]) == (verdict == "PROVED_IF")


def test_a_size_that_is_tried_is_not_called_a_number(tmp_path: Path) -> None:
    """A maker's own size, which a loop of the constructor wants as a number, is bounded and not set."""
    (tmp_path / "model.py").write_text(LOOPING)
    (tmp_path / "makers.py").write_text(
        "from model import Config\n\ndef config(d: int, layers: int) -> Config:\n    return Config(d, layers)\n"
    )
    (tmp_path / "pyproject.toml").write_text('[tool.verifier.make]\n"model.Config" = "makers.py:config"\n')
    result = CliRunner().invoke(app, ["check", str(tmp_path / "model.py"), "--no-cache", "--format", "json"])
    told = {f["name"]: f for f in json.loads(result.stdout)["functions"]}
    assert {f["verdict"] for f in told.values()} == {"BOUNDED", "REFUTED"}
    for name in ("apply", "again"):  # the second does not try again what cannot be made for all counts
        assert told[f"Layer.{name}"]["reason"].startswith("self.config.layers <= 4 (")
        assert "self.config.layers =" not in told[f"Layer.{name}"]["reason"]
    assert told["Layer.wrong"]["verdict"] == "REFUTED"


LOOPING = """
from dataclasses import dataclass
import numpy as np
from jaxtyping import Float

@dataclass
class Config:
    width: int
    layers: int = 1

class Layer:
    def __init__(self, config: Config):
        self.all = {str(i): np.zeros((config.width, config.width)) for i in range(config.layers)}
        self.last = self.all[str(config.layers - 1)]

    def apply(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
        return x @ self.last

    def again(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
        return x @ self.last

    def wrong(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
        return self.last @ x
"""
