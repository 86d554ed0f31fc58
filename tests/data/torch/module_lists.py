import torch
from jaxtyping import Float
from torch import Tensor as T
from torch import nn

"""Lists of as many modules as a size says; of those in the first part what is said of two modules is not true of all."""


class Pick2(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.depth = depth; self.d = d
        self.layers = nn.ModuleList([nn.Linear(d, d + i) for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        if self.depth > 6:
            return x + 0 * (self.layers[5](x) + self.layers[6](x)).sum()
        return x


class Names(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        n = sum(1 for _ in self.layers.children())
        m = len(list(self.named_parameters()))
        return x if n < 6 and m < 14 else x[:, 1:]


class Names2(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        n = len(self.layers._modules)
        return x if n < 6 else x[:, 1:]


class Names3(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        n = len(self.layers.state_dict())
        return x if n < 13 else x[:, 1:]


class SetOne(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
        self.depth = depth
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        if self.depth > 6:
            self.layers[5].mine = 1
            for l in self.layers[0:0] if False else self.layers:
                x = x * l.mine if l is not self.layers[0] else x
        return x


class Hooked(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.count = 0
        self.lin.register_forward_hook(self.hook)
    def hook(self, m, i, o):
        self.count += 1
    def forward(self, x: Float[T, "n d"], h: Float[T, "h"]) -> Float[T, "n d"]:
        self.count = 0
        for _ in range(len(h)):
            x = self.lin(x)
        return x if self.count < 6 else x[:, 1:]


class Once(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.n = 0

    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        self.n += 1
        return self.lin(x) if self.n < 6 else x[:, 1:]


class SharedState(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        one = Once(d)
        self.layers = nn.ModuleList([one for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        for l in self.layers:
            x = x + l(x)
        return x


class SharedSeq(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        one = Once(d)
        self.layers = nn.Sequential(*[one for i in range(depth)])
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        return self.layers(x)


class LastDiff(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
        self.depth = depth; self.d = d
        self.layers[-1].out = True
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        for l in self.layers:
            x = x + l(x)
        if self.depth > 6 and hasattr(self.layers[3], "out"):
            return x[:, 1:]
        return x


class Inits(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for i in range(depth)])
        self.apply(self._init)
    def _init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.zeros_(m.weight)
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        for t in range(len(x)):
            for l in self.layers:
                x = x + l(x)
        for l in self.layers:
            x = x + l(x)
        return x + self.layers[-1](x)


class Conv(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleDict({"a": nn.Linear(d, d), "b": nn.LayerNorm(d)}) for i in range(depth)])
        self.layers.eval()
    def forward(self, x: Float[T, "n d"]) -> Float[T, "n d"]:
        for i, l in enumerate(self.layers):
            x = x + l["a"](l["b"](x))
            if i == len(self.layers) - 1:
                x = x * 2
        return x
