"""Who may import what, read from the source with ast, imports inside functions included."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ppdm_formal"

DIVIDED = {"declare", "derive", "certify", "infer", "tables"}
"""Rooms whose folders have a direction among themselves as well."""
EXACT = {"declare.machine", "declare.arithmetic"}
CORE = EXACT | {"declare.operators"}
DECLARED = CORE | {"declare.noises", "declare.families", "declare.reals"}
ASKED = DECLARED | {"declare.claim", "declare.language"}
DERIVED = {"derive.measures", "derive.information", "derive.reals"}
CERTIFIED = {f"certify{room}" for room in ("", ".subjects", ".solver", ".audit")}
CERTIFIED |= {"certify.statement", "certify.theorem"}
INFERRED = {"infer.undoing", "infer.tables", "infer.reals", "infer.baskets", "infer.classify"}
TABLES = {"tables.generate", "tables.anonymity", "tables.coalition"}
SHOWN = {*ASKED, *DERIVED, *CERTIFIED, *INFERRED, *TABLES, "checker", "check", "design", "run"}
ALLOWED = {
    "declare": set(),
    "declare.machine": set(),
    "declare.arithmetic": {"declare.machine"},
    "declare.operators": EXACT,
    "declare.noises": EXACT,
    "declare.families": CORE | {"declare.noises"},
    "declare.reals": CORE | {"declare.noises", "declare.families"},
    # A claim names a measure, and so does a model: the one thing that is asked upwards.
    "declare.claim": CORE | {"declare.reals", "derive.measures"},
    "declare.language": DECLARED | {"declare.claim", "derive.measures"},
    "derive": set(),
    "derive.information": CORE,
    "derive.measures": CORE | {"derive.information"},
    "derive.reals": CORE | {"declare.noises", "declare.reals"},
    "checker": set(),
    "check": {"checker"},
    "certify": ASKED | DERIVED | {"certify.solver", "checker"},
    "certify.subjects": ASKED | {"certify", "certify.solver"},
    "certify.solver": CORE | {"declare.claim", "derive.measures", "certify"},
    "certify.theorem": {"checker"},
    "certify.statement": CORE | {"declare.claim", "certify", "certify.solver"},
    "certify.audit": {*ASKED, *DERIVED, "certify", "certify.solver", "checker", "design"},
    "design": CORE | {"declare.families", "derive.measures"},
    "run": CORE | {"declare.families", "design"},
    "infer": set(),
    "infer.undoing": CORE | {"declare.families"},
    "infer.tables": CORE | {"declare.families", "infer.undoing", "run"},
    "infer.reals": CORE | {"declare.noises", "infer.undoing", "run"},
    "infer.baskets": CORE | {"design", "run"},
    "infer.classify": EXACT | {"declare.noises", "infer.undoing", "infer.reals"},
    "tables": set(),
    "tables.generate": CORE | {"declare.families", "run", "infer.baskets"},
    "tables.anonymity": CORE | {"run"},
    "tables.coalition": CORE | {"run", "infer.undoing"},
    "report": SHOWN,
    "commands": SHOWN | {"report", "__init__"},
    "cli": SHOWN | {"report", "commands", "__init__"},
    "declare.result": set(),
    "__init__": set(),
}
ROOMS = {
    "words": set(),
    "pictures": {"words"},
    "parts": {"words", "pictures"},
    "formats": {"words", "pictures", "parts"},
}
"""The rooms of a report; what stands beside them (mathematics) may be used by all."""
NUMPY = {"declare", "derive", "design", "run", "infer", "tables"}
SOLVERS = {"certify"}
ALONE = {"check", "checker"}  # run with the standard library alone
VERSION = "ppdm_formal.__version__"  # a constant, which anyone may read
PARSERS = {"sympify", "parse_expr", "S", "lambdify", "literal_eval"}
BUILT_IN = {"eval", "exec", "compile", "__import__"}


@dataclass(frozen=True)
class Import:
    """One imported module, where it stands, and within which functions."""

    target: str
    where: str
    within: tuple[str, ...]
    typing_only: bool


def part_of(module: str) -> str:
    """The part of the package that a module belongs to: its room, and there its folder."""
    names = module.split(".")
    if len(names) == 1:
        return "__init__"
    inner = names[1] in DIVIDED and len(names) > 2
    whole = inner and (len(names) > 3 or ".".join(names[1:]) in ALLOWED)
    return ".".join(names[1:3]) if whole else names[1]


def room(part: str) -> str:
    """One of the ten rooms."""
    return part.partition(".")[0]


def module_of(path: Path) -> str:
    names = ["ppdm_formal", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def exists(module: str) -> bool:
    base = PACKAGE.joinpath(*module.split(".")[1:])
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


@cache
def imports(path: Path) -> list[Import]:
    """Every import of a file; `from ppdm_formal import x` counts as x where x is a module."""
    found: list[Import] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))

    @cache
    def version() -> str:
        """What `import ppdm_formal` is for: its version alone, or anything."""
        reached = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "ppdm_formal"
        }
        return VERSION if reached <= {"__version__"} else "ppdm_formal"

    place = path.relative_to(PACKAGE.parent)

    def visit(node: ast.AST, within: tuple[str, ...], typing_only: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            within = (*within, node.name)
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [
                version() if alias.name == "ppdm_formal" else alias.name for alias in node.names
            ]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module_of(path).split(".")
                above = above if path.name == "__init__.py" else above[:-1]
                base = ".".join([*above[: len(above) - node.level + 1], *filter(None, [base])])
            deeper = [f"{base}.{alias.name}" for alias in node.names]
            inside = base.partition(".")[0] == "ppdm_formal"
            targets = [
                name if inside and (name == VERSION or exists(name)) else base for name in deeper
            ]
        where = f"{place}:{getattr(node, 'lineno', 0)}"
        found.extend(Import(target, where, within, typing_only) for target in targets)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in node.body:
                visit(child, within, True)
            for child in node.orelse:
                visit(child, within, typing_only)
            return
        for child in ast.iter_child_nodes(node):  # imports are statements: none is in an expression
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                visit(child, within, typing_only)

    visit(tree, (), False)
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


def wrong_direction(part: str, one: Import) -> bool:
    """Whether an import inside the package goes against the direction."""
    if one.target.partition(".")[0] != "ppdm_formal":
        return False
    target = part_of(one.target)
    shown = target == "declare.result" and part not in ALONE  # what records are, for every room
    constant = one.target == VERSION and part not in ALONE
    typed = part == "__init__" and one.typing_only  # the public names, for editors
    allowed = target == part or target in ALLOWED.get(part, set())
    return not (allowed or shown or constant or typed)


def wrong_package(part: str, one: Import) -> bool:
    """Whether a heavy package is imported where it does not belong."""
    package = one.target.partition(".")[0]
    return (
        (package == "numpy" and room(part) not in NUMPY)
        or (package in ("z3", "cvc5") and room(part) not in SOLVERS)
        or (package in ("sympy", "z3", "cvc5") and not one.within and not one.typing_only)
        or (part in ALONE and package not in {*sys.stdlib_module_names, "ppdm_formal"})
    )


def against(files: list[Path], wrong: Callable[[Path, Import], bool]) -> list[str]:
    """The imports of some files that a rule forbids."""
    return [
        f"{one.where} imports {one.target}"
        for path in files
        for one in imports(path)
        if wrong(path, one)
    ]


def test_imports_go_one_way():
    lost = {part_of(module_of(path)) for path in FILES} - set(ALLOWED)
    assert not lost, f"{lost} have no place in the import direction: give them one here"
    found = against(FILES, lambda path, one: wrong_direction(part_of(module_of(path)), one))
    assert not found, found


def room_of(module: str) -> str:
    """The room of a report that a module belongs to, or nothing."""
    names = module.split(".")
    return names[2] if len(names) > 3 and names[1] == "report" else ""


def wrong_room(room: str, one: Import) -> bool:
    """Whether a room of the report imports one above it; a lazy import counts as well."""
    target = room_of(one.target)
    return bool(target) and target != room and target not in ROOMS[room]


def test_rooms_of_a_report_import_downwards():
    files = [path for path in FILES if room_of(module_of(path))]
    lost = {room_of(module_of(path)) for path in files} - set(ROOMS)
    assert not lost, f"{lost} have no place among the rooms of a report: give them one here"
    found = against(files, lambda path, one: wrong_room(room_of(module_of(path)), one))
    assert files
    assert not found, found


def test_heavy_packages_stay_where_they_belong():
    found = against(FILES, lambda path, one: wrong_package(part_of(module_of(path)), one))
    assert not found, found


def evaluating(path: Path) -> list[str]:
    """Calls that would run a text as code."""
    called = []
    text = path.read_text(encoding="utf-8")
    if not re.search(rf"\b({'|'.join(BUILT_IN | PARSERS)})\b", text):
        return called
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            plain = isinstance(node.func, ast.Name)
            name = node.func.id if plain else getattr(node.func, "attr", "")
            if (plain and name in BUILT_IN) or name in PARSERS:
                called.append(f"{path.name}:{node.lineno} calls {name}")
    return called


def test_no_text_is_evaluated_as_code():
    called = [call for path in FILES for call in evaluating(path)]
    assert not called, called


def concrete(base: type, *packages: str) -> set[str]:
    """The names of all classes below one, in some packages, found by their place."""
    for package in packages:
        for module in PACKAGE.joinpath(*package.split(".")).glob("[a-z]*.py"):
            importlib.import_module(f"ppdm_formal.{package}.{module.stem}")
    found: set[str] = set()
    below = [base]
    while below:
        below = [one for each in below for one in each.__subclasses__()]
        found |= {one.__name__ for one in below if one.__module__.startswith("ppdm_formal.")}
    return found


@cache
def kinds() -> set[str]:
    """Noises and laws, which say themselves what they are like."""
    from ppdm_formal.declare.noises.noise import Noise
    from ppdm_formal.declare.operators.law import Law

    return concrete(Noise, "declare.noises") | concrete(
        Law, "declare.operators", "declare.families"
    )


def asked_for(path: Path, names: set[str]) -> list[str]:
    """Where a file asks whether something is one of some classes: isinstance, match, type(...)."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "isinstance",
            "issubclass",
        ):
            asked = [node.args[1]]
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
            asked = list(node.comparators)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr"):
            told = ast.unparse(node.args[0]).split(".")[-1] == "law"
            found += [f"{path.name}:{node.lineno} asks whether a law has something"] * told
        for part in asked:
            said = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(part)}
            found += [f"{path.name}:{node.lineno} asks for {name}" for name in sorted(said & names)]
    return found


