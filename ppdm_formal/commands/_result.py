"""Every command's result goes the same way: --json, --html, --markdown, or onto the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

import click

from ppdm_formal.declare.machine.files import Writer, text_writer, write_all
from ppdm_formal.declare.result import Result

Files: TypeAlias = Sequence[tuple[str | None, Writer]]


@dataclass(frozen=True)
class Answer:
    """A result with what a command adds to it.

    code: the exit code, where options change it. files: what else is written, all of it together.
    how: how the document is made. said: the command has said on the terminal what there is to say,
    of its other files too.
    after: says what comes last.
    """

    result: Result
    code: int | None = None
    files: Files = ()
    how: Mapping[str, Any] = field(default_factory=dict)
    said: bool = False
    after: Callable[[], None] | None = None


@dataclass
class Outputs:
    """Where a result goes: JSON, HTML, Markdown, and other files that a command writes."""

    json: str | None = None
    html: str | None = None
    markdown: str | None = None
    others: tuple[str | None, ...] = ()
    written: bool = False

    def check(self, read: Sequence[Path | None], *others: str | None) -> None:
        """Refuse outputs to one place, or over a file that is read; others: further outputs."""
        self.others = others or self.others
        if self.targets.count("-") > 1:
            raise click.UsageError("only one output can go to standard output (-)")
        places = {os.path.realpath(path) for path in read if path is not None}
        known: set[str] = set()
        for output in self.targets:
            if output in (None, "-"):
                continue
            place = os.path.realpath(str(output))
            if place in places:
                raise click.UsageError(f"{output} is read here: writing to it would destroy it")
            if place in known:
                raise click.UsageError("two outputs name the same file")
            known.add(place)

    @property
    def targets(self) -> list[str | None]:
        """All of them."""
        return [self.json, self.html, self.markdown, *self.others]

    @property
    def aside(self) -> bool:
        """Whether standard output holds a file, so that what is said goes to standard error."""
        return "-" in self.targets

    @property
    def paged(self) -> bool:
        """Whether a whole report is written."""
        return self.html is not None or self.markdown is not None

    def say(self, text: object) -> None:
        """A line for people."""
        click.echo(text, err=self.aside)

    def write(self, answer: Answer) -> None:
        """All files together, or none; a command may do it before it ends."""
        from ppdm_formal.report.formats.html_page import document_html
        from ppdm_formal.report.formats.markdown import document_markdown

        files: list[tuple[str | None, Writer]] = [(self.json, text_writer(answer.result.json_text))]
        if self.paged:
            document = answer.result.document(**answer.how)
            files += [
                (self.html, text_writer(lambda: [document_html(document)])),
                (self.markdown, text_writer(lambda: [document_markdown(document)])),
            ]
        write_all([(name, write) for name, write in (*files, *answer.files) if name is not None])
        self.written = True

    def show(self, answer: Answer) -> int:
        """Print the document, say what was written; the exit code."""
        from ppdm_formal.report.formats.terminal import console, print_document

        if not self.written:
            self.write(answer)
        if not (self.aside or answer.said):
            print_document(answer.result.document(brief=True, **answer.how), console())
        for target in self.targets[:3] if answer.said else self.targets:
            if target not in (None, "-"):
                self.say(f"Wrote {target}")
        if answer.after is not None:
            answer.after()
        return answer.result.exit_code if answer.code is None else answer.code


def writes_result(command: Callable[..., Result | Answer | int]) -> Callable[..., int]:
    """The options that all commands have; the command gets them as `out`, and returns a result.

    What it returns is shown on the terminal, unless standard output holds a file; all files
    appear together or not at all; the exit code is the result's. An exit code alone says that
    there is no result.
    """

    @click.option("--json", "json_file", metavar="FILE|-", help="Write the result as JSON.")
    @click.option("--html", "html_file", metavar="FILE|-", help="Write it as one HTML page.")
    @click.option("--markdown", "markdown_file", metavar="FILE|-", help="Write it as Markdown.")
    @wraps(command)
    def written(
        *arguments: Any,
        json_file: str | None,
        html_file: str | None,
        markdown_file: str | None,
        **given: Any,
    ) -> int:
        out = Outputs(json_file, html_file, markdown_file)
        out.check([])
        found = command(*arguments, out=out, **given)
        if isinstance(found, int):
            return found
        return out.show(found if isinstance(found, Answer) else Answer(found))

    return written
