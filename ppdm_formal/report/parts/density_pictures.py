"""Pictures of a reconstruction: its density with a band, the values, the noise or operator."""

from __future__ import annotations

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.privacy import reach
from ppdm_formal.infer.reals.result import Reconstruction, Sent
from ppdm_formal.report.parts.blocks import Picture
from ppdm_formal.report.pictures.density import ConstantSteps, densities
from ppdm_formal.report.words.visible import clean

_TWO = 1.959964

_NOISE_STEPS = 160


def density_pictures(found: Reconstruction, name: str) -> list[Picture]:
    """The density with its band, how it explains the values, and what was applied to x."""
    edges = [float(end) for end in found.cells.ends]
    density = found.density
    low = high = None
    if found.se is not None:
        spread = _TWO * found.se / found.cells.width
        low = [max(0.0, float(v)) for v in density - spread]
        high = [float(v) for v in density + spread]
    what = "standard errors" if found.family is not None else "times its scatter, without its bias"
    band = f"1.96 {what}" if found.se is not None else ""
    steps = ConstantSteps("reconstructed density of x", edges, list(density), low, high, band)
    seen = found.observed
    widths = seen.edges[1:] - seen.edges[:-1]
    sent = isinstance(found.applied, Sent)
    named = "the values z" + ("" if sent else " = x + noise")
    values = ConstantSteps(named, list(seen.edges), list(seen.shares / widths))
    fitted = ConstantSteps(
        "z as the reconstruction has it", list(seen.edges), list(seen.fitted / widths)
    )
    title = f"Density of {name}"
    return [
        Picture(
            title,
            densities([steps, values], name, title),
            "The reconstructed density with its band, and the values that it was made from.",
        ),
        Picture(
            "How it explains the values",
            densities([values, fitted], "z", "How it explains the values"),
            "The values, and what the reconstructed density would give "
            + ("through this operator." if sent else "with this noise."),
        ),
        _law_picture(found.applied),
    ]


def _law_picture(applied: Noise | Sent) -> Picture:
    """The density of the noise, or the probabilities of the outputs for one x."""
    if isinstance(applied, Sent):
        return _outputs_picture(applied)
    start, end = reach(applied)
    if applied.support[0] is None:
        start, end = start / 3, end / 3  # four standard deviations are enough to see
    step = (end - start) / _NOISE_STEPS
    ends = [start + k * step for k in range(_NOISE_STEPS + 1)]
    heights = applied.pdf([end - step / 2 for end in ends[1:]])
    noise = ConstantSteps("density of the noise", ends, [float(y) for y in heights])
    return Picture(
        "The noise",
        densities([noise], "noise", "The noise"),
        f"What was added to each x: {clean(str(applied), 80)}.",
    )


def _outputs_picture(sent: Sent) -> Picture:
    """What is sent for the middle input."""
    at, ends, heights = sent.middle_law(_NOISE_STEPS)
    law = ConstantSteps(f"density of what is sent for x = {at:g}", list(ends), list(heights))
    return Picture(
        "The operator",
        densities([law], "output", "The operator"),
        f"What {clean(str(sent), 80)} sends for x = {at:g}, the middle of its inputs.",
    )
