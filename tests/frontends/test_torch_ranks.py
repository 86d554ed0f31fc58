"""Every row that wants a number of axes, a size or an element type is held against PyTorch at ranks 0 to 5."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
F: Any = torch.nn.functional
nn: Any = torch.nn

from verifier.errors import Unsupported  # noqa: E402
from verifier.frontends.recording import recording  # noqa: E402
from verifier.frontends.torch.front_end import PyTorch  # noqa: E402
from verifier.frontends.torch.session import session  # noqa: E402
from verifier.graph.node import Graph  # noqa: E402

FRONT = PyTorch()
SHAPES = [
    *((2, 4, 6, 4, 6)[:rank] for rank in range(6)),
    *((4,) * rank for rank in range(1, 6)),
    *((1,) * rank for rank in range(1, 6)),
    *((4, 6), (4, 1, 6), (1, 4, 1), (2, 4, 1, 1), (1, 1, 4, 4)),
]


def sliding(n: int) -> list[str]:
    """Calls of what slides over n axes."""
    found: list[str] = []
    for kind in ("max", "avg"):
        pool = f"F.{kind}_pool{n}d(x, "
        ends = ("2", "2, 1", "2, padding=1", "2, padding=2", "2, ceil_mode=True", "2, 3, 1, ceil_mode=True", "(2, 2)")
        found += [f"{pool}{end})" for end in ends]
        sizes = ("1", "4", "(1, 1)", "(2, 2)", "(2, 2, 2)", "(None, 2)")
        found += [f"F.adaptive_{kind}_pool{n}d(x, {size})" for size in sizes]
    found.append(f"F.max_pool{n}d(x, 2, dilation=2)")
    for c in (2, 4):
        conv, back, norm = (
            f"F.conv{n}d(x, torch.ones(6, {c}",
            f"F.conv_transpose{n}d(x, torch.ones({c}, 6",
            "InstanceNorm",
        )
        window = ", 2" * n
        found += [f"{call}{window}), torch.ones({b}))" for call in (conv, back) for b in (5, 6)]
        found += [f"{conv}{window}, 2))", f"{back}{window[3:]}))", f"{conv}{window}), padding='same', stride=2)"]
        found += [f"{back}{window}), stride=2, output_padding={extra})" for extra in (1, 2)]
        for options in ("affine=True", "track_running_stats=True"):
            found += [f"nn.{norm}{n}d({c}, {options}){mode}(x)" for mode in ("", ".eval()")]
    found += [f"nn.Dropout{n}d(0.3){mode}(x)" for mode in ("", ".eval()")]
    return [*found, f"F.dropout{n}d(x, 0.0)", f"nn.LPPool{n}d(2, 2)(x)"]


MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area")
CALLS = [
    *(call for n in (1, 2, 3) for call in sliding(n)),
    *(f"F.interpolate(x, {size}, mode={mode!r})" for mode in MODES for size in ("4", "(4,)", "(4, 4)", "(4, 4, 4)")),
    *(f"nn.Upsample(scale_factor={f}, mode={mode!r})(x)" for mode in MODES for f in ("2", "2.0", "(2, 2)")),
    *("F.interpolate(x)", "F.interpolate(x, 4, 2)", "F.interpolate(x, scale_factor=2, align_corners=True)"),
    *("F.unfold(x, 2)", "F.unfold(x, 3, padding=1)", "x.unfold(0, 2, 1)", "x.unfold(-1, 3, 2)", "x.unfold(0, 2, 0)"),
    *("F.pixel_shuffle(x, 2)", "nn.Flatten()(x)", "x.squeeze(1)", "x.flatten(1)", "x.repeat_interleave(2, 0)"),
    *("F.feature_alpha_dropout(x, 0.3, True)", "torch.feature_dropout(x, 0.3, True)", "nn.FeatureAlphaDropout()(x)"),
    *(f"F.{norm}(x, x.shape[{k}:])" for norm in ("layer_norm", "rms_norm") for k in range(4)),
    *("F.batch_norm(x, None, None)", "F.instance_norm(x, torch.zeros(4), torch.ones(4))"),
    "F.instance_norm(x, torch.zeros(4), torch.ones(4), use_input_stats=False)",
    *(f"torch.{name}(x)" for name in ("trace", "fliplr", "flipud", "msort", "cartesian_prod", "meshgrid", "aminmax")),
    *(f"torch.{name}(x, x)" for name in ("dot", "vdot", "inner", "cartesian_prod", "meshgrid", "chain_matmul", "kron")),
    *("x.H", "x.sum(1)", "x.sum(-1)", "x.amax(1)", "x.any(1)", "x.sum(0, keepdim=True)", "x.mode()", "x.mode(0)"),
    *(f"torch.multinomial(x.abs(), {how})" for how in ("1", "3", "20", "20, True", "0")),
    *("x.kthvalue(2)", "x.kthvalue(1, 0).values", "x.topk(1)", "x.diagonal(0, 0, 0)", "x.diagonal(0, -1, 0)"),
    *("torch.linalg.matrix_norm(x)", "torch.linalg.norm(x)", "torch.linalg.norm(x, 1)", "torch.linalg.norm(x, 2, 0)"),
    *("torch.linalg.multi_dot([x, x])", "nn.Bilinear(4, 4, 3)(x, x)", "torch.arange(3, x.ndim)"),
    *("torch.randint(0, x.ndim - 1, (2,))", "torch.linspace(0, 1, x.ndim - 2)", "torch.range(0, x.ndim - 1)"),
    *("torch.randperm(x.ndim - 1)", "torch.randint_like(x, 0, x.ndim - 1)", "torch.arange(x.ndim, 2, -1)"),
]
TYPES = ("x", "x.long()", "x > 0", "x.abs().byte()", "x.to(torch.complex64)")
OF_TYPES = [
    *(f"({a}) {op} ({b})" for op in ("&", "|", "^", "<<", "-", "<", "@") for a in TYPES for b in TYPES),
    *(f"({a}) {op} {b}" for op in ("&", "<<", ">>", "-") for a in TYPES for b in ("1", "1.5", "True")),
    *(f"~({a})" for a in TYPES),
    *(
        f"F.{name}({a})"
        for name in ("gelu", "silu", "elu", "mish", "leaky_relu", "hardswish", "softplus", "relu", "glu", "normalize")
        for a in TYPES[:3]
    ),
    *(f"torch.{name}({a})" for name in ("abs", "floor", "argmax", "frac", "norm") for a in TYPES[:3]),
    *(f"F.one_hot(({a}) * 0, 9)" for a in ("x", "x.long()", "x.int()", "x.short()")),
    *(f"torch.bincount(({a}) * 0)" for a in ("x", "x.int()")),
    *("torch.bincount(x > 9)", "torch.gcd(x, x)", "torch.take(x, x)", "torch.masked_select(x, x)"),
    *("torch.where(x, x, x)", "torch.view_as_real(x)", "torch.imag(x)", "F.dropout(x.long(), 0.5)"),
    *("F.interpolate(x.long(), scale_factor=2)", "F.conv1d(x.long(), torch.ones(6, 4, 2))"),
]


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(map(_shown, value))
    return (tuple(value.shape), value.dtype)


def _outcome(call: str, x: Any) -> Any:
    try:
        return _shown(eval(call, {"x": x, "torch": torch, "F": F, "nn": nn}))
    except Unsupported:
        return None
    except Exception as error:
        return error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", [*CALLS, *OF_TYPES])
def test_a_row_fails_where_pytorch_fails(call: str) -> None:
    for shape in SHAPES:
        expected = _outcome(call, torch.randn(shape, generator=torch.Generator().manual_seed(1)).abs())
        with session(), recording(Graph()):
            found = _outcome(call, FRONT.symbolic("x", shape, "float32"))
        if found is None:  # no rule: nothing is said
            continue
        assert isinstance(found, Exception) is isinstance(expected, Exception), (shape, expected, found)
        if not isinstance(expected, Exception) and "count_" not in str(found):
            assert str(found) == str(expected), shape
