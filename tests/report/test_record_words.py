"""What breaks a claim about a record in parts, in words: the values that are named are the ones."""

import re

from ppdm_formal import Operator
from ppdm_formal.certify import certify
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.report.words.subjects.parts import _broken_words

# The output that tells most: likely from the last value of each, unlikely from the middle one.
FIRST = [["1/2", "1/2"], ["9/10", "1/10"], ["1/5", "4/5"]]
SECOND = [["1/2", "1/2"], ["19/20", "1/20"], ["2/5", "3/5"]]


def test_the_values_named_are_as_likely_as_is_said():
    operators = [Operator.from_matrix(rows) for rows in (FIRST, SECOND)]
    parts = tuple(SanitizedPart(name, one) for name, one in zip("ab", operators, strict=True))
    found = certify(Parts("Two", parts), PartsClaim("record", None, "<=", 2))
    said = _broken_words(found)
    assert said == "the outputs (1, 1) are 96 times as likely from (2, 2) as from (1, 1)"
    output, likely, unlikely = (
        [int(value) for value in re.findall(r"\d", one)] for one in re.findall(r"\([^)]*\)", said)
    )
    ratio = 1
    for i, one in enumerate(operators):
        ratio *= one.probability(likely[i], output[i]) / one.probability(unlikely[i], output[i])
    assert ratio == 96