def test_noises_and_laws_are_asked_what_they_are_like_never_who_they_are():
    """A new one, in one file, then works wherever the others do."""
    names = kinds()
    assert {"Normal", "Bounded", "Triangular", "MatrixLaw", "SelectASize", "DecayLaw"} <= names
    own = {"declare.noises", "declare.families", "declare.operators"}
    found = [
        one
        for path in FILES
        if part_of(module_of(path)) not in own
        for one in asked_for(path, names)
    ]
    assert not found, found


def test_asking_who_one_is_would_be_seen(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("isinstance(operator.law, GridLaw | int)\ngetattr(self.law, 'extreme', None)\n")
    assert asked_for(bad, kinds()) == [
        "bad.py:1 asks for GridLaw",
        "bad.py:2 asks whether a law has something",
    ]


def test_no_name_shadows_the_standard_library():
    """Python can be started in any folder of the package."""
    names = {path for path in PACKAGE.rglob("*") if path.suffix == ".py" or path.is_dir()}
    assert not [path for path in names if path.stem in sys.stdlib_module_names]


def test_a_newcomer_sees_ten_rooms():
    rooms = {path.parent.relative_to(PACKAGE).parts[:1] for path in FILES} - {()}
    assert len(rooms) == 10, rooms


def test_the_rules_can_fail(tmp_path):
    """The reader sees imports in functions, relative ones and submodules, and calls."""
    file = tmp_path / "ppdm_formal" / "derive" / "measures" / "bad.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "import sympy\nfrom ppdm_formal import certify\nfrom ... import run\n"
        "def f():\n    import rich\n    import z3\n"
        "    from ppdm_formal.declare.language.compiler import load\n"
        "def _repr_html_():\n    from ppdm_formal.report.formats.notebook import html_table\n"
        "def g():\n    from ppdm_formal.report.formats.notebook import html_table\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "ppdm_formal")
        (tmp_path / "ppdm_formal" / "certify.py").touch()
        (tmp_path / "ppdm_formal" / "run.py").touch()
        found = imports(file)
    assert [one.target for one in found if wrong_direction("derive.measures", one)] == [
        "ppdm_formal.certify",
        "ppdm_formal.run",
        "ppdm_formal.declare.language.compiler",
        "ppdm_formal.report.formats.notebook",
        "ppdm_formal.report.formats.notebook",
    ]
    assert [one.target for one in found if wrong_package("derive.measures", one)] == ["sympy", "z3"]
    assert [one.target for one in found if wrong_room("words", one)] == [
        "ppdm_formal.report.formats.notebook"
    ] * 2
    assert not any(wrong_room("formats", one) for one in found)
    file.write_text("def f(x):\n    return [eval(x), sympy.sympify(x), S(x), model.eval(x)]\n")
    assert evaluating(file) == [f"bad.py:2 calls {name}" for name in ("eval", "sympify", "S")]
    file.write_text(
        "isinstance(x, Normal)\nisinstance(x, (str, noises.Laplace | int))\nisinstance(x, str)\n"
        "match x:\n    case Uniform():\n        type(x) is Triangular\n"
    )
    names = {"Normal", "Laplace", "Uniform", "Triangular"}
    assert sorted(asked_for(file, names)) == [
        "bad.py:1 asks for Normal",
        "bad.py:2 asks for Laplace",
        "bad.py:5 asks for Uniform",
        "bad.py:6 asks for Triangular",
    ]


@pytest.mark.parametrize(
    "start",
    [["-c", "import ppdm_formal"], ["-m", "ppdm_formal.cli", "--help"]],
    ids=["import", "help"],
)
def test_starting_loads_nothing_heavy(start):
    """Python itself lists what it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *start], capture_output=True, text=True, check=True
    )
    loaded = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()
    }
    assert "ppdm_formal" in loaded
    assert not loaded & {"numpy", "sympy", "z3", "cvc5", "flint", "lark", "networkx"}
