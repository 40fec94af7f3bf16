"""EGS03: a downward breach is an upward one of the opposite property; background knowledge.

Both are about four masses: a = P[Q], b = P[not Q] and their parts A, B that come with Y = y.
Background knowledge Z that is independent of Y given X changes nothing but the prior:
P[x | y, z] is proportional to P[x | z] p[x -> y], so that Statement 1 applies to P[. | z].
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import sympy

from ppdm_formal import BreachClaim
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.statement import (
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    PaperFinding,
    Statement,
    check_all,
    derive,
    prove_identities,
    reals,
    refute,
    replay_breach,
    together,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

from .statement_1 import SCOPE, decide_statement

a, b, A, B, r1, r2 = reals("a b A B rho1 rho2")
TOTAL = a + b == 1
HALVES = {
    Lemma("likely before, so its opposite unlikely", (TOTAL, a >= r2), b <= 1 - r2): (
        DerivationStep((1,)),
        DerivationStep((0,), coefficient=1),
    ),
    Lemma(
        "unlikely after, so its opposite likely", (A <= r1 * (A + B),), B >= (1 - r1) * (A + B)
    ): (DerivationStep((0,)),),
    Lemma("opposite unlikely before, so it likely", (TOTAL, b <= 1 - r2), a >= r2): (
        DerivationStep((1,)),
        DerivationStep((0,), coefficient=-1),
    ),
    Lemma("opposite likely after, so it unlikely", (B >= (1 - r1) * (A + B),), A <= r1 * (A + B)): (
        DerivationStep((0,)),
    ),
}


OPERATOR = ((3, 1), (2, 2), (1, 3))  # quarters: p[x -> y] of three inputs
BACKGROUND = ((4, 0), (2, 2), (1, 3))  # quarters: P[z | x]
NOTHING = ((1,), (1,), (1,))  # a background that says nothing
BEFORE = (1, 2, 1)  # quarters: P[x]
PROPERTIES = [chosen for size in (1, 2) for chosen in itertools.combinations(range(3), size)]
Pair = tuple[Fraction, Fraction]


def _changes(members: Sequence[int], background: Sequence[Sequence[int]]) -> list[Pair]:
    """P[Q | z] and P[Q | y, z] for all y and z, by listing P[x, y, z] = P[x] P[y | x] P[z | x]."""
    found = []
    for y, z in itertools.product(range(2), range(len(background[0]))):
        known = [BEFORE[x] * background[x][z] for x in range(3)]
        both = [weight * OPERATOR[x][y] for x, weight in enumerate(known)]
        found.append(
            tuple(Fraction(sum(part[x] for x in members), sum(part)) for part in (known, both))
        )
    return found  # type: ignore[return-value]


def _breached(changes: Iterable[Pair], low: Fraction, high: Fraction) -> tuple[bool, bool]:
    """Whether there is an upward breach from low to high, and a downward one from high to low."""
    pairs = list(changes)
    return (
        any(before <= low and after >= high for before, after in pairs),
        any(before >= high and after <= low for before, after in pairs),
    )


def _levels(changes: Iterable[Pair]) -> Iterator[Pair]:
    """Levels at which something happens: all probabilities that occur, in pairs."""
    ends = sorted({end for pair in changes for end in pair if 0 < end < 1})
    return itertools.combinations(ends, 2)


def _verdict(claim: BreachClaim) -> bool:
    """Whether the certifier finds a breach."""
    return certify(_operator(OPERATOR), claim).verdict is Verdict.BREACHED


def _operator(rows: Sequence[Sequence[int]]) -> Operator:
    return Operator.from_matrix([[Fraction(part, sum(row)) for part in row] for row in rows])


def _prior() -> Prior:
    inputs = _operator(OPERATOR).inputs
    return Prior.of(inputs, {x: Fraction(part, 4) for x, part in enumerate(BEFORE)})


def _directions_differ(members: tuple[int, ...]) -> Mapping[str, object] | None:
    """A property and its opposite: all listed, and by the certifier, alone and among all."""
    prior, changes = _prior(), _changes(members, NOTHING)
    about = Property.of(prior.domain, members)
    for low, high in _levels(changes):
        listed = _breached(changes, low, high)
        mirrored = BreachClaim(1 - high, 1 - low, "upward", prior, about.complement())
        ours = (
            _verdict(BreachClaim(low, high, "upward", prior, about)),
            _verdict(BreachClaim(low, high, "downward", prior, about)),
        )
        some = any(_breached(_changes(other, NOTHING), low, high)[0] for other in PROPERTIES)
        every = _verdict(BreachClaim(low, high, "upward", prior))
        if not (ours == listed and ours[1] == _verdict(mirrored) and every == some):
            return {"property": str(members), "rho1": str(low), "rho2": str(high)}
    return None


def decide_directions(deadline: Deadline) -> Outcome:
    """Each inequality of one breach is one of the other; condition (3) is the same for both."""
    tried = check_all(PROPERTIES, _directions_differ, "", deadline)
    if tried.kind != "checked":
        return tried
    low, high = sympy.symbols("rho1 rho2")

    def bound(first: object, second: object) -> object:
        return second * (1 - first) / (first * (1 - second))  # type: ignore[operator]

    same = {"condition (3)": (bound(1 - high, 1 - low), bound(low, high))}
    return together((derive(HALVES), prove_identities(same, deadline)), scope=SCOPE)


def refute_same_levels(deadline: Deadline) -> Outcome:
    """With rho1 and rho2 kept: an upward breach of Q need not be a downward one of not Q."""
    masses = (a >= 0, b >= 0, TOTAL, A >= 0, B >= 0, A <= a, B <= b, A + B > 0, r1 > 0, r1 < r2)
    upward = (a <= r1, A >= r2 * (A + B), r2 < 1)
    weaker = Lemma("levels kept", (*masses, *upward), (b >= r2) & (B <= r1 * (A + B)))
    return refute(weaker, deadline, _only_upward)


def _only_upward(values: Mapping[str, Fraction], deadline: Deadline) -> Outcome:
    """The masses as an operator on two inputs: it breaches upward at these levels."""
    rows = [
        [values[part] / values[whole] if values[whole] else Fraction(0)]
        for whole, part in (("a", "A"), ("b", "B"))
    ]
    claim = BreachClaim(values["rho1"], values["rho2"], "upward")
    full = [[row[0], 1 - row[0]] for row in rows]
    return replay_breach(full, claim, Verdict.BREACHED, deadline)


def _knowing_differs(members: tuple[int, ...]) -> Mapping[str, object] | None:
    """A property where the server knows Z: all listed, and by the certifier."""
    prior, changes = _prior(), _changes(members, BACKGROUND)
    about, known = Property.of(prior.domain, members), _operator(BACKGROUND)
    for low, high in _levels(changes):
        claim = BreachClaim(low, high, under=prior, about=about, knowing=known)
        if _verdict(claim) != any(_breached(changes, low, high)):
            return {"property": str(members), "rho1": str(low), "rho2": str(high)}
    return None


def decide_knowledge(deadline: Deadline) -> Outcome:
    """The identity, Statement 1, and the certifier's own "knowing" against all cases."""
    tried = check_all(PROPERTIES, _knowing_differs, "", deadline)
    if tried.kind != "checked":
        return tried
    before, likely, knows, of_z, of_y = sympy.symbols("P_x p_xy P_z_x P_z P_y_z", positive=True)
    after_z = before * knows / of_z
    identity = prove_identities(
        {
            "P[x | y, z] = P[x | z] p[x -> y] / P[y | z]": (
                before * knows * likely / (of_z * of_y),
                after_z * likely / of_y,
            )
        },
        deadline,
    )
    finding = PaperFinding(
        "ambiguous",
        "4.1, background knowledge",
        "the background information is independent from the randomization operator.",
        "Z must be independent of Y given X: it may depend on x in any way, but not on R's coins.",
        "X a fair bit, R(x) = x + N mod 2 with a fair coin N: amplification 1. Z = N is "
        "independent of X, and of Y, yet Y and Z together give X away (all cases listed).",
    )
    proof = together((identity, decide_statement(deadline)), scope=SCOPE)
    return Outcome(
        proof.kind, proof.detail, proof.scope, proof.means, None, proof.trust, findings=(finding,)
    )


