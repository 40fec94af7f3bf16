"""Models that must be refused: « marks where, and the second text is part of the message.

Without a mark the complaint is about the file as a whole.
"""

from __future__ import annotations

R = "operator R(x: 0..3) -> 0..3 { return x }\n"
XZ = "prior X on 0..3 = uniform\nproperty z on 0..3 = x == 0\n" + R


def body(text):
    return f"operator R(x: 0..3) -> 0..3 {{ {text} }}"


SYNTAX = {
    "nothing": ("", "the model is empty"),
    "white space": (" \n\t\n", "the model is empty"),
    "only comments": ("# nothing\n# here", "the model is empty"),
    "prose": ("«Dear auditor, please find enclosed", "expected"),
    "misspelt declaration": ("«oprator R(x: 0..3) -> 0..3 { return x }", "did you mean operator?"),
    "misspelt statement": (body("retrun «x"), "did you mean return?"),
    "misspelt claim": (R + "audit R { forbid «braech 1/4 -> 1/2 }", "did you mean breach?"),
    "missing brace": ("operator R(x: 0..3) -> 0..3 «{ return x", "never closed"),
    "missing bracket": ("domain D = «(0..3", "never closed"),
    "missing brace before the next": (
        "operator R(x: 0..3) -> 0..3 { return x\n«operator S(x: 0..3) -> 0..3 { return x }",
        "is a closing bracket missing",
    ),
    "brace too many": (R.strip() + "«}", "unexpected }"),
    "wrong bracket": ("domain D = (0..3«}", "unexpected }"),
    "unfinished label": ('domain D = {«"a}', "this quote is never closed"),
    "label over two lines": ('domain D = {«"a\nb"}', "ends on its line"),
    "control character in a label": ('domain D = {«"a\x1b[31m"}', "control character"),
    "single quotes": ("domain D = {«'a'}", "labels are quoted with"),
    "point first": (body("with «.5 { return x } else { return 0 }"), "write 0.01, not .01"),
    "point last": (body("with 1«. { return x } else { return 0 }"), "1, not 1."),
    "equality with one sign": (body("if x «= 1 { return 0 }\n return x"), "equality is written =="),
    "foreign signs": (body("if x «≤ 1 { return 0 }\n return x"), "write <="),
    "and as signs": (body("if x > 0 «&& x < 2 { return 0 }\n return x"), "write and"),
    "not as a sign": (body("if «!(x > 0) { return 0 }\n return x"), "write not"),
    "statement on the same line": (body("y = x «return y"), "new line or a semicolon"),
    "operation at the end": (body("return x + \n«").replace("« ", " «"), "expected a value"),
    "line ends inside an item": (body("y = x -\n 1\n return y\n «+ 1"), "unexpected +"),
    "words run together": (body("return x mod «2x"), "2 * x"),
    "keyword runs into a number": (body("return 5 «mod3"), "unexpected mod3"),
    "brace on its own line": (body("if x == 0«\n { return 0 }\n return x"), "ends too early"),
    "reserved word as a name": ("domain «with = 0..3", "reserved word"),
    "reserved word as a label": ("domain D = {yes, «if}", "can be quoted"),
    "product of ranges": ("domain D = 1..6 * 1«..6", "(1..6) * (1..6)"),
    "empty braces": ("domain D = {«}", "expected a value"),
    "interval without comma": ("param p in (0 «1)", "unexpected 1"),
    "require with the wrong relation": (R + "audit R { require amplification «>= 2 }", "<="),
    "two unders": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under X under «X }",
        "a second 'under' in one claim",
    ),
    "zero byte": ("domain D = 0..«\x003", "unexpected character U+0000"),
    "byte order mark inside": ("domain D = «\ufeff0..3", "unexpected character"),
    "sign in a matrix": (
        "operator R(x: 0..1) -> 0..1 { matrix { 0 : 1 «-1\n 1 : 0 1 } }",
        "goes in parentheses",
    ),
    "unknown way to read": ('operator R(x: 0..1) -> 0..1 = «json("x")', 'write csv("file.csv")'),
    "unknown kind of prior": ("prior X on 0..3 = «flat", "write = uniform"),
}

