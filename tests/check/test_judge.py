"""What is proved, asked for, refuted or left open, function by function."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report

Told = Callable[..., Report]


def codes(report: Report) -> list[str]:
    return [f.code for f in report.findings]


def test_a_function_that_is_right_at_every_size_is_proved(told: Told) -> None:
    report = told(
        'def f(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d k"]) -> Float[np.ndarray, "n k"]:\n    return x @ W'
    )
    assert (report.verdict, report.findings) == ("PROVED", [])


def test_a_requirement_is_asked_for_with_the_line_to_add(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], h: int) -> Float[np.ndarray, "{h} n _"]:
            return x.reshape(x.shape[0], h, -1).transpose(1, 0, 2)
        """
    )
    (finding,) = report.findings
    assert report.verdict == "PROVED_IF" and report.assumptions == ["d % h == 0"]
    assert finding.code == "ATT020" and finding.severity == "warning" and finding.replayed
    assert "# verifier: given d % h == 0" in finding.fix
    assert finding.sizes["d"] % finding.sizes["h"] != 0


@pytest.mark.parametrize(
    "premise", ["assert x.shape[1] % h == 0", "# verifier: given d % h == 0", "if x.shape[1] % h: raise ValueError(h)"]
)
def test_a_premise_in_the_code_is_no_finding(told: Told, premise: str) -> None:
    report = told(
        f"""
        def f(x: Float[np.ndarray, "n d"], h: int) -> Float[np.ndarray, "{{h}} n _"]:
            {premise}
            return x.reshape(x.shape[0], h, -1).transpose(1, 0, 2)
        """
    )
    assert (report.verdict, report.findings, report.assumptions) == ("PROVED", [], ["d % h == 0"])


def test_a_premise_may_come_from_outside(told: Told) -> None:
    source = (
        'def f(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n d"]:\n    return x + y'
    )
    assert told(source).verdict == "REFUTED"
    assert told(source, "n == m").verdict == "PROVED"


def test_premises_that_nothing_satisfies_prove_nothing(told: Told) -> None:
    source = 'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:\n    return x'
    assert told(source, "n < d", "d < n").verdict == "UNDECIDED"


def test_equal_sizes_are_no_requirement_but_a_mistake(told: Told) -> None:
    report = told(
        'def f(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "d d"]:\n    return x.T @ y'
    )
    (finding,) = report.findings
    assert report.verdict == "REFUTED" and finding.code == "ATT002"
    assert finding.sizes == {"n": 1, "d": 1, "m": 2} and finding.hidden_at["n"] == finding.hidden_at["m"]
    assert finding.arrays == ["x: [n, d]", "y: [m, d]"]
    assert finding.column is not None and finding.end_column == finding.column + len("x.T @ y")


def test_a_size_that_the_code_wants_as_a_number_is_bounded(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "h n d"]) -> Float[np.ndarray, "n d"]:
            a = b = x[0]
            for i in range(len(x)):
                if i > 2:
                    break
            return a
        """
    )
    assert (report.verdict, report.reason) == ("BOUNDED", "h <= 4 (break in a loop)")


def test_every_finding_of_a_run_is_reported(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"], flag: bool) -> Float[np.ndarray, "n d"]:
            if flag:
                return x + y
            return x @ y
        """
    )
    assert {"ATT002", "ATT003"} <= set(codes(report))


def test_an_operation_without_a_rule_is_tested_and_said_so(told: Told) -> None:
    report = told(
        'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n    return np.apply_along_axis(lambda r: r, 0, x)'
    )
    assert report.verdict == "TESTED" and codes(report) == ["ATT041"]
    assert "apply_along_axis" in report.reason


def test_a_failure_found_by_testing_is_refuted(told: Told) -> None:
    report = told(
        'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:\n    return np.apply_along_axis(lambda r: r, 0, x)'
    )
    assert report.verdict == "REFUTED" and "ATT001" in codes(report)


