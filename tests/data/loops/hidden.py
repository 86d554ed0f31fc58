import collections
import functools
import itertools
import types

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as A

"""Loops whose later iterations do what the first ones do not: none may be PROVED."""

class Box:
    def __init__(self): self.n = 0

def attr(x: Float[A, "h d"]) -> Float[A, "h"]:
    b = Box()
    for i in range(len(x)):
        b.n = b.n + 1 if b.n < 5 else 5
    return np.zeros(b.n)

def _bump(b):
    b.n = min(b.n + 1, 5)

def attr_call(x: Float[A, "h d"]) -> Float[A, "h"]:
    b = Box()
    for i in range(len(x)):
        _bump(b)
    return np.zeros(b.n)

def cell(x: Float[A, "h d"]) -> Float[A, "h"]:
    n = 0
    def bump():
        nonlocal n
        n = min(n + 1, 5)
    for i in range(len(x)):
        bump()
    return np.zeros(n)

def dictionary(x: Float[A, "h d"]) -> Float[A, "h"]:
    seen = {}
    for i in range(len(x)):
        seen["n"] = min(seen.get("n", 0) + 1, 5)
    return np.zeros(seen["n"])

def generator(x: Float[A, "h d"]) -> Float[A, "5"]:
    it = iter([1, 2, 3, 4, 5, 5, 5])
    n = 0
    for i in range(len(x)):
        n = max(n, it.__next__())
    return np.zeros(5 if n <= 4 else 6)

def listpop(x: Float[A, "h d"]) -> Float[A, "d"]:
    todo = [1, 2, 3, 4, 5, 6]
    for i in range(len(x)):
        todo.pop()
    return x[0]

def elements(x: Float[A, "h d"]) -> Float[A, "d"]:
    todo = [1, 2, 3, 4, 5, 6]
    for i in range(len(x)):
        y = todo[i]
    return x[0]

def slow_shift(x: Float[A, "h d"]) -> Float[A, "d"]:
    a = x[0]; b = x[0]; c = x[0]; e = x[0]; f = x[0]
    for i in range(len(x)):
        a = b; b = c; c = e; e = f
        f = x[0][:1]
    return a

def ints(x: Float[A, "h d"]) -> Float[A, "d"]:
    a = 0; b = 0; c = 0; e = 0; f = 0
    for i in range(len(x)):
        a = b; b = c; c = e; e = f
        f = 1
    return x[0] if a == 0 else x[0][:0]

def conditional(x: Float[A, "h d"]) -> Float[A, "d"]:
    s = 0
    for i in range(len(x)):
        if i == 6:
            s = 1
    return x[0] if s == 0 else x[0][1:]

def conditional2(x: Float[A, "h d"]) -> Float[A, "d"]:
    s = t = x[0]
    for i in range(len(x)):
        if i == 6:
            s = x[0][1:]
    return s

def parity(x: Float[A, "h d"], y: Float[A, "h d"]) -> Float[A, "d"]:
    outs = []
    for i in range(len(x)):
        outs.append(x[i] if i < 6 else x[i][1:])
    return np.concatenate(outs)[: x.shape[1]] if len(outs) < 7 else outs[6]

def lists(x: Float[A, "h d"]) -> Float[A, "2"]:
    outs = []
    for i in range(len(x)):
        outs.append(x[i])
    return np.zeros(len(outs))

def lists2(x: Float[A, "h d"]) -> Float[A, "2"]:
    outs = [a for a in x]
    n = 0
    for o in outs:
        n += 1
    return np.zeros(n)

def join(parts):
    return np.zeros(len(parts))

def lists3(x: Float[A, "h d"]) -> Float[A, "2"]:
    outs = [a for a in x]
    return join(outs)

def lists4(x: Float[A, "h d"]) -> Float[A, "2"]:
    return join([a for a in x])

def lists5(x: Float[A, "h d"]) -> Float[A, "2 d"]:
    outs = []
    for i in range(len(x)):
        outs.append(x[i])
    more = outs
    return np.stack(more)

def lists6(x: Float[A, "h d"]) -> Float[A, "2 d"]:
    np_ = type("M", (), {"stack": staticmethod(lambda parts: parts and np.zeros((len(parts), x.shape[1])))})
    outs = []
    for i in range(len(x)):
        outs.append(x[i])
    return np_.stack(outs)

def lists7(x: Float[A, "h d"]) -> Float[A, "2 d"]:
    outs = []
    for i in range(len(x)):
        outs.append(x[i])
    return np.stack([*outs])

def dicts(x: Float[A, "h d"]) -> Float[A, "2"]:
    outs = {i: a for i, a in enumerate(x)}
    return np.zeros(len(outs))