NAMES = {
    "unknown name": (body("y = x\n return «yy"), "did you mean y?"),
    "unknown name in a branch never taken": (
        body("if x > 9 { return «nowhere }\n return x"),
        "unknown name nowhere",
    ),
    "unknown function": (body("return «maximum(x, 1)"), "unknown function maximum"),
    "unknown distribution": (body("return «unifrom(0..3)"), "did you mean uniform?"),
    "unknown label": (
        'operator R(x: {yes, no}) -> {yes, no} { return «"maybe" }',
        'unknown label "maybe"',
    ),
    "operator declared below": (
        "operator R(x: 0..3) -> 0..3 { return «S(x) }\noperator S(x: 0..3) -> 0..3 { return x }",
        "declared only later, in line 2",
    ),
    "operator calls itself": (body("return «R(x)"), "declarations in a circle: R uses R"),
    "operator without its input": (
        R + "operator S(x: 0..3) -> 0..3 { return «R }",
        "needs its arguments in parentheses",
    ),
    "unknown operator": (R + "audit «Q { given 0 }", "unknown operator Q"),
    "unknown prior": (XZ + "audit R { prior «Y }", "unknown prior Y"),
    "unknown property": (XZ + "audit R { property «zz }", "did you mean z?"),
    "unknown prior of a claim": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under «Y }",
        "declared: X",
    ),
    "unknown property of a constraint": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { mass(«q) <= 1/2 } }",
        "unknown property q",
    ),
    "unknown background": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 knowing «K }",
        "unknown operator K",
    ),
    "unknown measure": (R + "audit R { require «privacy <= 1 }", "known: amplification"),
    "unknown family": (
        "operator S = «select_a_siz(items: 10)",
        "did you mean select_a_size?",
    ),
    "private family": ("operator S = «__init__(items: 10)", "unknown ready-made operator"),
    "unknown argument": (
        "operator S = randomized_response(values: 10, «kep: 1/2)",
        "it takes values, keep",
    ),
    "two domains": ("domain D = 0..3\ndomain «D = 0..4", "D is already a domain"),
    "two operators": (R + "operator «R(x: 0..3) -> 0..3 { return x }", "already an operator"),
    "two priors": (
        "prior X on 0..3 = uniform\nprior «X on 0..3 = uniform",
        "a second prior X",
    ),
    "two properties": (XZ + "property «z on 0..3 = x == 1", "a second property z"),
    "a parameter and a domain": ("domain D = 0..3\nparam «D in (0, 1)", "already a domain"),
    "variable and parameter": (
        "param p in (0, 1)\n" + body("«p = x\n return p"),
        "p is already a parameter",
    ),
    "variable and domain": ("domain D = 0..3\n" + body("«D ~ uniform(D)\n return D"), "a domain"),
    "input and domain": ("domain D = 0..3\noperator «R(D: D) -> D { return D }", "a domain"),
    "operator and function": ("operator «min(x: 0..3) -> 0..3 { return x }", "a function"),
    "label and parameter": ("param a in (0, 1)\ndomain D = {«a, b}", 'quote the label: "a"'),
    "label and domain": ("domain a = 0..3\ndomain D = {«a, b}", "also a domain"),
    "label and input": ("operator R(x: {«x, y}) -> {0} { return 0 }", "also the input's name"),
    "label and variable": (
        "operator R(x: {a, b}) -> {a, b} { «a = x\n return a }",
        "a is also a label",
    ),
    "label and output's name": (
        "operator R(x: {a, y}) -> {a, y} { «[x -> y] = 1 if y == x }",
        "y is also a label",
    ),
    "variable of one branch only": (
        body("if x == 0 { y = 1 }\n return «y"),
        "no value on some paths",
    ),
    "import": ('«__import__("os").system("id")', "unexpected __import__"),
    "import in an expression": (body("return «__import__(1)"), "unknown function __import__"),
    "lambda": (body("return lambda «x: x"), "unexpected x"),
    "attribute": (body("return x«.__class__"), "numbered: t.1"),
    "eval": (body("return «eval(1)"), "unknown function eval"),
}

