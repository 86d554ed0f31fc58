"""Code that asks in which mode it runs, on which device, under which compiler; and code that changes what others own."""

import math
import os
import sys

import torch
import torch.nn.functional as F
from jaxtyping import Float, Float32
from torch import Tensor, nn


class OtherInTraining(nn.Module):
    def __init__(self, d: int):
        super().__init__()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        if self.training:
            return x
        return x.T


class OtherInside(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.inner = nn.Sequential(OtherInTraining(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.inner(x)


class Training(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.drop = nn.Dropout(0.1)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        if self.training:
            x = x + torch.randn_like(x)
        return self.drop(x)


class SumInEval(nn.Module):
    def __init__(self, d: int):
        super().__init__()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return F.dropout(x, 0.5, self.training) if self.training else x.sum(0)


class EvalCall(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.eval()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return x.T if self.training else x


def environ(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    c = int(os.environ.get("MY_COUNT", "0"))
    os.environ["MY_COUNT"] = str(c + 1)
    return x if c < 1 else x[:1]


def foreign(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    c = getattr(math, "_cnt", 0)
    math._cnt = c + 1
    return x if c < 1 else x[:1]


def functional(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    F._seen = getattr(F, "_seen", 0) + 1
    return x if F._seen < 2 else x[:1]


def module_made(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    m = sys.modules.setdefault("my_mod", type(sys)("my_mod"))
    m.n = getattr(m, "n", 0) + 1
    return x if m.n < 2 else x[:1]


def default_dtype(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    if torch.get_default_dtype() is torch.float64: return x[:1]
    torch.set_default_dtype(torch.float64)
    return x


def threads(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if torch.get_num_threads() > 1 else x[:1]


def cuda(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    if x.is_cuda:
        return x[:1]
    return x


def device(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    if x.device.type == "cuda":
        return x[:1]
    return x


def cuda_available(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not torch.cuda.is_available() else x[:1]


def scripting(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not torch.jit.is_scripting() else x[:1]


def compiling(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not torch.compiler.is_compiling() else x[:1]


def tracing(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not torch.jit.is_tracing() else x[:1]


def grad_enabled(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if torch.is_grad_enabled() else x[:1]


def requires_grad(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not x.requires_grad else x[:1]


def autocast_enabled(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if not torch.is_autocast_enabled() else x[:1]


def autocast_kept(x: Float32[Tensor, "n d"], w: Float32[Tensor, "d d"]) -> Float32[Tensor, "n d"]:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ w


def leaf_written(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    w = torch.zeros(x.shape[0], x.shape[1], requires_grad=True)
    w += x
    return w


def parameter_written(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    w = nn.Parameter(torch.zeros(x.shape[0], x.shape[1]))
    w.add_(1)
    return w


class ParameterWritten(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.w.add_(1)
        return x * self.w


class ParameterDecayed(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        with torch.no_grad():
            self.w.mul_(0.9)
        self.w.data.add_(1)
        return x * self.w

def view_of_leaf(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    w = nn.Parameter(torch.zeros(x.shape[0], x.shape[1]))
    w[0].add_(1)
    return w

def device_passed_on(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x + torch.zeros(x.shape[1], device=x.device)

def autocast_back(x: Float32[Tensor, "n d"], w: Float32[Tensor, "d d"]) -> Float32[Tensor, "n d"]:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w
    return y.float()

def autocast_off(x: Float32[Tensor, "n d"], w: Float32[Tensor, "d d"]) -> Float32[Tensor, "n d"]:
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
        return x @ w

def autocast_joined(x: Float32[Tensor, "n d"], w: Float32[Tensor, "d d"]) -> Float32[Tensor, "2*n d"]:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.cat([x @ w, x])

class Norms(nn.Module):
    def __init__(self, c: int):
        super().__init__()
        self.norm = nn.GroupNorm(1, c)
    def forward(self, x: Float[Tensor, "b c n"]) -> Float[Tensor, "b c n"]:
        return self.norm(x)

def not_caught(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    try:
        z = x + y
    except ValueError:
        z = x
    return x + 0 * z.sum()


def caught(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    try:
        z = (x + y).sum()
    except RuntimeError:
        z = 0
    return x + z


def caught_by_all(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    try:
        z = x + y
        return z[:x.shape[0]]
    except Exception:
        return x[:1]


def passed_over(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    try:
        z = x + y
    except RuntimeError:
        pass
    return x


def tried(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    try:
        return x + y
    except RuntimeError:
        return x[:1]


def view_tried(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    try:
        x.t().view(-1)
    except RuntimeError:
        return x
    return x[:1, :0]


def text_of_error(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    try:
        x.reshape(7, -1)
    except RuntimeError as e:
        if "invalid for input" in str(e):
            return x[:1]
        return x
    return x


def text_of_product(x: Float[Tensor, "n d"], y: Float[Tensor, "m k"]) -> Float[Tensor, "n d"]:
    try:
        x @ y
    except RuntimeError as e:
        return x if "mat1 and mat2" not in str(e) else x[:1]
    return x

