"""Masks put together wrongly: each keeps the future, hides a query's own key, or hides nothing."""

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(s: Float[A, "*batch m"]) -> Float[A, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def b_triu_and_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n), dtype=bool)) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_tril_transposed_and_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)).T[None] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_logical_and(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.logical_and(np.triu(np.ones((n, n), dtype=bool)), pad[:, None, :])
    return softmax(np.where(keep, s, -1e9))


def b_not_or(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    hide = ~np.triu(np.ones((n, n), dtype=bool)) | ~pad[:, None, :]
    return softmax(np.where(hide, -1e9, s))


def b_nested_where(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.where(np.triu(np.ones((n, n), dtype=bool)), np.where(pad[:, None, :], 0.0, -1e9), -1e9)
    return softmax(s + m)


def b_nested_where_scores(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    return softmax(np.where(pad[:, None, :], np.where(np.triu(np.ones((n, n), dtype=bool)), s, -1e9), -1e9))


def b_product(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n))) * pad[:, None, :].astype(float)
    return softmax(np.where(keep > 0, s, -1e9))


def b_sum_of_additive(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.where(np.triu(np.ones((n, n), dtype=bool)), 0.0, -1e9) + np.where(pad, 0.0, -1e9)[:, None, :]
    return softmax(s + m)


def b_one_minus(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n))) * pad[:, None, :]
    return softmax(s + (1.0 - keep) * -1e9)


def b_less_one(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n))) * pad[:, None, :]
    return softmax(s + (keep - 1.0) * 1e9)


def b_subtracted(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n)))
    return softmax(s - 1e9 * (1.0 - keep))


def b_positions(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    keep = (pos[:, None] <= pos[None, :]) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_difference(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    keep = (pos[None, :] - pos[:, None]) >= 0
    return softmax(np.where(keep, s, -1e9))


def b_additive_tril(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.tril(np.full((n, n), -np.inf), k=-1)
    return softmax(s + m)


def b_shifted_and_pad(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool), k=-1) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_shifted_up(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool), k=1) & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_window_of_the_future(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    pos = np.arange(n)
    d = pos[None, :] - pos[:, None]
    keep = (d >= 0) & (d < 3)
    return softmax(np.where(keep, s, -1e9))


def b_rows_of_padding_and_causal(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.tril(np.ones((n, n), dtype=bool)) & pad[:, :, None]
    return softmax(np.where(keep, s, -1e9))


def b_after_exp(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n))) * pad[:, None, :]
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    return e / e.sum(axis=-1, keepdims=True)


def b_equal_zero(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    mask = np.triu(np.ones((n, n))) * pad[:, None, :]
    return softmax(np.where(mask == 0, -1e9, s))


def b_sliced_table(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    table = np.triu(np.ones((512, 512), dtype=bool))
    assert n <= 512
    keep = table[:n, :n] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_expanded(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.triu(np.ones((n, n), dtype=bool))[None] & pad[:, None, :]
    return softmax(np.where(keep, s, -1e9))


def b_two_masks_added_rows(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    m = np.where(pad, 0.0, -1e9)[:, :, None] + np.where(np.tril(np.ones((n, n))) == 1, 0.0, -1e9)
    return softmax(s + m)


def b_minimum(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    s = q @ k.transpose(0, 2, 1)
    keep = np.minimum(np.triu(np.ones((n, n))), pad[:, None, :])
    return softmax(np.where(keep.astype(bool), s, -1e9))
