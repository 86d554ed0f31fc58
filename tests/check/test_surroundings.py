"""Modes, switches and errors that code decides by: judged both ways, or said as a condition; never taken for granted."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

import torch

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "surroundings.py"
SAYS = {
    "threads": f"torch.get_num_threads() is {torch.get_num_threads()}",
    "cuda": "is_cuda is False",
    "device": "every tensor is on the CPU",
    "cuda_available": f"torch.cuda.is_available() is {torch.cuda.is_available()}",
    "scripting": "torch.jit.is_scripting() is False",
    "compiling": "torch.compiler.is_compiling() is False",
    "tracing": "torch.jit.is_tracing() is False",
    "grad_enabled": "torch.is_grad_enabled() is True",
    "requires_grad": "requires_grad is False",
    "autocast_enabled": "torch.is_autocast_enabled() is False",
    "Norms.forward": "b*c*n >= 2",
}
PROVED = {
    "Training.forward",
    "EvalCall.forward",
    "ParameterDecayed.forward",
    "device_passed_on",
    "autocast_back",
    "autocast_off",
    "autocast_joined",
    "caught",
    "passed_over",
}
LASTS = ("environ", "foreign", "functional", "module_made", "default_dtype")


REFUTED = {
    *("OtherInTraining.forward", "OtherInside.forward", "SumInEval.forward", "autocast_kept", "leaf_written"),
    *("parameter_written", "ParameterWritten.forward", "view_of_leaf", "not_caught", "caught_by_all", "tried"),
    *("view_tried", "text_of_error", "text_of_product"),
}


@pytest.fixture(scope="module")
def subjects() -> dict[str, Subject]:
    forget()
    return {s.name: s for s in subjects_of(Target(FILE))}


def test_every_program_is_judged(subjects: dict[str, Subject]) -> None:
    assert set(subjects) == {*SAYS, *PROVED, *LASTS, *REFUTED}


@pytest.mark.parametrize("name", [*SAYS, *sorted(PROVED), *LASTS, *sorted(REFUTED)])
def test_what_code_asks_of_its_surroundings(name: str, subjects: dict[str, Subject]) -> None:
    subject = subjects[name]
    before = torch.get_default_dtype()
    try:
        report = judge(subject)
    finally:
        torch.set_default_dtype(before)
        os.environ.pop("MY_COUNT", None)
    if subject.name in SAYS:
        assert report.verdict == "PROVED_IF"
        assert SAYS[subject.name] in report.assumptions
    elif subject.name in PROVED:
        assert report.verdict == "PROVED", report
    elif subject.name in LASTS:
        assert report.verdict in ("TESTED", "REFUTED")
        assert any("which outlives it" in f.message for f in report.findings), report
    else:
        assert report.verdict == "REFUTED", report


def test_a_path_does_not_see_what_another_one_left(tmp_path: Path) -> None:
    file = tmp_path / "left.py"
    file.write_text(
        "import math, os\nimport torch\nfrom jaxtyping import Float\nfrom torch import Tensor\n\n\n"
        'def f(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:\n'
        '    os.environ["LEFT_BEHIND"] = "1"\n    math.left_behind = 1\n    torch.set_default_dtype(torch.float64)\n'
        "    if x.shape[0] > 3:\n        return x + 1\n    raise ValueError\n"
    )
    forget()
    (subject,) = subjects_of(Target(file))
    import math

    from verifier.check.judgement import Judgement
    from verifier.check.variant_run import VariantRun
    from verifier.check.variants import Variant
    from verifier.check.world import World, run_everywhere
    from verifier.dims import Scope

    run = VariantRun(subject, Variant(()), World(Scope.of("n d")), Judgement(subject), False)
    runs = run_everywhere(run.run, run.world)
    assert "LEFT_BEHIND" not in os.environ
    assert not hasattr(math, "left_behind")
    assert torch.get_default_dtype() is torch.float32
    (told,) = [p.error for _, p in runs.paths if "outlives" in str(p.error)]
    assert "os.environ['LEFT_BEHIND']" in str(told)


@pytest.mark.parametrize(
    ("line", "verdict"), [("import late_module", "PROVED"), ("sys.modules['late_module'] = math", "TESTED")]
)
def test_an_import_is_no_change(line: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pyexpat` puts `pyexpat.errors` beside itself, and that one has no specification."""
    (tmp_path / "late_module.py").write_text(
        "import sys, types\nsys.modules[__name__ + '.errors'] = types.ModuleType('errors')\n"
        "sys.modules['late_runtime'] = types.ModuleType('late_runtime')\n"
        "for name in ('late_runtime', __name__ + '.errors'):\n    sys.modules[name].__spec__ = None\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    head = "import math, sys\n" if "sys" in line else ""
    file = tmp_path / "lazy.py"
    file.write_text(
        head + "import numpy as np\nfrom jaxtyping import Float\n\n\n"
        'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n'
        f"    {line}\n    return x + 1\n"
    )
    try:
        for _again in range(2 if verdict == "PROVED" else 1):  # whatever is imported by then
            forget()
            (subject,) = subjects_of(Target(file))
            report = judge(subject)
            assert report.verdict == verdict, report
    finally:
        for name in [n for n in sys.modules if n.startswith("late_")]:
            del sys.modules[name]
