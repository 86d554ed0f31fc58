"""Modules that keep something from one call to the next. Each class is run for real, call after call, in the tests."""

import array
import contextvars
import functools
import itertools
import math
import random

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Cache(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.wk = nn.Linear(d, d)
        self.wv = nn.Linear(d, d)
        self.k = None
        self.v = None
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        k, v = self.wk(x), self.wv(x)
        if self.k is not None:
            k = torch.cat([self.k, k], 1); v = torch.cat([self.v, v], 1)
        self.k, self.v = k, v
        return F.scaled_dot_product_attention(x, k, v)


class Last(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.last = None
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        y = x if self.last is None else x + self.last
        self.last = x
        return y


class Counter(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.steps = 0
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.steps += 1
        if self.steps > 3:
            return x[:1]
        return x


class Stat(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean


class StatInplace(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.mean.mul_(0.9).add_(0.1 * x.mean(0))
        return x - self.mean


class BufferShape(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        y = x - self.mean
        self.mean = x
        return y


class ListCache(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.past = []
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.past.append(x)
        return torch.stack(self.past).sum(0)


class DictCache(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.cache = {}
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        if "k" not in self.cache:
            self.cache["k"] = torch.zeros(x.shape[0], 1)
        return x + self.cache["k"]


class RopeCache(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.cos = None
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        if self.cos is None:
            self.cos = torch.arange(x.shape[1])[:, None].float().cos()
        return x * self.cos


class RopeCacheGrows(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.cos = None
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        n = x.shape[1]
        if self.cos is None or self.cos.shape[0] < n:
            self.cos = torch.arange(n)[:, None].float().cos()
        return x * self.cos[:n]


class LastAux(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.attn = None
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        a = (x @ x.T).softmax(-1)
        self.attn = a
        return a @ x


class SubState(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.inner = Last(d)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.inner(x)


class CacheInplace(nn.Module):
    def __init__(self, d: int, size: int):
        super().__init__()
        self.register_buffer("k", torch.zeros(size, d))
        self.pos = 0
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        n = x.shape[0]
        assert n <= self.k.shape[0]
        self.k[self.pos:self.pos + n] = x
        self.pos += n
        return x


class ParamSwap(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d, d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        y = x @ self.w
        self.w = nn.Parameter(torch.zeros(x.shape[0], x.shape[0]))
        return y


class SetData(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        y = x * self.w
        self.w.data = torch.zeros(x.shape[0], 1, 1)
        return y


class Flag(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.first = True
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        if self.first:
            self.first = False
            return x
        return x.T


class BatchNorm(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.bn = nn.BatchNorm1d(d)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.bn(x)


class Iterator(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.it = itertools.count()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return x if next(self.it) < 2 else x[:1]


class Closure(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        c = [0]
        def f(x):
            c[0] += 1
            return x if c[0] < 3 else x[:1]
        self.f = f
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class Hook(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.n = 0
        self.lin = nn.Linear(d, d)
        self.lin.register_forward_hook(self.hook)
    def hook(self, m, i, o):
        self.n = self.n + 1
        return o if self.n < 5 else o[:1]
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.lin(x)


class Toggle(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.flip = False
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.flip = not self.flip
        return x if self.flip else x.T


class FloatState(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.s = 1.0
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.s = self.s * 0.5
        return x if self.s > 0.1 else x[:1]


class TextState(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.s = ""
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.s += "a"
        return x if len(self.s) < 4 else x[:1]


class BufferCount(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.register_buffer("c", torch.zeros((), dtype=torch.long))
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.c += 1
        return x if int(self.c) < 3 else x[:1]


class Slots:
    __slots__ = ("k",)
    def __init__(self, d: int):
        self.k = None
    def __call__(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        y = x if self.k is None else x[: self.k.shape[0]]
        self.k = x
        return y


class ClassCount(nn.Module):
    count = 0
    def __init__(self, d: int):
        super().__init__()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.count += 1
        return x if self.count < 3 else x[:1]


class MaskCache(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.mask = None
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        n = x.shape[1]
        if self.mask is None or self.mask.shape[0] != n:
            self.mask = torch.ones(n, n).tril()
        s = x @ x.mT
        return s.masked_fill(self.mask == 0, -1e9).softmax(-1) @ x


class Steps(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.step = 0
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.step += 1
        return self.lin(x) / self.step


class Heads(nn.Module):
    def __init__(self, d: int, h: int):
        super().__init__()
        assert d % h == 0
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)
        self.ck = self.cv = None
    def reset(self): self.ck = self.cv = None
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        b, n, d = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k, v = (t.view(b, n, self.h, d // self.h).transpose(1, 2) for t in (q, k, v))
        if self.ck is not None:
            k = torch.cat([self.ck, k], 2); v = torch.cat([self.cv, v], 2)
        self.ck, self.cv = k, v
        y = F.scaled_dot_product_attention(q, k, v)
        return self.o(y.transpose(1, 2).reshape(b, n, d))


class Static(nn.Module):
    def __init__(self, d: int, size: int, batch: int):
        super().__init__()
        self.register_buffer("ck", torch.zeros(batch, size, d))
        self.pos = 0
    def forward(self, x: Float[Tensor, "batch n d"]) -> Float[Tensor, "batch n d"]:
        n = x.shape[1]
        assert self.pos + n <= self.ck.shape[1]
        self.ck[:, self.pos : self.pos + n] = x
        self.pos += n
        k = self.ck[:, : self.pos]
        return F.scaled_dot_product_attention(x, k, k)


class Reset(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.k = None
    def forward(self, x: Float[Tensor, "b n d"], reset: bool) -> Float[Tensor, "b n d"]:
        if reset or self.k is None: self.k = x
        else: self.k = torch.cat([self.k, x], 1)
        return F.scaled_dot_product_attention(x, self.k, self.k)


class BoundMethod(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.step = self.first
    def first(self, x):
        self.step = self.second
        return x
    def second(self, x):
        return x[:1, :0]
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.step(x)


class Replaced(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.d = d
    def other(self, x):
        return x[:1, :0]
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.forward = self.other
        return x


class PartialList(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.f = functools.partial(self.go, [])
    def go(self, past, x):
        y = x + past[-1] if past else x
        past.append(x)
        return y
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class PartialKeywords(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.f = functools.partial(dict)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        n = self.f.keywords.get('n', 0)
        self.f.keywords['n'] = n + 1
        return x if n != 2 else x[:1, :0]


class Bytes(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.b = bytearray()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.b.append(1)
        return x if len(self.b) != 3 else x[:1, :0]


class TypedArray(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.b = array.array('i')
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.b.append(1)
        return x if len(self.b) != 2 else x[:1, :0]


class Defaults(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        def f(x, past=[]):
            past.append(1)
            return x if len(past) != 2 else x[:1, :0]
        self.f = f
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class FunctionAttribute(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        def f(x):
            f.n = f.n + 1
            return x if f.n != 2 else x[:1, :0]
        f.n = 0
        self.f = f
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class ClosedOver(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        past = {}
        def f(x):
            y = x + past['x'] if 'x' in past else x
            past['x'] = x
            return y
        self.f = f
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class Wrapped(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        past = {}
        @torch.no_grad()
        def f(x):
            y = x + past['x'] if 'x' in past else x
            past['x'] = x
            return y
        self.f = f
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.f(x)


class OwnRandom(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.r = random.Random(1)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return x[:1, :0] if self.r.random() > 0.5 else x


class TorchGenerator(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.g = torch.Generator()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return x[:1, :0] if self.g.manual_seed(self.g.initial_seed() + 1).initial_seed() % 3 == 1 else x


class Context(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.v = contextvars.ContextVar('v', default=0)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.v.set(self.v.get() + 1)
        return x if self.v.get() != 3 else x[:1, :0]


class NegativeZero(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.z = 0.0
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        if math.copysign(1, self.z) < 0:
            return x[:1, :0]
        self.z = -0.0
        return x


class CachedCall(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.past = functools.lru_cache(4)(lambda: [])
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.past().append(1)
        return x if len(self.past()) != 2 else x[:1, :0]


class Switched(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.d = d
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        self.__class__ = Short
        return x


class Short(nn.Module):
    def __init__(self, d: int):
        super().__init__()
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return x + 1


class MethodOnce(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.act = F.relu
        self.key = functools.partial(torch.sum, dim=0, keepdim=True)
    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.act(x) + self.key(x)
