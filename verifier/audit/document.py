"""Where a claim stands in its document: sentences, normalised and hashed, so that a changed text is noticed."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path

from ..errors import Place, VerifierError

HASH_LENGTH = 16
ENDS = re.compile(r"(?<=[.?!:;])\s+|\s+:::\s+|\n\s*\n\s*(?=[A-Z\"“])")


def sentences(text: str) -> list[str]:
    """The sentences of a text, normalised: Unicode NFKC, white space folded, case and edges dropped.

    A sentence ends at `. ? ! : ;` before white space, at `:::`, and at an empty line before a capital letter.
    """
    found = (normalise(part) for part in ENDS.split(text))
    return [s for s in found if s]


def normalise(text: str) -> str:
    """One sentence in the form that is hashed."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().split()).strip(" .?!:;\"“”'—-")


def digest(sentence: str) -> str:
    r"""The hash by which a claim names its sentence.

    >>> digest("Softmax normalises each row.") == digest("softmax  normalises\neach row")
    True
    """
    return hashlib.sha256(normalise(sentence).encode()).hexdigest()[:HASH_LENGTH]


def read_document(path: Path) -> str:
    """The text of a document.

    Raises:
        VerifierError: it is not there or is no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise VerifierError("there is no such document", place=Place(str(path)), remedy="check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise VerifierError(
            f"the document cannot be read: {error}", place=Place(str(path)), remedy="save it as UTF-8"
        ) from None


def digests(text: str) -> frozenset[str]:
    """The hashes of all sentences of a text."""
    return frozenset(digest(s) for s in sentences(text))
