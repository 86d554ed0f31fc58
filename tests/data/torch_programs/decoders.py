"""Decoder-only attention as nanoGPT, LLaMA, GQA and caches have it. `Bad` is wrong on the line that says so."""
import math
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass
class GPTConfig:
    block_size: int = 1024
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.0
    bias: bool = True


class GoodCausalSelfAttention(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_head
        self.n_embd = config.n_embd
        self.register_buffer(
            "bias",
            torch.tril(torch.ones(config.block_size, config.block_size)).view(
                1, 1, config.block_size, config.block_size
            ),
        )

    def forward(self, x: Float[Tensor, "B T {self.n_embd}"]) -> Float[Tensor, "B T {self.n_embd}"]:
        # verifier: given T <= self.config.block_size
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.c_proj(y))


class BadCausalSelfAttention(nn.Module):
    def __init__(self, n_embd: int, n_head: int, block_size: int):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.n_head = n_head
        self.n_embd = n_embd
        self.register_buffer("bias", torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size))

    def forward(self, x: Float[Tensor, "B T {self.n_embd}"]) -> Float[Tensor, "B T {self.n_embd}"]:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias == 0, float("-inf"))  # wrong
        y = F.softmax(att, dim=-1) @ v
        return y.transpose(1, 2).contiguous().view(B, T, C)


class BadViewAfterTranspose(nn.Module):
    def __init__(self, d: int, heads: int):
        super().__init__()
        assert d % heads == 0
        self.qkv = nn.Linear(d, 3 * d)
        self.heads = heads

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        b, n, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(b, n, self.heads, d // self.heads).transpose(1, 2) for t in (q, k, v))
        y = (q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5).softmax(-1) @ v
        return y.transpose(1, 2).view(b, n, d)  # wrong


class GoodHeadwise(nn.Module):
    """One head of the video lecture."""

    def __init__(self, n_embd: int, head_size: int, block_size: int):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))
        self.dropout = nn.Dropout(0.2)

    def forward(self, x: Float[Tensor, "B T n_embd"]) -> Float[Tensor, "B T head_size"]:
        # verifier: given T <= self.block_size
        B, T, C = x.shape
        k = self.key(x)
        q = self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        wei = self.dropout(wei)
        return wei @ self.value(x)


class BadHeadSoftmaxOverQueries(nn.Module):
    def __init__(self, n_embd: int, head_size: int):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)

    def forward(self, x: Float[Tensor, "B T n_embd"]) -> Float[Tensor, "B T head_size"]:
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = F.softmax(wei, dim=1)
        return wei @ self.value(x)  # wrong


def repeat_kv(x: Float[Tensor, "b g n d"], n_rep: int) -> Float[Tensor, "b g*{n_rep} n d"]:
    batch, num_key_value_heads, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    x = x[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return x.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def rotate_half(x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def good_apply_rotary_pos_emb(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b g n d"], cos: Float[Tensor, "b n d"], sin: Float[Tensor, "b n d"]
) -> tuple[Float[Tensor, "b h n d"], Float[Tensor, "b g n d"]]:
    cos = cos.unsqueeze(1)
    sin = sin.unsqueeze(1)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)


def bad_apply_rotary_pos_emb(
    q: Float[Tensor, "b h n d"], cos: Float[Tensor, "n d"], sin: Float[Tensor, "n d"]
) -> Float[Tensor, "b h n d"]:
    cos = cos.unsqueeze(1)
    sin = sin.unsqueeze(1)
    return (q * cos) + (rotate_half(q) * sin)  # wrong


class GoodRotary(nn.Module):
    def __init__(self, dim: int, base: float = 10000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, x: Float[Tensor, "b n dim"]) -> tuple[Float[Tensor, "n dim"], Float[Tensor, "n dim"]]:
        # verifier: given dim % 2 == 0
        t = torch.arange(x.shape[1], device=x.device).type_as(self.inv_freq)
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.cos(), emb.sin()


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n dim"]:
        normed = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)
        return normed.type_as(x) * self.weight


