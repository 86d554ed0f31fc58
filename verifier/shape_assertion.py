"""`assert_shapes`: a proof as a line of a test."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .errors import VerifierError


def assert_shapes(function: Callable[..., Any], *given: str, values: bool = True) -> None:
    """Passes where the annotated function is right for every size, under premises such as "d % h == 0".

    BOUNDED passes; TESTED does not, since nothing was proved.

    Raises:
        AssertionError: with the findings as `verifier check` prints them.
        VerifierError: the function has no jaxtyping annotation.

    >>> from verifier.kernels import multi_head_attention
    >>> assert_shapes(multi_head_attention)
    """
    from .check.annotated import hints_of, holds_array
    from .check.discovery import Subject, called, comments_of
    from .check.judge import judge
    from .check.locating import line_of
    from .check.pool import Checked
    from .report.check_text import text_of

    plain = inspect.unwrap(function)
    if not any(map(holds_array, hints_of(plain).values())):
        raise VerifierError(f"{plain.__name__} has no jaxtyping annotation", remedy='x: Float[np.ndarray, "n d"]')
    premises, allowances = comments_of(plain)
    file, line = plain.__code__.co_filename, line_of(plain)
    subject = Subject(called(function), plain.__qualname__, file, line, None, premises, allowances)
    report = judge(subject, given, values)
    if report.fails or report.verdict == "TESTED":
        raise AssertionError(f"{report.name} is {report.verdict}\n\n{text_of(Checked([report]), verbose=True)}")
