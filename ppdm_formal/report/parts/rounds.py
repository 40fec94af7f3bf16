"""Plans in rounds as blocks: what is promised, who is asked what, and what each way would find."""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.people import brief, percent
from ppdm_formal.design.rounds.choosing import RoundsChoice
from ppdm_formal.design.rounds.plan import RoundGroup
from ppdm_formal.report.parts.blocks import Block, Document, Section, Table, Text
from ppdm_formal.report.words.counted import counted

NO = "Nothing can be told at this level"


def document(made: RoundsChoice, **_: object) -> Document:
    """The same for every format; a terminal shows it whole."""
    plan = made.plan
    title = f"Plan in rounds against breaches from {percent(plan.rho1)} to {percent(plan.rho2)}"
    sections = [Section("What is promised", [Text(_promise(made))], 2)]
    if made.told or made.anyway:
        sections.append(Section("Who is asked what", [_groups(made)], 2))
    if made.found:
        sections.append(Section("What each way would find", _found(made), 2))
    if not made.told:
        sections.append(Section("What would do", [Text(_enough(made))], 2))
    verdict, words = "certified", "The plan keeps its promise, and can tell what it is for."
    if made.continued:
        words = "The plan keeps its promise. What it can tell was said when it was designed."
    if made.result is not None and made.result.exit_code:
        verdict, words = "unknown", "Not every claim of the plan is certified."
    if not made.told:
        verdict, words = "unknown", f"{NO}: {_why(made)}"
    return Document(title, "", verdict, words, sections, "")


def _promise(made: RoundsChoice) -> str:
    plan = made.plan
    if plan.shuffled is not None:
        return (
            f"Whoever trusts the shuffler: of a client's report among those of its group, in a "
            f"random order, no property that is at most {percent(plan.rho1)} likely before becomes "
            f"as likely as {percent(plan.rho2)}, or the other way round, except with probability "
            f"{float(plan.shuffled.exception):g}; whatever the others report. Without the shuffler "
            "a report tells far more: see gamma. Each client reports once, in one of "
            f"{counted(plan.rounds, 'round')}. Sizes of baskets are hidden."
        )
    return (
        f"No property of a client that is at most {percent(plan.rho1)} likely before its report "
        f"becomes as likely as {percent(plan.rho2)} by it, or the other way round. Each client "
        f"reports once, in one of {counted(plan.rounds, 'round')}; what is asked later comes from "
        "earlier reports alone. Sizes of baskets are hidden."
    )


def _groups(made: RoundsChoice) -> Table:
    rows = []
    for group in made.plan.groups:
        clients = "" if made.plan.clients is None else f"{made.plan.clients * group.share // 1:,}"
        rows.append([str(group.phase), group.name, clients, _asked(group), _form(group)])
    head = ["round", "group", "clients", "report", "by"]
    return Table(head, rows, numbers=[2])


def _asked(group: RoundGroup) -> str:
    many = group.values or (0 if group.asked is None else len(group.asked.sets or ()))
    if group.kind == "lengths":
        return "how many values they hold"
    waits = "about " if group.pending else ""
    what = "items" if group.kind == "items" else f"of {waits}{many:,} pairs"
    return f"up to {group.size} {what}"


def _form(group: RoundGroup) -> str:
    arguments = ", ".join(
        f"{key} {value if isinstance(value, int) else brief(value, 12, 4)}"
        for key, value in group.form.arguments.items()
    )
    return f"{group.form.family} ({arguments})"


def _found(made: RoundsChoice) -> list[Block]:
    top = made.plan.goal.top
    rows = [
        [
            one.way,
            "yes" if one.measured else "no",
            f"{one.items:.1f}",
            f"{one.pairs:.1f}",
            f"{one.links:.1f}",
            f"{100 * one.error:.2f}%",
        ]
        for one in made.found
    ]
    head = ["way", "measures pairs", "items", "pairs", "links of 20", "error of top pairs"]
    many = "those asked for" if top is None else f"the {top} most frequent"
    note = (
        f"Of {many} on the baskets at hand, in {len(made.found[0].each)} trials each. This table "
        "is of these baskets, which nothing protects: it is for you, and not in the plan."
    )
    return [Table(head, rows, numbers=[2, 3, 4, 5]), Text(note)]


def _why(made: RoundsChoice) -> str:
    if made.found and made.plan.goal.find != "items":
        rounds, guess = made.found[0], made.found[1]
        return (
            f"asking about pairs finds {rounds.pairs:.1f} of them and {rounds.links:.1f} links, "
            f"guessing from items {guess.pairs:.1f} and {guess.links:.1f}."
        )
    return (
        f"the error would be {100 * made.error:.2f}%, and what is looked for has a support of "
        f"{100 * made.aim:.2f}%."
    )


def _enough(made: RoundsChoice) -> str:
    enough = made.enough
    plan = made.plan
    parts = []
    if enough is not None and enough.rho2 is not None:
        parts.append(f"a level of {percent(plan.rho1)} to {percent(enough.rho2)}")
    if enough is not None and enough.baskets is not None:
        parts.append(f"about {enough.baskets:,} baskets at this level")
    parts.append("a shuffler, or two servers that only add up reports, with a level of their own")
    return "By the formulas, this would do: " + "; or ".join(parts) + ". --anyway writes the plan."