class GoodLlamaAttention(nn.Module):
    def __init__(self, hidden: int, heads: int, kv_heads: int):
        super().__init__()
        assert hidden % heads == 0
        assert heads % kv_heads == 0
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, hidden // heads
        self.q_proj = nn.Linear(hidden, heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden, kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden, kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(heads * self.head_dim, hidden, bias=False)

    def forward(
        self, x: Float[Tensor, "b n hidden"], mask: Optional[Float[Tensor, "b 1 n n"]] = None
    ) -> Float[Tensor, "b n hidden"]:
        b, n, _ = x.shape
        q = self.q_proj(x).view(b, n, self.heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(b, n, self.kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(b, n, self.kv_heads, self.head_dim).transpose(1, 2)
        k = repeat_kv(k, self.heads // self.kv_heads)
        v = repeat_kv(v, self.heads // self.kv_heads)
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask
        weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        out = torch.matmul(weights, v).transpose(1, 2).contiguous()
        return self.o_proj(out.reshape(b, n, -1))


class BadLlamaAttention(nn.Module):
    """The keys are never repeated for the query heads of their group."""

    def __init__(self, hidden: int, heads: int, kv_heads: int):
        super().__init__()
        assert hidden % heads == 0
        assert heads % kv_heads == 0
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, hidden // heads
        self.q_proj = nn.Linear(hidden, heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden, kv_heads * self.head_dim, bias=False)

    def forward(self, x: Float[Tensor, "b n hidden"]) -> Float[Tensor, "b heads n n"]:
        b, n, _ = x.shape
        q = self.q_proj(x).view(b, n, self.heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(b, n, self.kv_heads, self.head_dim).transpose(1, 2)
        return torch.matmul(q, k.transpose(2, 3))  # wrong


class GoodKVCache(nn.Module):
    def __init__(self, max_batch: int, max_len: int, heads: int, d: int):
        super().__init__()
        self.register_buffer("cache_k", torch.zeros(max_batch, max_len, heads, d))
        self.register_buffer("cache_v", torch.zeros(max_batch, max_len, heads, d))

    def forward(
        self, k: Float[Tensor, "b n heads d"], v: Float[Tensor, "b n heads d"], start: int
    ) -> tuple[Float[Tensor, "b {start}+n heads d"], Float[Tensor, "b {start}+n heads d"]]:
        # verifier: given b <= self.max_batch
        # verifier: given start + n <= self.max_len
        b, n = k.shape[:2]
        self.cache_k[:b, start : start + n] = k
        self.cache_v[:b, start : start + n] = v
        return self.cache_k[:b, : start + n], self.cache_v[:b, : start + n]


class BadKVCache(nn.Module):
    def __init__(self, max_len: int, heads: int, d: int):
        super().__init__()
        self.register_buffer("cache_k", torch.zeros(1, max_len, heads, d))

    def forward(self, k: Float[Tensor, "1 n heads d"], start: int) -> Float[Tensor, "1 {start}+n heads d"]:
        # verifier: given start + n <= self.max_len
        n = k.shape[1]
        self.cache_k[:, start : start + n] = k
        return self.cache_k[:, start : start + n]  # wrong


def good_gqa_sdpa(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m d"]
) -> Float[Tensor, "b h n d"]:
    # verifier: given h % g == 0
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def good_grouped_einsum(
    q: Float[Tensor, "b g r n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m d"]
) -> Float[Tensor, "b g*r n d"]:
    scores = torch.einsum("bgrnd,bgmd->bgrnm", q, k) / math.sqrt(q.shape[-1])
    out = torch.einsum("bgrnm,bgmd->bgrnd", scores.softmax(dim=-1), v)
    return out.flatten(1, 2)


def bad_grouped_order(
    q: Float[Tensor, "b g r n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m d"]
) -> Float[Tensor, "b g*r n d"]:
    scores = torch.einsum("bgrnd,bgmd->brgnm", q, k) / math.sqrt(q.shape[-1])
    out = torch.einsum("brgnm,bgmd->brgnd", scores.softmax(dim=-1), v)
    return out.flatten(1, 2)  # wrong


class GoodMLP(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden, bias=False)

    def forward(self, x: Float[Tensor, "*b dim"]) -> Float[Tensor, "*b dim"]:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class BadMLP(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.up = nn.Linear(dim, 2 * hidden)
        self.down = nn.Linear(2 * hidden, dim)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n dim"]:
        gate, up = self.up(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)  # wrong


class GoodBlock(nn.Module):
    def __init__(self, d: int, heads: int):
        super().__init__()
        assert d % heads == 0
        self.ln_1 = nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ln_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.Dropout(0.1))

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        y = self.ln_1(x)
        mask = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), diagonal=1)
        a, _ = self.attn(y, y, y, attn_mask=mask, need_weights=False)
        x = x + a
        return x + self.mlp(self.ln_2(x))


class GoodGPT(nn.Module):
    def __init__(self, vocab: int, d: int, heads: int, block_size: int, n_layer: int = 2):
        super().__init__()
        assert d % heads == 0
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Embedding(block_size, d)
        self.h = nn.ModuleList([GoodBlock(d, heads) for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(d)
        self.lm_head = nn.Linear(d, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx: Int[Tensor, "B T"]) -> Float[Tensor, "B T vocab"]:
        # verifier: given T <= self.block_size
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class BadGPTPositions(nn.Module):
    def __init__(self, vocab: int, d: int, block_size: int):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Embedding(block_size, d)

    def forward(self, idx: Int[Tensor, "B T"]) -> Float[Tensor, "B T d"]:
        # verifier: given B <= self.block_size
        pos = torch.arange(0, idx.size(0), dtype=torch.long, device=idx.device)
        return self.wte(idx) + self.wpe(pos)  # wrong


def good_alibi(h: int, q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"]) -> Float[Tensor, "b h n n"]:
    slopes = 2.0 ** (-8.0 * torch.arange(1, h + 1, dtype=torch.float32) / h)
    n = q.shape[-2]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    bias = slopes[:, None, None] * distance[None]
    return q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias


def good_sliding_window(q: Float[Tensor, "b n d"], k: Float[Tensor, "b n d"], window: int) -> Float[Tensor, "b n n"]:
    n = q.size(1)
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    allowed = (j <= i) & (i - j < window)
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1))
    return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1)


def bad_loss_without_flattening(logits: Float[Tensor, "b n v"], targets: Int[Tensor, "b n"]) -> Float[Tensor, ""]:
    return F.cross_entropy(logits, targets)  # wrong


def good_loss(logits: Float[Tensor, "b n v"], targets: Int[Tensor, "b n"]) -> Float[Tensor, ""]:
    return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
