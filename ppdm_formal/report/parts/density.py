"""The page of a reconstruction: density with bands, how it explains the data, privacy in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ppdm_formal.declare.arithmetic.people import percent
from ppdm_formal.declare.arithmetic.with_error import brief, tail
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.privacy import (
    noise_entropy,
    privacy_loss,
    privacy_loss_sent,
)
from ppdm_formal.infer.reals.result import Reconstruction, Sent
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Facts,
    Gallery,
    Points,
    Section,
    Table,
    in_lines,
)
from ppdm_formal.report.parts.density_pictures import density_pictures
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean

MOST_ROWS = 200
"""Cells that a page or terminal lists; files have all of them."""

_TELLING = 10.0
"""The bound on what is left to gain is loose far from the optimum: told below this."""

METHODS = {
    "em": "EM (AA01)",
    "as": "AS (Evf02 section 2, midpoints)",
}


def document(found: Reconstruction, *, brief: bool = False) -> Document:
    """Everything that was found; on a terminal the cells, and facts a line each."""
    name = clean(found.column, 40)
    if brief:
        facts = in_lines([*summary(found), Facts(privacy_facts(found))])
        return _document(found, name, [Section("", [cells_table(found), *facts])], "")
    sections = [
        Section("Density", [Gallery(density_pictures(found, name)), *summary(found)], 2, "density"),
        Section(_privacy_title(found), [Facts(privacy_facts(found))], 2, "privacy"),
        Section("Cells", [cells_table(found)], 2, "cells"),
        Section("How to read this", [Points(reading(found))], 2, "reading"),
    ]
    return _document(found, name, sections, "Written by ppdm_formal.")


def notebook(found: Reconstruction) -> Document:
    """The density alone."""
    whole = document(found)
    return replace(whole, outcome_words="", sections=whole.sections[:1])


def _document(
    found: Reconstruction, name: str, sections: Sequence[Section], footer: str
) -> Document:
    method = METHODS.get(found.method, f"the family {found.method}, by the general EM")
    before = f"before {clean(str(found.applied), 80)} noise was added"
    if isinstance(found.applied, Sent):
        before = f"before it was sent through {clean(str(found.applied), 80)}"
    lead = (
        f"The distribution of {name} {before}, from "
        f"{counted(found.records, 'value')} by {method}. All numbers are sampled."
    )
    words = " ".join(remarks(found))
    return Document(
        f"Reconstruction of {name}",
        lead,
        "partly" if words else "",
        words,
        sections,
        footer,
    )


def _privacy_title(found: Reconstruction) -> str:
    return "Privacy of the operator" if isinstance(found.applied, Sent) else "Privacy of the noise"


def remarks(found: Reconstruction) -> list[str]:
    """What a reader must not miss."""
    said = []
    if found.mismatched:
        whose = "on the cells" if found.family is None else "in this family"
        sent = isinstance(found.applied, Sent)
        made, other = (
            (f"outputs of {clean(str(found.applied), 80)}", "another operator was applied")
            if sent
            else ("x + this noise", "another noise was added")
        )
        said.append(
            f"The values do not look like {made} for any distribution of x {whose} "
            f"(chi-square {found.fit.statistic:.0f} with {found.fit.freedom} degrees of freedom): "
            f"{other}, or x is distributed otherwise."
        )
    release = found.applied.release if isinstance(found.applied, Sent) else None
    if release is not None and release.simulated:
        said.append("The release is simulated with a seed: its data protect nobody.")
    if not found.met:
        said.append("The stopping rule was not met: the iterations were cut short.")
    if found.left_out:
        said.append(
            f"{counted(found.left_out, 'value')} lie where no cell's midpoint reaches, and AS "
            "leaves them out."
        )
    if found.rank is not None and found.rank < found.cells.count:
        said.append(
            f"The design has rank {found.rank} for {found.cells.count} cells: some differences "
            "between cells leave no trace in the values, whatever their number."
        )
    if found.family is not None and found.family.outside > 0.001:
        said.append(f"{found.family.outside:.2%} of the distribution lies outside of the cells.")
    return said


def summary(found: Reconstruction) -> list[Block]:
    """How it came about, in facts, and the parameters of a family."""
    stopped = {
        "gain": f"the log-likelihood gained less than {found.rule.value:g} nats in an iteration",
        "chi2": f"chi-square of a step was below {found.rule.value:g} of its 95% point",
        "iterations": "that many were asked for",
        "optimum": f"no distribution on the cells is likelier by more than {found.rule.value:g}",
        "cv": f"held-out values ({found.rule.value:g} folds) were likeliest then",
    }[found.rule.kind]
    likelihood = (
        f"{found.log_likelihood:.3f}" if math.isfinite(found.log_likelihood) else "minus infinity"
    )
    pairs = [
        ("iterations", f"{found.iterations:,}; {stopped}"),
        ("log-likelihood", likelihood),
        (
            "fit to the values",
            f"chi-square {found.fit.statistic:.1f}, {found.fit.freedom} degrees of freedom, "
            f"p-value {tail(found.fit.p_value)}",
        ),
        ("mean of x", f"{found.mean:.6g}"),
    ]
    if found.gap is not None and found.gap < _TELLING:
        pairs.insert(2, ("from the optimum", f"at most {found.gap:.3g} in log-likelihood"))
    if found.rank is not None:
        shown = "infinite" if found.condition is None else f"{found.condition:.3g}"
        pairs.append(
            (
                "rank of the design",
                f"{found.rank} of {found.cells.count} (condition number {shown})",
            )
        )
    blocks: list[Block] = []
    if found.family is not None:
        rows = [
            [one.name, f"{one.value:.6g}", "" if one.se is None else f"{one.se:.3g}"]
            for one in found.family.parameters
        ]
        caption = f"The family {found.family.name}, fitted"
        blocks.append(Table(["parameter", "estimate", "se"], rows, caption, (1, 2)))
    return [*blocks, Facts(pairs)]


def privacy_facts(found: Reconstruction) -> list[tuple[str, str]]:
    """What the noise leaves of privacy, for x as reconstructed."""
    applied = found.applied
    said = sent_facts(applied) if isinstance(applied, Sent) else noise_facts(applied)
    try:
        if isinstance(applied, Sent):
            lost = privacy_loss_sent(found.masses, found.cells, applied)
            after = ""
        else:
            lost = privacy_loss(found.masses, found.cells, applied)
            after = f"; the noise itself has an entropy of {noise_entropy(applied):.4f} bits"
    except ValueError:
        return said
    said += [
        (
            "privacy of x",
            f"about as uncertain as a uniform x on an interval of length {lost.privacy:.4g} "
            f"before a report is seen, and {lost.remaining:.4g} after (Pi(X) and Pi(X|Z) of AA01)",
        ),
        (
            "privacy loss",
            f"{lost.loss:.4f}, from {lost.information:.4f} bits that a report tells about x on "
            f"average{after}",
        ),
        (
            "not said by these",
            "averages hide rare reports that tell everything: what single reports can disclose is "
            "decided by an audit of the operator (docs/numeric.md)",
        ),
    ]
    return said


def noise_facts(noise: Noise) -> list[tuple[str, str]]:
    """What is known of noise whatever x is."""
    level = Fraction(95, 100)
    width = float(noise.shortest(level).hi)
    return [
        ("noise", f"{clean(str(noise), 80)}, standard deviation {noise.sd:.6g}"),
        (
            "confidence interval",
            f"from one report x is known to lie in an interval of length {width:.6g} with "
            f"{percent(level)} confidence, whatever x is (Evf02 section 2)",
        ),
    ]


def sent_facts(sent: Sent) -> list[tuple[str, str]]:
    """What is known of an operator: its numbers, and what was decided of it."""
    ends = (
        f"{float(line.first):g} to {float(line.last):g}" for line in (sent.inputs, sent.outputs)
    )
    inputs, outputs = ends
    said = [
        (
            "operator",
            f"{clean(str(sent), 80)}: {counted(sent.inputs.size, 'input')} from {inputs}, each "
            f"standing for what is rounded to it, and {counted(sent.outputs.size, 'output')} from "
            f"{outputs}, with the exact probabilities that the release describes",
        )
    ]
    if sent.release is not None:
        claims = "; ".join(clean(claim, 200) for claim in sent.release.claims)
        said.append(("decided of it", claims or "nothing: its audit has no claim"))
    return said


def cells_table(found: Reconstruction) -> Table:
    """The cells, the heaviest where there are too many."""
    order = range(found.cells.count)
    caption = "Probability of each cell"
    if found.cells.count > MOST_ROWS:
        order = sorted(sorted(order, key=lambda i: -found.masses[i])[:MOST_ROWS])  # type: ignore[assignment]
        caption += f"; the {MOST_ROWS} heaviest of {found.cells.count:,} (files hold all)"
    ends = found.cells.ends
    rows = []
    for i in order:
        error = 0.0 if found.se is None else float(found.se[i])
        shown = "" if found.se is None else brief(error, error)
        mass = brief(float(found.masses[i]), error)
        row = [f"{float(ends[i]):.10g}", f"{float(ends[i + 1]):.10g}", mass]
        if found.low is not None and found.high is not None:
            low, high = float(found.low[i]), float(found.high[i])
            row.append(" to ".join(brief(end, max(high - low, 1e-9) / 10) for end in (low, high)))
        rows.append([*row, shown])
    head = ["from", "to", "probability"]
    head += [] if found.low is None else ["95% interval"]
    head.append("standard error" if found.family is not None else "scatter, without bias")
    return Table(head, rows, caption, range(len(head)))


def reading(found: Reconstruction) -> list[str]:
    """How the numbers are to be understood."""
    said = [
        "Each cell holds its left end; a value on an edge of an interval counts to the right.",
    ]
    if found.family is not None:
        said.append(
            "Standard errors were not computed: too little information."
            if found.se is None
            else "Bands are two standard errors, from the curvature of the likelihood: they hold "
            "if x is distributed as the family says."
        )
        return said
    if found.low is not None:
        said.append(
            "95% intervals hold whatever the density is, as long as it rises or falls within each "
            "cell no more than linearly: they allow for all that smoothing may have changed. Where "
            "they are wide, the noise hides the cell; a narrower one would assume more."
        )
    else:
        said.append("Intervals were not computed: there are too many cells.")
    if found.se is None:
        said.append("How masses scatter was not computed: too much work, or too little known.")
    elif found.accelerated:
        said.append(
            "Bands are 1.96 times the scatter by the observed information, as if no cell were "
            "empty: at the boundary they are rough, and no intervals for the density."
        )
    else:
        said.append(
            "Bands are 1.96 times the scatter: how the same number of iterations would vary with "
            "other people and other noise (a little more where they are stopped by the data). "
            "Stopping early smooths the density, and what it smooths away is not in the scatter: "
            "bands are no intervals for the density, and miss it often."
        )
    return said
