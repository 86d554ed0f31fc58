"""Numbers modulo a large random prime, with exponentials: identities are tried at inputs of 40 random bits.

Law: exp(x) with x = Σ k_r/N·√r (r square-free, k_r whole) is the product of e^(√r/N) to the powers k_r, and the numbers
e^(√r/N) are algebraically independent (Lindemann-Weierstrass). So each may be replaced by a random residue: a sum of
products of exponentials that is not 0 stays different from 0 with a probability of at least 1 - degree/prime
(Schwartz-Zippel). The prime is 1 modulo 4 and modulo small primes, so that the roots of sizes exist as well.

What is compared (the maximum of a row, a mask's -inf) is compared exactly, by the number itself, which is kept until
an exponential is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, wraps
from math import isfinite, lcm, prod
from random import SystemRandom
from typing import Any

from .exact import Algebraic, Inexact, algebraic, multiplied, rational, root_of

BITS = 320
"""Size of the prime: exponents of 40-bit inputs have about 200 bits, and must stay far below it."""
INPUT_BITS = 40
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23)
WHOLE = lcm(*range(1, 25)) ** 2
"""Exponents may have the denominators that divide this number: a size, times what a root leaves below."""
LARGEST_ROOT = 10**6
DIGITS = 200
RANDOM = SystemRandom()
"""Not seeded: a statement that is made for known inputs and a known prime must not pass."""


class Field:
    """A random prime, roots of small primes modulo it, and random residues in the place of e^(√r/N)."""

    def __init__(self) -> None:
        self.prime = _random_prime()
        self._roots = {p: _square_root(p, self.prime) for p in SMALL_PRIMES}
        self._bases: dict[int, int] = {}

    def root(self, r: int) -> int:
        """√r for a square-free product of small primes."""
        found = 1
        for p, root in self._roots.items():
            if r % p == 0:
                r //= p
                found = found * root % self.prime
        if r != 1:
            raise Inexact(f"the root of a number with the factor {r}")
        return found

    def exponential(self, exponent: Algebraic) -> int:
        found = 1
        for r, q in exponent:
            steps = q * WHOLE
            if steps.denominator != 1:
                raise Inexact(f"an exponent with the denominator {q.denominator}")
            base = self._bases.setdefault(r, RANDOM.randrange(2, self.prime - 1))
            found = found * pow(base, steps.numerator, self.prime) % self.prime
        return found

    def of(self, value: Any) -> Residue:
        """A number of this field.

        Raises:
            Inexact: it is none, or not finite.
        """
        if type(value) is Residue:
            return value
        if hasattr(value, "item"):
            value = value.item()
        if isinstance(value, Residue):
            return value
        number = rational(value)
        return Residue(self, number.numerator if number.denominator == 1 else ((1, number),))

    def draw(self, least: int = -(2**INPUT_BITS)) -> Residue:
        """A random whole number of 40 bits."""
        return Residue(self, RANDOM.randrange(least, 2**INPUT_BITS))


@lru_cache(maxsize=1)
def field() -> Field:
    """One random field for a process."""
    return Field()


def _left_to_arrays(operation: Callable[[Residue, Any], Any]) -> Callable[[Residue, Any], Any]:
    """An array on the other side takes each of its elements itself; -inf, which masks use, stays what it is."""

    @wraps(operation)
    def operator(self: Residue, other: Any) -> Any:
        if type(other) is not Residue:
            if getattr(other, "ndim", 0):
                return NotImplemented
            if isinstance(other, float) and not isfinite(other):
                return _beside_infinity(operation.__name__, other)
            other = self.field.of(other)
        return operation(self, other)

    return operator


def _beside_infinity(operation: str, infinity: float) -> Any:
    match operation:
        case "__add__" | "__radd__" | "__rsub__":
            return infinity
        case "__sub__":
            return -infinity
        case "__lt__" | "__le__":
            return infinity > 0
        case "__gt__" | "__ge__":
            return infinity < 0
        case "__eq__":
            return False
        case _:
            raise Inexact(f"{operation} with an infinity")


class Residue:
    """One number: exactly, as long as it holds no exponential, and modulo the prime."""

    __slots__ = ("_number", "exact", "field")

    def __init__(self, of: Field, exact: int | Algebraic | None, number: int | None = None) -> None:
        self.field = of
        self.exact = exact
        self._number = number

    @property
    def number(self) -> int:
        """The residue."""
        if self._number is None:
            prime = self.field.prime
            exact = self.exact if isinstance(self.exact, tuple) else ((1, Fraction(self.exact or 0)),)
            total = 0
            for r, q in exact:
                total += self.field.root(r) * q.numerator * pow(q.denominator, -1, prime)
            self._number = total % prime
        return self._number

    def __bool__(self) -> bool:
        return self.number != 0

    def __hash__(self) -> int:
        raise TypeError("numbers modulo a prime are compared, not hashed")

    @_left_to_arrays
    def __add__(self, other: Any) -> Any:
        a, b = self.exact, other.exact
        if a is None or b is None:
            return Residue(self.field, None, (self.number + other.number) % self.field.prime)
        if isinstance(a, int) and isinstance(b, int):
            return Residue(self.field, a + b)
        return Residue(self.field, algebraic((*_parts(a), *_parts(b))))

    @_left_to_arrays
    def __mul__(self, other: Any) -> Any:
        a, b = self.exact, other.exact
        if a == 0 or b == 0:
            return Residue(self.field, 0)
        if a is None or b is None:
            return Residue(self.field, None, self.number * other.number % self.field.prime)
        if isinstance(a, int) and isinstance(b, int):
            return Residue(self.field, a * b)
        return Residue(self.field, multiplied(_parts(a), _parts(b)))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Residue:
        return self * Residue(self.field, -1)

    @_left_to_arrays
    def __sub__(self, other: Any) -> Any:
        return self + -other

    @_left_to_arrays
    def __rsub__(self, other: Any) -> Any:
        return other + -self

    @_left_to_arrays
    def __truediv__(self, other: Any) -> Any:
        return self * other.inverse()

    @_left_to_arrays
    def __rtruediv__(self, other: Any) -> Any:
        return other * self.inverse()

    def inverse(self) -> Residue:
        """1 over this number.

        Raises:
            ZeroDivisionError: it is 0.
        """
        if not self:
            raise ZeroDivisionError("division by an exact 0")
        parts = None if self.exact is None else _parts(self.exact)
        if parts is not None and len(parts) == 1:
            ((r, q),) = parts
            return Residue(self.field, ((r, 1 / (q * r)),))
        return Residue(self.field, None, pow(self.number, -1, self.field.prime))

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int):
            raise Inexact(f"the power {power!r}")
        base = self if power >= 0 else self.inverse()
        return prod([base] * abs(power), start=Residue(self.field, 1))

    @_left_to_arrays
    def __eq__(self, other: object) -> Any:
        return self.number == self.field.of(other).number

    @_left_to_arrays
    def __lt__(self, other: Any) -> Any:
        return (self - other).sign < 0

    @_left_to_arrays
    def __le__(self, other: Any) -> Any:
        return (self - other).sign <= 0

    @_left_to_arrays
    def __gt__(self, other: Any) -> Any:
        return (self - other).sign > 0

    @_left_to_arrays
    def __ge__(self, other: Any) -> Any:
        return (self - other).sign >= 0

    def __abs__(self) -> Residue:
        return -self if self.sign < 0 else self

    @property
    def sign(self) -> int:
        """-1, 0 or 1.

        Raises:
            Inexact: there is an exponential in it, or its digits do not show the sign.
        """
        if self.exact is None:
            raise Inexact("residues have no order")
        parts = _parts(self.exact)
        if not parts:
            return 0
        if len(parts) == 1:
            return 1 if parts[0][1] > 0 else -1
        with localcontext() as context:
            context.prec = DIGITS
            terms = [Decimal(q.numerator) / q.denominator * Decimal(r).sqrt() for r, q in parts]
            total, size = sum(terms), sum(map(abs, terms))
            if abs(total) < size * Decimal(10) ** (20 - DIGITS):
                raise Inexact("too near to 0 to tell its sign")
        return 1 if total > 0 else -1

    def exp(self) -> Residue:
        """e to this power, which must have no exponential in it."""
        if self.exact is None:
            raise Inexact("an exponential of an exponential")
        parts = _parts(self.exact)
        return Residue(self.field, None, self.field.exponential(parts)) if parts else Residue(self.field, 1)

    def sqrt(self) -> Residue:
        """The root of a rational number."""
        parts = None if self.exact is None else _parts(self.exact)
        if parts == ():
            return self
        if parts is None or len(parts) != 1 or parts[0][0] != 1:
            raise Inexact("the root of what is no rational number")
        q = parts[0][1]
        if q.numerator * q.denominator > LARGEST_ROOT:
            raise Inexact("the root of a large number")
        return Residue(self.field, root_of(q))

    def __repr__(self) -> str:
        return f"Residue({self.exact if self.exact is not None else self.number})"


def _parts(exact: int | Algebraic) -> Algebraic:
    if isinstance(exact, int):
        return ((1, Fraction(exact)),) if exact else ()
    return exact


def _random_prime() -> int:
    step = 8 * prod(SMALL_PRIMES[1:])
    while True:
        candidate = RANDOM.getrandbits(BITS) // step * step + 1
        if candidate.bit_length() >= BITS - 1 and _is_prime(candidate):
            return candidate


def _is_prime(number: int, rounds: int = 40) -> bool:
    """Miller and Rabin's test: a composite passes with a probability below 4**-rounds."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(rounds):
        power = pow(RANDOM.randrange(2, number - 1), odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def _square_root(value: int, prime: int) -> int:
    """Tonelli and Shanks: a root of the value modulo the prime, of which it must be a square."""
    odd, twos = prime - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    other = next(z for z in range(2, 10**6) if pow(z, (prime - 1) // 2, prime) == prime - 1)
    rest, step = pow(value, odd, prime), pow(other, odd, prime)
    root = pow(value, (odd + 1) // 2, prime)
    while rest != 1:
        order, power = 0, rest
        while power != 1:
            power, order = power * power % prime, order + 1
        factor = pow(step, 1 << (twos - order - 1), prime)
        twos, step = order, factor * factor % prime
        rest, root = rest * step % prime, root * factor % prime
    return root