VALUES = {
    "not a number": (
        "operator R(x: {a, b}) -> {a, b} { return x «+ 1 }",
        "labels have no order and no arithmetic",
    ),
    "order of labels": (
        "operator R(x: {a, b}) -> {a, b} { if x «< b { return a }\n return b }",
        "expected a number, found the label a",
    ),
    "truth value returned": (body("return «x == 0"), "truth value"),
    "truth value in a tuple": (body("y = (1, «x == 0)\n return x"), "truth value"),
    "number as a condition": (body("if «x { return 0 }\n return x"), "true or false"),
    "division by zero": (body("return 6 «/ x"), "division by zero"),
    "mod zero": (body("return 6 «mod x"), "division by zero"),
    "mod negative": (body("return 6 «mod (0 - 2)"), "expected a positive number"),
    "half an exponent": (body("return «x^(1/2)"), "an exponent must be an integer"),
    "not a tuple": (body("return «x.1"), "0 is not a tuple"),
    "no such part": (body("return «(x, 1).3"), "the tuple has 2 parts"),
    "part number 0": (body("return «(x, 1).0"), "no part .0"),
    "absurd part": (body("return (x, 1)«.99999999"), "no such part"),
    "not a set": (body("return uniform(«x)"), "expected a set"),
    "distribution as a value": (body("y = «uniform(0..3)\n return y"), "after ~ or return only"),
    "distribution in a sum": (body("return 1 + «bernoulli(1/2)"), "after ~ or return only"),
    "choose as a value": (body("y = «choose { 1 : 1 }\n return y"), "after ~ or return only"),
    "draw from a value": (body("y ~ «x\n return y"), "y = ..."),
    "too many arguments": (body("return «uniform(0..1, 2)"), "uniform takes one set"),
    "too few arguments": (body("return «binomial(3)"), "binomial takes two numbers"),
    "abs of two": (body("return «abs(1, 2)"), "abs takes one number"),
    "empty uniform": (body("return uniform(«{x} \\ {x})"), "uniform over an empty set"),
    "negative trials": (body("return «binomial(0 - x, 1/2)"), "from 0 to 10,000"),
    "fraction in a domain": ("domain D = «{1/2, 1}", "a number in quotes is a label"),
    "empty domain": ("domain D = «5..1", "an empty set"),
    "range of fractions": ("domain D = «1/2..3", "expected an integer, found 1/2"),
    "subsets too large": ("domain D = subsets(«5 of 0..3)", "no subsets of size 5"),
    "subsets misspelt": ("domain D = «subset(2 of 0..3)", "expected subsets(k of A)"),
    "empty interval": ("param «p in (1, 0)", "the interval (1, 0) of p is empty"),
    "default outside": ("param «p in (0, 1) = 2", "p = 2 is outside (0, 1)"),
    "condition on a parameter": (
        "param p in (0, 1)\n" + body("if p «> 1/2 { return x }\n return 0"),
        "--set p=VALUE",
    ),
    "mod of a parameter": (
        "param p in (0, 1)\n" + body("if p «mod 2 == 0 { return x }\n return 0"),
        "mod of a free parameter",
    ),
    "parameter in a set": (
        "param p in (0, 1)\n" + body("if x in {«p} { return x }\n return 0"),
        "depends on a free parameter",
    ),
    "property that is a number": ("property P on 0..3 = «x + 1", "true or false"),
    "no return": (body("«y = x"), "every path must end in a return"),
    "no return in a branch": (body("«if x == 0 { return 0 }"), "add an else"),
    "statement after return": (body("return x\n «return 0"), "never reached"),
    "cases after otherwise": (
        body("[x -> y] = «1 otherwise | 0 if y == x"),
        "never reached",
    ),
    "union in a condition": (
        body("[x -> y] = 1 if y in {x} | «{0}"),
        "if y in (A | B)",
    ),
    "rule from another variable": (body("«[z -> y] = 1"), "expected [x -> y]"),
    "rule from x to x": (body("«[x -> x] = 1"), "expected [x -> y]"),
}

