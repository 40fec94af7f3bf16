"""How ppdm design makes and continues plans in rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._certificates import say_certificates, write_certificates
from ppdm_formal.commands._options import limited, progress
from ppdm_formal.commands._result import Answer, Outputs
from ppdm_formal.declare.machine.files import text_writer

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.audited import AuditResult
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.design.at_hand import AtHand
    from ppdm_formal.design.rounds.outline import Hider, Request
    from ppdm_formal.design.rounds.plan import RoundsPlan, Shuffled

Say = Callable[[str], None]


def rounds_answer(
    plan_file: str | None,
    certificates: Path | None,
    timeout: float,
    out: Outputs,
    continued: tuple[Path, Path] | None,
    given: dict[str, Any],
) -> Answer:
    """The plan with its certificates, or exit 3 and no file where it could tell nothing."""
    from ppdm_formal.design.rounds.choosing import Choice, chosen
    from ppdm_formal.design.rounds.file import write_rounds

    with progress() as say:
        try:
            if continued is None:
                request, data = _request(say, given)
                found = limited(timeout, "no plan was found", lambda: chosen(request, data, say))
                found = replace(found, anyway=given["anyway"])
            else:
                found = Choice.of_plan(_continued(*continued, say, given))
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
        if found.exit_code:
            out.others = ()  # no plan is written
            return Answer(found, found.exit_code)
        text = write_rounds(found.plan)
        name = next((one for one in (plan_file, out.json) if one not in (None, "-")), None)
        result = _audited(found.plan, name or "plan.json", text, timeout, say)
    files = write_certificates(result, certificates, text)
    return Answer(
        replace(found, result=replace(result, files=files)),
        result.exit_code,
        files=[(plan_file, text_writer(lambda: [text]))],
        after=lambda: say_certificates(certificates, files, err=out.aside),
    )


def _audited(plan: RoundsPlan, file: str, text: str, timeout: float, say: Say) -> AuditResult:
    """Every operator decided, and everything that later commands do of it tried."""
    from ppdm_formal.certify.audit.audit import audit
    from ppdm_formal.certify.audit.plan_model import model_of
    from ppdm_formal.design.planned import read_planned
    from ppdm_formal.report.words.progress_words import progress_words

    if read_planned(text) != plan:
        raise click.ClickException("the plan is not read as it was written: nothing was written")
    for group in plan.groups:
        group.operator(group.size, plan.items).law.shipped()
        group.support(plan.items)
    model = model_of(plan, file, hashlib.sha256(text.encode()).hexdigest())
    return audit(model, timeout=timeout, progress=lambda event: say(progress_words(event)))


def _request(say: Say, given: dict[str, Any]) -> tuple[Request, AtHand | None]:
    """What is asked for; the options of other forms are refused."""
    from ppdm_formal.commands.design import OF_FORMS, _at_hand, _count, stated
    from ppdm_formal.design.request import read_histogram
    from ppdm_formal.design.rounds.outline import Request
    from ppdm_formal.design.rounds.plan import Goal, Shuffled

    wrong = stated([*OF_FORMS[:-1], "support_bounds", "sizes", "transactions"])
    if wrong:
        raise click.UsageError(f"{wrong[0]} is not for plans in rounds (--form best takes it)")
    if given["rho1"] is None or given["rho2"] is None:
        raise click.UsageError("give --rho1 and --rho2")
    if not 0 < given["rho1"] < given["rho2"] < 1:
        raise click.UsageError("a plan needs 0 < rho1 < rho2 < 1")
    if (given["data"] is None) == (given["histogram"] is None):
        raise click.UsageError("give either --data or --histogram")
    if given["top"] is not None and given["min_support"] is not None:
        raise click.UsageError("give either --top or --min-support")
    least = given["min_support"]
    goal = Goal(given["find"] or "pairs", None if least is not None else given["top"] or 50, least)
    data: AtHand | None = None
    if given["data"] is not None:
        data, every = _at_hand(given["data"], given["items"], given["column"], say)
        items, histogram = every.count, data.histogram
    else:
        count = _count(given["items"])
        if count is None:
            raise click.UsageError("--items says how many items there are")
        items, path = count, given["histogram"]
        try:
            histogram = read_histogram(path.read_text(encoding="utf-8"))
        except ValueError as wrong_line:
            raise click.UsageError(f"{path}: {wrong_line}") from None
    level = given["rho1"], given["rho2"]
    if given["trust"] == "local":
        if stated(["except_with"]):
            raise click.UsageError("--except-with is for --trust shuffler")
        return Request(*level, histogram, items, goal), data
    shuffled = Shuffled(given["except_with"])
    hider = _hider(*level, shuffled, say)
    return Request(*level, histogram, items, goal, shuffled, hider), data


def _hider(rho1: Fraction, rho2: Fraction, shuffled: Shuffled, say: Say) -> Hider:
    """The largest gamma that keeps the claim among so many shuffled reports, decided exactly."""
    from ppdm_formal.certify.crowd_largest import largest
    from ppdm_formal.declare.claim import BreachClaim
    from ppdm_formal.declare.operators.crowd import Crowd
    from ppdm_formal.design.rounds.plan import Form

    known: dict[object, Fraction | None] = {}

    def hides(form: Form, values: int, size: int, among: int) -> Fraction | None:
        def build(gamma: Fraction) -> Operator:
            return Form(form.family, {**form.arguments, "gamma": gamma}).operator(values, size)

        place = (form.family, tuple(form.arguments.items()), values, size, among)
        if place not in known:
            say(f"what a shuffler hides of {size} of {values:,} values among {among:,} reports")
            crowd = Crowd(among, "shuffling")
            claim = BreachClaim(rho1, rho2, exception=shuffled.exception, crowd=crowd)
            found = largest(build, claim, 2, 10**6)
            known[place] = None if found is None else found.value
        return known[place]

    return hides


def _continued(plan: Path, release: Path, say: Say, given: dict[str, Any]) -> RoundsPlan:
    """The plan with its next round, from the release of the one before."""
    from ppdm_formal.commands.design import stated
    from ppdm_formal.design.planned import read_planned
    from ppdm_formal.design.rounds.continuing import Answer as Told
    from ppdm_formal.design.rounds.continuing import continued_rounds
    from ppdm_formal.design.rounds.plan import RoundsPlan
    from ppdm_formal.run.errors import ReleaseError
    from ppdm_formal.run.plan_groups import assignment_key
    from ppdm_formal.run.release import Release
    from ppdm_formal.run.told import told

    decided = stated([name for name in given if name != "anyway"])
    if decided:
        raise click.UsageError(f"{decided[0]} is decided by the plan that is continued")
    known = read_planned(plan.read_text(encoding="utf-8"))
    if not isinstance(known, RoundsPlan):
        raise click.UsageError(f"{plan}: not a plan in rounds")
    read = Release.read(release)
    answers = told(read)
    about = read.transactions
    if about is None or about.key != assignment_key(known):
        raise ReleaseError(f"{release}: not a release of this plan")
    (number,) = {one.round for one in answers}
    said: Sequence[Told] = [
        Told(one.asked, one.estimates, one.people, float(one.hit), float(one.miss), one.cut)
        for one in answers
    ]
    hider = None
    if known.shuffled is not None:
        hider = _hider(known.rho1, known.rho2, known.shuffled, say)
    return continued_rounds(known, number, said, hider)
