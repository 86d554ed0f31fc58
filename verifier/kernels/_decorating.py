"""At its first decorator jaxtyping imports JAX, where it is there, to shorten JAX's tracebacks: a second for nothing.

Whoever uses JAX has imported it already; the rest of us do not wait for it.
"""

from jaxtyping import _decorator  # pyright: ignore[reportPrivateUsage]

_decorator._tb_flag = False  # pyright: ignore[reportPrivateUsage]
