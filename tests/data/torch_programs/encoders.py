"""Encoders and encoder-decoders: BERT, ViT, T5, cross attention, masks."""
import math

import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, einsum, nn
from torch.nn import functional as F


class GoodBertSelfAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError(f"The hidden size {hidden_size} is not a multiple of the number of heads {num_heads}")
        self.num_attention_heads = num_heads
        self.attention_head_size = int(hidden_size / num_heads)
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(hidden_size, self.all_head_size)
        self.key = nn.Linear(hidden_size, self.all_head_size)
        self.value = nn.Linear(hidden_size, self.all_head_size)
        self.dropout = nn.Dropout(0.1)

    def transpose_for_scores(self, x):
        new_x_shape = x.size()[:-1] + (self.num_attention_heads, self.attention_head_size)
        x = x.view(new_x_shape)
        return x.permute(0, 2, 1, 3)

    def forward(
        self, hidden_states: Float[Tensor, "b n hidden_size"], attention_mask: Float[Tensor, "b 1 1 n"]
    ) -> Float[Tensor, "b n hidden_size"]:
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        scores = torch.matmul(q, k.transpose(-1, -2))
        scores = scores / math.sqrt(self.attention_head_size)
        scores = scores + attention_mask
        probs = self.dropout(nn.functional.softmax(scores, dim=-1))
        context = torch.matmul(probs, v)
        context = context.permute(0, 2, 1, 3).contiguous()
        new_shape = context.size()[:-2] + (self.all_head_size,)
        return context.view(new_shape)


class BadBertMerge(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads, self.size = num_heads, hidden_size // num_heads
        self.qkv = nn.Linear(hidden_size, 3 * hidden_size)

    def forward(self, x: Float[Tensor, "b n hidden_size"]) -> Float[Tensor, "b n hidden_size"]:
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, self.size).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.size), dim=-1)
        return (weights @ v).reshape(b, n, d)  # wrong


class BadMaskRank(nn.Module):
    def __init__(self, d: int, h: int):
        super().__init__()
        assert d % h == 0
        self.h = h
        self.q = nn.Linear(d, d)

    def forward(self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "b n"]) -> Float[Tensor, "b h n n"]:
        q = rearrange(self.q(x), "b n (h e) -> b h n e", h=self.h)
        scores = q @ q.transpose(-1, -2)
        return scores.masked_fill(~mask, -1e9)  # wrong


class GoodViTAttention(nn.Module):
    def __init__(self, dim: int, heads: int, dim_head: int):
        super().__init__()
        inner_dim = dim_head * heads
        self.heads = heads
        self.scale = dim_head**-0.5
        self.norm = nn.LayerNorm(dim)
        self.attend = nn.Softmax(dim=-1)
        self.to_qkv = nn.Linear(dim, inner_dim * 3, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner_dim, dim), nn.Dropout(0.0))

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n dim"]:
        x = self.norm(x)
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        dots = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        out = torch.matmul(self.attend(dots), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class BadViTMergeOrder(nn.Module):
    def __init__(self, dim: int, heads: int, dim_head: int):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim_head * heads * 3, bias=False)
        self.dim_head = dim_head

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n heads*dim_head"]:
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in self.to_qkv(x).chunk(3, dim=-1))
        out = torch.softmax(q @ k.transpose(-1, -2), -1) @ v
        return rearrange(out, "b h n d -> b n (d h)")  # wrong


class GoodViT(nn.Module):
    def __init__(self, channels: int, patch: int, grid: int, dim: int, heads: int, classes: int):
        super().__init__()
        self.grid, self.patch = grid, patch
        self.to_patches = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=patch, p2=patch),
            nn.LayerNorm(channels * patch * patch),
            nn.Linear(channels * patch * patch, dim),
        )
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.pos_embedding = nn.Parameter(torch.randn(1, grid * grid + 1, dim))
        self.attn = GoodViTAttention(dim, heads, 64)
        self.head = nn.Linear(dim, classes)

    def forward(
        self, img: Float[Tensor, "b channels {self.grid}*{self.patch} {self.grid}*{self.patch}"]
    ) -> Float[Tensor, "b classes"]:
        x = self.to_patches(img)
        b, n, _ = x.shape
        cls_tokens = repeat(self.cls_token, "1 1 d -> b 1 d", b=b)
        x = torch.cat((cls_tokens, x), dim=1)
        x = x + self.pos_embedding[:, : (n + 1)]
        x = self.attn(x) + x
        return self.head(x[:, 0])


class BadViTPositions(nn.Module):
    def __init__(self, grid: int, dim: int):
        super().__init__()
        self.grid = grid
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, grid * grid, dim))

    def forward(self, x: Float[Tensor, "b {self.grid}*{self.grid} dim"]) -> Float[Tensor, "b {self.grid}*{self.grid}+1 dim"]:
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1)
        return x + self.pos  # wrong


