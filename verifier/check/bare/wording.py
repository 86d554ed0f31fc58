"""Contracts in words: ways to call a function that differ only in how many axes come first are told as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .contract import Contract

SIZES = re.compile(r"\[([^\[\]]*)\]")
SPLIT = re.compile(r",\s*(?![^()]*\))")
"""The commas between sizes, and not those inside a size."""


@dataclass(frozen=True)
class Family:
    """Contracts that are one but for the number of axes in front."""

    contracts: tuple[Contract, ...]

    @property
    def least(self) -> Contract:
        return min(self.contracts, key=_axes)

    @property
    def most(self) -> int:
        """How many axes more the largest has, on each array."""
        ranks = [next(iter(map(len, c.shapes.values())), 0) for c in self.contracts]
        return max(ranks) - min(ranks)

    @property
    def text(self) -> str:
        """`x: [..., self.d] -> [..., self.d]   with ... of 0 to 4 axes`."""
        if not self.most:
            return self.least.text
        opened = re.sub(r"\[(?=(.))", lambda m: "[..." if m[1] == "]" else "[..., ", self.least.text)
        return f"{opened}   with ... of 0 to {self.most} axes"

    @property
    def annotations(self) -> dict[str, str]:
        said = self.least.annotations
        if not self.most:
            return dict(said)
        return {name: text.replace('"', '"*batch ', 1).replace(' "]', '"]') for name, text in said.items()}


def families(contracts: Sequence[Contract]) -> list[Family]:
    """The contracts, those of one family together."""
    found: list[list[Contract]] = []
    for contract in contracts:
        for members in found:
            if _is_longer(contract, members[0]) or _is_longer(members[0], contract):
                members.append(contract)
                break
        else:
            found.append([contract])
    return [run for members in found for run in _without_gaps(members)]


def _without_gaps(members: Sequence[Contract]) -> list[Family]:
    """A family has each number of axes from its least to its most; what lies beyond a gap is another."""
    runs: list[list[Contract]] = []
    for contract in sorted(members, key=_axes):
        if runs and {len(contract.shapes[n]) - len(runs[-1][-1].shapes[n]) for n in contract.shapes} == {1}:
            runs[-1].append(contract)
        else:
            runs.append([contract])
    runs.sort(key=lambda run: min(map(members.index, run)))
    return [Family(tuple(run)) for run in runs]


def _axes(contract: Contract) -> int:
    return sum(map(len, contract.shapes.values()))


def _is_longer(long: Contract, short: Contract) -> bool:
    """Whether one has further axes in front of every array, the same for all, and is alike otherwise."""
    if (long.shapes.keys(), long.elements, long.absent) != (short.shapes.keys(), short.elements, short.absent):
        return False
    more = {len(long.shapes[n]) - len(short.shapes[n]) for n in long.shapes}
    if len(more) != 1 or not 0 < (extra := more.pop()) < 5:
        return False
    ours, theirs = _from_the_right(long), _from_the_right(short)
    lists, others = list(_lists(ours)), list(_lists(theirs))
    fronts = {tuple(sizes[:extra]) for sizes in lists}
    alike = [sizes[extra:] for sizes in lists] == others
    free = all(re.fullmatch(r"\w+\^\d+", size) for sizes in fronts for size in sizes)
    return alike and len(fronts) == 1 and free and SIZES.sub("", ours) == SIZES.sub("", theirs)


def _lists(text: str) -> Iterator[list[str]]:
    for found in SIZES.finditer(text):
        yield SPLIT.split(found[1]) if found[1] else []


def _from_the_right(contract: Contract) -> str:
    """The text with axes counted from the right, so that axes in front change no name."""
    text = contract.text
    for name, shape in contract.shapes.items():
        rank = len(shape)
        text = re.sub(
            rf"(?<![\w.]){re.escape(name)}(_?)(\d+)(?!\w)",
            lambda m, rank=rank, name=name: f"{name}{m[1]}^{rank - int(m[2])}",
            text,
        )
    return text
