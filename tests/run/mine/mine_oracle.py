"""Frequent itemsets and rules from their definitions, for few transactions."""

from fractions import Fraction
from itertools import combinations


def count(transactions, itemset):
    return sum(set(itemset) <= set(one) for one in transactions)


def frequent_itemsets(transactions, least, largest=None):
    """Every subset of every transaction, counted by reading all transactions."""
    found = {}
    for one in {frozenset(one) for one in transactions}:
        for size in range(1, (len(one) if largest is None else min(largest, len(one))) + 1):
            for itemset in combinations(sorted(one), size):
                if itemset not in found:
                    found[itemset] = count(transactions, itemset)
    return {itemset: held for itemset, held in found.items() if held >= least}


def association_rules(transactions, least, confidence, largest=None):
    """{(antecedent, consequent): (count, confidence, lift)}."""
    rules = {}
    for whole, held in frequent_itemsets(transactions, least, largest).items():
        for size in range(1, len(whole)):
            for first in combinations(whole, size):
                second = tuple(item for item in whole if item not in first)
                sure = Fraction(held, count(transactions, first))
                if sure >= confidence:
                    share = Fraction(count(transactions, second), len(transactions))
                    rules[first, second] = (held, sure, sure / share)
    return rules
