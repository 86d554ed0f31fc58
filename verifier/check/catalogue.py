"""What each code of `verifier check` means: one class a code, whose docstring is its documentation."""

from __future__ import annotations

import inspect
from typing import ClassVar


class Kind:
    """A code."""

    title: ClassVar[str]

    @classmethod
    def text(cls) -> str:
        return inspect.cleandoc(cls.__doc__ or "")


class ATT001(Kind):
    """The result does not have the shape that the return annotation promises.

    Example: `-> Float[np.ndarray, "n d_model"]` of a function that returns [n, 2*d_model].
    Do: correct the annotation or the computation; the message names the axis and both sizes.
    """

    title = "result and annotation differ"


class ATT002(Kind):
    """Two axes are multiplied and summed over together, and nothing makes their sizes equal.

    Example: `weights.T @ values` where weights are [n, m] and values [m, d_v].
    Do: contract the axes that belong together, or declare that the sizes are equal by giving both axes one name.
    """

    title = "contraction of unequal axes"


class ATT003(Kind):
    """Two arrays are combined element by element, and their axes do not broadcast.

    Example: a mask [b, n] added to scores [b, h, n, n]: b stands against n.
    Do: put axes of one where an array has none: `mask[:, None, None, :]`.
    """

    title = "shapes do not broadcast"


class ATT004(Kind):
    """A reshape or split changes the number of elements.

    Example: `out.reshape(b, n, heads * d_k)` of an array whose last axis is d_v.
    Do: use the size of the axis that is really there.
    """

    title = "reshape to another number of elements"


class ATT005(Kind):
    """Arrays are joined along one axis and differ along another.

    Example: a cache [b, h, t, d] concatenated with [b, t, h, d] along axis 1.
    Do: bring both into one layout first.
    """

    title = "joined arrays differ"


class ATT006(Kind):
    """An index or an axis number lies outside.

    Example: `scores.max(axis=1)` after `np.squeeze(scores)` dropped the batch axis of one sample.
    Do: name the axis to squeeze; keep indices below the size.
    """

    title = "index outside"


class ATT007(Kind):
    """A value does not fit the part of an array that it is assigned to.

    Example: ceil(d/2) cosine columns into `pe[:, 1::2]`, which has floor(d/2).
    Do: cut the value to the size of the part.
    """

    title = "assignment of another shape"


class ATT008(Kind):
    """An axis is squeezed that is not one long.

    Do: index it, or reduce over it, if one of its elements is meant.
    """

    title = "squeeze of a longer axis"


class ATT009(Kind):
    """A maximum, minimum or index of one is taken of no elements.

    Do: exclude the empty case, or give `initial`.
    """

    title = "reduction of nothing"


class ATT010(Kind):
    """The result has another element type than its annotation.

    Example: annotated Int and divided with `/`.
    """

    title = "result has another element type"


class ATT011(Kind):
    """A called function refuses its arguments by its own annotations.

    Do: pass what it asks for; the message quotes its run-time checker.
    """

    title = "a called function refuses"


class ATT012(Kind):
    """An exception that is none of the others.

    Do: read its text; the sizes at which it happens stand beside it.
    """

    title = "exception"


class ATT020(Kind):
    """The function works only under a condition on sizes that nothing in it declares.

    Example: `x.reshape(n, h, d // h)` needs d % h == 0; `table[:n] + x` needs n <= max_len.
    Do: add the line: `# verifier: given d % h == 0`, or an assert.
    """

    title = "requirement that nothing declares"


class ATT021(Kind):
    """An assert or raise refuses sizes that the annotations allow: it equates two sizes with different names.

    Example: `if n != m: raise` in attention whose annotation says "n d" and "m d".
    Do: give both axes one name, or accept different sizes.
    """

    title = "guard against annotation"


class ATT030(Kind):
    """A reshape fills an axis with elements that belong to others: every shape is right, the values are not.

    Example: heads [b, h, n, d] reshaped to [b, n, h*d] without a transpose: a row mixes positions of one head;
    an image [b, h, w, c] reshaped to [b, (h//p)*(w//p), p*p*c], whose rows are no patches.
    Do: transpose first, so that merged axes stand side by side; the fix names the order where there is one.
    """

    title = "reshape mixes axes"


class ATT031(Kind):
    """A merged axis is split, matched or annotated with its factors in another order.

    Example: batch-major rows (b*h) with a mask repeated head-major (h*b); weights "d h*3*k" split as (3, h, k).
    Do: keep one order from merge to split. A product of two names or more has the order in which it is written,
    numbers before or between them included; `3*d` and `d*3` only say how many.
    """

    title = "factors in another order"


class ATT032(Kind):
    """Repeated heads are tiled: the copies of the whole come first, so that neighbouring queries get different heads.

    Example: `np.tile(k, (1, groups, 1))`, `np.concatenate([k] * groups)` or `k[np.arange(h) % g]` where each key head
    serves a group of neighbouring query heads.
    Do: `np.repeat(k, groups, axis=1)`. Where the queries say their order ("g*r", or a reshape to it) that order
    counts; a plain axis "h" is read as in every published model, head i with key head i // r. An order that the
    code itself makes, such as queries split as (r, g), is taken as meant.
    """

    title = "tiled instead of repeated"


