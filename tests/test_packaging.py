"""What `pip install` brings: the claims are in the wheel, and the command finds them far from any checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The wheel of this checkout, built by pip as it builds it for users."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.whl")
    yield found


def test_claims_are_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {n.removeprefix("verifier/") for n in names if n.startswith("verifier/claims/")}
    assert shipped == {p.relative_to(ROOT).as_posix() for p in (ROOT / "claims").rglob("*") if p.is_file()}


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    tops = {n.partition("/")[0] for n in zipfile.ZipFile(wheel).namelist()}
    assert {t for t in tops if not t.startswith("mha_verifier-")} == {"verifier"}


def test_installed_command_finds_the_claims(wheel: Path, tmp_path: Path) -> None:
    """Our dependencies are borrowed from this environment, so that no network is needed here."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, stdin=subprocess.DEVNULL)
    (borrowed,) = {str(Path(p)) for p in sys.path if p.endswith("site-packages") and (Path(p) / "sympy").is_dir()}
    (own,) = (tmp_path / "venv").rglob("site-packages")
    # Our own package is found first: it stands in the folder, what is borrowed comes after.
    (own / "borrowed.pth").write_text(borrowed)
    code = "import verifier, pathlib; print(pathlib.Path(verifier.__file__).parent)"
    where = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert Path(where.stdout.strip()) == own / "verifier"
    # The whole audit: from `site-packages` our kernels are under test as they are in a checkout.
    audit = [str(python), "-m", "verifier", "audit", "--no-cache", "--format", "json"]
    found = subprocess.run(audit, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    installed = {claim["id"]: claim["truth"] for claim in json.loads(found.stdout)["claims"]}
    here = subprocess.run([sys.executable, *audit[1:]], capture_output=True, text=True, check=True, cwd=ROOT)
    assert installed == {claim["id"]: claim["truth"] for claim in json.loads(here.stdout)["claims"]}


def test_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "mha-verifier"
    assert project["scripts"] == {"verifier": "verifier.cli:main"}
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
