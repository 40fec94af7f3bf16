"""KRIMP and SLIM from their definitions: transactions and itemsets as frozensets, sizes anew."""

from collections import Counter
from itertools import combinations
from math import log2

GAIN = 1e-7


class Oracle:
    """A database (sets of integers) and what its code tables cost."""

    def __init__(self, database):
        self.database = [frozenset(row) for row in database]
        self.items = sorted(set().union(*self.database))
        counts = Counter(item for row in self.database for item in row)
        total = sum(counts.values())
        self.standard = {item: -log2(counts[item] / total) for item in self.items}

    def support(self, itemset):
        return sum(itemset <= row for row in self.database)

    def cover_order(self, table):
        return sorted(table, key=lambda x: (-len(x), -self.support(x), sorted(x)))

    def cover(self, row, ordered):
        found, rest = [], set(row)
        for element in ordered:
            if element <= rest:
                found.append(element)
                rest -= element
        assert not rest
        return found

    def usages(self, table):
        ordered = self.cover_order(table)
        found = Counter(dict.fromkeys(ordered, 0))
        for row in self.database:
            found.update(self.cover(row, ordered))
        return found

    def bits_of(self, usages):
        """L(D, CT) for given usages."""
        used = {x: u for x, u in usages.items() if u}
        total = sum(used.values())
        code = {x: -log2(u / total) for x, u in used.items()}
        data = sum(u * code[x] for x, u in used.items())
        return data + sum(sum(self.standard[i] for i in x) + code[x] for x in used)

    def bits(self, table):
        return self.bits_of(self.usages(table))

    def singles(self):
        return [frozenset([item]) for item in self.items]

    def candidates(self, least):
        """Every itemset of two or more items with the support, in standard candidate order."""
        some = {
            frozenset(x)
            for row in self.database
            for size in range(2, len(row) + 1)
            for x in combinations(sorted(row), size)
        }
        kept = [x for x in some if self.support(x) >= least]
        return sorted(kept, key=lambda x: (-self.support(x), -len(x), sorted(x)))

    def pruned(self, table, before):
        """After an element was added: drop what was used less of late, least used first."""
        usages = self.usages(table)
        waiting = {x for x in before if len(x) > 1 and usages[x] < before[x]}
        while waiting:
            usages = self.usages(table)
            least = min(usages[x] for x in waiting)
            last = self.cover_order([x for x in waiting if usages[x] == least])[-1]
            waiting.remove(last)
            without = [x for x in table if x != last]
            if least == 0 or self.bits(without) < self.bits(table) - GAIN:
                now = self.usages(without)
                waiting |= {x for x in without if len(x) > 1 and now[x] < usages[x]}
                table = without
        return table

    def krimp(self, least=1, prune=False):
        table = self.singles()
        for candidate in self.candidates(least):
            if self.bits([*table, candidate]) < self.bits(table) - GAIN:
                before = self.usages(table)
                table = [*table, candidate]
                if prune:
                    table = self.pruned(table, before)
        return table

    def promised(self, usages, x, y, both):
        """What L would save if x | y were used where both are, and nothing else changed."""
        now = Counter(usages)
        now[x] -= both
        now[y] -= both
        now[x | y] += both
        return self.bits_of(usages) - self.bits_of(now)

    def slim(self, least=1):
        table, refused = self.singles(), {}
        while True:
            usages = self.usages(table)
            ordered = self.cover_order(table)
            covers = [set(self.cover(row, ordered)) for row in self.database]
            known = [x for x in table if usages[x]]
            offers = []
            for x, y in combinations(known, 2):
                both = sum(x in cover and y in cover for cover in covers)
                if both:
                    gain = round(self.promised(usages, x, y, both), 6)
                    offers.append((gain, x | y, both))
            offers = [offer for offer in offers if offer[0] > 0]
            for _, union, both in sorted(offers, key=lambda offer: -offer[0]):
                if union in table or both <= refused.get(union, -1):
                    continue
                gain = self.bits(table) - self.bits([*table, union])
                if self.support(union) >= least and gain > GAIN:
                    table = self.pruned([*table, union], usages)
                    break
                refused[union] = both
            else:
                return table
