"""`left != right` of arrays means at every size: by inputs for every size, or refuted where both are one function."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from verifier.audit.claim import Result
from verifier.audit.recheck import recheck_report
from verifier.audit.run import audit
from verifier.errors import VerifierError

from .claims import HEADER, claim_text, judged

ARRAYS = '{ heads = "h n d_v", swap = "permutation h", x = "n", i = "index h" }'
COUNTED = '{ inputs = { heads = "spread(spread(places(h), n), d_v)" } }'
EXCHANGED = '"permute_first(heads, swap) != heads"'


def different(folder: Path, relation: str, **changes: str) -> Result:
    given = {"method": '"same"', "arrays": ARRAYS, "mutants": '["heads == times(heads, 2)"]', **changes}
    return judged(folder, relation=relation, **given)


def report(folder: Path, **changes: str | None) -> dict[str, Any]:
    file = folder / "claims.toml"
    given = {"method": '"same"', "arrays": ARRAYS, "mutants": '["heads == times(heads, 2)"]', **changes}
    file.write_text(HEADER + claim_text(**given), encoding="utf-8")
    return json.loads(json.dumps(audit([file], use_cache=False).as_json))


def test_a_size_at_which_both_are_one_function_refutes(tmp_path: Path) -> None:
    found = different(tmp_path, EXCHANGED, options=COUNTED)
    assert (found.truth, found.witness and found.witness["where"]) == ("REFUTED", ["h == 1"])


def test_inputs_for_every_size_prove(tmp_path: Path) -> None:
    found = different(tmp_path, EXCHANGED, options=COUNTED, assume='{ "two heads" = "h >= 2" }', expect='"PROVED_IF"')
    assert found.problems == []
    assert (found.certificate or {})["elements"] == ["h - 1", "0"]
    assert found.necessity["two heads"]["where"] == ["h == 1"]


@pytest.mark.parametrize(
    ("relation", "truth"),
    [
        ("x != times(x, 2)", "PROVED"),
        ("x != subtract(add(x, 1), 1)", "REFUTED"),
        ("x != add(x, times(ones(n), (n - 1)*(n - 2)))", "REFUTED"),
        ("x != add(x, times(ones(n), n - 7))", "UNDECIDED"),  # one function at n = 7 alone, which no search tries
        ("x != divide(x, 0*h)", "UNDECIDED"),
        ("only(x, i) != x", "REFUTED"),
    ],
)
def test_at_every_size_or_not(relation: str, truth: str, tmp_path: Path) -> None:
    arrays = '{ x = "n", i = "index n" }'
    mutants = '["x == times(x, 2)"]'
    assert different(tmp_path, f'"{relation}"', arrays=arrays, mutants=mutants).truth == truth


def test_inputs_at_which_both_agree_prove_nothing(tmp_path: Path) -> None:
    options = '{ inputs = { heads = "ones(h, n, d_v)" } }'
    assert different(tmp_path, EXCHANGED, options=options, given='["h >= 2"]').truth == "UNDECIDED"


def test_inputs_that_divide_by_nothing_prove_nothing(tmp_path: Path) -> None:
    options = '{ inputs = { heads = "divide(spread(spread(places(h), n), d_v), n - 1)" } }'
    assert different(tmp_path, EXCHANGED, options=options, given='["h >= 2"]').truth == "UNDECIDED"


def test_an_index_is_any_place(tmp_path: Path) -> None:
    """Head i differs from head 0 unless i is 0."""
    relation = '"head(heads, i) != head(heads, 0)"'
    assert different(tmp_path, relation, options=COUNTED).truth == "REFUTED"
    assert different(tmp_path, relation, options=COUNTED, given='["i >= 1"]').truth == "PROVED"


def test_an_input_for_no_array_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VerifierError, match="inputs has head, which is no array of the relation"):
        different(tmp_path, EXCHANGED, options='{ inputs = { head = "ones(h, n, d_v)" } }', given='["h >= 2"]')


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("inputs", {"heads": "ones(h, n, d_v)", "swap": "reversed_order(h)"}),
        ("elements", ["h", "0"]),
        ("order", {"kind": "instance", "op": "!=", "left": "1", "right": "0", "sizes": {}}),
        ("assumptions", ["h >= 1"]),
        ("right", "times(heads, 2)"),
    ],
)
def test_a_tampered_proof_is_noticed(key: str, value: Any, tmp_path: Path) -> None:
    data = report(tmp_path, relation=EXCHANGED, options=COUNTED, given='["h >= 2"]')
    assert recheck_report(data)[1] == []
    tampered = copy.deepcopy(data)
    tampered["claims"][0]["readings"][0]["certificate"][key] = value
    assert recheck_report(tampered)[1]


@pytest.mark.parametrize("where", [["h == 2"], ["h == 1", "h == 2"], []])
def test_a_tampered_place_is_noticed(where: list[str], tmp_path: Path) -> None:
    data = report(tmp_path, relation=EXCHANGED, options=COUNTED, expect='"REFUTED"')
    assert recheck_report(data)[1] == []
    data["claims"][0]["readings"][0]["witness"]["where"] = where
    print([str(f) for f in recheck_report(data)[1]])
    assert recheck_report(data)[1]


def test_another_reading_is_no_witness_for_a_premise(tmp_path: Path) -> None:
    """That the statement fails when read otherwise does not show that its premise is needed."""
    entries = '[{ name = "a", relation = "heads == heads" }, { name = "b", relation = "heads == 2", printed = true }]'
    given = {"expect": '"PROVED_IF"', "assume": '{ "two heads" = "h >= 2" }', "arrays": '{ heads = "h n d_v" }'}
    data = report(tmp_path, relation=None, reading=entries, **given)
    data["claims"][0]["necessity"] = {"two heads": {"otherwise": "b"}}
    assert recheck_report(data)[1]
