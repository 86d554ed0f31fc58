"""Annotated array code, proved for every size or refuted by the smallest sizes at which it breaks.

What belongs here turns a file into functions, functions into runs on symbolic sizes, failed runs into findings that
were replayed on real arrays. What an array operation is stands in `graph`; what is said about axes in `readings`.
"""
