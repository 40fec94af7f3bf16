"""The definitions and assumptions that a report names, with the papers' numbering."""

from __future__ import annotations

PAPERS = (
    (
        "EGS03",
        "A. Evfimievski, J. Gehrke, R. Srikant: Limiting Privacy Breaches in Privacy Preserving "
        "Data Mining. PODS 2003.",
    ),
)

GLOSSARY = (
    ("Operator", "The rule by which clients randomize: which report y they send for a value x."),
    ("Observer", "Anyone who sees one report and knows the operator, such as the server."),
    ("Prior", "What an observer believes of x before the report: a probability for each value."),
    ("Posterior", "What the observer believes after the report, by Bayes' rule."),
    ("Property", "A yes-or-no question about x, such as whether x is at least 70."),
    (
        "Breach r1 -> r2 (in the papers rho1, rho2)",
        "One report takes the belief in a property from r1 or less to r2 or more, or back.",
    ),
    ("Starting belief, limit", "The two numbers of a breach: r1, and r2."),
    ("Odds", "The belief in a property divided by the belief in its opposite: 20% is 1 to 4."),
    ("Witness", "A prior, a property and an output that together are a breach."),
    ("Frontier", "For each starting belief, the highest belief that one report can lead to."),
    (
        "Inputs alike",
        "Inputs that send this output with the same chance and have the same prior probability: "
        "which of them are counted makes no difference.",
    ),
    (
        "Bit, nat",
        "Units of information; a bit answers one even question, a nat is about 1.4427 bits.",
    ),
    (
        "KL(a || b), Kullback-Leibler divergence",
        "How far belief a is from belief b: the average under a of log(a / b).",
    ),
    ("Best guess", "The chance that an observer who names one value names the true one."),
    (
        "Min-entropy capacity",
        "By how many bits one report can at most improve the best guess, over all priors.",
    ),
    (
        "Theorem prover, SMT-LIB, .smt2, z3, cvc5",
        "Programs that decide whether formulas can be true, and the language in which they are "
        "asked.",
    ),
)

DEFINITIONS = (
    (
        "Operator, p[x -> y]",
        "A client with the true value x sends y with probability p[x -> y] instead of x.",
    ),
    (
        "Upward breach (EGS03 Definitions 1 and 2)",
        "A property Q with P[Q(X)] <= r1 and P[Q(X) | Y = y] >= r2 for an output y that can occur: "
        "a suspicion of at most r1 becomes a belief of at least r2.",
    ),
    (
        "Downward breach (EGS03 Definition 2)",
        "A property Q with P[Q(X)] >= r2 and P[Q(X) | Y = y] <= r1.",
    ),
    (
        "Amplification (EGS03 Definition 3)",
        "The largest p[x1 -> y] / p[x2 -> y] over all x1, x2 and all outputs y that can occur. If "
        "it is g, there is no breach from r1 to r2 for any prior exactly if "
        "r2 (1 - r1) / (r1 (1 - r2)) > g (EGS03 Statement 1, and its converse).",
    ),
    (
        "Epsilon",
        "The logarithm of the amplification, in nats: the epsilon of local differential privacy.",
    ),
    (
        "Mutual information I (EGS03 section 6)",
        "The average over outputs of KL(X given y || X).",
    ),
    (
        "Worst-case information I_w (EGS03 Definition 6)",
        "The largest KL(X given y || X) over outputs y; it bounds upward breaches (Statement 6).",
    ),
    (
        "Inverse worst-case information J_w (EGS03 Definition 8)",
        "The largest KL(X || X given y) over outputs y; it bounds downward breaches (Statement 7).",
    ),
    (
        "Dependence",
        "The largest |ln(P[x, y] / (P[x] P[y]))| over true values and outputs that can occur.",
    ),
    (
        "View",
        "What an output shows: how many inputs have which likelihood. Outputs with the same view "
        "disclose the same.",
    ),
    (
        "Rounding",
        "Exact numbers are fractions; a fraction beside a decimal is the exact number. Bounds, "
        "limits and beliefs after a report are rounded pessimistically: a belief that rises up, "
        "one that falls down. Other numbers with ~ are rounded to the nearest.",
    ),
)

ASSUMPTIONS = (
    "The software in use does what the model says; the audit is of the model.",
    "Clients randomize independently of each other: what others send says nothing about one.",
    "Each client sends one report of a value. Several reports of the same or of related values "
    "disclose more than this report says.",
    "Randomness is ideal: coins are fair and unknown to the observer.",
    "The observer knows the operator and sees the report; the operator itself is not secret.",
    "Where inputs are sets of items of one size, that size is public.",
    "Nothing is claimed about timing, traffic, or anything else but the value sent.",
)
