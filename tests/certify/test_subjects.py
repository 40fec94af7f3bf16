"""Subjects: a certificate of any kind is made anew from the model alone, or names what it lacks."""

import copy

import pytest

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.subject import NotInModel, rebuilt, subject_of
from ppdm_formal.declare.language.compiler import compile_text

MODEL = compile_text(
    "domain Age = reals 0..100\n"
    "prior Known on Age { uniform(0, 100) : 1 }\n"
    "property old on Age = x >= 50\n"
    "operator Coin = randomized_response(values: 2, keep: 3/4)\n"
    "operator Noisy(x: Age) -> reals { return x + laplace(100) }\n"
    "audit Coin { require epsilon <= 2 }\n"
    "audit Noisy { forbid breach 1/2 -> 9/10 under Known for old }\n"
    "parts Two {\n    first : Coin\n    second : Coin\n"
    "    require record <= 3\n}\n"
)


@pytest.fixture(scope="module")
def documents():
    return {one.operator_json["kind"]: (one, one.to_json()) for one in audit(MODEL).certificates}


@pytest.mark.parametrize("kind", ["finite", "additive", "parts"])
def test_each_kind_is_made_anew_from_its_names(documents, kind):
    certificate, document = documents[kind]
    found = rebuilt(document, MODEL)
    assert (found.operator, found.claim) == (document["operator"], document["claim"])
    subject = subject_of(certificate.operator, certificate.claim)
    assert kind in subject.kinds
    assert type(subject) is type(certificate.subject)


@pytest.mark.parametrize("kind", ["finite", "additive", "parts"])
def test_what_the_model_does_not_declare_is_named(documents, kind):
    document = copy.deepcopy(documents[kind][1])
    document["operator"]["name"] = "Nobody"
    with pytest.raises(NotInModel, match=r"declares no .*Nobody"):
        rebuilt(document, MODEL)
