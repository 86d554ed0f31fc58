"""Masks put together rightly, of which nothing is to be said."""

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(s: Float[A, "*batch m"]) -> Float[A, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def with_past(
    q: Float[A, "b n d"], k: Float[A, "b p+n d"], pad: Bool[A, "b p+n"], past: Float[A, "p"]
) -> Float[A, "b n p+n"]:
    n, p = q.shape[1], past.shape[0]
    rows, columns = np.arange(n) + p, np.arange(p + n)
    keep = (rows[:, None] >= columns[None, :]) & pad[:, None, :]
    return softmax(np.where(keep, q @ k.transpose(0, 2, 1), -1e9))


def mask_tril_and_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_triu_transposed_and_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n), dtype=bool)).T[None] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_logical_and(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.logical_and(np.tril(np.ones((n, n), dtype=bool)), pad[:, None, :])
    return softmax(np.where(keep, s, -1e9))


def mask_not_or(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    hide = ~np.tril(np.ones((n, n), dtype=bool)) | ~pad[:, None, :]
    return softmax(np.where(hide, -1e9, s))


def mask_hide_triu_or_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    hide = np.triu(np.ones((n, n), dtype=bool), k=1) | ~pad[:, None, :]
    return softmax(np.where(hide, -1e9, s))


def mask_nested_where(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.where(np.tril(np.ones((n, n), dtype=bool)), np.where(pad[:, None, :], 0.0, -1e9), -1e9)
    return softmax(s + m)


def mask_product(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n))) * pad[:, None, :].astype(float)
    return softmax(np.where(keep > 0, s, -1e9))


def mask_sum_of_additive(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -1e9) + np.where(pad, 0.0, -1e9)[:, None, :]
    return softmax(s + m)


def mask_one_minus(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n))) * pad[:, None, :]
    return softmax(s + (1.0 - keep) * -1e9)


def mask_less_one(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n))) * pad[:, None, :]
    return softmax(s + (keep - 1.0) * 1e9)


def mask_subtracted(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n)))
    return softmax(s - 1e9 * (1.0 - keep))


def mask_positions(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    keep = (pos[:, None] >= pos[None, :]) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_difference(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    keep = (pos[None, :] - pos[:, None]) <= 0
    return softmax(np.where(keep, s, -1e9))


def mask_additive_triu(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.triu(np.full((n, n), -np.inf), k=1)
    return softmax(s + m)


def mask_prefix(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)) | (np.arange(n) < 4)[None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_prefix_given(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)) | pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_window(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    d = pos[:, None] - pos[None, :]
    keep = (d >= 0) & (d < 3) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_window_both_sides(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    keep = np.abs(pos[:, None] - pos[None, :]) <= 3
    return softmax(np.where(keep, s, -1e9))


def mask_window_of_triangles(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool), k=2) & np.triu(np.ones((n, n), dtype=bool), k=-2)
    return softmax(np.where(keep, s, -1e9))


def mask_both_paddings(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = pad[:, :, None] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_both_paddings_and_causal(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = pad[:, :, None] & pad[:, None, :] & np.tril(np.ones((n, n), dtype=bool))
    return softmax(np.where(keep, s, -1e9))


def mask_both_paddings_product(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = pad[:, :, None] * pad[:, None, :] * np.tril(np.ones((n, n), dtype=bool))
    return softmax(np.where(keep, s, -1e9))


def mask_blocks(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n) // 4
    keep = pos[:, None] >= pos[None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_documents(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    doc = np.cumsum(pad, axis=-1)
    keep = (doc[:, :, None] == doc[:, None, :]) & (pos[:, None] >= pos[None, :])
    return softmax(np.where(keep, s, -1e9))


def mask_diagonal_hidden(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = ~np.eye(n, dtype=bool)
    return softmax(np.where(keep, s, -1e9))


def mask_diagonal_only(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.eye(n, dtype=bool)
    return softmax(np.where(keep, s, -1e9))


def mask_after_exp(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n))) * pad[:, None, :]
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    return e / e.sum(axis=-1, keepdims=True)


def mask_sliced_table(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    table = np.tril(np.ones((512, 512), dtype=bool))
    assert n <= 512
    keep = table[:n, :n] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def mask_keys_first(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    t = np.where(np.triu(np.ones((n, n), dtype=bool)), s.transpose(0, 2, 1), -1e9)
    e = np.exp(t - t.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).transpose(0, 2, 1)


def mask_relative_bias(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    d = pos[:, None] - pos[None, :]
    return softmax(np.where(d >= 0, s - 0.1 * d, -1e9))


def mask_all_rows_kept_somewhere(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)) & pad[:, None, :] | np.eye(n, dtype=bool)
    return softmax(np.where(keep, s, -1e9))


def mask_log_of_mask(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    with np.errstate(divide="ignore"):
        m = np.log(np.tril(np.ones((n, n))))
    return softmax(s + m)
