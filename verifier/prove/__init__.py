"""Deciding: equality, order, divisibility, limits, moments -> an answer with a certificate.

What belongs here searches, proves or refutes; what merely represents is in `dims` and `terms`. SymPy is imported
inside the functions that need it, so that deciding sizes while code runs does not load it. `recheck` is the
second evaluator and never imports SymPy.
"""
