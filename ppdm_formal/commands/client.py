"""ppdm client: one file of code that randomizes values where they live."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._claims import forbid_options
from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    exact_matrix_options,
    load_model,
    model_files,
    progress,
    timeout_option,
)
from ppdm_formal.commands._plan_run import phase_option, run_of, seed_generator
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._review import (
    OVERRIDE,
    PlanFile,
    Review,
    model_origin,
    override_option,
    refuse,
    review_operator,
    say_certificates,
    say_claims,
    write_reviewed,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.declare.machine.files import text_writer
from ppdm_formal.report.words.counted import counted

if TYPE_CHECKING:
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.design.planned import AnyGroup
    from ppdm_formal.run.client.generate import ClientText, Language
    from ppdm_formal.run.plan_groups import PlanRun


SHOWN = Shown("collect", "Write client code that draws a certified operator.", 2)


@click.command("client")
@click.argument("model", required=False, type=click.Path(path_type=Path))
@click.option("--operator", metavar="NAME", help="The operator of MODEL that clients run.")
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Give a parameter a value.")
@click.option(
    "--plan", type=click.Path(path_type=Path), help="For transactions: what design wrote."
)
@click.option("--items", type=click.IntRange(min=1), help="How many items there are, for a plan.")
@phase_option
@click.option("--compress", is_flag=True, help="Of a plan: send seeds instead of items.")
@click.option(
    "--language",
    type=click.Choice(["python", "javascript"]),
    required=True,
    help="Python 3.8 and later, or an ES module for browsers and node.",
)
@click.option("-o", "target", metavar="FILE|-", required=True, help="Write the client there.")
@forbid_options("Also claim: no breach from R1 to R2.")
@override_option
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@timeout_option
@exact_matrix_options
@writes_result
def command(
    model: Path | None,
    operator: str | None,
    values: Sequence[tuple[str, Any]],
    plan: Path | None,
    items: int | None,
    phase: int | None,
    compress: bool,
    language: Language,
    target: str,
    forbid: Sequence[Claim],
    although: bool,
    certificates: Path | None,
    timeout: float,
    matrix: MatrixOptions,
    out: Outputs,
) -> Answer | int:
    """Write client code that draws y = R(x) exactly, in one file without dependencies.

    \b
    ppdm client MODEL --operator NAME --language python -o client.py
    ppdm client --plan PLAN --items 1000 --language javascript -o client.mjs

    The file has one function, randomize, takes its random bits from the system (secrets, or
    WebCrypto), names the certified claims in its header, and tests itself. An operator that the
    audit does not clear is refused.
    """  # noqa: D301
    from ppdm_formal.report.words.outside_words import origin_words

    if (plan is None) == (model is None):
        raise click.UsageError("give either MODEL with --operator, or --plan")
    if plan is not None:
        if operator or values or forbid or matrix.named:
            others = f" nor {matrix.named}" if matrix.named else ""
            raise click.UsageError(f"a plan takes no --operator, --set or --forbid{others}")
        out.check([plan], target)
        read = PlanFile.read(plan)
        client, reviews = _of_plan(read, phase, items, compress, timeout)
        audited = read.model
    elif model is not None:
        if operator is None or items is not None or phase is not None or compress:
            raise click.UsageError(
                "a model needs --operator NAME, and takes no --items, --phase or --compress"
            )
        audited = load_model(model, dict(values), reading=matrix.reading())
        out.check(model_files(audited), target)
        client, reviews = _of_model(audited, operator, forbid, timeout)
    written = write_reviewed(reviews, audited, certificates)
    refused = [review for review in reviews if review.clearance.why]
    if refused and not although:
        say_certificates(written, certificates, err=True)
        return refuse(refused, "No client was")
    text = client.written(language)
    answer = Answer(
        _written(client, reviews, language, target, text),
        files=[(target, text_writer(lambda: [text]))],
        said=True,
    )
    out.write(answer)
    aside = target == "-"
    if not aside:
        cases = counted(len(client.cases), "case")
        out.say(f"Wrote {target}: randomize(value), {cases} of self-test")
        for words in (words for review in reviews for words in origin_words(review.operator)):
            out.say(f"  {words}")
        say_certificates(written, certificates, err=out.aside)
    for review in reviews:
        if review.clearance.why:
            out.say(_not_cleared(review))
        if review.clearance.why or not aside:
            say_claims(review, err=out.aside)
    return answer


def _written(
    client: ClientText, reviews: Sequence[Review], language: str, target: str, text: str
) -> Written:
    """What was written, of what, and under which certificates."""
    facts = {
        "language": language,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "about": client.about,
        "origin": list(client.origin),
        "self_tests": len(client.cases),
        "claims": [{"of": one.where, **c.to_json()} for one in reviews for c in one.claims],
        "not_cleared": [one.where for one in reviews if one.clearance.why],
    }
    lines = [client.about, *client.origin]
    lines += [
        f"{c.verdict}{' (says nothing)' if c.vacuous else ''}: {c.text}" for c in client.claims
    ]
    return Written("client", (target,), tuple(lines), facts)


def _of_model(
    model: Model,
    name: str,
    forbid: Sequence[Claim],
    timeout: float,
) -> tuple[ClientText, list[Review]]:
    """The client of one operator."""
    from ppdm_formal.run.client.cases import client_cases, example_inputs
    from ppdm_formal.run.client.description import client_law
    from ppdm_formal.run.client.generate import ClientText

    with progress() as say:
        review = review_operator(model, name, forbid, timeout, say)
        say("writing the law")
        law = client_law(review.operator)
        cases = client_cases(law, example_inputs(review.operator))
    origin = model_origin(model)
    lines = [f"model {origin.file}, sha256 {origin.sha256}"]
    lines += [f"{parameter} = {value}" for parameter, value in origin.values.items()]
    about = f"the operator {name}"
    return ClientText(about, _warned(lines, [review]), review.claims, law, cases), [review]


def _of_plan(
    read: PlanFile,
    phase: int | None,
    items: int | None,
    compress: bool,
    timeout: float,
) -> tuple[ClientText, list[Review]]:
    """The client of all groups and transaction sizes of a plan."""
    from ppdm_formal.run.client.cases import client_cases
    from ppdm_formal.run.client.description import check_numbers, groups_law, sizes_law
    from ppdm_formal.run.client.generate import ClientText
    from ppdm_formal.run.plan_groups import assignment_key
    from ppdm_formal.run.release import check_universes

    known = read.plan.items
    count = items or known
    if count is None:
        raise click.UsageError(f"{read.path} does not say how many items there are: give --items N")
    if known not in (None, count):
        raise click.UsageError(f"{read.path} is for {known} items, not for {count}")
    run = run_of(read, phase, "identifier" if len(read.plan.groups) > 1 else None)
    universes = {g.name: g.universe(count) for g in run.active}
    if compress:
        check_numbers(universes)
    else:
        check_universes(universes, remedy=": use --compress")
    with progress() as say:
        reviews = read.review(count, timeout, say, run.active)
    laws = {where: found.operator.law for where, found in reviews.items()}
    generators = None
    if compress:
        generators = {
            (group.name, part.size): seed_generator(
                read, group, part.size, reviews[group.name, part.size].operator
            )
            for group in run.active
            for part in group.sizes
        }
    found = list(reviews.values())
    claims = [claim for review in found for claim in review.claims]
    lines = [f"plan {read.origin.file}, sha256 {read.origin.sha256}"]
    lines += [_sizes_said(group, [m for g, m in laws if g == group.name]) for group in run.active]
    lines[1] += f", out of items 0 to {count - 1}"
    lines += _hiding_said(run)
    in_rounds = any(group.asked is not None for group in run.active)
    about = "transactions, in rounds" if in_rounds else "transactions, by select-a-size"
    if compress:
        lines.append("what is sent: the group, the size, and a seed in hexadecimal (compressed.md)")
    if len(run.groups) == 1 and run.released(lambda group: [])[0].plain and not compress:
        sizes = {size: law for (_, size), law in laws.items()}
        tried = [max(sizes)] if count > 1000 else list(sizes)
        law = sizes_law(count, sizes)
        cases = client_cases(law, [tuple(range(count - size, count)) for size in tried])
    else:
        law = groups_law(count, run, laws, assignment_key(read.plan), generators)
        who: list[str | None] = ["ann", "bob", "eve"]
        examples = {basket for group in run.active for basket in _baskets_of(group, count)}
        cases = client_cases(law, sorted(examples), who if run.phase else [None, *who])
    return ClientText(about, _warned(lines, found), claims, law, cases), found


def _baskets_of(group: AnyGroup, items: int) -> Iterator[tuple[int, ...]]:
    """Baskets of the least and of the greatest size that a group takes."""
    known: Sequence[int] = range(items) if group.chosen is None else group.chosen
    if group.asked is not None and group.asked.sets is not None:
        known = sorted({item for one in group.asked.sets[:2] for item in one})
    for part in (group.sizes[0], group.sizes[-1]):
        yield tuple(known[max(0, len(known) - part.size) :])


def _sizes_said(group: AnyGroup, sizes: Sequence[int]) -> str:
    """What the header says of one group."""
    if group.asked is not None:
        return f"group {group.name}, {group.share} of all clients, reports {_asked_said(group)}"
    named = f"group {group.name}, {group.share} of all clients: " if group.share < 1 else ""
    what = "items" if group.lifted == 1 else f"items, sent as sets of {group.lifted}"
    of = "chosen " if group.chosen is not None else ""
    return f"{named}transactions of {', '.join(map(str, sizes))} {of}{what}"


def _asked_said(group: AnyGroup) -> str:
    """What the header says of a group of a plan in rounds."""
    assert group.asked is not None
    sets = group.asked.sets
    if group.asked.kind == "lengths":
        return "how many items it has" if sets is None else f"how many of {len(sets)} itemsets"
    what = "items" if sets is None else f"of {len(sets)} itemsets"
    return f"up to {group.sizes[0].size} {what}, as exactly so many"


def _hiding_said(run: PlanRun) -> list[str]:
    """What the header says of sizes and phases."""
    lines = []
    if any(group.hidden is None for group in run.active):
        lines.append("the size of a transaction is not hidden: each size is randomized by itself")
    if any(group.hidden is not None for group in run.active):
        lines.append("where sizes are hidden, transactions are padded with dummy items")
    if run.phase is not None:
        last = max(group.phase for group in run.groups)
        lines.append(f"phase {run.phase} of {last}: a client takes part in one, by its identifier")
    return lines


def _warned(lines: list[str], reviews: Sequence[Review]) -> list[str]:
    """What the header says of its origin, and of what the audit did not clear."""
    return lines + [_not_cleared(review) for review in reviews if review.clearance.why]


def _not_cleared(review: Review) -> str:
    return f"NOT CLEARED: the audit of {review.where} has {review.clearance.why} ({OVERRIDE})"
