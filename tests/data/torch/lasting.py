"""Functions that draw from or write to what outlives them, unseen by names and items: each fails at some later call."""

import array, collections, contextvars, functools, queue, random, types, io
import numpy as np
import torch
import torch.nn as nn
from jaxtyping import Float
from torch import Tensor

RNG = np.random.default_rng(0)
RS = np.random.RandomState(0)
RR = random.Random(1)
TG = torch.Generator()
BA = bytearray(b"a")
AR = array.array("i", [1])
TA = torch.zeros(1)
TR = torch.zeros(1)
UNTOUCHED = torch.zeros(1)
NS = types.SimpleNamespace(n=0)
TL = ([],)
QQ = queue.Queue()
CV = contextvars.ContextVar("CV", default=0)
LIN = nn.Linear(2, 2)
IO = io.BytesIO()
class MyRandom(random.Random):
    pass
MR = MyRandom(1)
class Slotted:
    __slots__ = ("n",)
    def __init__(self): self.n = 0
SL = Slotted()
BN = nn.BatchNorm1d(3)

def rng(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if RNG.integers(0, 10) < 3 else x
def rng_assert(x: Float[Tensor, "a b"]) -> Tensor:
    assert RNG.integers(0, 10) > 3
    return x
def rs(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if RS.rand() > 0.6 else x
def np_rand(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if np.random.rand() > 0.5 else x
def np_randint(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if np.random.randint(0, 2) else x
def py_random(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if RR.random() > 0.5 else x
def my_random(x: Float[Tensor, "a b"]) -> Tensor:
    return x.view(-1, 5) if MR.random() > 0.5 else x
def torch_seed(x: Float[Tensor, "a b"]) -> Tensor:
    TG.manual_seed(TG.initial_seed() + 1)
    return x.view(-1, 5) if TG.initial_seed() % 4 == 3 else x
def byte(x: Float[Tensor, "a b"]) -> Tensor:
    BA.append(1)
    return x.view(-1, 5) if len(BA) > 2 else x
def arr(x: Float[Tensor, "a b"]) -> Tensor:
    AR.append(1)
    return x.view(-1, 5) if len(AR) > 2 else x
def ten(x: Float[Tensor, "a b"]) -> Tensor:
    TA.add_(1)
    return x.view(-1, 5) if TA.item() > 2 else x
def ten_resize(x: Float[Tensor, "a b"]) -> Tensor:
    TR.resize_(TR.shape[0] + 1)
    return x.view(-1, 5) if TR.shape[0] > 4 else x
def ns(x: Float[Tensor, "a b"]) -> Tensor:
    NS.n += 1
    return x.view(-1, 5) if NS.n > 2 else x
def tl(x: Float[Tensor, "a b"]) -> Tensor:
    TL[0].append(1)
    return x.view(-1, 5) if len(TL[0]) > 2 else x
def qq(x: Float[Tensor, "a b"]) -> Tensor:
    QQ.put(1)
    return x.view(-1, 5) if QQ.qsize() > 2 else x
def cv(x: Float[Tensor, "a b"]) -> Tensor:
    CV.set(CV.get() + 1)
    return x.view(-1, 5) if CV.get() > 2 else x
def lin(x: Float[Tensor, "a b"]) -> Tensor:
    LIN.n = getattr(LIN, "n", 0) + 1
    return x.view(-1, 5) if LIN.n > 2 else x
def byio(x: Float[Tensor, "a b"]) -> Tensor:
    IO.write(b"a")
    return x.view(-1, 5) if IO.tell() > 2 else x
def slot(x: Float[Tensor, "a b"]) -> Tensor:
    SL.n += 1
    return x.view(-1, 5) if SL.n > 2 else x
def bn(x: Float[Tensor, "a 3"]) -> Float[Tensor, "a 3"]:
    BN.eval()
    return BN(x)

@functools.cache
def memory():
    return []
def cached(x: Float[Tensor, "a b"]) -> Tensor:
    memory().append(1)
    return x.view(-1, 5) if len(memory()) > 2 else x
MADE = functools.lru_cache(None)(lambda: [])
def cached_made(x: Float[Tensor, "a b"]) -> Tensor:
    MADE().append(1)
    return x.view(-1, 5) if len(MADE()) > 2 else x
class Memory(nn.Module):
    @functools.lru_cache(None)
    def memory(self):
        return []
    def forward(self, x: Float[Tensor, "a b"]) -> Tensor:
        self.memory().append(1)
        return x.view(-1, 5) if len(self.memory()) > 2 else x

def torch_rand(x: Float[Tensor, "a b"]) -> Float[Tensor, "a b"]:
    return x + torch.rand(x.shape[1])
def np_noise(x: Float[np.ndarray, "a b"]) -> Float[np.ndarray, "a b"]:
    return x + np.random.randn(x.shape[1])
def untouched(x: Float[Tensor, "a b"]) -> Float[Tensor, "a b"]:
    return x + UNTOUCHED
@functools.cache
def offsets(n: int):
    return [n, n]
def cached_read(x: Float[Tensor, "a b"]) -> Float[Tensor, "a b"]:
    return x + offsets(3)[0]
