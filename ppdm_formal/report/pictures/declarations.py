"""The declarations of a model as a graph: what each uses stands to its left."""

from __future__ import annotations

from markupsafe import Markup

from ppdm_formal.declare.language.dependencies import Declared, Dependencies
from ppdm_formal.report.pictures.axes import WIDTH
from ppdm_formal.report.pictures.fitting import fitted
from ppdm_formal.report.pictures.layered import GraphNode, layered
from ppdm_formal.report.pictures.svg import Picture, picture

_MOST, _MOST_GENERATIONS = 40, 6
_KINDS = {
    "operator": "c0",
    "prior": "c1",
    "property": "c2",
    "domain": "c3",
    "param": "c4",
    "parts": "c5",
}
_NAMES = {"param": "parameter", "parts": "record in parts"}


def declarations_picture(found: Dependencies) -> Picture | None:
    """The graph; None where it says nothing (few uses, no chain of them) or is too large."""
    users = {user for _, user in found.uses}
    chained = any(used in users for used, _ in found.uses)
    if len(found.declared) > _MOST or not (chained or len(found.uses) > 2):
        return None
    connected = {one for pair in found.uses for one in pair}
    generations = [[one for one in part if one in connected] for part in found.generations()]
    if len(generations) > _MOST_GENERATIONS:
        return None
    title = "What each declaration uses"
    caption = (
        "An arrow leads from a declaration to each that uses it; what one also uses by way of "
        f"another has no arrow of its own. {_said(found)}"
    )
    return Picture(title, _drawn(generations, found.direct(), title), caption.strip())


def _said(found: Dependencies) -> str:
    """The uses among operators in words, also for those who get no picture."""
    said: dict[str, list[str]] = {}
    for used, user in found.uses:
        if used.kind in ("operator", "param"):
            said.setdefault(user.name, []).append(used.name)
    parts = [f"{fitted(user, 120)} uses {fitted(', '.join(u), 200)}" for user, u in said.items()]
    return f"{'; '.join(parts[:6])}." if parts else ""


def _drawn(
    generations: list[list[Declared]], uses: list[tuple[Declared, Declared]], title: str
) -> Markup:
    columns = [
        [GraphNode(_key(one), one.name, _KINDS[one.kind]) for one in part] for part in generations
    ]
    kinds = [
        kind for kind in _KINDS if any(one.kind == kind for part in generations for one in part)
    ]
    legend = [(_KINDS[kind], _NAMES.get(kind, kind)) for kind in kinds]
    graph = layered(columns, [(_key(used), _key(user)) for used, user in uses], legend, WIDTH)
    return picture(WIDTH, graph.height, title, graph.parts)


def _key(one: Declared) -> str:
    """Declarations of different kinds may share a name."""
    return f"{one.kind} {one.name}"
