"""How long a claim may be judged: claim files come from strangers, and a short relation can ask for a large proof.

Processor time is limited, not the clock, so that a busy machine changes no verdict.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

SECONDS = 20.0
"""Of processor time, for each claim; the slowest that ships takes 2."""


class TookTooLong(BaseException):  # no `except Exception` on the way may take it for a failed attempt
    """The time is over."""


@contextmanager
def within(seconds: float) -> Generator[None]:
    """Ends what is inside after so much processor time.

    Where Python has no such timer (Windows, threads other than the main one) nothing is limited.

    Raises:
        TookTooLong: it took longer.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