def test_an_allowance_silences_its_code_and_an_unused_one_is_reported(told: Told) -> None:
    mixed = """
        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:
            {0}
            return x.reshape(x.shape[1], x.shape[0])
        """
    assert codes(told(mixed.format("pass"))) == ["ATT030"]
    assert codes(told(mixed.format("# verifier: allow ATT030 rows are shuffled on purpose"))) == []
    assert codes(told(mixed.format("# verifier: allow ATT030"))) == ["ATT045"]
    assert sorted(codes(told(mixed.format("# verifier: allow ATT031 no such thing")))) == ["ATT030", "ATT044"]


def test_a_view_written_through_another_array_is_never_read_as_it_was(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
            row = x[0]
            row[:] = 0
            return x + 1
        """
    )
    assert report.verdict == "TESTED"


@pytest.mark.parametrize(
    ("annotation", "verdict"),
    [
        ("*batch n d", "PROVED"),
        ("... n d", "PROVED"),
        ("#b n d", "PROVED"),
        ("_ n d", "PROVED"),
        ("3 n d", "PROVED"),
        ("heads=3 n d", "PROVED"),
        ("n n d", "PROVED"),
        ("n+1 n d", "PROVED"),
    ],
)
def test_all_of_jaxtypings_axes_are_understood(told: Told, annotation: str, verdict: str) -> None:
    report = told(
        f'def f(x: Float[np.ndarray, "{annotation}"]) -> Float[np.ndarray, "... d n"]:\n    return np.swapaxes(x, -1, -2)'
    )
    assert (report.verdict, report.findings) == (verdict, [])


def test_variadic_axes_are_tried_at_several_ranks(told: Told) -> None:
    report = told('def f(x: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch"]:\n    return x.sum(axis=0)')
    assert report.verdict == "REFUTED"


def test_a_method_may_use_the_sizes_of_its_object(told: Told) -> None:
    report = told(
        """
        class Heads:
            def __init__(self, d: int, h: int):
                assert d % h == 0
                self.d, self.h, self.d_k = d, h, d // h

            def split(self, x: Float[np.ndarray, "n {self.d}"]) -> Float[np.ndarray, "{self.h} n {self.d_k}"]:
                return x.reshape(x.shape[0], self.h, self.d_k).transpose(1, 0, 2)
        """
    )
    assert (report.name, report.verdict, report.assumptions) == ("Heads.split", "PROVED", ["self.d % self.h == 0"])


def test_tuples_dataclasses_optionals_and_unions_are_taken_apart(told: Told) -> None:
    report = told(
        """
        @dataclass
        class Cache:
            k: Float[np.ndarray, "t d"]
            v: Float[np.ndarray, "t d"]

        def f(
            x: Float[np.ndarray, "n d"], cache: Cache, bias: Float[np.ndarray, "n t"] | float | None = None
        ) -> tuple[Float[np.ndarray, "n d"], dict[str, Float[np.ndarray, "t d"]]]:
            s = x @ cache.k.T
            if bias is not None:
                s = s + bias
            return s @ cache.v, {"k": cache.k}
        """
    )
    assert (report.verdict, report.findings) == ("PROVED", [])


def test_sizes_survive_ordinary_arithmetic(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
            d = x.shape[1]
            half, rest = divmod(d, 2)
            scale = float(d) ** -0.5 + math.sqrt(d) + np.sqrt(d) + 1 / max(d, 3) + int(d / 2)
            return np.concatenate([x[:, :half], x[:, half:half * 2], x[:, d - rest:]], axis=1) * scale
        """
    )
    assert (report.verdict, report.findings) == ("PROVED", [])


def test_a_called_function_that_refuses_is_found_at_the_call(told: Told) -> None:
    report = told(
        """
        @jaxtyped(typechecker=beartype)
        def inner(x: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
            return x

        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
            y = x * 2
            return inner(y)
        """
    )
    (finding,) = report.findings
    assert report.verdict == "REFUTED" and finding.code == "ATT011"


def test_element_types_are_held_against_the_annotation(told: Told) -> None:
    report = told('def f(i: Int[np.ndarray, "n"]) -> Int[np.ndarray, "n"]:\n    return i / 2')
    assert codes(report) == ["ATT010"]


