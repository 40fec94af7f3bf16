"""Options by which a command takes a model as it was taken: values, and how a matrix was read."""

from __future__ import annotations

import shlex

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.language.model import Model
from ppdm_formal.report.words.visible import clean


def model_options(model: Model) -> str:
    """Such as " --set n=1 --normalize"; empty where there is nothing to say."""
    said = "".join(
        f" --set {shlex.quote(clean(f'{name}={number_text(value)}', 80))}"
        for name, value in model.values.items()
    )
    reading = model.reading
    if reading.way == "normalize":
        said += " --normalize"
    if reading.digits is not None:
        said += f" --rounded {reading.digits}"
    for name, told in (("index", reading.index), ("header", reading.header)):
        if told is not None:
            said += f" --{name}" if told else f" --no-{name}"
    return said
