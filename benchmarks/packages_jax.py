"""The table of JAX packages: `python benchmarks/packages_jax.py equinox equimo`, each checked whole.

The packages must be installed. What came of a look at each refuted function stands in docs/reference/packages-jax.md.
"""

from __future__ import annotations

from whole_packages import main

if __name__ == "__main__":
    main(__doc__ or "", ("equinox", "equimo"))
