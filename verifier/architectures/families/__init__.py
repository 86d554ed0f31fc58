"""One file a model family: which `model_type`s it builds, and how its fields become parts.

What belongs here reads fields and names tensors. Sizes are never computed a second way: shapes and FLOPs are the
kernels'. Field names, defaults and tensor names are those of transformers 5.24.
"""
