"""Names that try to be more than names, and the places of a model that can hold them."""

from fractions import Fraction

from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.language.model import Audit, Model
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

PAYLOADS = {
    "script": "</script><script>alert(1)</script>",
    "attribute": '" onload="alert(1)',
    "single": "' onmouseover='alert(1)' x='",
    "svg": "</text></svg><svg onload=alert(1)><text>",
    "foreign": "<foreignObject><iframe src=javascript:alert(1)>",
    "title": "</title><style>*{display:none}</style>",
    "css": "}</style><img src=x onerror=alert(1)>",
    "template": "{{ 7*7 }}{% for x in y %}{{ config }}",
    "latex": "$\\input{/etc/passwd}$ \\write18{id}",
    "bidi": "ab\u202egnp.exe\u2066\u2069\u200f",
    "ansi": "\x1b[31mred\x1b[0m\x07\x9b2J",
    "controls": "a\x00b\rc\nd\te\x7f\u2028\ufeff",
    "long": "<b>" + "A" * 10_000,
    "markdown": "](javascript:alert(1)) `code` **b** | # h\n\n# top",
    "entity": "&lt;script&gt; &#x3c;b&#x3e;",
    "comment": "--><script>alert(1)</script><!--",
}


def build(place, hostile):
    """A small model with the hostile text in one place, and something of everything else."""
    at = {
        name: hostile if name == place else name
        for name in (
            "input",
            "output",
            "operator",
            "prior",
            "property",
            "file",
            "data file",
            "source",
        )
    }
    inputs = Domain([at["input"], "b", "c"])
    outputs = [at["output"], "v", "w"]
    rows = [["3/4", "1/8", "1/8"], ["1/8", "3/4", "1/8"], ["1/8", "1/8", "3/4"]]
    operator = Operator.from_matrix(rows, inputs, outputs, at["operator"])
    operator.source = f"operator S(x: T) -> T {{\n    # {at['source']}\n}}"
    prior = Prior.of(inputs, {at["input"]: "1/10", "b": "2/10", "c": "7/10"}, at["prior"])
    property = Property.of(inputs, [at["input"]], at["property"])
    claims = (
        BreachClaim(Fraction(1, 10), Fraction(2, 5)),
        BreachClaim(Fraction(1, 10), Fraction(2, 5), under=prior, about=property),
        BreachClaim(Fraction(1, 10), Fraction(9, 10), under=prior),
        BoundClaim("amplification", "<", Fraction(6)),
        BoundClaim("worst_case_information", "<=", Fraction(1, 100), prior, "bit"),
        BoundClaim("dependence", "<=", Fraction(1, 100), prior),
    )
    return Model(
        file=f"{at['file']}",
        sha256="0" * 64,
        operators={operator.name: operator},
        csv_files={at["data file"]: "1" * 64},
        audits=(Audit(operator, (prior,), (property,), (at["output"],), claims),),
    )


PLACES = ("input", "output", "operator", "prior", "property", "file", "data file", "source")