class ATT033(Kind):
    """Values are normalised along one axis and used along another.

    Example: softmax over the queries, then the weighted sum over the keys; a layer norm along the sequence.
    Do: normalise along the axis that is summed over, or that the gain belongs to.
    What counts are rows and columns of the scores: weights may be mixed over heads. Weights that are normalised over
    the keys may be summed over the queries where the two have different names, and with gradients always, which are
    known by names such as g, grad_out, dy; so may weights that are summed over their own axis as well, and those in
    functions named as gradients (grad, backward, vjp). Queries and keys are known by the names of arrays (q, k,
    memory ...) and axes (n and m, q_len and kv_len ...); else the last axis is the keys'.
    """

    title = "normalised along another axis"


class ATT034(Kind):
    """Two concatenations of the same pieces in different order are used in step.

    Example: keys [past, new] with values [new, past].
    Do: concatenate both in one order.
    """

    title = "pieces in another order"


class ATT035(Kind):
    """An axis is broadcast that nobody asked to broadcast.

    Example: a square of scores divided by its row sums without keepdims; [b, 1] minus [b].
    Do: keepdims=True, or write the axis of one where it belongs.
    """

    title = "silent broadcast"


class ATT036(Kind):
    """Positions are counted along the batch.

    Example: `np.arange(ids.shape[0])[:, None]` for ids [b, n]: every token of one example gets one position.
    Do: count along the axis of tokens. Batches are recognised by their usual names (b, batch, bs ...).
    """

    title = "positions along the batch"


class ATT037(Kind):
    """A mask hides the wrong way round: its rows are keys, or it does not vary along the keys at all.

    Example: `mask[:, :, None]` on scores [b, n, m]: softmax ignores what is the same for all keys.
    Do: let the mask vary along the axis of the softmax; keep np.tril, or hide np.triu(..., k=1).
    A mask is looked at through `&`, `|`, `~`, where, 0/1 products and sums of additive masks; what is not known of it,
    such as padding, is taken as everything. A band on both sides of the diagonal is a window, and no finding.
    """

    title = "mask the wrong way round"


class ATT038(Kind):
    """A causal mask is anchored at the first key although the keys begin with a past.

    Example: `np.tril(np.ones((s, p + s)))` over keys [past, new].
    Do: `k=p`, so that query i sees its own key.
    """

    title = "causal mask ignores the past"


class ATT039(Kind):
    """An array is cut into equal parts along an axis that is not made of such parts, while another of its axes is.

    Example: `q, k, v = np.split(x @ W, 3, axis=0)` with W [d, 3*d_k]: a third of the tokens asks another third.
    Do: split along the axis that is the multiple. Parts that are not put together (three in a sum of products, halves
    in a product of elements) are passed over, and so are arrays in which no axis is a declared multiple.
    """

    title = "split along another axis"


class ATT040(Kind):
    """The statistics of one normalisation are of different arrays, or along different axes.

    Example: `(x - x.mean(-1)) / x.std(-2)`; `(x - y.mean(-1)) / x.std(-1)`; a softmax that takes off the maximum along
    one axis and sums along another.
    Do: take both from one array along one axis. A spread over more axes than the mean (one for the whole picture)
    is passed over, and so is a root mean square of values centred along another axis.
    """

    title = "statistics that do not belong together"


class ATT041(Kind):
    """An operation has no rule on symbolic sizes; the function was run on real arrays instead, and is only TESTED."""

    title = "no rule"


class ATT042(Kind):
    """The function took too long, too much memory, or ended its process."""

    title = "did not end"


class ATT043(Kind):
    """The annotations or premises of the function cannot be read."""

    title = "unreadable"


class ATT044(Kind):
    """`# verifier: allow CODE` stands where nothing has that code.

    Do: remove it.
    """

    title = "unused allowance"


class ATT045(Kind):
    """`# verifier: allow CODE` gives no reason.

    Do: say after the code why this is meant.
    """

    title = "allowance without reason"


class ATT046(Kind):
    """Scores under a softmax are scaled by a power of a size that they are not summed over.

    Example: `q @ k.T / np.sqrt(d_model)` in a head of d_k channels, `/ np.sqrt(n)` for n queries.
    Do: scale by a power of the size that is summed over: 1/sqrt(d_k), or 1/d_k in muP. A warning, since training may
    make up for it. Known are the width of all heads together, a width that queries and keys were both made from, and
    tokens, batch and heads by their usual names; any other size, and every number, is taken as meant.
    """

    title = "scale of another size"


class ATT047(Kind):
    """An axis is computed from names that no axis before it binds, so that jaxtyping cannot compute it.

    Example: `x: Float[Array, "n h*k"]` as the first argument: every checked call ends with "Cannot process symbolic
    axis". A warning where the function is decorated with jaxtyped; elsewhere the names are sizes of their own.
    Do: put an argument with axes h and k before it, write "n {h}*{k}" with integer arguments, or use one name.
    """

    title = "axis that nothing binds"


class ATT048(Kind):
    """An axis of the result has a name that no argument has, one letter away from one that they have.

    Example: `f(x: Float[Array, "n d"]) -> Float[Array, "n dd"]`, whose result is [n, d]: jaxtyping binds `dd` to any
    size, and so checks nothing. A warning, only where that axis always has the other name's size.
    Do: write the name that is meant; or a name that is further away, where a size of its own is.
    """

    title = "axis name that may be a slip"


KINDS: dict[str, type[Kind]] = {k.__name__: k for k in Kind.__subclasses__()}


def explain(code: str) -> str | None:
    """What a code means, in whatever case it is written; None where there is none."""
    kind = KINDS.get(code.upper())
    if kind is None:
        return None
    silenced = f"Where it is meant so: `# verifier: allow {kind.__name__} reason` on its line."
    return f"{kind.__name__}: {kind.title}\n\n{kind.text()}\n{silenced}"
