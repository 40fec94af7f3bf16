"""The definitions and assumptions that a report names, with the papers' numbering."""

from __future__ import annotations

PAPERS = (
    (
        "EGS03",
        "A. Evfimievski, J. Gehrke, R. Srikant: Limiting Privacy Breaches in Privacy Preserving "
        "Data Mining. PODS 2003.",
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
        "Exact numbers are fractions. Percentages with ~ are rounded to the nearest; bounds are "
        "rounded to the unsafe side, up where they limit what can be learned.",
    ),
)

ASSUMPTIONS = (
    "Clients randomize independently of each other: what others send says nothing about one.",
    "Each client sends one report of a value. Several reports of the same or of related values "
    "disclose more than this report says.",
    "Randomness is ideal: coins are fair and unknown to the observer.",
    "The observer knows the operator and sees the report; the operator itself is not secret.",
    "Where inputs are sets of items of one size, that size is public.",
    "Nothing is claimed about timing, traffic, or anything else but the value sent.",
)