def test_recursion_with_a_bound_ends(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], depth: int) -> Float[np.ndarray, "n d"]:
            return x if depth <= 1 else f(x * 2, depth - 1)
        """
    )
    assert report.verdict in ("PROVED", "UNSUPPORTED", "BOUNDED", "TESTED")


def test_a_parameter_that_cannot_be_made_is_unsupported(told: Told) -> None:
    report = told('def f(x: Float[np.ndarray, "n"], g: "callable") -> Float[np.ndarray, "n"]:\n    return g(x)')
    assert report.verdict == "UNSUPPORTED"


def test_an_absent_argument_does_not_shift_those_behind_it(told: Told) -> None:
    report = told(
        """
        def f(
            x: Float[np.ndarray, "n d"], a: Float[np.ndarray, "d"] | None = None, b: Float[np.ndarray, "n"] | None = None, *,
            c: Float[np.ndarray, "n d"],
        ) -> Float[np.ndarray, "n d"]:
            if a is not None:
                x = x + a
            return c + (x if b is None else x * b[:, None])
        """
    )
    assert (report.verdict, report.findings) == ("PROVED", [])


def test_what_kwargs_may_bring_is_not_missed(told: Told) -> None:
    source = """
        def scaled(x, scale):
            return x * scale

        def f(x: Float[np.ndarray, "n d"]{}) -> Float[np.ndarray, "n d"]:
            return scaled(x{})
        """
    report = told(source.format(", **options", ", **options"))
    assert report.verdict == "UNSUPPORTED" and "its **kwargs may bring it" in report.reason
    assert told(source.format("", "")).verdict == "REFUTED"


def test_what_kwargs_may_bring_is_not_missed_by_a_run_at_sizes(told: Told) -> None:
    source = """
        def scaled(x, scale):
            return x * scale

        def f(x: Float[np.ndarray, "n d"]{}) -> Float[np.ndarray, "n d"]:
            return scaled(x * float(np.linalg.cond(x)){})
        """
    report = told(source.format(", **options", ", **options"))
    assert report.verdict == "UNSUPPORTED" and "its **kwargs may bring it" in report.reason


def test_a_text_that_may_stand_for_an_array_is_not_tried_and_that_is_said(told: Told) -> None:
    body = "\n            return x.T"
    for text in ("str", "list[str]", "dict[str, int]"):
        report = told(f'def f(x: {text} | Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:{body}')
        assert report.verdict == "BOUNDED" and report.reason.startswith("without x as "), text
    both = told(f'def f(x: str | list[str] | Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:{body}')
    assert both.reason == "without x as str or list[str]"
    wrong = told(f'def f(x: str | Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:{body}')
    assert wrong.verdict == "REFUTED"
    assert told(f'def f(x: str | list[str]) -> Float[np.ndarray, "d n"]:{body}').verdict == "UNSUPPORTED"


def test_a_run_at_sizes_keeps_what_another_way_to_call_it_was_found_to_need(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], scaled: bool, table: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n d"]:
            y = x + table[: x.shape[0]]
            return y / float(np.linalg.cond(x)) if scaled else y
        """
    )
    assert report.verdict == "TESTED" and report.assumptions == ["n <= m"]


def test_a_tiny_difference_of_what_is_equal_is_no_question(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
            width, factor = x.shape[1], x.shape[0] / x.shape[1]
            if abs(factor - x.shape[0] / width) < 0.1:
                return x
            return x.T
        """
    )
    assert (report.verdict, report.paths) == ("PROVED", 1)


def test_a_class_whose_annotations_cannot_be_read_refutes_nothing(told: Told) -> None:
    report = told(
        """
        class Mesh:
            def __init__(self, devices: "ArrayLikeOfNobody"):
                self.devices = devices

        def f(x: Float[np.ndarray, "n d"], mesh: Mesh) -> Float[np.ndarray, "n d"]:
            return x
        """
    )
    assert report.verdict == "UNSUPPORTED" and "ArrayLikeOfNobody" in report.reason
