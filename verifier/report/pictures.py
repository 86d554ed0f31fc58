"""The pictures of the report as SVG: the axes of a score matrix, and the spread of q·k measured against √d_k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .markup import Child, Markup, element, join

SEED = 20170612
DRAWS = 2_000
WIDTHS = range(1, 129)
BAND = 2
"""Half the width of the error band in standard errors."""

CELL = 30


# -- the axes of a score matrix -------------------------------------------------------------------


def score_axes() -> Markup:
    """Self-attention beside cross-attention: queries are rows, keys are columns, and one row is picked out."""
    return element(
        "div",
        _scores("Self-attention", queries=5, keys=5, keys_are="the same 5 tokens: m = n", size="n"),
        _scores("Cross-attention", queries=3, keys=5, keys_are="m = 5 tokens of the other sequence", size="m"),
        class_="pair",
    )


def _scores(title: str, *, queries: int, keys: int, keys_are: str, size: str) -> Markup:
    left, top = 62, 62
    width, height = left + keys * CELL + 78, top + 5 * CELL + 8
    bottom, right = top + queries * CELL, left + keys * CELL
    picked = 1
    cells = [
        element(
            "rect",
            x=left + c * CELL + 1.5,
            y=top + r * CELL + 1.5,
            width=CELL - 3,
            height=CELL - 3,
            rx=4,
            class_="cell picked" if r == picked else "cell",
        )
        for r in range(queries)
        for c in range(keys)
    ]
    names = [
        *(_text(left - 10, top + (r + 0.5) * CELL + 4, _letter("q", r + 1), anchor="end") for r in range(queries)),
        *(_text(left + (c + 0.5) * CELL, top - 8, _letter("k", c + 1)) for c in range(keys)),
    ]
    axes = [
        _text(left + keys * CELL / 2, 16, [_italic(size), f" keys, here {keys}"]),
        _span(left, 30, right, 30),
        _text(18, top + queries * CELL / 2, [_italic("n"), f" queries, {queries}"], turned=True),
        _span(32, top, 32, bottom),
        _text(right + 8, top + (picked + 0.5) * CELL + 4, "sums to 1", anchor="start", class_="note"),
    ]
    shape = f"{queries} rows for the queries and {keys} columns for the keys"
    return element(
        "figure",
        element(
            "svg",
            element("title", f"Scores of {title.lower()}: {shape}"),
            element("desc", "Softmax runs along a row, so each row of weights sums to 1."),
            *cells,
            *names,
            *axes,
            viewBox=f"0 0 {width} {height - (5 - queries) * CELL}",
            role="img",
            class_="scores",
        ),
        element("figcaption", element("b", title), f": one row a query, one column a key, {keys_are}."),
    )


def _letter(name: str, number: int) -> Child:
    return [_italic(name), element("tspan", number, dy=3, class_="low")]


def _italic(name: str) -> Markup:
    return element("tspan", name, class_="variable")


def _span(x1: float, y1: float, x2: float, y2: float) -> Markup:
    """A measuring line with an end mark at either side."""
    across = (0, 4) if y1 == y2 else (4, 0)
    ends = "".join(f"M{x - across[0]} {y - across[1]}L{x + across[0]} {y + across[1]}" for x, y in ((x1, y1), (x2, y2)))
    return element("path", d=f"M{x1} {y1}L{x2} {y2}{ends}", class_="span")


def _text(
    x: float, y: float, content: Child, *, anchor: str = "middle", turned: bool = False, class_: str | None = None
) -> Markup:
    turn = f"rotate(-90 {_number(x)} {_number(y)})" if turned else None
    return element("text", content, x=_number(x), y=_number(y), text_anchor=anchor, transform=turn, class_=class_)


# -- the spread of q·k ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """The standard deviation of q·k at one width, with its standard error."""

    width: int
    deviation: float
    error: float

    @property
    def inside(self) -> bool:
        """Whether the root of the width lies in the error band."""
        return abs(self.deviation - self.width**0.5) <= BAND * self.error


def measure(widths: Iterable[int] = WIDTHS, draws: int = DRAWS, seed: int = SEED) -> list[Measured]:
    """The samples on which claims about the measured spread are judged: the kernel of scores, run on real arrays."""
    from ..audit.methods.measured import sample

    rows = [sample("attention_scores", width, draws, seed) for width in widths]
    return [Measured(row["d_k"], row["measured"], row["standard error"]) for row in rows]


def spread_plot(points: Sequence[Measured]) -> Markup:
    """The measured standard deviation with its error band, and the curve √d_k."""
    left, top, wide, high = 40, 14, 300, 200
    last = points[-1].width
    ceiling = 14.0

    def at(width: float, value: float) -> str:
        return f"{_number(left + wide * width / last)} {_number(top + high * (1 - value / ceiling))}"

    def line(pairs: Iterable[tuple[float, float]]) -> str:
        return "L".join(at(*p) for p in pairs)

    upper = [(p.width, p.deviation + BAND * p.error) for p in points]
    lower = [(p.width, p.deviation - BAND * p.error) for p in reversed(points)]
    root = [(w / 4, (w / 4) ** 0.5) for w in range(4 * last + 1)]
    marks: list[Markup] = []
    for value in range(0, 13, 4):
        y = top + high * (1 - value / ceiling)
        marks += [
            element("path", d=f"M{left} {_number(y)}h{wide}", class_="grid"),
            _text(left - 6, y + 4, value, anchor="end"),
        ]
    for width in (1, 32, 64, 96, 128):
        marks.append(_text(left + wide * width / last, top + high + 16, width))
    inside = sum(p.inside for p in points)
    return element(
        "svg",
        element(
            "title", f"Standard deviation of q·k for d_k from {points[0].width} to {last}, against the root of d_k"
        ),
        element(
            "desc",
            f"The root of d_k lies inside the band of {BAND} standard errors at {inside} of {len(points)} widths.",
        ),
        *marks,
        element("path", d=f"M{line([*upper, *lower])}Z", class_="band"),
        element("path", d=f"M{line((p.width, p.deviation) for p in points)}", class_="measured"),
        element("path", d=f"M{line(root)}", class_="root"),
        _text(left + wide / 2, top + high + 34, [_italic("d"), element("tspan", "k", dy=3, class_="low variable")]),
        _text(left + 6, top + 10, "standard deviation of q·k", anchor="start"),
        viewBox=f"0 0 {left + wide + 16} {top + high + 42}",
        role="img",
        class_="plot",
    )


def legend() -> Markup:
    """What the lines are."""
    return join(
        [
            _key("measured", "measured"),
            _key("band", f"± {BAND} standard errors"),
            _key("root", "the root of the head size"),
        ]
    )


def _key(kind: str, text: str) -> Markup:
    shape = (
        element("rect", x=0, y=2, width=22, height=10, class_=kind)
        if kind == "band"
        else element("path", d="M0 7h22", class_=kind)
    )
    swatch = element("svg", shape, viewBox="0 0 22 14", width=22, height=14, aria_hidden="true")
    return element("span", swatch, " ", text, class_="key")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
