"""Every rule is held against PyTorch at small sizes: shape, element type, strides, values; or both refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
F: Any = torch.nn.functional

from verifier.errors import Unsupported
from verifier.frontends.recording import recording
from verifier.frontends.torch.front_end import PyTorch
from verifier.graph.node import Graph
from verifier.graph.ops import Input, Opaque
from verifier.graph.run import run_nodes

SHAPES = {
    "x": (2, 3, 4),
    "y": (2, 4, 3),
    "q": (2, 3, 4, 6),
    "w": (5, 4),
    "v": (4,),
    "m": (3, 4),
    "one": (2, 1, 4),
    "s": (3, 3),
}
FRONT = PyTorch()

CALLS: dict[str, Callable[..., Any]] = {
    "view": lambda x, **_: x.view(6, 4),
    "view of a transposed tensor": lambda x, **_: x.transpose(1, 2).view(2, 12),
    "view that splits a transposed tensor": lambda x, **_: x.transpose(0, 1).view(3, 2, 2, 2),
    "reshape of a transposed tensor": lambda x, **_: x.transpose(1, 2).reshape(2, -1),
    "view of permuted heads": lambda q, **_: q.permute(0, 2, 1, 3).view(2, 4, 18),
    "contiguous heads": lambda q, **_: q.permute(0, 2, 1, 3).contiguous().view(2, 4, 18),
    "view of a slice": lambda q, **_: q[:, 1:].view(2, 48),
    "view of a slice of rows": lambda q, **_: q[1:].view(1, 72),
    "view of a chunk": lambda x, **_: x.chunk(2, -1)[1].view(2, 3, 1, 2),
    "view of a chunk across it": lambda x, **_: x.chunk(2, -1)[1].view(2, 6),
    "view after an axis of one": lambda one, **_: one.transpose(0, 1).view(8),
    "view of an expanded tensor": lambda one, **_: one.expand(2, 3, 4).view(6, 4),
    "view of what keeps strides": lambda x, **_: (x.transpose(1, 2) + 1).view(2, 12),
    "view after softmax": lambda x, **_: x.transpose(1, 2).softmax(-1).view(2, 12),
    "view after linear": lambda x, w, **_: F.linear(x.transpose(0, 1), w).view(6, 5),
    "view after matmul": lambda x, y, **_: (x @ y).view(2, 9),
    "view after cat": lambda x, **_: torch.cat([x.mT, x.mT], 1).view(2, 24),
    "view after layer_norm": lambda y, **_: F.layer_norm(y.mT, (4,)).view(2, 12),
    "view with unsqueeze": lambda x, **_: x.transpose(1, 2).unsqueeze(1).view(2, 4, 3),
    "view after clone": lambda x, **_: x.transpose(1, 2).clone().view(2, 12),
    "view after select": lambda q, **_: q[:, 0].view(2, 24),
    "view after step": lambda x, **_: x[..., ::2].view(2, 6),
    "flatten": lambda q, **_: q.flatten(1, 2),
    "unflatten": lambda q, **_: q.unflatten(-1, (2, -1)),
    "squeeze of another size": lambda x, **_: x.squeeze(1),
    "squeeze": lambda one, **_: one.squeeze(1),
    "expand": lambda one, **_: one.expand(5, -1, 3, -1),
    "expand of another size": lambda x, **_: x.expand(2, 5, 4),
    "expand to fewer axes": lambda x, **_: x.expand(3, 4),
    "repeat": lambda x, **_: x.repeat(2, 1, 1, 3),
    "repeat_interleave": lambda x, **_: x.repeat_interleave(2, dim=1),
    "chunk unevenly": lambda w, **_: w.chunk(4, 0)[-1],
    "split unevenly": lambda w, **_: w.split(2)[-1],
    "split by sizes": lambda w, **_: w.split([1, 4])[1],
    "split by sizes that do not fit": lambda w, **_: w.split([1, 3]),
    "unbind": lambda x, **_: x.unbind(1)[2],
    "stack": lambda x, **_: torch.stack([x, x], -1),
    "stack of two shapes": lambda x, y, **_: torch.stack([x, y]),
    "cat of two shapes": lambda x, one, **_: torch.cat([x, one], 1),
    "cat along another axis": lambda x, one, **_: torch.cat([x, one], 0),
    "movedim": lambda q, **_: q.movedim(1, -1),
    "pad": lambda x, **_: F.pad(x, (1, 2, 0, 1)),
    "pad that cuts": lambda x, **_: F.pad(x, (-1, 2)),
    "flip": lambda x, **_: x.flip(-1),
    "narrow": lambda x, **_: x.narrow(1, 1, 2),
    "narrow too far": lambda x, **_: x.narrow(1, 2, 2),
    "matmul of a vector": lambda x, v, **_: x @ v,
    "matmul that does not fit": lambda x, **_: x @ x,
    "bmm": lambda x, y, **_: torch.bmm(x, y),
    "bmm of matrices": lambda m, **_: torch.bmm(m, m),
    "baddbmm": lambda x, y, v, **_: torch.baddbmm(v[:3], x, y),
    "einsum": lambda x, y, **_: torch.einsum("bik,bkj->bij", x, y),
    "einsum that does not fit": lambda x, **_: torch.einsum("bik,bkj->bij", x, x),
    "linear with bias": lambda x, w, v, **_: F.linear(x, w, torch.cat([v, v[:1]])),
    "softmax over axis 1": lambda x, **_: F.softmax(x, dim=1),
    "log_softmax": lambda x, **_: F.log_softmax(x, dim=-1),
    "layer_norm of another size": lambda x, **_: F.layer_norm(x, (3,)),
    "rms_norm": lambda x, v, **_: F.rms_norm(x, (4,), v, 1e-6),
    "group_norm": lambda q, **_: F.group_norm(q.transpose(1, 2), 2),
    "batch_norm": lambda q, **_: F.batch_norm(q, None, None, training=True),
    "gelu": lambda x, **_: F.gelu(x),
    "gelu by tanh": lambda x, **_: F.gelu(x, approximate="tanh"),
    "silu": lambda x, **_: F.silu(x),
    "glu": lambda x, **_: F.glu(x),
    "elu": lambda x, **_: F.elu(x),
    "leaky_relu": lambda x, **_: F.leaky_relu(x, 0.1),
    "sum": lambda x, **_: x.sum((0, 2)),
    "sum of truth values": lambda x, **_: (x > 0).sum(-1),
    "mean of integers": lambda x, **_: (x > 0).long().mean(),
    "var": lambda x, **_: x.var(-1, keepdim=True),
    "std without correction": lambda x, **_: x.std(-1, unbiased=False),
    "max with places": lambda x, **_: x.max(dim=1).values,
    "amax": lambda x, **_: x.amax((0, 1), True),
    "logsumexp": lambda x, **_: x.logsumexp(-1),
    "norm": lambda x, **_: x.norm(dim=-1),
    "normalize": lambda x, **_: F.normalize(x, dim=-1),
    "masked_fill": lambda s, **_: s.masked_fill(torch.ones(3, 3, dtype=torch.bool).triu(1), float("-inf")),
    "masked_fill by numbers": lambda s, **_: s.masked_fill(torch.ones(3, 3), 0.0),
    "where": lambda x, **_: torch.where(x > 0, x, 0),
    "tril": lambda s, **_: s.tril(-1),
    "index": lambda x, **_: x[:, [0, 2]],
    "index by a tensor": lambda w, **_: w[torch.tensor([0, 4, 4])],
    "index out of range": lambda x, **_: x[:, 3],
    "negative step": lambda x, **_: x[:, ::-1],
    "index with None": lambda x, **_: x[:, None, ..., 0],
    "index_select": lambda w, **_: w.index_select(0, torch.tensor([1, 1])),
    "embedding": lambda w, **_: F.embedding(torch.tensor([[0, 4], [1, 1]]), w),
    "one_hot": lambda x, **_: F.one_hot(torch.tensor([0, 2]), 4),
    "integer division": lambda x, **_: (x > 0).long() // 2,
    "true division": lambda x, **_: (x > 0).long() / 2,
    "power of an integer": lambda x, **_: (x > 0).long() ** 2,
    "float and number": lambda x, **_: x.half() * 2.5,
    "half and float tensors": lambda x, **_: x.half() + x,
    "half with a tensor of no axes": lambda x, **_: x.half() * torch.tensor(2.0),
    "bfloat16": lambda x, **_: x.bfloat16(),
    "two types in a product": lambda x, y, **_: x.double() @ y,
    "in place": lambda x, **_: x.clone().add_(1).mul_(2),
    "in place beyond the shape": lambda one, x, **_: one.clone().add_(x),
    "in place on a view": lambda x, **_: _written(x),
    "write and read": lambda x, **_: _cached(x),
    "attention": lambda q, **_: F.scaled_dot_product_attention(q, q, q),
    "causal attention": lambda q, **_: F.scaled_dot_product_attention(q, q[:, :, :3], q[:, :, :3], is_causal=True),
    "attention with a mask": lambda q, **_: F.scaled_dot_product_attention(q, q, q, attn_mask=torch.ones(4, 4).tril().bool()),
    "attention with a wrong mask": lambda q, **_: F.scaled_dot_product_attention(q, q, q, attn_mask=torch.ones(3, 4)),
    "grouped attention": lambda q, **_: F.scaled_dot_product_attention(q, q[:, :1], q[:, :1], enable_gqa=True),
    "cross_entropy": lambda x, **_: F.cross_entropy(x[:, :, 0], torch.tensor([0, 2]), reduction="none").shape.numel() * x,
    "cross_entropy of another shape": lambda x, **_: F.cross_entropy(x, torch.zeros(2, 3, dtype=torch.long)),
    "mse_loss": lambda x, **_: F.mse_loss(x, x * 2),
    "topk": lambda x, **_: x.topk(2, -1)[0],
    "topk of too many": lambda x, **_: x.topk(5, -1)[0],
    "gather": lambda x, **_: x.gather(1, torch.zeros(2, 2, 4, dtype=torch.long)),
    "gather beyond": lambda x, **_: x.gather(1, torch.zeros(3, 2, 4, dtype=torch.long)),
    "conv1d": lambda x, **_: F.conv1d(x, torch.ones(6, 3, 2), stride=2, padding=1),
    "conv1d of other channels": lambda x, **_: F.conv1d(x, torch.ones(6, 4, 2)),
    "conv2d with groups": lambda q, **_: F.conv2d(q, torch.ones(6, 1, 2, 3), groups=3, dilation=2 if False else 1),
    "conv2d of too large a window": lambda q, **_: F.conv2d(q, torch.ones(6, 3, 5, 3)),
    "max_pool2d": lambda q, **_: F.max_pool2d(q, 2),
    "avg_pool1d": lambda x, **_: F.avg_pool1d(x, 2, 1),
    "unfold": lambda x, **_: x.unfold(2, 2, 1),
    "cumsum": lambda x, **_: x.cumsum(1),
    "sort": lambda x, **_: x.sort(-1)[0],
    "diagonal": lambda s, **_: s.diagonal(),
    "meshgrid": lambda v, **_: torch.meshgrid(v, v, indexing="ij")[0],
    "outer": lambda v, **_: torch.outer(v, v),
    "bad axis": lambda x, **_: x.sum(3),
    "t of three axes": lambda x, **_: x.t(),
    "svd by its old name": lambda x, **_: torch.svd(x).V,
    "svd of all": lambda x, **_: torch.svd(x, some=False)[0],
    "svd as a method": lambda m, **_: m.svd().S,
    "linalg.svd": lambda x, **_: torch.linalg.svd(x).Vh,
    "linalg.svd, reduced": lambda y, **_: torch.linalg.svd(y, full_matrices=False)[2],
    "linalg.svd of a vector": lambda v, **_: torch.linalg.svd(v),
    "linalg.svd of integers": lambda x, **_: torch.linalg.svd(x.long()),
    "svdvals": lambda x, **_: torch.linalg.svdvals(x),
    "svdvals of complex numbers": lambda x, **_: torch.linalg.svdvals(x.to(torch.complex64)),
    "eig": lambda s, **_: torch.linalg.eig(s).eigenvectors,
    "eig of what is not square": lambda x, **_: torch.linalg.eig(x),
    "eigvals": lambda s, **_: torch.linalg.eigvals(s),
    "eigh": lambda s, **_: torch.linalg.eigh(s)[1],
    "eigh of complex numbers": lambda s, **_: torch.linalg.eigh(s.to(torch.complex64)).eigenvalues,
    "eigvalsh": lambda s, **_: torch.linalg.eigvalsh(s),
    "permute of fewer axes": lambda x, **_: x.permute(1, 0),
    "searchsorted of one row": lambda v, x, **_: torch.searchsorted(v, x),
    "searchsorted of no axis": lambda v, **_: torch.searchsorted(v[0], v[0]),
    "searchsorted of a value": lambda v, **_: torch.searchsorted(v, v[0]),
    "searchsorted of rows": lambda x, **_: torch.searchsorted(x, x[..., :2].contiguous()),
    "searchsorted of rows in other rows": lambda m, s, **_: torch.searchsorted(m[:2], s),
    "searchsorted of one row for many": lambda m, s, **_: torch.searchsorted(m[:1], s),
    "searchsorted of a row in rows": lambda m, v, **_: torch.searchsorted(m, v),
    "searchsorted of a value in rows": lambda m, v, **_: torch.searchsorted(m, v[0]),
    "searchsorted as int32": lambda v, x, **_: torch.searchsorted(v, x, out_int32=True, right=True),
    "searchsorted from both sides": lambda v, x, **_: torch.searchsorted(v, x, right=True, side="left"),
    "searchsorted with a sorter": lambda v, x, **_: torch.searchsorted(v, x, sorter=torch.arange(4)),
    "searchsorted with a short sorter": lambda v, x, **_: torch.searchsorted(v, x, sorter=torch.arange(3)),
    "searchsorted of truth values": lambda v, x, **_: torch.searchsorted(v > 0, x > 0),
    "bucketize": lambda v, x, **_: torch.bucketize(x, v),
    "bucketize by rows": lambda v, m, **_: torch.bucketize(v, m),
    "bucketize by one row": lambda v, m, **_: torch.bucketize(v, m[:1]),
    "bucketize by a number": lambda v, **_: torch.bucketize(v, v[0]),
    "bucketize as int32": lambda v, x, **_: torch.bucketize(x, v, out_int32=True),
    "masked_scatter": lambda x, **_: x.masked_scatter(torch.ones(4).bool(), torch.ones(24)),
    "masked_scatter from too few": lambda x, **_: x.masked_scatter(torch.ones(2, 3, 4).bool(), torch.ones(23)),
    "masked_scatter of a larger mask": lambda m, **_: m.masked_scatter(torch.ones(2, 3, 4).bool(), torch.ones(24)),
    "masked_scatter in place of a larger mask": lambda m, **_: m.clone().masked_scatter_(torch.ones(2, 3, 4).bool(), torch.ones(24)),
    "masked_scatter of another type": lambda m, **_: m.masked_scatter(torch.ones(4).bool(), torch.ones(24).double()),
    "masked_scatter under numbers": lambda m, **_: m.masked_scatter(torch.ones(4), torch.ones(24)),
    "softmax of nothing": lambda x, **_: x[..., :0].softmax(-1),
    "log_softmax of nothing": lambda x, **_: F.log_softmax(x[:, :0], 1),
    "log_softmax of integers": lambda x, **_: x.long().log_softmax(1),
    "logsumexp of nothing": lambda x, **_: x[..., :0].logsumexp(-1),
    "logsumexp of nothing, kept": lambda x, **_: x[..., :0].logsumexp((0, 2), keepdim=True),
    "attention to nothing": lambda q, **_: F.scaled_dot_product_attention(q, q[:, :, :0], q[:, :, :0]),
    "cross_entropy of no classes": lambda x, **_: F.cross_entropy(x[:, :0, 0], torch.zeros(2, dtype=torch.long)),
    "split into parts of nothing": lambda w, **_: w.split(0),
    "split of nothing into parts of nothing": lambda w, **_: w[:0].split(0)[0],
    "split of nothing": lambda w, **_: w[:0].split(2)[0],
    "split into parts below nothing": lambda w, **_: w.split(-1),
    "split by a size below nothing": lambda w, **_: w.split([-1, 6])[1],
    "chunk of nothing": lambda w, **_: w[:0].chunk(3)[2],
    "chunk into no parts": lambda w, **_: w.chunk(0),
    "conv1d in no groups": lambda x, **_: F.conv1d(x, torch.ones(6, 3, 2), groups=0),
    "conv1d in no steps": lambda x, **_: F.conv1d(x, torch.ones(6, 3, 2), stride=0),
    "pixel_shuffle by nothing": lambda q, **_: F.pixel_shuffle(q, 0),
}  # fmt: skip


def _padding(mode: str, widths: tuple[int, ...], name: str) -> Callable[..., Any]:
    return lambda **given: F.pad(given[name], widths, mode=mode)


WIDTHS = ((1, 1), (3, 2), (4, 0), (0, 4), (5, 0), (0, 5), (-1, 3), (4, -1), (-2, -2), (-4, 1), (0, 0), (2, 2, 2, 2))
WIDTHS += ((1, 1, 3, 0), (1, 1, 1, 1, 1, 1), (1,), ())
for _mode in ("reflect", "circular", "replicate", "edge"):
    for _widths in WIDTHS:
        for _axes in ("v", "m", "x", "q"):
            CALLS[f"pad {_mode} {_widths} of {_axes}"] = _padding(_mode, _widths, _axes)
    CALLS[f"pad {_mode} of nothing"] = lambda x, how=_mode, **_: F.pad(x[..., :0], (0, 0), mode=how)
    CALLS[f"pad {_mode} of no channels"] = lambda x, how=_mode, **_: F.pad(x[:, :0], (1, 1), mode=how)
    CALLS[f"pad {_mode} of truth values"] = lambda x, how=_mode, **_: F.pad(x > 0, (1, 1), mode=how)
    CALLS[f"pad {_mode} by a value"] = lambda x, how=_mode, **_: F.pad(x, (1, 1), mode=how, value=1.0)


def _written(x: Any) -> Any:
    y = x.clone()
    y[:, 0] += 1
    y.transpose(1, 2)[..., 1].mul_(2)
    return y


def _cached(x: Any) -> Any:
    cache = torch.zeros(2, 5, 4)
    seen = cache[:, 1:4]
    cache[:, 1:4] = x
    return seen * 2


def real() -> dict[str, Any]:
    draw = torch.Generator().manual_seed(1)
    return {n: torch.randn(*shape, generator=draw) for n, shape in SHAPES.items()}


@pytest.mark.parametrize("name", CALLS)
def test_a_rule_says_what_pytorch_says(name: str) -> None:
    call = CALLS[name]
    given = real()
    expected: Any
    try:
        expected = call(**given)
    except Exception as error:
        expected = error
    with recording(Graph()) as graph:
        symbols = {n: FRONT.symbolic(n, shape, "float32") for n, shape in SHAPES.items()}
        try:
            found = call(**symbols)
        except Unsupported:
            pytest.fail("no rule")
        except Exception as error:
            assert isinstance(expected, Exception), error
            return
        assert not isinstance(expected, Exception), expected
        assert tuple(found.shape) == tuple(expected.shape)
        assert found.dtype is expected.dtype
        if not isinstance(found, torch.Tensor) or type(found) is torch.Tensor:
            return
        if found.memory != "unknown" and expected.numel():
            assert found.is_contiguous() == expected.is_contiguous()
        nodes = graph.reaching((found.node,))
        if any(isinstance(n.op, Opaque) or getattr(n.op, "function", "") == "erf" for n in nodes):
            return
        values = run_nodes((found.node,), {}, {n: given[n].numpy() for n in SHAPES})[0]
    close = np.allclose(
        values,
        FRONT.to_numpy(expected),
        rtol=1e-2 if found.dtype is not torch.float32 else 1e-4,
        atol=1e-4,
        equal_nan=True,
    )
    assert close


def test_every_input_is_an_input() -> None:
    with recording(Graph()):
        assert isinstance(FRONT.symbolic("x", (2,), "float32").node.op, Input)
