"""What an `async def` or a generator returns is not its value yet: it is run to its end."""

from __future__ import annotations

import inspect
from itertools import islice
from typing import Any, cast

from ..errors import Unsupported

MAX_YIELDED = 64


def completed(value: Any) -> Any:
    """The value of a coroutine that nothing keeps waiting; the list of what a generator yields.

    Raises:
        Unsupported: it waits for something, or does not end.
    """
    if inspect.iscoroutine(value):
        try:
            value.send(None)
        except StopIteration as end:
            return completed(end.value)
        except RuntimeError as error:
            if "event loop" not in str(error):
                raise
        value.close()
        raise Unsupported("it awaits something that is not ready", remedy="move the arithmetic into a plain function")
    if inspect.isasyncgen(value):
        raise Unsupported("an asynchronous generator", remedy="move the arithmetic into a plain function")
    if inspect.isgenerator(value):
        found = list(islice(value, MAX_YIELDED + 1))
        if len(found) > MAX_YIELDED:
            value.close()
            raise Unsupported(f"it yields more than {MAX_YIELDED} values", remedy="check the function that makes one")
        return cast("list[Any]", found)
    return value
