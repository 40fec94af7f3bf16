"""The declarations of a model as a graph: what each uses stands to its left."""

from __future__ import annotations

from markupsafe import Markup

from ppdm_formal.language.dependencies import Declared, Dependencies
from ppdm_formal.report.pictures.axes import WIDTH, legend_lines, text_at
from ppdm_formal.report.pictures.fitting import fitted
from ppdm_formal.report.pictures.svg import Picture, element, path, picture

_MOST, _MOST_GENERATIONS = 40, 6
_GAP, _HIGH, _PITCH, _TOP = 34.0, 22.0, 32.0, 6.0
_KINDS = {"operator": "c0", "prior": "c1", "property": "c2", "domain": "c3", "param": "c4"}
_NAMES = {"param": "parameter"}


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
    wide = (WIDTH - 8 - _GAP * (len(generations) - 1)) / len(generations)
    rows = max(len(part) for part in generations)
    places = {
        one: (4 + column * (wide + _GAP), _TOP + row * _PITCH)
        for column, part in enumerate(generations)
        for row, one in enumerate(part)
    }
    parts = [_arrow(places[used], places[user], wide) for used, user in uses]
    parts += [_box(one, *place, wide) for one, place in places.items()]
    kinds = [kind for kind in _KINDS if any(one.kind == kind for one in places)]
    legend = [(_sign(kind), _NAMES.get(kind, kind)) for kind in kinds]
    bottom = _TOP + rows * _PITCH
    parts += legend_lines(legend, bottom + 10)
    return picture(WIDTH, bottom + 10 + 17 * len(legend), title, parts)


def _box(one: Declared, x: float, y: float, wide: float) -> Markup:
    class_ = f"box {_KINDS[one.kind]}"
    frame = element("rect", x=x, y=y, width=wide, height=_HIGH, rx=4, class_=class_)
    name = text_at(x + wide / 2, y + 15, fitted(one.name, wide - 8), "small middle")
    return element("g", frame, name)


def _sign(kind: str) -> Markup:
    return element("rect", x=0, y=-6, width=20, height=11, rx=3, class_=f"box {_KINDS[kind]}")


def _arrow(used: tuple[float, float], user: tuple[float, float], wide: float) -> Markup:
    """A line to the user's left side; past other columns it runs between their boxes."""
    x1, y1 = used[0] + wide, used[1] + _HIGH / 2
    x2, y2 = user[0], user[1] + _HIGH / 2
    points = [(x1, y1), (x2 - 5, y2)]
    if x2 - x1 > _GAP + 1:
        lane = used[1] + (_HIGH + _PITCH) / 2
        points[1:1] = [(x1 + _GAP / 2, lane), (x2 - _GAP / 2, lane)]
    head = element("path", d=f"M{x2:.1f} {y2:.1f}l-7 -3.5v7z", class_="arrow-head")
    return element("g", path(points, "arrow"), head)
