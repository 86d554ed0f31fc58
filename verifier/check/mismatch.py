"""A value that does not fit its annotation, as data."""

from __future__ import annotations

from typing import Any


class AnnotationMismatch(TypeError):
    """The fact, and where it is about sizes the two of them, the whole shape and the annotation."""

    def __init__(
        self, fact: str, *, left: Any = None, right: Any = None, shape: tuple[Any, ...] | None = None,
        annotation: str = "", code: str = "ATT001",
    ) -> None:  # fmt: skip
        super().__init__(fact)
        self.fact = fact
        self.left = left
        self.right = right
        self.shape = shape
        self.annotation = annotation
        self.code = code
