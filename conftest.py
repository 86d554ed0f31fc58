"""What pytest collects of a checkout: no program under test, and a front end where its framework is installed."""

from importlib.util import find_spec

collect_ignore_glob = ["tests/data/*"]
collect_ignore_glob += [f"verifier/frontends/{name}/*" for name in ("jax", "torch") if find_spec(name) is None]
