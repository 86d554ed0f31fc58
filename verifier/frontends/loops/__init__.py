"""Loops over as many items as a size says, run once for all counts.

The first iteration is run as it is. The second one stands for every further one: its index is a fresh symbol, and what
earlier iterations may have changed is forgotten down to shapes and element types. Where the state after it has the
shapes that it had before, induction says that each further iteration keeps them, whatever the count.

What cannot be said so (a `break`, a size that grows from iteration to iteration, a list of unequal parts) is refused by
`NeedsConcreteSize`, and the loop is run up to a bound as any other demand for a number.
"""