def refute_shared_coins(deadline: Deadline) -> Outcome:
    """Z = the coin of R itself: P[X = 0] goes from 1/2 to 1 although the amplification is 1."""

    def fails(seen: tuple[int, int]) -> Mapping[str, object] | None:
        y, z = seen
        worlds = [(x, n) for x, n in itertools.product((0, 1), repeat=2)]
        given_z = [x for x, n in worlds if n == z]
        given_both = [x for x, n in worlds if n == z and (x + n) % 2 == y]
        before = Fraction(given_z.count(0), len(given_z))
        after = Fraction(given_both.count(0), len(given_both))
        if before <= Fraction(1, 2) and after == 1:
            return {"y": str(y), "z": str(z), "P[X = 0 | z]": str(before), "P[X = 0 | y, z]": "1"}
        return None

    return check_all(itertools.product((0, 1), repeat=2), fails, "", deadline)


STATEMENTS = (
    Statement(
        "egs03/definition_1_directions",
        "EGS03",
        "Definition 2, second form",
        "A downward rho2-to-rho1 breach with respect to Q is an upward breach from 1 - rho2 to "
        "1 - rho1 with respect to not Q, and the other way round; condition (3) is the same.",
        ("0 < rho1 < rho2 < 1",),
        decide_directions,
        (Neighbour("the same with rho1 and rho2 kept", refute_same_levels),),
        section="3",
        formulas=(
            r"\mathbf{P}[\neg Q(X)] \le 1 - \rho_2, \quad "
            r"\mathbf{P}[\neg Q(X) \mid Y = y] \ge 1 - \rho_1",
        ),
        uses=("egs03/definition_1", "egs03/definition_2"),
    ),
    Statement(
        "egs03/background_knowledge",
        "EGS03",
        "Background knowledge",
        "Statement 1 holds as well where the server knows Z = z before and after it sees y.",
        ("Z is independent of R(X) given X", "condition (3) for an amplification of gamma"),
        decide_knowledge,
        (Neighbour("Z may share coins with R", refute_shared_coins),),
        section="4.1",
        formulas=(
            r"\mathbf{P}[Q(X) \mid Z = z] \le \rho_1, \quad "
            r"\mathbf{P}[Q(X) \mid Y = y, Z = z] \ge \rho_2",
        ),
        uses=("egs03/statement_1",),
    ),
)
