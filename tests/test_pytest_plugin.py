import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

RIGHT = """[[claim]]
id = "right"
statement = "There is a score for each pair."
relation = "shape(attention_scores) == (n, m)"
sizes = "n m d_k"
expect = "PROVED"
mutants = ["shape(attention_scores) == (m, n)"]
"""
WRONG = RIGHT.replace("right", "wrong").replace("(n, m)", "(n, d_k)")
UNRELATED = '[tool]\nname = "x"\n'


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("verifier.audit.cache.folder", lambda: tmp_path / "cache")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = any(e.value == "verifier.pytest_plugin" for e in entry_points(group="pytest11"))
    return pytester.runpytest_inprocess(*([] if installed else ["-p", "verifier.pytest_plugin"]), *arguments)


def test_a_claim_file_given_by_name_is_one_test_a_claim(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("c.toml").write_text(RIGHT + RIGHT.replace("right", "other"), encoding="utf-8")
    result = run(pytester, "c.toml", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*c.toml::right PASSED*", "*c.toml::other PASSED*"])


def test_a_failing_claim_shows_problem_place_and_witness_and_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("note.md").write_text(f"# Note\n\n```claim\n{WRONG}```\n", encoding="utf-8")
    result = run(pytester, "note.md")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "wrong  the verdict is REFUTED, pinned is PROVED",
            "    note.md:4",
            "    There is a score for each pair.",
            "    REFUTED: fails at * against *",
            "    see  verifier audit note.md --explain wrong",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "pytest_claims.py" not in result.stdout.str()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c.toml", RIGHT.replace("statement", "statment"), "*c.toml:3: unknown key 'statment'*"),
        ("note.md", "# Note\n\n```claim\nbroken\n```\n", "*note.md:4:*: not TOML: *"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_collection_error_with_its_line(
    pytester: pytest.Pytester, name: str, text: str, expected: str
) -> None:
    pytester.path.joinpath(name).write_text(text, encoding="utf-8")
    result = run(pytester, name)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([expected])
    assert "Traceback" not in result.stdout.str()


def test_a_mistake_found_only_when_judging_is_a_failure_with_its_line(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("c.toml").write_text("\n" + RIGHT.replace("(attention_scores)", "(atention_scores)", 1))
    result = run(pytester, "c.toml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["c.toml:5: there is no kernel 'atention_scores'*", "*did you mean attention_scores?"])


@pytest.mark.parametrize("setting", ["[pytest]\n", "[pytest]\nverifier_claims = claims\n"])
def test_files_that_nobody_named_are_never_touched(pytester: pytest.Pytester, setting: str) -> None:
    pytester.makeini(setting)
    pytester.path.joinpath("stray.toml").write_text(WRONG, encoding="utf-8")
    pytester.path.joinpath("broken.toml").write_text("[[claim]]\nbroken", encoding="utf-8")
    pytester.path.joinpath("stray.md").write_text(f"```claim\n{WRONG}```\n", encoding="utf-8")
    folder = pytester.mkdir("claims")
    folder.joinpath("unrelated.toml").write_text(UNRELATED, encoding="utf-8")
    folder.joinpath("README.md").write_text("Prose.", encoding="utf-8")
    folder.joinpath("c.toml").write_text(RIGHT, encoding="utf-8")
    run(pytester).assert_outcomes(passed=1 if "claims" in setting else 0)


def test_the_ini_option_names_claims_outside_of_the_test_paths_unless_arguments_are_given(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeini("[pytest]\ntestpaths = tests\nverifier_claims = claims c.md\n")
    pytester.mkdir("tests").joinpath("test_x.py").write_text("def test_x(): pass\n", encoding="utf-8")
    pytester.mkdir("claims").joinpath("c.toml").write_text(RIGHT, encoding="utf-8")
    pytester.path.joinpath("c.md").write_text(f"```claim\n{RIGHT}```\n", encoding="utf-8")
    run(pytester).assert_outcomes(passed=3)
    run(pytester, "tests").assert_outcomes(passed=1)
    run(pytester, "claims").assert_outcomes(passed=1)


def test_the_option_adds_claims_to_what_is_run(pytester: pytest.Pytester) -> None:
    pytester.mkdir("tests").joinpath("test_x.py").write_text("def test_x(): pass\n", encoding="utf-8")
    pytester.mkdir("claims").joinpath("c.toml").write_text(RIGHT, encoding="utf-8")
    run(pytester, "tests", "--verifier-claims", "claims").assert_outcomes(passed=2)
    run(pytester, "--verifier-claims", "claims/c.toml").assert_outcomes(passed=2)


def test_a_path_of_the_option_is_seen_from_where_pytest_is_called(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\n")
    pytester.mkdir("deep").joinpath("c.toml").write_text(RIGHT, encoding="utf-8")
    monkeypatch.chdir(pytester.path / "deep")
    run(pytester, "--verifier-claims", "c.toml").assert_outcomes(passed=1)


def test_a_named_file_without_claims_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("note.md").write_text("Prose.", encoding="utf-8")
    result = run(pytester, "--verifier-claims", "note.md")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["note.md: no claims in this Markdown file"])


def test_undecided_is_allowed_by_name_alone(pytester: pytest.Pytester) -> None:
    text = RIGHT.replace('"PROVED"', '"UNDECIDED"').replace("shape(attention_scores) == (m, n)", "n == m")
    # True by a theorem of Lebesgue on x² + 1 = yⁿ, which the prover does not know.
    text = text.replace("shape(attention_scores) == (n, m)", "n**2 + 1 != m**3")
    pytester.path.joinpath("c.toml").write_text(text, encoding="utf-8")
    result = run(pytester, "c.toml")
    if "REFUTED" in result.stdout.str() or "PROVED" in result.stdout.str():
        pytest.fail("the prover decides this by now: choose another open statement")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*UNDECIDED and not allowed by name*"])
    run(pytester, "c.toml", "--verifier-allow-undecided", "right").assert_outcomes(passed=1)


def test_a_run_without_claims_imports_nothing_heavy(tmp_path: Path) -> None:
    tmp_path.joinpath("test_x.py").write_text(
        "import sys\n"
        "def test_x():\n"
        "    heavy = {'numpy', 'sympy', 'rich', 'verifier.pytest_claims', 'verifier.audit'}\n"
        "    assert 'verifier.pytest_plugin' in sys.modules\n"
        "    assert not heavy & sys.modules.keys()\n",
        encoding="utf-8",
    )
    tmp_path.joinpath("pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "verifier.pytest_plugin", "-p", "no:cacheprovider"]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
