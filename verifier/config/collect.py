"""Which files a command line means: files, folders, standard input."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

NAMES = ("config.json", "params.json", "hparams.json")
NO_CONFIGS = frozenset(
    [
        "tokenizer.json",
        "tokenizer_config.json",
        "generation_config.json",
        "special_tokens_map.json",
        "vocab.json",
        "added_tokens.json",
        "preprocessor_config.json",
        "processor_config.json",
        "model.safetensors.index.json",
        "pytorch_model.bin.index.json",
        "chat_template.json",
        "quantize_config.json",
        "adapter_config.json",
        "modules.json",
        "config_sentence_transformers.json",
    ]
)


def collect(paths: Iterable[Path]) -> list[Path]:
    """The files behind paths: of a model's folder its config, of a folder of folders all configs, else every JSON file.

    A folder without any is kept, so that it is reported.
    """
    found: list[Path] = []
    for path in paths:
        if str(path) != "-" and path.is_dir():
            found += in_folder(path) or [path]
        else:
            found.append(path)
    return found


def in_folder(folder: Path) -> list[Path]:
    """The configs in a folder."""
    own = next((folder / n for n in NAMES if (folder / n).is_file()), None)
    if own:
        return [own]
    deeper = sorted(p for n in NAMES for p in folder.rglob(n) if p.is_file())
    if deeper:
        return deeper
    return sorted(p for p in folder.rglob("*.json") if p.is_file() and p.name not in NO_CONFIGS)
