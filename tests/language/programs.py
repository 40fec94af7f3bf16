"""Random programs of the model language, as text, for Hypothesis."""

from __future__ import annotations

import random

from hypothesis import strategies as st

HEADER = """\
domain Small = 0..3
domain Word = {a, b, c}
domain Pair = (0..2) * (0..2)
domain Out = (-1..4) | Word | Pair | subsets(1 of 0..2)
param q in [0, 1] = 2/5

operator Shift(n: Small) -> Small {
    with 1/3 { return (n + 1) mod 4 }
    else with q { return uniform(Small \\ {n}) }
    return n
}

operator Name(n: -1..2) -> Word {
    matrix {
        -1 : 1 0 0
        0 : 1/2 1/3 1/6
        1 : q 0 (1 - q)
        2 : 0.1 20% 7/10
    }
}
"""

INPUTS = {
    "Small": "int",
    "-1..2": "int",
    "{0, 2, 5}": "int",
    "Word": "word",
    "Pair": "pair",
    "subsets(2 of 0..2)": "set",
}


class Writer:
    """Writes one program; what can go wrong in it is rare, but does occur."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.draws = 0

    def choice(self, options):
        return self.random.choice(list(options))

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def of_kind(self, scope, kind):
        return [name for name, k in scope.items() if k == kind]

    # -- expressions --------------------------------------------------------------------------

    def integer(self, scope, depth=2):
        leaves = ["0", "1", "2", "3", "-1", "5", *self.of_kind(scope, "int") * 3]
        leaves += [f"{name}.{k}" for name in self.of_kind(scope, "pair") for k in (1, 2)]
        if depth <= 0 or self.chance(3):
            return self.choice(leaves)
        if self.chance(6):
            return self.choice([self.either, self.folded, self.counted])(scope, depth - 1)
        form = self.choice(
            (
                *("bit(abs({}), {p})", "xor(abs({}), {p}, ({}) mod 3)", "sum({}, {})"),
                *("comb(({}) mod 5, {})", "bit({}, {})", "xor({}, 1)"),
                *("{} + {}", "{} - {}", "({}) * ({})", "({}) mod {p}", "({}) // {p}", "-({})"),
                *("abs({})", "min({}, {})", "max({}, {}, 1)", "({})^2", "2 * ({}) - {}"),
                *("(({}) / 2 + ({}) / 3) // 1", "({}, {}).2", "({}) mod ({})"),
            )
        )
        return self.fill(form, lambda: self.integer(scope, depth - 1))

    def either(self, scope, depth):
        test = self.truth(scope, depth - 1)
        return f"({self.integer(scope, depth)} if {test} else {self.integer(scope, depth)})"

    def folded(self, scope, depth):
        fold = self.choice(["sum", "min", "max", "xor"])
        return f"{fold}({self.listed(scope, self.integer, depth)})"

    def counted(self, scope, depth):
        return f"size({self.int_set(scope, depth)})"

    def listed(self, scope, element, depth, brackets="[]"):
        """An element for every value of a new index, over few values as a rule."""
        self.count += 1
        index = f"i{self.count}"
        over = self.choice(["0..1", "0..2", "{1, 3}", "Word", self.int_set(scope, 0)])
        inside = {**scope, index: "word" if over == "Word" else "int"}
        return f"{brackets[0]}{element(inside, depth)} for {index} in {over}{brackets[1]}"

    def fill(self, form, value):
        form = form.replace("{p}", self.choice(["2", "3", "4"]))
        while "{}" in form:
            form = form.replace("{}", value(), 1)
        return form

    def pair(self, scope):
        if self.chance(6):
            return self.listed(scope, self.integer, 1)
        options = ["(0, 1)", "(2, 2)", f"({self.integer(scope, 1)}, {self.integer(scope, 1)})"]
        return self.choice(options + self.of_kind(scope, "pair") * 2)

    def word(self, scope):
        return self.choice(["a", "b", '"c"', *self.of_kind(scope, "word") * 3])

    def int_set(self, scope, depth=2):
        small = self.integer(scope, 0)
        leaves = ["0..3", "-1..4", "Small", "{1, 2}", "{0, 2..4}", f"{{{small}}}", "{0, 1, 4}"]
        leaves += [f"0..{small}", f"{{{small}, 1}}", f"{{{small}, {self.integer(scope, 1)}}}"]
        leaves += self.of_kind(scope, "set")
        if depth > 0 and self.chance(6):
            if self.chance(2):
                return self.listed(scope, self.integer, depth - 1, "{}")
            sides = [self.int_set(scope, depth - 1) for _ in range(2)]
            return f"({sides[0]} if {self.truth(scope, 0)} else {sides[1]})"
        if depth <= 0 or self.chance(2):
            return self.choice(leaves)
        form = self.choice(
            (
                *("Small \\ {}", "({} \\ {})", "({} | {})", "({} \\ {} \\ {})"),
                *("({} \\ ({} \\ {}))", f"(Small \\ {{{small}}})"),
                *(f"((0..4) \\ {{{small}, 2}})", f"({{}} | {{{small}}})"),
            )
        )
        return "(" + self.fill(form, lambda: self.int_set(scope, depth - 1)) + ")"

    def any_set(self, scope):
        pairs = ["Pair", f"(0..1) * {self.int_set(scope, 0)}", f"Pair \\ {{{self.pair(scope)}}}"]
        words = ["Word", f"Word \\ {{{self.word(scope)}}}", f"{{{self.word(scope)}, a}}"]
        mixed = [f"({self.int_set(scope, 1)}) | {{a, {self.word(scope)}}}", "subsets(1 of 0..2)"]
        mixed += [f"subsets({self.choice('12')} of {self.int_set(scope, 1)})"]
        pairs += ["(0..1)^2", f"({self.int_set(scope, 0)})^{self.choice(['1', '2', 'size(Word)'])}"]
        return self.choice([*pairs, *words, *mixed])

    def truth(self, scope, depth=2):
        i = lambda: self.integer(scope, 1)  # noqa: E731
        options = [
            lambda: f"{i()} {self.choice(['==', '!=', '<', '<=', '>', '>='])} {i()}",
            lambda: f"{i()} <= {i()} < {i()}",
            lambda: f"{i()} != {i()} > {i()} == {i()}",
            lambda: f"{i()} {self.choice(['in', 'not in'])} {self.int_set(scope)}",
            lambda: f"0 < {i()} in {self.int_set(scope, 1)}",
            lambda: f"{self.word(scope)} == {self.word(scope)}",
            lambda: f"{self.word(scope)} in Word \\ {{{self.word(scope)}}}",
            lambda: f"{self.pair(scope)} {self.choice(['==', '!='])} {self.pair(scope)}",
            lambda: f"{self.pair(scope)} in {self.choice(['Pair', '{(0, 1), (1, 1)}'])}",
            lambda: f"{i()} != 0 and 6 / ({i()}) > 2",
            lambda: f"{self.int_set(scope, 1)} == {self.int_set(scope, 1)}",
        ]
        options += [lambda name=name: name for name in self.of_kind(scope, "truth")]
        if depth > 0 and self.chance(3):
            form = self.choice(["({}) and ({})", "({}) or ({})", "not ({})", "{} or {} and {}"])
            return self.fill(form, lambda: self.truth(scope, depth - 1))
        return self.choice(options)()

    def probability(self, scope):
        i = self.integer(scope, 1)
        return self.choice(
            (
                *("1/2", "1/3", "30%", "0.25", "0", "1", "q", "1 - q", "q^2 / 2"),
                *(f"1 / (1 + abs({i}))", f"(({i}) mod 3) / 3", f"({i}) / 4"),
            )
        )

    # -- distributions ------------------------------------------------------------------------

    def distribution(self, scope):
        """The text and the kind of its values."""
        kind = self.choice(["int"] * 6 + ["word", "pair", "mixed"])
        if kind == "word":
            calls = [
                f"Name(({self.integer(scope)}) mod 3)",
                f"uniform(Word \\ {{{self.word(scope)}}})",
            ]
            return self.choice([*calls, "choose { a : q; Word \\ {a} : (1 - q)/2 each }"]), kind
        if kind == "pair" and self.chance(2):
            return self.drawn(scope), kind
        if kind == "pair":
            return self.choice(["uniform(Pair)", f"uniform(Pair \\ {{{self.pair(scope)}}})"]), kind
        if kind == "mixed":
            return f"uniform({self.any_set(scope)})", kind
        p, i = self.probability(scope), self.integer(scope, 1)
        other = f"({self.integer(scope, 1)}) mod 3"
        options = [
            f"uniform({self.int_set(scope)})",
            f"uniform({self.int_set(scope)})",
            f"bernoulli({p})",
            f"binomial(2, {p})",
            f"binomial(({i}) mod 3, {p})",
            f"Shift(({i}) mod 4)",
            f"choose {{ {other} : {p}; 3 : 1 - ({p}) }}",
            f"choose {{ 0 : 1/2; 2 : 1/3; {i} : 1/6 }}",
            f"bernoulli({p}) if {self.truth(scope, 0)} else uniform({self.int_set(scope, 0)})",
            f"{i} if {self.truth(scope, 0)} else bernoulli({p})",
            f"choose {{ {other} : 1/2; (0..2) \\ {{{other}}} : 1/4 each }}",
            f"choose {{ 0..1 : 1/4 each; {other} + 2 : {p}; 5 : 1/2 - ({p}) }}",
        ]
        return self.choice(options), kind

    def drawn(self, scope):
        """A list of draws; few of them, for the reference interpreter tries all combinations."""

        def element(inside, depth):
            i = self.integer(inside, 1)
            return self.choice(
                (
                    f"Shift(({i}) mod 4)",
                    f"bernoulli({self.probability(inside)})",
                    f"uniform(0..2 \\ {{{i}}})",
                    f"bernoulli({self.probability(inside)}) if {self.truth(inside, 0)} else 1",
                    f"[bernoulli(1 / (1 + abs({i}))) for j{self.count} in 0..1]",
                )
            )

        return self.listed(scope, element, 1)

    # -- statements ---------------------------------------------------------------------------

    def block(self, scope, depth, length):
        """Lines of statements, and whether every path through them returns."""
        lines = []
        for _ in range(length):
            form = self.choice(["let", "draw", "draw", "branch", "branch"])
            if form == "let":
                lines.append(self.let(scope))
            elif form == "draw" and self.draws < 3:
                self.draws += 1
                text, kind = self.distribution(scope)
                lines.append(f"{self.variable(scope, kind)} ~ {text}")
            elif depth:
                branch, returns = self.branch(scope, depth)
                lines += branch
                if returns:
                    return lines, True
        return lines, False

    def variable(self, scope, kind):
        """A new name, or an old one of the same kind."""
        old = self.of_kind(scope, kind)
        if old and self.chance(4):
            return self.choice(old)
        self.count += 1
        name = f"v{self.count}"
        scope[name] = kind
        return name

    def let(self, scope):
        kind = self.choice(["int", "int", "word", "pair", "truth", "set"])
        write = {
            "int": self.integer,
            "word": self.word,
            "pair": self.pair,
            "truth": self.truth,
            "set": self.int_set,
        }[kind]
        value = write(scope)
        return f"{self.variable(scope, kind)} = {value}"

    def branch(self, scope, depth):
        lines, returns = [], []
        for position in range(self.choice([1, 1, 1, 2, 3])):
            test = self.choice([f"if {self.truth(scope)}", f"with {self.probability(scope)}"])
            inner, done = self.inner(scope, depth)
            lines += [("else " if position else "") + test + " {", *inner, "}"]
            returns.append(done)
        returns.append(False)
        if self.chance(2):
            inner, returns[-1] = self.inner(scope, depth)
            lines += ["else {", *inner, "}"]
        return lines, all(returns)

    def inner(self, scope, depth):
        inside = dict(scope)
        lines, returns = self.block(inside, depth - 1, self.choice([0, 1, 2]))
        if not returns and self.chance(3):
            lines.append(self.result(inside))
            returns = True
        if not lines:
            lines.append(self.let(inside))
        return ["    " + line for line in lines], returns

    def result(self, scope):
        if self.chance(3):
            text, kind = self.distribution(scope)
            if kind != "int":
                return f"return {text}"
        words = [f"return {self.word(scope)}", f"return {self.pair(scope)}"]
        mixed = [f"return {name}" for name in self.of_kind(scope, "mixed")]
        i = f"return ({self.integer(scope)}) mod 5"
        sets = [
            f"return uniform({self.int_set(scope)})",
            f"return {{({self.integer(scope)}) mod 3}}",
        ]
        p, small = self.probability(scope), f"({self.integer(scope, 1)}) mod 4"
        laws = [
            f"return binomial(3, {p})",
            f"return bernoulli({p})",
            f"return Shift({small})",
            f"return choose {{ {small} : {p}; 99 : 0; -1 : 1 - ({p}) }}",
        ]
        laws += [f"return {self.drawn(scope)}"] * 2
        return self.choice([i, i, i, *words, *sets, *laws, *mixed * 3])


def program(seed):
    """An operator R whose body is a random program; HEADER goes before it."""
    writer = Writer(seed)
    inputs = writer.choice(INPUTS)
    scope = {"x": INPUTS[inputs]}
    lines, returns = writer.block(scope, 2, writer.choice([1, 2, 3, 4]))
    if not returns:
        lines.append(writer.result(scope))
    body = "\n".join("    " + line for line in lines)
    return f"operator R(x: {inputs}) -> Out {{\n{body}\n}}\n"


def rule(seed):
    """An operator R given as [x -> y] = cases."""
    writer = Writer(seed)
    inputs = writer.choice(INPUTS)
    scope = {"x": INPUTS[inputs], "y": "int"}
    target = f"(({writer.integer({'x': INPUTS[inputs]})}) mod 4)"
    p = writer.probability({"x": INPUTS[inputs]})
    fair = f"[x -> y] = {p} if y == {target}\n | (1 - ({p})) / 3 otherwise"
    cases = [
        f"{writer.choice(['1/4', '1/2', '0', p])} if {writer.truth(scope)}"
        for _ in range(writer.choice([1, 2, 3]))
    ]
    loose = "[x -> y] = " + "\n | ".join([*cases, "1/4"][: writer.choice([2, 3, 4])])
    body = writer.choice([fair, fair, loose])
    return f"operator R(x: {inputs}) -> Small {{\n{body}\n}}\n"


# One number a program: hundreds of small draws would cost more than the programs themselves.
seeds = st.integers(0, 2**32)
programs = seeds.map(program)
rules = seeds.map(rule)
