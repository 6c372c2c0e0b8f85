"""Pass@k of one puzzle, from the ends of a model's attempts at it. Means over puzzles are the caller's.

Three numbers are told apart, because "pass@5" is used for each of them:

- *any*: whether one of the first k attempts passed;
- *mean*: the share of the first k attempts that passed, which is what AMAZE reports as PASS@5 [1]_;
- *unbiased*: the chance that k attempts drawn without replacement from all n hold one that passed [2]_.

References
----------
.. [1] "Probing Visual Planning in Image Editing Models" (AMAZE), section 3.1: each model is evaluated 5 times and the
   average is reported; PASS@1 is the first attempt.
.. [2] M. Chen et al., "Evaluating Large Language Models Trained on Code", 2021, equation 1.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class AttemptEnd(enum.Enum):
    """What is known of one attempt. UNKNOWN: a status, or no result yet; that says nothing about the model."""

    PASSED = "PASSED"
    NOT_PASSED = "NOT_PASSED"
    UNKNOWN = "UNKNOWN"


class Shortfall(enum.Enum):
    """Why a puzzle has no pass@k."""

    TOO_FEW = "fewer than k attempts"
    NO_VERDICT = "an attempt without a verdict"
    NO_NUMBERS = "attempts without numbers"


@dataclass(frozen=True)
class Attempts:
    """A model's attempts at one puzzle.

    Attributes
    ----------
    slots : the ends of attempts 1, 2, ... up to the highest number; a number below it that nothing has is an answer
        that the model did not give, so it is NOT_PASSED
    unnumbered : the ends of attempts whose number is not said; they have no order
    missing : how many of the slots nothing has
    repeated : how many attempts were left out because an earlier one has their number
    """

    slots: tuple[AttemptEnd, ...]
    unnumbered: tuple[AttemptEnd, ...] = ()
    missing: int = 0
    repeated: int = 0

    @property
    def given(self) -> int:
        """How many attempts there are, those that are missing left out."""
        return len(self.slots) - self.missing + len(self.unnumbered)

    @classmethod
    def gather(cls, numbered_ends: Iterable[tuple[int, AttemptEnd]]) -> Attempts:
        """Puts attempts into order.

        Parameters
        ----------
        numbered_ends : iterable of (number, end)
            Number from 1; 0 where it is not said. Of equal numbers the first counts.

        Raises
        ------
        ValueError
            If a number is negative.

        Examples
        --------
        >>> found = Attempts.gather([(3, AttemptEnd.PASSED), (1, AttemptEnd.NOT_PASSED), (3, AttemptEnd.NOT_PASSED)])
        >>> [end.value for end in found.slots], found.missing, found.repeated
        (['NOT_PASSED', 'NOT_PASSED', 'PASSED'], 1, 1)
        """
        first: dict[int, AttemptEnd] = {}
        unnumbered: list[AttemptEnd] = []
        repeated = 0
        for number, end in numbered_ends:
            if number < 0:
                raise ValueError(f"an attempt has the number {number}; numbers start from 1, and 0 means not said")
            if number == 0:
                unnumbered.append(end)
            elif number in first:
                repeated += 1
            else:
                first[number] = end
        highest = max(first, default=0)
        slots = tuple(first.get(number, AttemptEnd.NOT_PASSED) for number in range(1, highest + 1))
        return cls(slots, tuple(unnumbered), highest - len(first), repeated)


def first_k(attempts: Attempts, k: int) -> tuple[bool, ...] | Shortfall:
    """Whether each of the first k attempts passed, or why that can't be said.

    Attempts without numbers count only where the puzzle has no others and exactly k of them: then their order does not
    matter.

    Raises
    ------
    ValueError
        If k is not positive.
    """
    _check(k)
    if attempts.slots:
        if len(attempts.slots) < k:
            return Shortfall.TOO_FEW
        chosen: Sequence[AttemptEnd] = attempts.slots[:k]
    elif len(attempts.unnumbered) > k:
        return Shortfall.NO_NUMBERS
    elif len(attempts.unnumbered) < k:
        return Shortfall.TOO_FEW
    else:
        chosen = attempts.unnumbered
    if AttemptEnd.UNKNOWN in chosen:
        return Shortfall.NO_VERDICT
    return tuple(end is AttemptEnd.PASSED for end in chosen)


def unbiased(attempts: Attempts, k: int) -> float | Shortfall:
    """The unbiased estimate over all attempts with a verdict, numbered or not; needs k of them at least."""
    _check(k)
    known = [end for end in (*attempts.slots, *attempts.unnumbered) if end is not AttemptEnd.UNKNOWN]
    if len(known) < k:
        short = len(attempts.slots) + len(attempts.unnumbered) < k
        return Shortfall.TOO_FEW if short else Shortfall.NO_VERDICT
    return pass_at_k_unbiased(len(known), known.count(AttemptEnd.PASSED), k)


def pass_at_k_unbiased(n: int, c: int, k: int) -> float:
    """1 - C(n-c, k) / C(n, k) [2]_: the chance that k of n attempts, c of which passed, hold one that did.

    The fraction is the product of 1 - c/(n-j) for j from 0 to k-1, so no large binomials are formed; its logarithm is
    summed, so that small results keep their digits.

    Raises
    ------
    ValueError
        Unless 0 <= c <= n and 1 <= k <= n.

    Examples
    --------
    >>> pass_at_k_unbiased(5, 1, 5), round(pass_at_k_unbiased(5, 2, 2), 3)
    (1.0, 0.7)
    """
    _check(k)
    if not 0 <= c <= n or k > n:
        raise ValueError(f"pass@k needs 0 <= c <= n and k <= n; n is {n}, c is {c}, k is {k}")
    if c == 0:
        return 0.0
    if n - c < k:
        return 1.0
    # C(n-c, k) / C(n, k) is the same with c and k exchanged; the shorter product is taken.
    drawn, other = min(c, k), max(c, k)
    return -math.expm1(math.fsum(math.log1p(-other / (n - j)) for j in range(drawn)))


def _check(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; pass@k needs a positive k")