def sets(x: Float[A, "h d"]) -> Float[A, "2"]:
    outs = tuple(i for i in range(len(x)))
    return np.zeros(len(outs))

def unpack(x: Float[A, "h d"]) -> Float[A, "d"]:
    a, b = x
    return a

def star(x: Float[A, "h d"]) -> Float[A, "2"]:
    xs = [*x]
    return np.zeros(len(xs))

def brk(x: Float[A, "h d"]) -> Float[A, "d"]:
    for i in range(len(x)):
        if i == 6: break
    return x[0][: x.shape[1] - (1 if i == 6 else 0)]

def ret(x: Float[A, "h d"]) -> Float[A, "d"]:
    for i in range(len(x)):
        if i == 6:
            return x[0][1:]
    return x[0]

def last_index(x: Float[A, "h d"]) -> Float[A, "d"]:
    for i in range(len(x)):
        pass
    return x[0] if i < 6 else x[0][1:]

def default_arg(x: Float[A, "h d"], acc=[]) -> Float[A, "d"]:
    for i in range(len(x)):
        acc.append(1)
    return x[0] if len(acc) < 7 else x[0][1:]

def written_const(x: Float[A, "h d"]) -> Float[A, "d"]:
    c = np.zeros(len(x), dtype=int)
    c2 = np.zeros(1, dtype=int)
    for i in range(len(x)):
        c2[0] = i
    return x[0] if int(c2[0]) < 6 else x[0][1:]

def real_const(x: Float[A, "h d"]) -> Float[A, "d"]:
    c2 = np.array([0])
    for i in range(len(x)):
        c2[0] += 1
    return x[0] if int(c2[0]) < 7 else x[0][1:]

def outer_inner(x: Float[A, "h d"]) -> Float[A, "d"]:
    outs = []
    for i in range(len(x)):
        for j in range(2):
            outs.append(x[i])
    return x[0] if len(outs) < 13 else x[0][1:]

def zipped(x: Float[A, "h d"], y: Float[A, "g d"]) -> Float[A, "h d"]:
    return np.stack([a + b for a, b in zip(x, y)])

def product(x: Float[A, "h d"], y: Float[A, "g d"]) -> Float[A, "h d"]:
    return np.stack([a + b for a in x for b in y])

def filtered(x: Float[A, "h d"]) -> Float[A, "h d"]:
    return np.stack([x[i] for i in range(len(x)) if i < 6])

def wrong_sum(x: Float[A, "h d"]) -> Float[A, "d"]:
    return sum(x[i][: 6 - i] if i < 1 else x[i] for i in range(len(x)))

def lam(x: Float[A, "h d"]) -> Float[A, "d"]:
    fs = []
    for i in range(len(x)):
        fs.append(lambda: i)
    return x[0] if fs[0]() < 6 else x[0][1:]

def closure_read(x: Float[A, "h d"]) -> Float[A, "d"]:
    t = 0
    def f():
        return t
    y = x[0]
    for i in range(len(x)):
        y = x[0] if f() < 5 else x[0][1:]
        t = i
    return y

def strange(x: Float[A, "h d"]) -> Float[A, "d"]:
    r = range(len(x))
    out = x[0]
    for i in r:
        out = out + 0
    for i in r:
        if i > 6: out = out[1:] if False else out
    return out if len(r) < 7 else out[1:]

def minmax(x: Float[A, "h d"]) -> Float[A, "d"]:
    m = max(range(len(x)))
    return x[0] if m < 6 else x[0][1:]

def contains(x: Float[A, "h d"]) -> Float[A, "d"]:
    return x[0] if 6 not in range(len(x)) else x[0][1:]

def anyall(x: Float[A, "h d"]) -> Float[A, "d"]:
    return x[0] if not any(i == 6 for i in range(len(x))) else x[0][1:]

def summed(x: Float[A, "h d"]) -> Float[A, "d"]:
    return x[0] if sum(1 for i in range(len(x))) < 7 else x[0][1:]

def reversed_(x: Float[A, "h d"]) -> Float[A, "d"]:
    for i in reversed(range(len(x))):
        pass
    return x[0] if i < 6 else x[0][1:]

def sortedx(x: Float[A, "h d"]) -> Float[A, "2"]:
    return np.zeros(len(list(x)))

def enumerate_start(x: Float[A, "h d"]) -> Float[A, "d"]:
    k = 0
    for k, y in enumerate(x, 1):
        pass
    return x[0] if k < 7 else x[0][1:]

class D(dict):
    pass

class L(list):
    pass

def _bumpd(b):
    b.n = b.n + 1

class N(int):
    pass

class Slot:
    __slots__ = ("__n",)
    def __init__(self): self.__n = 0
    def bump(self): self.__n += 1
    def get(self): return self.__n

