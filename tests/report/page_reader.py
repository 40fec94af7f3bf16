"""Reads a page with the standard library: its tags, attributes, and text."""

from html.parser import HTMLParser

TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "header",
    "nav",
    "footer",
    "section",
    "details",
    "summary",
    "article",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "li",
    "dl",
    "div",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
    "span",
    "a",
    "figure",
    "figcaption",
    "svg",
    "g",
    "line",
    "path",
    "polyline",
    "circle",
    "rect",
    "text",
}
"""All that a report is made of; nothing of it runs, loads or submits."""

VOID = {"meta"}


class Page(HTMLParser):
    """A parsed page; raises where tags do not match."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts = [], [], []
        self._open = []
        self.cells = []
        self.feed(source)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if any(tag in ("td", "th") for tag in self._open[-2:]):
            self.cells[-1][-1] += data

    @property
    def text(self):
        """All text outside tags, without the style sheet."""
        return "\n".join(self.texts)


def assert_harmless(source):
    """Nothing in the page runs, loads, or leaves it."""
    page = Page(source)
    assert set(page.tags) <= TAGS, set(page.tags) - TAGS
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("style", "src", "srcset", "action", "background", "xlink:href"), name
        if name == "href":
            assert value.startswith("#"), value
    assert [tag for tag in page.tags if tag == "style"] == ["style"]
    return page
