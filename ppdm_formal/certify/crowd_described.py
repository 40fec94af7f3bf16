"""An operator as a crowd shows it: by all its rows, or in closed form by pairs, or columns of bits.

What must be compared follows from it: two inputs, or mixtures of inputs under a prior, in the order
in which the checker derives them as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from ppdm_formal.certify.canonical import rows_json
from ppdm_formal.certify.crowd_family import OthersFamily
from ppdm_formal.certify.finding import NoCase
from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.pair import CrowdColumns, CrowdPair
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.repeated import AlikeRows

MAX_KINDS = 1_000_000
"""So many kinds of outputs of all pairs of inputs are compared."""

Kind: TypeAlias = tuple[Any, ...]
Way: TypeAlias = Literal["upward", "downward"]


@dataclass(frozen=True)
class Compared:
    """Two inputs or mixtures, by kinds of outputs (p, q, others at least), and how it is named.

    gain: what the odds of the first against the second are multiplied by in a breach. two: whether
    the kinds are two single outputs. columns: in place of kinds, where sums of bits are seen.
    """

    kinds: tuple[Kind, ...]
    place: Any
    gain: Any = None
    two: bool = False
    columns: CrowdColumns | None = None


@dataclass(frozen=True)
class CrowdDescribed:
    """Rows, each with its masses by column; or pairs; or columns of bits that are added up."""

    operator: Operator
    claim: BreachClaim | BoundClaim
    rows: AlikeRows | None
    pairs: tuple[CrowdPair, ...]
    columns: CrowdColumns | None = None

    @classmethod
    def of(cls, operator: Operator, claim: BreachClaim | BoundClaim) -> CrowdDescribed:
        """In closed form where the law knows one and the claim asks of any inputs alike."""
        crowd = claim.crowd
        assert crowd is not None
        prior = _prior(claim)
        asks_all = prior is None and not claim.properties
        columns = None
        if asks_all and crowd.how == "summing" and not isinstance(crowd.others, PriorFamily):
            columns = operator.law.crowd_columns()
        if columns is not None:  # whatever values the others have
            cls._check_domains(operator, prior, crowd.others)
            return cls(operator, claim, None, (), columns)
        plain = asks_all and crowd.others is None
        if plain and operator.law.written_out() is None:
            pairs = operator.law.crowd_pairs()
            if pairs is not None:
                return cls(operator, claim, None, pairs)
        cls._check_domains(operator, prior, crowd.others)
        others: Any = None
        if isinstance(crowd.others, PriorFamily):
            others = crowd.others.labels(operator.inputs)
        elif crowd.others is not None:
            aligned = crowd.others.aligned(operator.inputs)
            others = (aligned.codes, aligned.palette)
        rows = AlikeRows.of(operator, prior, claim.properties, others)
        size = len(rows.rows) ** 2 * len(rows.columns)
        if size > MAX_KINDS:
            raise TooLarge(
                f"{len(rows.rows):,} unlike inputs and {len(rows.columns):,} unlike outputs: "
                f"among a crowd {size:,} kinds would be compared, and at most {MAX_KINDS:,} are"
            )
        return cls(operator, claim, rows, ())

    @staticmethod
    def _check_domains(operator: Operator, *priors: Any) -> None:
        for one in priors:
            if isinstance(one, Prior) and not one.domain.same_members(operator.inputs):
                raise ValueError(f"{one.name} is on {one.domain}, not on {operator.inputs}")

    @property
    def histogram(self) -> bool:
        """Whether the histogram of all reports is seen: sums of one-hot reports are that."""
        crowd = self.claim.crowd
        assert crowd is not None
        return self.columns is None and (crowd.how == "shuffling" or one_hot(self.operator))

    def masses(self, row: int) -> list[Any]:
        """How likely each kind of output is from the inputs of a row."""
        assert self.rows is not None
        columns = self.rows.columns
        return [many * value for (many, _), value in zip(columns, self.rows.rows[row], strict=True)]

    @cached_property
    def family(self) -> OthersFamily | None:
        """What the others' values are drawn from, where that is a family of priors."""
        assert self.claim.crowd is not None
        family, rows = self.claim.crowd.others, self.rows
        if not isinstance(family, PriorFamily) or rows is None:
            return None
        every = [self.masses(row) for row in range(len(rows.rows))]
        members: Any = tuple(meaning[2] for meaning in rows.meanings)
        return OthersFamily(family, members, tuple(zip(*every, strict=True)))

    def others(self) -> list[Any]:
        """How likely each kind of output is from one of the others, at least."""
        assert self.rows is not None
        assert self.claim.crowd is not None
        every = [self.masses(row) for row in range(len(self.rows.rows))]
        if self.claim.crowd.others is None:
            return [min(column) for column in zip(*every, strict=True)]
        if self.family is not None:
            return self.family.least
        shares = [
            count * _number(meaning[2])
            for count, meaning in zip(self.rows.counts, self.rows.meanings, strict=True)
        ]
        return [_mean(shares, column) for column in zip(*every, strict=True)]

    def compared(self) -> list[Compared]:
        """All that must be bounded, what is alike once."""
        found: dict[Any, Compared] = {}
        for one in self._all():
            alike = frozenset(Counter(kind[:3] for kind in one.kinds).items())
            key = (alike, one.gain, one.columns)
            found.setdefault(key, one)
        return list(found.values())

    def _all(self) -> Iterator[Compared]:
        claim = self.claim
        gain = claimed_gain(claim) if isinstance(claim, BreachClaim) else None
        if self.columns is not None:
            of = self.columns
            yield Compared((), [0, False], gain, columns=of)
            if of.ahead != of.behind:
                turned = replace(of, ahead=of.behind, behind=of.ahead)
                yield Compared((), [0, True], gain, columns=turned)
            return
        single = self.operator.outputs.size == 2
        if self.rows is None:
            for number, pair in enumerate(self.pairs):
                for swapped, (one, two) in enumerate(((0, 1), (1, 0))):
                    kinds = tuple((k[one], k[two], *k[2:]) for k in pair.kinds)
                    yield Compared(kinds, [number, bool(swapped)], gain, single)
            return
        single = len(self.rows.columns) == 2
        others = self.others()
        every = [self.masses(row) for row in range(len(self.rows.rows))]
        if isinstance(claim, BreachClaim) and claim.under is not None and claim.about is not None:
            for way, (inside, outside, own) in self.mixtures(self._having()).items():
                kinds = tuple(zip(inside, outside, others, strict=True))
                yield Compared(kinds, [way, None], own, single)
            return
        for i, first in enumerate(every):
            for j, second in enumerate(every):
                if i != j and self._asked(i, j):
                    kinds = tuple(zip(first, second, others, strict=True))
                    yield Compared(kinds, [i, j], gain, single)

    def no_case(self) -> NoCase | None:
        """Why no case can test a breach claim: no belief is where it starts; None where one is."""
        claim = self.claim
        if not isinstance(claim, BreachClaim):
            return None
        if claim.under is None:
            known = self.operator.inputs.size > 1
            if claim.about is not None:
                assert self.rows is not None
                known = 0 < len(self._having()) < len(self.rows.rows)
            return None if known else NoCase.CERTAIN
        assert self.rows is not None
        beliefs = [meaning[0] for meaning in self.rows.meanings if meaning[0]]
        if claim.about is not None:
            having, weighed = self._having(), zip(self.rows.counts, self.rows.meanings, strict=True)
            masses = [count * _number(meaning[0]) for count, meaning in weighed]
            beliefs = [sum((masses[row] for row in having), ZERO)]
        starts = [claim.rho1] if claim.direction != "downward" else []
        if claim.about is None:
            # Whatever is as likely as rho2 leaves 1 - rho2 to its opposite, which is a property.
            starts += [1 - claim.rho2] if claim.direction != "upward" else []
            tested = any(belief <= start for belief in beliefs for start in starts)
            certain = len(beliefs) == 1 and beliefs[0] == 1
        else:
            [belief] = beliefs
            falls = claim.direction != "upward" and claim.rho2 <= belief < 1
            tested = falls or any(0 < belief <= start for start in starts)
            certain = belief in (0, 1)
        if tested:
            return None
        return NoCase.CERTAIN if certain else NoCase.ELSEWHERE

    def examples(self, place: Any, other: Any) -> tuple[Value | None, ...]:
        """What a witness names, by example: an input, the other one, and the value of all others.

        Of a mixture under a prior the first is an input of the property, where the claim has none.
        """
        if self.columns is not None:
            of, inputs = self.columns, self.operator.inputs
            chosen = {"first": of.first, "second": of.second, "third": of.third}
            one, two = inputs[of.first], inputs[of.second]
            if place[1]:
                chosen |= {"first": of.second, "second": of.first}
                one, two = two, one
            return one, two, inputs[chosen[other]]
        if self.rows is None:
            pair, inputs = self.pairs[place[0]], self.operator.inputs
            one, two = inputs[pair.first], inputs[pair.second]
            alike = None if pair.other is None else inputs[pair.other]
            if place[1]:
                one, two = two, one
            return one, two, {"first": one, "second": two}.get(other, alike)
        shown = self.rows.examples
        alike = shown[other] if isinstance(other, int) else None
        if isinstance(place[0], str):
            return (None if place[1] is None else shown[place[1]], None, alike)
        return shown[place[0]], shown[place[1]], alike

    def _having(self) -> list[int]:
        """The rows of inputs that have the claim's property."""
        assert self.rows is not None
        return [row for row, meaning in enumerate(self.rows.meanings) if meaning[1][0]]

    def _asked(self, first: int, second: int) -> bool:
        claim = self.claim
        if not isinstance(claim, BreachClaim) or claim.about is None:
            return True
        having = self._having()
        both = (first in having, second in having)
        return (both == (True, False) and claim.direction != "downward") or (
            both == (False, True) and claim.direction != "upward"
        )

    def mixtures(self, chosen: list[int]) -> dict[Way, tuple[list[Any], list[Any], Any]]:
        """Inputs of some rows against all others under the prior, with their gain, by direction."""
        claim, rows = self.claim, self.rows
        assert isinstance(claim, BreachClaim)
        assert rows is not None
        inside, outside = (
            self._mixture([row for row in range(len(rows.rows)) if (row in chosen) == member])
            for member in (True, False)
        )
        whole, found = inside[0], {}
        if claim.direction != "downward" and 0 < whole <= claim.rho1:
            gain = claim.rho2 * (1 - whole) / (whole * (1 - claim.rho2))
            found["upward"] = (inside[1], outside[1], gain)
        if claim.direction != "upward" and claim.rho2 <= whole < 1:
            gain = (1 - claim.rho1) * whole / (claim.rho1 * (1 - whole))
            found["downward"] = (outside[1], inside[1], gain)
        return found  # type: ignore[return-value]

    def _mixture(self, chosen: list[int]) -> tuple[Any, list[Any]]:
        assert self.rows is not None
        held = [
            (self.rows.counts[row] * _number(self.rows.meanings[row][0]), self.masses(row))
            for row in chosen
            if self.rows.meanings[row][0]
        ]
        whole = sum((share for share, _ in held), ZERO)
        columns = zip(*(masses for _, masses in held), strict=True)
        return whole, [_mean([share for share, _ in held], column) / whole for column in columns]

    def to_json(self) -> dict[str, Any]:
        """As a certificate describes it."""
        operator, crowd = self.operator, self.claim.crowd
        assert crowd is not None
        document: dict[str, Any] = {
            "kind": "crowd",
            "name": operator.name,
            "inputs": count_json(operator.inputs.size),
            "outputs": count_json(operator.outputs.size),
            "assumes": crowd.assumption,
        }
        if self.columns is not None:
            return document | {"bits": self._columns_json(self.columns)}
        if crowd.how == "summing" and self.histogram:
            document["sums"] = "one-hot"
        if self.rows is None:
            return document | {"pairs": [self._pair_json(pair) for pair in self.pairs]}
        shown = rows_json(self.rows, "others")
        for row in shown["rows"]:
            if "member" in row:  # of the only property that such a claim names
                [row["member"]] = row["member"]
        if self.family is not None:
            document["family"] = self.family.to_json()
        return document | shown

    def _columns_json(self, of: CrowdColumns) -> dict[str, Any]:
        inputs = self.operator.inputs
        return {
            "held": number_text(of.held),
            "lacking": number_text(of.lacking),
            "ahead": of.ahead,
            "behind": of.behind,
            "inputs": [value_json(inputs[of.first]), value_json(inputs[of.second])],
            "third": None if of.third is None else value_json(inputs[of.third]),
        }

    def _pair_json(self, pair: CrowdPair) -> dict[str, Any]:
        inputs = self.operator.inputs
        document: dict[str, Any] = {
            "inputs": [value_json(inputs[pair.first]), value_json(inputs[pair.second])],
            "kinds": [[number_text(number) for number in kind] for kind in pair.kinds],
        }
        if pair.other is not None:
            document["other"] = value_json(inputs[pair.other])
        return document


def one_hot(operator: Operator) -> bool:
    """Whether reports are no sets: their columns are then the outputs, one of them 1 in each."""
    outputs = operator.outputs
    if outputs.subsets is not None:
        return False
    return outputs.integers is not None or not any(isinstance(y, frozenset) for y in outputs)


def _prior(claim: BreachClaim | BoundClaim) -> Prior | None:
    if isinstance(claim, BreachClaim):
        return claim.under if isinstance(claim.under, Prior) else None
    return claim.prior


def _number(value: Any) -> Any:
    return value


def _mean(shares: Any, column: Any) -> Any:
    return sum((share * mass for share, mass in zip(shares, column, strict=True)), ZERO)


def claimed_gain(claim: BreachClaim) -> Any:
    """What odds are multiplied by between rho1 and rho2."""
    return claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))
