import torch
from torch import nn
from jaxtyping import Float
from torch import Tensor

def heads(q: Float[Tensor, "h n k"], k: Float[Tensor, "h m k"], v: Float[Tensor, "h m v"]) -> Float[Tensor, "n h*v"]:
    outs = []
    for i in range(q.shape[0]):
        outs.append(torch.softmax(q[i] @ k[i].T, dim=-1) @ v[i])
    return torch.cat(outs, dim=-1)

def comp(q: Float[Tensor, "h n k"]) -> Float[Tensor, "n h k"]:
    return torch.stack([torch.relu(a) for a in q], dim=1)

def rnn(x: Float[Tensor, "n d"], w: Float[Tensor, "d d"]) -> Float[Tensor, "n d"]:
    s = torch.zeros(x.shape[1])
    out = []
    for t in range(x.size(0)):
        s = torch.tanh(s @ w + x[t])
        out.append(s)
    return torch.stack(out)

def pre(x: Float[Tensor, "h n d"]) -> Float[Tensor, "h n n"]:
    o = torch.zeros(x.shape[0], x.shape[1], x.shape[1])
    for i in range(len(x)):
        o[i] = x[i] @ x[i].T
    return o

class Net(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for _ in range(depth)])
        self.d = d
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return x

class Share(nn.Module):
    def __init__(self, d: int, depth: int):
        super().__init__()
        self.layer = nn.Linear(d, d)
        self.depth = depth
    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        for _ in range(self.depth):
            x = x + torch.relu(self.layer(x))
        return x
def bad(x: Float[Tensor, "h d"], y: Float[Tensor, "4 d"]) -> Float[Tensor, "h d"]:
    return torch.stack([x[i] + y[i] for i in range(len(x))])
class Layer(nn.Module):
    def __init__(self, d: int, f: int):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, f)
        self.down = nn.Linear(f, d)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))
class Stack(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.ModuleList([Layer(d, f) for _ in range(depth)])
        self.norm = nn.LayerNorm(d)
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)
class Fancy(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d, self.depth = d, depth
        self.layers = nn.ModuleList([Layer(d, f) for _ in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        skips = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            skips.append(x)
        x = torch.stack(skips).mean(0)
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return self.layers[-1](x)
class Bad(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.ModuleList([Layer(d if i < 5 else d + 1, f) for i in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        for layer in self.layers:
            x = layer(x)
        return x
class Count(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.ModuleList([Layer(d, f) for i in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "2"]:
        return torch.zeros(len(list(self.layers)))
class Params(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.ModuleList([nn.Linear(d, f, bias=False) for i in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "2"]:
        return torch.zeros(len(list(self.parameters())))
class Row(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.Sequential(*[Layer(d, f) for _ in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        return self.layers(x)
class BadRow(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.Sequential(*[nn.Linear(d, d + (i > 5)) for i in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        return self.layers(x)
class BadRow2(nn.Module):
    def __init__(self, d: int, f: int, depth: int):
        super().__init__()
        self.d = d
        self.layers = nn.Sequential(*[nn.Linear(d, d if i < 6 else f) for i in range(depth)])
    def forward(self, x: Float[Tensor, "b n {self.d}"]) -> Float[Tensor, "b n {self.d}"]:
        return self.layers(x)
