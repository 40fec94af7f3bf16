"""Dependencies: which declaration of a model uses which, in what order, and where that fails.

A declaration may use only what stands before it. The graph is built from the syntax tree alone,
so that it also explains models that do not compile: what is declared too late, and cycles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError, Place

if TYPE_CHECKING:
    import networkx

Kind: TypeAlias = Literal["domain", "param", "prior", "property", "operator", "parts"]

_KINDS: dict[type[Any], Kind] = {
    s.DomainDeclaration: "domain",
    s.RealsDeclaration: "domain",
    s.ParamDeclaration: "param",
    s.PriorDeclaration: "prior",
    s.PropertyDeclaration: "property",
    s.OperatorDeclaration: "operator",
    s.FamilyDeclaration: "operator",
    s.PartsDeclaration: "parts",
}


@dataclass(frozen=True)
class Declared:
    """A declaration that others can use."""

    kind: Kind
    name: str
    line: int


@dataclass(frozen=True)
class Dependencies:
    """What a model declares, in the order written, and pairs (used, user)."""

    declared: tuple[Declared, ...] = ()
    uses: tuple[tuple[Declared, Declared], ...] = ()

    def graph(self) -> networkx.DiGraph:
        """The same as a graph, from what is used to what uses it."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(self.declared)
        graph.add_edges_from(self.uses)
        return graph

    def generations(self) -> list[list[Declared]]:
        """First what uses nothing, then what uses only that, and so on; in the order written."""
        import networkx

        order = {declared: place for place, declared in enumerate(self.declared)}
        found = networkx.topological_generations(self.graph())
        return [sorted(generation, key=order.__getitem__) for generation in found]

    def direct(self) -> list[tuple[Declared, Declared]]:
        """The uses without those that are also uses by way of others, in the order written."""
        import networkx

        kept = set(networkx.transitive_reduction(self.graph()).edges)
        return [pair for pair in self.uses if pair in kept]

    def cycle(self, through: Declared) -> list[Declared]:
        """A shortest way from a declaration back to itself; empty where there is none."""
        import networkx

        graph = self.graph()
        # From the user back to what it uses.
        ways = [
            [through, *networkx.shortest_path(graph.reverse(), used, through)]
            for used in graph.predecessors(through)
            if networkx.has_path(graph.reverse(), used, through)
        ]
        return min(ways, key=len, default=[])


@dataclass(frozen=True)
class _Use:
    """A name in a declaration, and of what kind it would have to be."""

    name: str
    kinds: tuple[Kind, ...]
    at: Place


def dependencies(declarations: Sequence[s.Declaration]) -> Dependencies:
    """Who uses whom; names that nothing declares are left out."""
    known = _known(declarations)
    found: dict[tuple[Declared, Declared], None] = {}
    for declaration in declarations:
        kind = _KINDS.get(type(declaration))
        if kind is None:
            continue
        user = known[kind, declaration.name]  # type: ignore[union-attr]
        for use in _uses(declaration):
            found.update(
                {
                    (known[kind, use.name], user): None
                    for kind in use.kinds
                    if (kind, use.name) in known
                }
            )
    return Dependencies(tuple(known.values()), tuple(found))


def explained(problem: ModelError, declarations: Sequence[s.Declaration], at: int) -> ModelError:
    """The same error, or a better one where its place names what is declared only later.

    at: the declaration that could not be compiled.
    """
    later = _known(declarations[at:])
    use = next((use for use in _uses(declarations[at]) if use.at == problem.place), None)
    found = [] if use is None else [later[k, use.name] for k in use.kinds if (k, use.name) in later]
    if use is None or not found:
        return problem
    kind = _KINDS.get(type(declarations[at]))
    user = None if kind is None else later.get((kind, declarations[at].name))  # type: ignore[union-attr]
    cycle = [] if user is None else dependencies(declarations).cycle(user)
    if cycle:
        way = " uses ".join(part.name for part in cycle)
        hint = "nothing can use itself, not even by way of others"
        return ModelError(f"declarations in a circle: {way}", use.at, hint)
    return ModelError(
        f"{found[0].kind} {use.name} is declared only later, in line {found[0].line}",
        use.at,
        "a declaration uses what stands before it: move it up",
    )


def _known(declarations: Sequence[s.Declaration]) -> dict[tuple[Kind, str], Declared]:
    found: dict[tuple[Kind, str], Declared] = {}
    for declaration in declarations:
        kind = _KINDS.get(type(declaration))
        if kind is not None:
            name: str = declaration.name  # type: ignore[union-attr]
            found.setdefault((kind, name), Declared(kind, name, declaration.at.line))
    return found


def _uses(declaration: s.Declaration) -> Iterator[_Use]:
    """Every name that may stand for a declaration; variables of the declaration's own are none."""
    own = set(_variables(declaration))
    for node in _nodes(declaration):
        match node:
            case s.AuditDeclaration():
                yield from (_Use(name.text, ("operator",), name.at) for name in node.operators)
            case s.SanitizedBy():
                yield _Use(node.operator.text, ("operator",), node.operator.at)
            case s.Listing():
                kind: Kind = "prior" if node.kind == "prior" else "property"
                yield from (_Use(name.text, (kind,), name.at) for name in node.names)
            case s.Forbid():
                if isinstance(node.under, s.Name):
                    yield _Use(node.under.text, ("prior",), node.under.at)
                if node.about is not None:
                    yield _Use(node.about.text, ("property",), node.about.at)
                if node.knowing is not None:
                    yield _Use(node.knowing.text, ("operator",), node.knowing.at)
            case s.Crowd(others=s.Name() as prior):
                yield _Use(prior.text, ("prior",), prior.at)
            case s.Require(argument=s.Name() as prior):
                yield _Use(prior.text, ("prior",), prior.at)
            case s.Call():
                yield _Use(node.name, ("operator",), node.at)
            case s.Name() if node.text not in own:
                yield _Use(node.text, ("domain", "param"), node.at)


def _variables(declaration: s.Declaration) -> Iterator[str]:
    if isinstance(declaration, s.PropertyDeclaration):
        yield "x"
    for node in _nodes(declaration):
        match node:
            case s.OperatorDeclaration():
                yield node.variable
            case s.Rule():
                yield from (node.source, node.target)
            case s.Draw() | s.Let():
                yield node.name
            case s.ForEach():
                yield node.index


def _nodes(declaration: s.Declaration) -> Iterator[Any]:
    stack: list[Any] = [declaration]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(s.parts(node))
