"""The pytest plugin: claims in TOML and Markdown files, one test a claim; annotated functions with `--verifier-check`.

Only hooks and options stand here. What they collect is in modules of their own (`pytest_claims`, `pytest_check`),
imported when the first file of their kind is met, so that a test run without them pays for nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SUFFIXES = (".toml", ".md", ".markdown")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, each on the command line and in the configuration."""
    group = parser.getgroup("verifier", "claims and shapes (verifier)")
    group.addoption(
        "--verifier-check",
        action="store_true",
        default=False,
        help="prove the jaxtyping annotations of every collected file",
    )
    group.addoption(
        "--verifier-claims",
        action="append",
        default=[],
        metavar="PATH",
        help="also collect this claim file, or the claim files of this folder (repeatable)",
    )
    group.addoption(
        "--verifier-allow-undecided",
        action="append",
        default=[],
        metavar="ID",
        help="a claim that may be UNDECIDED (repeatable)",
    )
    parser.addini("verifier_claims", "claim files, and folders with claim files", type="args", default=[])
    parser.addini("verifier_allow_undecided", "claims that may be UNDECIDED", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """What an option names is collected too, and what the configuration names where no argument says what to run."""
    wanted = _named_by_option(config)
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        wanted += _named_by_configuration(config)
    known = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    config.args += [str(p) for p in wanted if not any(p == other or other in p.parents for other in known)]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Annotated code where it is asked for; a claim file that was named as an argument, by option or configuration."""
    if file_path.suffix == ".py" and parent.config.getoption("verifier_check"):
        from . import pytest_check

        return pytest_check.collector(file_path, parent)
    if file_path.suffix not in SUFFIXES:
        return None
    named = [*_named_by_option(parent.config), *_named_by_configuration(parent.config)]
    if not (parent.session.isinitpath(file_path) or any(p == file_path or p in file_path.parents for p in named)):
        return None
    from . import pytest_claims

    return pytest_claims.collector(file_path, parent, must_hold_claims=file_path in named)


def _named_by_option(config: pytest.Config) -> list[Path]:
    names: list[str] = config.getoption("verifier_claims") or []
    return [(config.invocation_params.dir / name).resolve() for name in names]


def _named_by_configuration(config: pytest.Config) -> list[Path]:
    base = config.inipath.parent if config.inipath else config.rootpath
    return [(base / name).resolve() for name in config.getini("verifier_claims")]
