"""Arrays whose annotations name no axes (`x: torch.Tensor`): shapes under which a function never fails are inferred.

`hints` tells which parameters are such arrays; `supposed` holds what is supposed of their shapes; `infer` finds shapes
worth a proof by running the code along one path; `ties` says which equations of sizes are a contract and which a
mistake; `contract` is the outcome as data. Nothing is believed that `infer` finds: `judging` proves each shape as if an
annotation had said it.
"""
