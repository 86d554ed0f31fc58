"""Claims about documents: the model of a claim, its file format, how each is established, what comes out.

What belongs here turns a statement into questions for `prove` and `readings`, and their answers into a verdict.
One way of establishing a claim is one file in `methods`. Loading and reporting import neither NumPy nor SymPy.
"""

from .claim import Claim, Document, Reading, Result
from .load import load

__all__ = ["Claim", "Document", "Reading", "Result", "load"]