PROBABILITIES = {
    "above 1": (body("with «3/2 { return x } else { return 0 }"), "3/2 is not between 0 and 1"),
    "below 0": (body("return bernoulli(«x - 1)"), "-1 is not between 0 and 1"),
    "above 1 for some x": (body("with «x / 2 { return x } else { return 0 }"), "3/2"),
    "above 1 for some p": (
        "param p in (0, 2)\n" + body("with «p { return x } else { return 0 }"),
        "not between 0 and 1 at p = 3/2",
    ),
    "above 1 at a closed end": (
        "param p in [0, 1]\n" + body("with «2 * p - p^2 + 1/100 { return x } else { return 0 }"),
        "at p = ",
    ),
    "entry below 0": (
        "operator R(x: 0..1) -> 0..1 { «[x -> y] = 2 if y == x | 0 - 1 otherwise }",
        "p[0 -> 0] = 2 is not between 0 and 1",
    ),
    "row of a rule": (body("«[x -> y] = 1/2 if y == x"), "the row of 0 sums to 1/2, not to 1"),
    "row of a rule with a parameter": (
        "param p in (0, 1)\noperator R(x: 0..1) -> 0..1 { «[x -> y] = p }",
        "sums to 2*p",
    ),
    "row of a matrix": (
        "operator R(x: 0..1) -> 0..1 { matrix { 0 : 1 0\n «1 : 1/2 1/3 } }",
        "the row of 1 sums to 5/6, not to 1",
    ),
    "row too short": (
        "operator R(x: 0..1) -> 0..1 { matrix { 0 : 1 0\n «1 : 1 } }",
        "has 1 entries; expected 2",
    ),
    "row missing": ("operator R(x: 0..1) -> 0..1 { «matrix { 0 : 1 0 } }", "no row for 1"),
    "row twice": (
        "operator R(x: 0..1) -> 0..1 { matrix { 0 : 1 0\n «0 : 1 0 } }",
        "a second row for 0",
    ),
    "row of no input": (
        "operator R(x: 0..1) -> 0..1 { matrix { 0 : 1 0\n «2 : 1 0 } }",
        "2 is not an input",
    ),
    "return outside": (body("return «x + 1"), "returns 4 for x = 3"),
    "return outside, drawn": (body("y ~ uniform(0..1)\n return «x + y"), "returns 4 for x = 3"),
    "return outside, flat": (body("return «uniform(0..4)"), "returns 4 for x = 0"),
    "return another label": (
        "domain D = {no}\noperator R(x: {a, b}) -> {a, b} { return «no }",
        "expected one of {a, b}",
    ),
    "choose does not sum to 1": (body("return «choose { 0 : 1/2; 1 : 1/3 }"), "sum to 5/6"),
    "choose lists twice": (
        body("return choose { 0 : 1/2; «x : 1/2 }"),
        "0 is listed twice",
    ),
    "choose a set without each": (body("return choose { «0..1 : 1/2 }"), "a set needs `each`"),
    "not an input": (
        R + "operator S(x: 0..4) -> 0..3 { return R(«x) }",
        "4 is not an input of R",
    ),
    "prior does not sum to 1": ("prior «X on 0..3 { 0 : 1/2\n 1..2 : 1/5 each }", "sum to 9/10"),
    "prior lists twice": ("prior X on 0..3 { 0 : 1/2\n «0..1 : 1/4 each }", "0 is listed twice"),
    "prior of a set without each": ("prior X on 0..3 { «0..1 : 1/2 }", "a set needs `each`"),
    "prior of a domain without each": (
        "domain D = 0..3\nprior X on D { «D : 1/4 }",
        "a set needs `each`",
    ),
    "prior outside its domain": ("prior X on 0..3 { «7 : 1 }", "7 is not in 0..3"),
    "prior below 0": ("prior X on 0..1 { 0 : 3/2\n 1 : 0 - 1/2 }".replace(": 3", ": «3"), "3/2"),
    "prior with a parameter": (
        "param p in (0, 1)\nprior «X on 0..1 { 0 : p; 1 : p }",
        "sum to 2*p",
    ),
}