def _setobj(b):
    b[0] = b[0] + 1

def bound_builtin(x: Float[A, "h d"]) -> Float[A, "d"]:
    take = [0, 0, 0, 0, 0, 0].pop
    for i in range(len(x)):
        take()
    return x[0]

def local_class(x: Float[A, "h d"]) -> Float[A, "d"]:
    class C:
        n = 0
    def step():
        C.n = C.n + 1
    for i in range(len(x)):
        step()
    return x[0] if C.n < 6 else x[0][1:]

def dict_sub(x: Float[A, "h d"]) -> Float[A, "d"]:
    d = D()
    d.n = 0
    for i in range(len(x)):
        _bumpd(d)
    return x[0] if d.n < 6 else x[0][1:]

def list_sub(x: Float[A, "h d"]) -> Float[A, "d"]:
    d = L()
    d.n = 0
    for i in range(len(x)):
        _bumpd(d)
    return x[0] if d.n < 6 else x[0][1:]

def tryloop(x: Float[A, "h d"], y: Float[A, "5"]) -> Float[A, "d"]:
    t = 0
    try:
        for i in range(len(x)):
            y[i]
            t = i
    except IndexError:
        return x[0] if t < 3 else x[0][1:]
    return x[0]

def inner_count2(x: Float[A, "h d"]) -> Float[A, "d"]:
    def count():
        return len(rows)
    rows = [r for r in x]
    return x[0] if count() < 6 else x[0][1:]

def late_join(x: Float[A, "h d"]) -> Float[A, "d"]:
    stack = np.stack
    rows = []
    for i in range(len(x)):
        rows.append(x[i])
    stack = lambda p: x[0] if len(p) < 6 else x[0][1:]
    return stack(rows)

def plus2(x: Float[A, "h d"]) -> Float[A, "h d"]:
    rows = []
    for i in range(len(x)):
        rows.append(x[i])
    if len(x) > 6:
        rows += [x[0]]
    return np.stack(rows)

def annassign(x: Float[A, "h d"]) -> Float[A, "d"]:
    k = 0
    for i in range(len(x)):
        k: int
        k = min(k + 1, 6)
    return x[0] if k < 5 else x[0][1:]

def objarr(x: Float[A, "h d"]) -> Float[A, "d"]:
    b = np.array([0], dtype=object)
    for i in range(len(x)):
        _setobj(b)
    return x[0] if b[0] < 6 else x[0][1:]

def modbox(x: Float[A, "h d"]) -> Float[A, "d"]:
    b = types.ModuleType("b")
    b.n = 0
    for i in range(len(x)):
        _bumpd(b)
    return x[0] if b.n < 6 else x[0][1:]

GLOBAL = [0]

def slots(x: Float[A, "h d"]) -> Float[A, "d"]:
    o = Slot()
    for i in range(len(x)):
        o.bump()
    return x[0] if o.get() < 6 else x[0][1:]

def dd2(x: Float[A, "h d"]) -> Float[A, "d"]:
    o = collections.defaultdict(itertools.count().__next__)
    for i in range(len(x)):
        o["a"]
        o.pop("a")
    return x[0] if o["b"] < 6 else x[0][1:]

def intsub(x: Float[A, "h d"]) -> Float[A, "d"]:
    o = N(3)
    o.n = 0
    for i in range(len(x)):
        _bumpd(o)
    return x[0] if o.n < 6 else x[0][1:]

def excbox(x: Float[A, "h d"]) -> Float[A, "d"]:
    o = ValueError()
    o.args = ()
    def more(o): o.args = o.args + (1,)
    for i in range(len(x)):
        more(o)
    return x[0] if len(o.args) < 6 else x[0][1:]

def alias_list(x: Float[A, "h d"]) -> Float[A, "d"]:
    kept = rows = []
    for i in range(len(x)):
        rows.append(x[i])
    return x[0] if len(kept) < 6 else x[0][1:]

def partial_state(x: Float[A, "h d"]) -> Float[A, "d"]:
    step = functools.partial(_bump, Box())
    for i in range(len(x)):
        step()
    return x[0] if step.args[0].n < 5 else x[0][1:]


class Swallow:
    def __enter__(self): return self
    def __exit__(self, *_): return True

def swallowed(x: Float[A, "h d"], y: Float[A, "5"]) -> Float[A, "d"]:
    t = 0
    with Swallow():
        for i in range(len(x)):
            y[i]
            t = i
    return x[0] if t < 3 else x[0][1:]

def swallowed_later(x: Float[A, "h d"], y: Float[A, "7"]) -> Float[A, "d"]:
    t = 0
    with Swallow():
        for i in range(len(x)):
            y[i]
            t = i
    return x[0] if t < 6 else x[0][1:]
