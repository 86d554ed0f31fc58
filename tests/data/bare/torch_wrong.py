"""Mistakes that some sizes hide, in modules whose arrays are annotated without axes, or not at all."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class MergesWithoutTranspose(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        y = (q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))).softmax(-1) @ v
        return y.reshape(B, T, C)  # wrong: ATT030


class ViewsAfterTranspose(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        y = (q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))).softmax(-1) @ v
        return y.transpose(1, 2).view(B, T, C)  # wrong: ATT012


class SoftmaxOverQueries(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        att = F.softmax(att, dim=2)
        y = att @ v  # wrong: ATT033
        return y.transpose(1, 2).reshape(B, T, C)


class ScoresWithoutTranspose(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        att = (q @ k) / math.sqrt(k.size(-1))  # wrong: ATT002
        y = att.softmax(-1) @ v
        return y.transpose(1, 2).reshape(B, T, C)


class HeadsBeforeTokens(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.reshape(B, self.n_head, T, C // self.n_head) for t in (q, k, v))  # wrong: ATT030
        y = (q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))).softmax(-1) @ v
        return y.transpose(1, 2).reshape(B, T, C)


class ResidualOfOtherWidth(nn.Module):
    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.fc = nn.Linear(d_in, d_out)

    def forward(self, x):
        return x + self.fc(x)  # wrong: ATT003


class SingleHeadScores(nn.Module):
    def __init__(self, d: int, d_k: int):
        super().__init__()
        self.q = nn.Linear(d, d_k)
        self.k = nn.Linear(d, d_k)
        self.v = nn.Linear(d, d)

    def forward(self, x: Tensor) -> Tensor:
        scores = self.q(x) @ self.k(x)  # wrong: ATT002
        return scores.softmax(-1) @ self.v(x)


class MaskOfOneTokenMore(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.q = nn.Linear(d, d)
        self.k = nn.Linear(d, d)

    def forward(self, x: Tensor) -> Tensor:
        b, t, d = x.shape
        scores = self.q(x) @ self.k(x).transpose(1, 2)
        mask = torch.ones(t, t + 1).tril()
        return scores.masked_fill(mask == 0, float("-inf")).softmax(-1)  # wrong: ATT003


class HeadsDoNotDivide(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.proj = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        b, t, d = x.shape
        y = self.proj(x)
        return y.view(b, t, self.heads, d // self.heads)  # wrong: ATT020


class CatOfOtherWidth(nn.Module):
    def __init__(self, d: int, d_cls: int):
        super().__init__()
        self.embed = nn.Linear(d, d)
        self.cls = nn.Parameter(torch.zeros(1, 1, d_cls))

    def forward(self, x: Tensor) -> Tensor:
        x = self.embed(x)
        return torch.cat([self.cls.expand(x.size(0), -1, -1), x], dim=1)  # wrong: ATT005


def normalised_rows(x: Tensor, w: Tensor) -> Tensor:
    weights = (x @ w.transpose(-2, -1)).softmax(-2)
    return weights @ w  # wrong: ATT033
