"""Patches tile the image.

Why: a rest at the edge that fills no patch is dropped; a patch larger than the image leaves nothing. It is the
condition of the kernel `patch_embedding`.

Fix: an image size that is a multiple of the patch size.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..architectures.counting import broken_conditions
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG029"
SEVERITY = Severity.WARNING
FIELDS = ("image_size", "patch_size")
GOOD = {"model_type": "vit", "image_size": 32, "patch_size": 8}
BAD = {"model_type": "vit", "image_size": 30, "patch_size": 8}


def check(v: View) -> Iterator[Finding]:
    image, patch = v.size("image_size"), v.size("patch_size")
    if image is None or patch is None or not (v.was_read("patch_size") or v.was_read("image_size")):
        return
    sizes = {"height": image, "width": image, "p": patch, "q": patch, "c": 1, "d_model": 1}
    if broken_conditions("patch_embedding", sizes):
        i, p = v.name("image_size"), v.name("patch_size")
        message = f"{p} = {patch} does not divide {i} = {image}: {image % patch} pixels at the edge are dropped"
        severity = Severity.ERROR if patch > image else None
        if patch > image:
            message = f"{p} = {patch} is larger than {i} = {image}: there is no patch"
        yield finding(
            message, [i, p], f"{i} = {max(image // patch, 1) * patch} or {(image // patch + 1) * patch}", severity
        )
