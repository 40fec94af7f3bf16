"""The model that `ppdm new` writes: randomized response on three answers, with comments."""

STARTER = """\
# How clients randomize what they send, and what an observer may learn from it.
# Audit it with:  ppdm audit THIS_FILE        The language: docs/language.md

# What clients hold: numbers (0..100), or labels.
domain Answer = {never, sometimes, often}

# What is known of them beforehand (optional).
prior Survey on Answer {
    never     : 70%
    sometimes : 25%
    often     : 5%
}

# What they would rather keep to themselves; x is the input.
property uses on Answer = x != never

# A number that may stay open: try  ppdm audit THIS_FILE --set truth=1/3
param truth in (0, 1) = 1/2

# What is sent instead of x: the truth with probability `truth`, otherwise any answer.
operator Respond(x: Answer) -> Answer {
    with truth { return x }
    else       { return uniform(Answer) }
}

audit Respond {
    prior Survey
    property uses
    given often
    forbid breach 5% -> 50%                # for every prior and every property
    forbid breach 5% -> 50% under Survey   # for this prior only
    require amplification <= 6
}
"""