CLAIMS = {
    "parts without a part": ("parts «D { require record <= 1 }", "D has no parts"),
    "part with an unknown operator": (R + "parts D { a: «S }", "unknown operator S"),
    "part twice": (R + "parts D { a: R; «a: R }", "a second part a"),
    "record twice": (R + "parts D { a: R }\nparts «D { a: R }", "a second record D"),
    "claim about an unknown part": (
        R + "parts D { age: R; require dependence(«ag) <= 1 }",
        "did you mean age?",
    ),
    "claim that parts are not asked": (R + "parts D { a: R; require «delta <= 1 }", "record <= 3"),
    "record of one part": (R + "parts D { a: R; require «record(a) <= 1 }", "record <= 3"),
    "negative epsilon of a record": (R + "parts D { a: R; require record <= «-1 }", "not below 0"),
    "negative dependence": (R + "parts D { a: R; dependence <= «-1/2 }", "not below 0"),
    "dependence twice": (
        R + "parts D { a: R; dependence <= 1\n «dependence <= 2 }",
        "a second dependence",
    ),
    "strict dependence": (R + "parts D { a: R; «dependence < 1 }", "dependence <= 1/10"),
    "something else among parts": (R + "parts D { a: R; «correlation <= 1 }", "dependence <= 1/10"),
    "strict dependence for all priors": (
        R + "audit R { require «dependence < 1 }",
        "for all priors is bounded by <=",
    ),
    "r1 above r2": (R + "audit R { forbid breach «3/4 -> 1/2 }", "r1 < r2"),
    "r1 equal to r2": (R + "audit R { forbid breach «1/2 -> 50% }", "r1 < r2"),
    "downward upside down": (
        R + "audit R { forbid downward breach «1/4 -> 1/2 }",
        "a downward breach falls",
    ),
    "r1 of 0": (R + "audit R { forbid breach «0 -> 1/2 }", "0 is not a probability between"),
    "r2 of 1": (R + "audit R { forbid breach 1/2 -> «1 }", "1 is not a probability between"),
    "r1 with a parameter": (
        "param p in (0, 1)\n" + R + "audit R { forbid breach «p -> 1/2 }",
        "expected a number, found p",
    ),
    "unit missing": (XZ + "audit R { require worst_case_information(X) <= «1 }", "bit or nat"),
    "wrong unit": (XZ + "audit R { require worst_case_information(X) <= 1 «byte }", "bit or nat"),
    "unit too many": (R + "audit R { require amplification <= 6 «bit }", "has no unit"),
    "prior missing": (XZ + "audit R { require «vulnerability <= 1 }", "vulnerability(PRIOR)"),
    "prior too many": (XZ + "audit R { require «amplification(X) <= 1 }", "written amplification"),
    "property of another domain": (
        "property z on 0..4 = x == 0\n" + R + "audit R { forbid breach 1/4 -> 1/2 for «z }",
        "R takes its inputs from 0..3",
    ),
    "prior of another domain": (
        "prior X on 0..4 = uniform\n" + R + "audit R { prior «X }",
        "the prior X is on 0..4",
    ),
    "background of another domain": (
        "operator K(x: 0..4) -> {0} { return 0 }\n"
        + R
        + "audit R { forbid breach 1/4 -> 1/2 knowing «K }",
        "does not have the inputs of R",
    ),
    "given no output": (R + "audit R { given «7 }", "7 is not an output of R"),
    "not linear": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { mass(z) «* mass(z) <= 1/2 } }",
        "not linear",
    ),
    "divided by a mass": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { 1 «/ mass(z) <= 1/2 } }",
        "not linear",
    ),
    "constraint that is a sum": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { «mass(z) + 1 } }",
        "such as mass(zero) <= 1/50",
    ),
    "constraint without a mass": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { «1 <= 2 } }",
        "a constraint without a mass",
    ),
    "constraint in a chain": (
        XZ + "audit R { forbid breach 1/4 -> 1/2 under { «0 < mass(z) < 1 } }",
        "one linear constraint",
    ),
    "family without an argument": (
        "operator S = «randomized_response(values: 10)",
        "needs the argument keep",
    ),
    "family with a bad probability": (
        "operator S = «randomized_response(values: 10, keep: 3)",
        "keep = 3 is not between 0 and 1",
    ),
    "family with half a value": (
        "operator S = randomized_response(values: «1/2, keep: 1/2)",
        "values takes an integer",
    ),
    "family with a list": (
        "operator S = randomized_response(values: 10, «keep: [1/2, 1/2])",
        "keep takes one number",
    ),
    "family without a list": (
        "operator S = select_a_size(items: 6, size: 2, insert: 1/2, «keep: 1/2)",
        "keep takes a list",
    ),
    "argument twice": (
        "operator S = randomized_response(values: 10, «values: 9, keep: 1/2)",
        "a second argument values",
    ),
}

