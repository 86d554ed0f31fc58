"""Child processes: a hang, a crash or a hunger for memory is a finding, and the rest is still checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.cache import Cache
from verifier.check.discovery import targets_of
from verifier.check.pool import Checked, Options, check
from verifier.errors import VerifierError

HEAD = 'import os\nimport numpy as np\nfrom jaxtyping import Float\n\nprint("noise on standard output")\n\n'
GOOD = 'def good_{0}(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:\n    return x.T\n\n'


def run(folder: Path, options: Options | None = None, **sources: str) -> Checked:
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(HEAD + source)
    return check(targets_of(str(folder)), options or Options(timeout=20))


def verdicts(checked: Checked) -> dict[str, str]:
    return {r.name: str(r.verdict) for r in checked.reports}


def ending(name: str, body: str) -> str:
    return f'def {name}(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n    {body}\n    return x\n\n'


def test_a_hang_is_a_finding_and_the_rest_is_checked(tmp_path: Path) -> None:
    source = GOOD.format(1) + ending("hangs", "while True: pass") + GOOD.format(2)
    checked = run(tmp_path, Options(timeout=4), a=source, b=GOOD.format(3))
    assert verdicts(checked) == {"good_1": "PROVED", "hangs": "UNDECIDED", "good_2": "PROVED", "good_3": "PROVED"}
    (finding,) = next(r for r in checked.reports if r.name == "hangs").findings
    assert finding.code == "ATT042" and "4 s" in finding.message


def test_a_crash_is_a_finding_and_the_rest_is_checked(tmp_path: Path) -> None:
    checked = run(tmp_path, a=ending("crashes", "os._exit(3)") + GOOD.format(1))
    assert verdicts(checked) == {"crashes": "UNDECIDED", "good_1": "PROVED"}


def test_a_hunger_for_memory_is_a_finding(tmp_path: Path) -> None:
    checked = run(
        tmp_path, Options(memory=1024, timeout=20), a=ending("eats", "y = bytearray(1 << 40)") + GOOD.format(1)
    )
    assert verdicts(checked)["eats"] in ("UNDECIDED", "REFUTED") and verdicts(checked)["good_1"] == "PROVED"


def test_a_hunger_for_lists_is_said_to_be_one(tmp_path: Path) -> None:
    checked = run(tmp_path, Options(memory=2048, timeout=20), a=ending("eats", "y = [0] * 10**9") + GOOD.format(1))
    (finding,) = next(r for r in checked.reports if r.name == "eats").findings
    assert finding.message == "needs more than 2048 MB" and "--memory" in finding.fix
    assert verdicts(checked)["good_1"] == "PROVED"


def test_a_file_that_does_not_import_tells_its_own_error(tmp_path: Path) -> None:
    checked = run(tmp_path, a="import no_such_module_here\n", b="x = (\n", c=GOOD.format(1))
    assert verdicts(checked) == {"good_1": "PROVED"}
    first, second = checked.unread
    assert "ModuleNotFoundError: No module named 'no_such_module_here'" in first.fact and first.line == 7
    assert "SyntaxError" in second.fact


def test_a_file_that_exits_on_import_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    checked = run(tmp_path, a="os._exit(0)\n", b=GOOD.format(1))
    assert verdicts(checked) == {"good_1": "PROVED"} and len(checked.unread) == 1


def test_helpers_beside_a_file_are_its_own(tmp_path: Path) -> None:
    for folder, size in (("one", "n d"), ("two", "d n")):
        place = tmp_path / folder
        place.mkdir()
        (place / "helper.py").write_text(HEAD + f"def turn(x):\n    return {'x' if size == 'n d' else 'x.T'}\n")
        (place / "main.py").write_text(
            HEAD
            + f'from helper import turn\n\ndef f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "{size}"]:\n    return turn(x)\n'
        )
    checked = check(targets_of(str(tmp_path)), Options(timeout=20))
    assert [str(r.verdict) for r in checked.reports] == ["PROVED", "PROVED"]


def test_jobs_give_the_same_answers_in_the_same_order(tmp_path: Path) -> None:
    sources = {f"m{i}": GOOD.format(i) for i in range(5)}
    one = run(tmp_path, Options(jobs=1, timeout=20), **sources)
    two = run(tmp_path, Options(jobs=2, timeout=20), **sources)
    assert [r.name for r in one.reports] == [r.name for r in two.reports] == [f"good_{i}" for i in range(5)]


def test_a_cached_report_is_kept_until_a_file_that_it_depends_on_changes(tmp_path: Path) -> None:
    code, cache = tmp_path / "code", tmp_path / "cache"
    code.mkdir()
    (code / "helper.py").write_text("def turn(x):\n    return x\n")
    options = Options(cache=Cache(cache), timeout=20)
    source = 'from helper import turn\n\ndef f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n    return turn(x)\n'
    first = run(code, options, main=source)
    assert verdicts(first) == {"f": "PROVED"} and list(cache.glob("*.json"))
    again = run(code, options, main=source)
    assert again.reports[0].seconds == first.reports[0].seconds
    (code / "helper.py").write_text("def turn(x):\n    return x.T\n")
    assert verdicts(run(code, options, main=source)) == {"f": "REFUTED"}


@pytest.mark.parametrize("target", ["nowhere.py", "nowhere/", "tests/nothing.py:f"])
def test_a_target_that_is_not_there_is_an_error_with_a_remedy(target: str) -> None:
    with pytest.raises(VerifierError) as error:
        targets_of(target)
    assert error.value.remedy


def test_functions_whose_arrays_are_bare_are_left_out_on_request(tmp_path: Path) -> None:
    source = GOOD.format(1) + "def bare(x: np.ndarray) -> np.ndarray:\n    return x @ x.T\n\n"
    assert set(verdicts(run(tmp_path, a=source))) == {"good_1", "bare"}
    assert set(verdicts(run(tmp_path, Options(annotated=True, timeout=20), a=source))) == {"good_1"}