class GoodPatchConv(nn.Module):
    def __init__(self, channels: int, dim: int, patch: int):
        super().__init__()
        self.patch = patch
        self.proj = nn.Conv2d(channels, dim, kernel_size=patch, stride=patch)

    def forward(self, x: Float[Tensor, "b channels H*{self.patch} W*{self.patch}"]) -> Float[Tensor, "b H*W dim"]:
        return self.proj(x).flatten(2).transpose(1, 2)


class BadPatchConv(nn.Module):
    def __init__(self, channels: int, dim: int, patch: int):
        super().__init__()
        self.patch = patch
        self.proj = nn.Conv2d(channels, dim, kernel_size=patch, stride=patch)

    def forward(self, x: Float[Tensor, "b channels H*{self.patch} W*{self.patch}"]) -> Float[Tensor, "b H*W dim"]:
        return self.proj(x).flatten(1).transpose(0, 1)  # wrong


class GoodT5Attention(nn.Module):
    def __init__(self, d_model: int, d_kv: int, n_heads: int, buckets: int = 32):
        super().__init__()
        self.n_heads, self.d_kv, self.buckets = n_heads, d_kv, buckets
        self.inner_dim = n_heads * d_kv
        self.q = nn.Linear(d_model, self.inner_dim, bias=False)
        self.k = nn.Linear(d_model, self.inner_dim, bias=False)
        self.v = nn.Linear(d_model, self.inner_dim, bias=False)
        self.o = nn.Linear(self.inner_dim, d_model, bias=False)
        self.relative_attention_bias = nn.Embedding(buckets, n_heads)

    def compute_bias(self, query_length, key_length):
        context_position = torch.arange(query_length, dtype=torch.long)[:, None]
        memory_position = torch.arange(key_length, dtype=torch.long)[None, :]
        relative_position = (memory_position - context_position).abs().clamp(max=self.buckets - 1)
        values = self.relative_attention_bias(relative_position)
        return values.permute([2, 0, 1]).unsqueeze(0)

    def forward(
        self, hidden: Float[Tensor, "b n d_model"], memory: Float[Tensor, "b m d_model"], mask: Float[Tensor, "b 1 n m"]
    ) -> Float[Tensor, "b n d_model"]:
        batch_size = hidden.shape[0]

        def shape(states):
            return states.view(batch_size, -1, self.n_heads, self.d_kv).transpose(1, 2)

        def unshape(states):
            return states.transpose(1, 2).contiguous().view(batch_size, -1, self.inner_dim)

        q, k, v = shape(self.q(hidden)), shape(self.k(memory)), shape(self.v(memory))
        scores = torch.matmul(q, k.transpose(3, 2))
        bias = self.compute_bias(scores.shape[2], scores.shape[3]) + mask
        scores = scores + bias
        weights = F.softmax(scores.float(), dim=-1).type_as(scores)
        return self.o(unshape(torch.matmul(weights, v)))


class BadT5Bias(nn.Module):
    def __init__(self, n_heads: int, buckets: int = 32):
        super().__init__()
        self.buckets = buckets
        self.bias = nn.Embedding(buckets, n_heads)

    def forward(self, scores: Float[Tensor, "b n_heads n m"]) -> Float[Tensor, "b n_heads n m"]:
        n = scores.shape[2]
        position = torch.arange(n)[None, :] - torch.arange(n)[:, None]
        values = self.bias(position.abs().clamp(max=self.buckets - 1))
        return scores + values.permute(2, 0, 1).unsqueeze(0)  # wrong