DRAWS = "\n".join(f"{name} ~ uniform(0..999)" for name in "abcde")
SIZES = {
    "a domain of 10^12": ("domain D = «0..10^12", "1,000,000,000,001 members; at most 1,000,000"),
    "a domain of 10^9999": ("domain D = «0..10^9999", "a range beyond 10^18"),
    "9^9^9": ("domain D = 0..«9^9^9", "an exponent of 387420489; at most 10,000"),
    "a tower of powers": ("domain D = 0..«(9^9999)^9999", "too large to be computed"),
    "products of huge numbers": (
        "domain D = 0..10^9999 * 10^9999 * 10^9999 * 10^9999 * 10^9999 * 10^9999 * 10^9999"
        " * 10^9999 * 10^9999 * 10^9999 * 10^9999 * 10^9999 «* 10^9999",
        "too large to be computed",
    ),
    "a huge label": ("domain D = «{10^9999}", "a number of about"),
    "a huge return": (body("return «10^9999"), "returns a number of about"),
    "a huge probability": (body("return bernoulli(«10^9999)"), "a number of about"),
    "a huge row": (
        body("«[x -> y] = 1/10^9999"),
        "the row of 0 sums to ~4e-9999 (a fraction of 9,999 digits)",
    ),
    "a huge claim": (R + "audit R { forbid breach «1/10^9999 -> 1/2 }", "up to 1,000 digits"),
    "a huge interval": ("param p in (0, «10^9999)", "up to 1,000 digits"),
    "a number of 5,000 digits": ("domain D = 0..«" + "9" * 5000, "at most 1000 are read"),
    "a decimal of a million digits": ("domain D = 0..«0." + "9" * 10**6, "at most 1000 are read"),
    "a huge product": ("domain D = «(0..999) * (0..999) * (0..999)", "1,000,000,000 members"),
    "a product of bits": ("domain D = «" + " * ".join(["(0..1)"] * 400), "far more than a million"),
    "a product of many parts": ("domain D = «" + " * ".join(["(0..1)"] * 19), "is too large"),
    "huge subsets": ("domain D = «subsets(500000 of 0..999999)", "far more than a million"),
    "many subsets": ("domain D = «subsets(10 of 0..21)", "646,646 subsets"),
    "subsets of subsets": ("domain D = «subsets(3 of subsets(3 of 0..20))", "members"),
    "a huge union": ("domain D = «0..999999 | 2000000..2999999", "2,000,000 members"),
    "a set too large to be a value": (body("y = «0..99999\n return x"), "at most 10,000"),
    "a huge matrix": (
        "operator «R(x: 0..999999) -> 0..999999 { return x }",
        "1,000,000 x 1,000,000 entries",
    ),
    "five nested draws": (
        f"operator R(x: 0..999) -> 0..999 {{\n«{DRAWS}\nreturn (a + b + c + d + e) mod 1000\n}}",
        "combinations of random choices",
    ),
    "binomial of 10^9": (body("return «binomial(10^9, 1/2)"), "1000000000 trials"),
    "binomial with long fractions": (
        body("return «binomial(10000, 1/1000003)"),
        "too large to be computed",
    ),
    "binomial of degree 10,000": (
        "param p in (0, 1)\n" + body("return «binomial(10000, p)"),
        "degree 100",
    ),
    "a power of a parameter": (
        "param p in (0, 1)\n" + body("with «(1 - p)^10000 { return x } else { return 0 }"),
        "degree 100",
    ),
    "a power of a sum of parameters": (
        "".join(f"param p{k} in (0, 1)\n" for k in range(6))
        + body("with «(p0 + p1 + p2 + p3 + p4 + p5)^20 { return x } else { return 0 }"),
        "too many terms",
    ),
    "a thousand round brackets": (
        "domain D = 0.." + "(" * 100 + "«" + "(" * 900 + "5" + ")" * 1000,
        "brackets nested more than 100 deep",
    ),
    "a thousand braces": (
        "operator R(x: 0..1) -> 0..1 "
        + "{ if x == 0 " * 100
        + "«{ if x == 0 "
        + "{ if x == 0 " * 900,
        "brackets nested more than 100 deep",
    ),
    "ten thousand minus signs": ("domain D = 0.." + "-" * 10_000 + "5", "nested more than"),
    "ten thousand times not": (
        "property P on 0..5 = " + "not " * 10_000 + "x == 1",
        "nested more than",
    ),
    "ten thousand powers": ("domain D = 0.." + "2^" * 10_000 + "1", "nested more than"),
    "a hundred thousand terms": ("domain D = 0.." + "1+" * 100_000 + "1", "more than 60,000"),
    "a million brackets": ("(" * 10**6, "more than 60,000"),
    "a million comments": ("# note\n" * 10**6 + "domain D = {«}", "expected a value"),
    "select_a_size of 10^12 items": (
        "operator S = select_a_size(items: «10^12, size: 5, insert: 1/2, cutoff: 4, gamma: 19)",
        "items is at most 1,000,000",
    ),
    "select_a_size of size 10^6": (
        "operator S = select_a_size(items: 10^6, size: «10^6, insert: 1/2, cutoff: 4, gamma: 9)",
        "size is at most 100",
    ),
    "sets of all pairs": (
        "operator R(x: (0..400) * (0..400)) -> 0..400 { return «uniform({x.1, x.2} | 0..401) }",
        "returns 401",
    ),
}

PLACED_ANYWHERE = {
    "ten thousand minus signs",
    "ten thousand times not",
    "ten thousand powers",
}

ALL = SYNTAX | NAMES | VALUES | PROBABILITIES | CLAIMS | SIZES
