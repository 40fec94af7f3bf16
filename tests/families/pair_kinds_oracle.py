"""What two inputs show among a crowd, by the definition: from rows of Fractions, output by output.

Nothing of the package is used here.
"""

from __future__ import annotations

from fractions import Fraction


def columns(rows, first, second, other=None):
    """For each output the chances from both inputs, from any at least, and from `other`."""
    found = []
    for y in range(len(rows[0])):
        column = [row[y] for row in rows]
        kind = (column[first], column[second], min(column))
        found.append(kind if other is None else (*kind, column[other]))
    return found


def merged(kinds, places):
    """The numbers at these places, summed over all kinds in which they have one proportion."""
    sums = {}
    for kind in kinds:
        numbers = tuple(kind[place] for place in places)
        whole = sum(numbers, Fraction(0))
        if whole:
            sums.setdefault(tuple(number / whole for number in numbers), []).append(numbers)
    return {
        proportion: tuple(sum(part, Fraction(0)) for part in zip(*parts, strict=True))
        for proportion, parts in sums.items()
    }


def no_more_than(said, true, places):
    """Whether the kinds said hide no more than the true ones: `least` is nowhere greater.

    places: where the chances stand that tell an output from others; least stands at 2. Of outputs
    with one proportion of these, those with so much of `least` for it are not more than there are.
    """

    def shares(kinds):
        sums = {}
        for kind in kinds:
            numbers = [kind[place] for place in places]
            whole = sum(numbers, Fraction(0))
            if whole:
                proportion = tuple(number / whole for number in numbers)
                part = sums.setdefault(proportion, {})
                part[kind[2] / whole] = part.get(kind[2] / whole, Fraction(0)) + whole
            elif kind[2]:
                return None
        return sums

    ours, theirs = shares(said), shares(true)
    if ours is None or ours.keys() != theirs.keys():
        return False
    for proportion, part in ours.items():
        real = theirs[proportion]
        if sum(part.values(), Fraction(0)) != sum(real.values(), Fraction(0)):
            return False
        for share in part:
            above, there = (
                sum((many for one, many in some.items() if one >= share), Fraction(0))
                for some in (part, real)
            )
            if above > there:
                return False
    return True


def is_mixture(row, first, second):
    """Whether a row lies between two others."""
    place = next((y for y in range(len(row)) if first[y] != second[y]), None)
    if place is None:
        return row == first
    share = (row[place] - second[place]) / (first[place] - second[place])
    mixed = [share * a + (1 - share) * b for a, b in zip(first, second, strict=True)]
    return 0 <= share <= 1 and mixed == row