class GoodCrossAttention(nn.Module):
    def __init__(self, query_dim: int, context_dim: int, heads: int, dim_head: int):
        super().__init__()
        inner = heads * dim_head
        self.heads, self.scale = heads, dim_head**-0.5
        self.to_q = nn.Linear(query_dim, inner, bias=False)
        self.to_kv = nn.Linear(context_dim, inner * 2, bias=False)
        self.to_out = nn.Linear(inner, query_dim)

    def forward(
        self, x: Float[Tensor, "b n query_dim"], context: Float[Tensor, "b m context_dim"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, "b n query_dim"]:
        h = self.heads
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> (b h) n d", h=h), (q, k, v))
        sim = einsum("b i d, b j d -> b i j", q, k) * self.scale
        mask = repeat(mask, "b j -> (b h) () j", h=h)
        sim.masked_fill_(~mask, -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        out = einsum("b i j, b j d -> b i d", attn, v)
        return self.to_out(rearrange(out, "(b h) n d -> b n (h d)", h=h))


class BadCrossAttentionContext(nn.Module):
    def __init__(self, query_dim: int, context_dim: int, inner: int):
        super().__init__()
        self.to_q = nn.Linear(query_dim, inner)
        self.to_k = nn.Linear(query_dim, inner)
        self.to_v = nn.Linear(context_dim, inner)
        self.inner = inner

    def forward(
        self, x: Float[Tensor, "b n query_dim"], context: Float[Tensor, "b m context_dim"]
    ) -> Float[Tensor, "b n inner"]:
        k = self.to_k(context)  # wrong
        weights = torch.softmax(self.to_q(x) @ k.mT, dim=-1)
        return weights @ self.to_v(context)


class BadCrossAttentionHeads(nn.Module):
    """Heads merged batch first, the mask repeated heads first."""

    def __init__(self, d: int, heads: int):
        super().__init__()
        assert d % heads == 0
        self.heads = heads

    def forward(
        self, q: Float[Tensor, "b n d"], k: Float[Tensor, "b m d"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, "b*heads n m"]:
        h = self.heads
        q, k = (rearrange(t, "b n (h e) -> (b h) n e", h=h) for t in (q, k))
        sim = einsum("b i d, b j d -> b i j", q, k)
        mask = repeat(mask, "b j -> (h b) () j", h=h)
        return sim.masked_fill(~mask, -1e9)  # wrong


class GoodEncoderLayer(nn.Module):
    def __init__(self, d_model: int, nhead: int, ff: int):
        super().__init__()
        assert d_model % nhead == 0
        self.layer = nn.TransformerEncoderLayer(d_model, nhead, ff, batch_first=True)

    def forward(self, x: Float[Tensor, "b n d_model"], pad: Bool[Tensor, "b n"]) -> Float[Tensor, "b n d_model"]:
        return self.layer(x, src_key_padding_mask=pad)


class BadSequenceFirst(nn.Module):
    def __init__(self, d_model: int, nhead: int):
        super().__init__()
        assert d_model % nhead == 0
        self.attn = nn.MultiheadAttention(d_model, nhead)

    def forward(self, x: Float[Tensor, "b n d_model"], pad: Bool[Tensor, "b n"]) -> Float[Tensor, "b n d_model"]:
        return self.attn(x, x, x, key_padding_mask=pad)[0]  # wrong


class GoodPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Float[Tensor, "n b d_model"]) -> Float[Tensor, "n b d_model"]:
        # verifier: given d_model % 2 == 0
        # verifier: given n <= self.max_len
        return x + self.pe[: x.size(0)]


class BadPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Float[Tensor, "b n d_model"]) -> Float[Tensor, "b n d_model"]:
        # verifier: given d_model % 2 == 0
        # verifier: given n <= self.max_len
        return x + self.pe[: x.size(1)].unsqueeze(1)  # wrong


def good_key_padding(lengths: Int[Tensor, "b"], n: int) -> Bool[Tensor, "b n"]:
    return torch.arange(n)[None, :] < lengths[:, None]


def bad_key_padding(lengths: Int[Tensor, "b"], n: int) -> Bool[Tensor, "b n"]:
    return torch.arange(n)[:, None] < lengths[None, :]  # wrong


def good_masked_mean(x: Float[Tensor, "b n d"], mask: Bool[Tensor, "b n"]) -> Float[Tensor, "b d"]:
    m = mask.unsqueeze(-1).to(x.dtype)
    return (x * m).sum(1) / m.sum(1).clamp(min=1e-9)


def bad_masked_mean(x: Float[Tensor, "b n d"], mask: Bool[Tensor, "b n"]) -> Float[Tensor, "b d"]:
    return (x * mask.float()).sum(1)  # wrong


class GoodSwinWindows(nn.Module):
    def __init__(self, window: int, dim: int):
        super().__init__()
        self.window, self.dim = window, dim

    def forward(self, x: Float[Tensor, "b H*{self.window} W*{self.window} dim"]) -> Float[Tensor, "b*H*W {self.window}*{self.window} dim"]:
        B, H, W, C = x.shape
        x = x.view(B, H // self.window, self.window, W // self.window, self.window, C)
        return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, self.window * self.window, C)


def good_linear_attention(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"]
) -> Float[Tensor, "b h n e"]:
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("bhmd,bhme->bhde", k, v)
    z = 1 / (torch.einsum("bhnd,bhd->bhn", q, k.sum(dim=2)) + 1e-6)
    return torch.einsum("bhnd,bhde,bhn->bhne", q, kv, z)


def bad_linear_attention(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"]
) -> Float[Tensor, "b h n e"]:
    kv = torch.einsum("bhmd,bhme->bhde", k, v)
    return torch.einsum("bhnd,bhed->bhne", q, kv)  # wrong


def good_router(x: Float[Tensor, "n d"], gate: Float[Tensor, "d experts"], k: int) -> Float[Tensor, "n experts"]:
    # verifier: given k <= experts
    logits = x @ gate
    values, places = torch.topk(logits, k, dim=-1)
    weights = torch.zeros_like(logits)
    weights.scatter_(1, places, values.softmax(-1))
    return weights


def bad_dtype(q: Float[Tensor, "n d"], k: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    return q.double() @ k.T  # wrong


def bad_argmax_logits(x: Float[Tensor, "n v"]) -> Float[Tensor, "n"]:
    return x.argmax(-1)  # wrong
