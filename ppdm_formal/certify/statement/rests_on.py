"""What rests on what: the graph of definitions and statements, by the names that each uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppdm_formal.certify.statement.statement import Definition, Statement

if TYPE_CHECKING:
    import networkx


class UnknownUse(ValueError):
    """A name in `uses` that nothing has, or a circle of uses."""


@dataclass(frozen=True)
class RestsOn:
    """Definitions and statements, and which uses which."""

    items: Sequence[Definition | Statement]

    def graph(self) -> networkx.DiGraph:
        """From what is used to what uses it, by names; refused where a name is unknown."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(item.name for item in self.items)
        for item in self.items:
            for used in item.uses:
                if used not in graph:
                    raise UnknownUse(f"{item.name} uses {used}, which is not there")
                graph.add_edge(used, item.name)
        if not networkx.is_directed_acyclic_graph(graph):
            circle = " -> ".join(edge[0] for edge in networkx.find_cycle(graph))
            raise UnknownUse(f"a circle of statements: {circle}")
        return graph

    def generations(self) -> list[list[str]]:
        """First what uses nothing, then what uses only that, and so on; in the order of files."""
        import networkx

        order = {item.name: place for place, item in enumerate(self.items)}
        found = networkx.topological_generations(self.graph())
        return [sorted(generation, key=order.__getitem__) for generation in found]

    def direct(self) -> list[tuple[str, str]]:
        """The uses without those that are also uses by way of others."""
        import networkx

        return sorted(networkx.transitive_reduction(self.graph()).edges)

    def needed(self, names: Sequence[str]) -> RestsOn:
        """Only these, and all that they rest on."""
        import networkx

        graph = self.graph()
        kept = set(names).union(*(networkx.ancestors(graph, name) for name in names))
        return RestsOn([item for item in self.items if item.name in kept])
