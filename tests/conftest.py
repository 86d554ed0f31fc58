"""Hypothesis profiles: `default` keeps the whole run short, `thorough` is for a night (HYPOTHESIS_PROFILE=thorough)."""

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("VERIFIER_CACHE", "")  # tests count kernels anew and leave nothing behind
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
settings.register_profile("default", max_examples=120, **COMMON)
settings.register_profile("thorough", max_examples=1_500, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
