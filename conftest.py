"""What pytest collects of a checkout: not the programs under test, and a framework's front end where it is installed."""

from importlib.util import find_spec

collect_ignore_glob = ["tests/data/*"]
collect_ignore_glob += [f"verifier/frontends/{name}/*" for name in ("jax", "torch") if find_spec(name) is None]
