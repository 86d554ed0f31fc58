"""Rules about configs: one file a rule, named after the fact that it requires; the folder is scanned.

What belongs here says when a config cannot work, is silently misread, or wastes hardware. A rule file has CODE,
SEVERITY, FIELDS, GOOD and BAD (examples that are run as tests: fields, or (fields, context)) and `check(view) ->
findings`; its docstring is its page in the documentation: the law, then `Why:` and `Fix:`. Where a rule is a
theorem about a kernel, the kernel's own condition is asked (`architectures.counting.broken_conditions`).
"""

from .finding import Finding, Severity
from .runner import explain, rules, run
from .view import Context, View

__all__ = ["Context", "Finding", "Severity", "View", "explain", "rules", "run"]
