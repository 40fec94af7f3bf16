"""ppdm collect: a collector on loopback that takes clients' reports into files, for pilots."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._claims import forbid_options
from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    exact_matrix_options,
    load_model,
    progress,
    timeout_option,
)
from ppdm_formal.commands._param_type import ParamType
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._review import (
    OVERRIDE,
    Review,
    model_origin,
    override_option,
    refuse,
    review_operator,
    say_claims,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.report.words.counted import counted

if TYPE_CHECKING:
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.run.collect.accepted import Accepted, SoFar
    from ppdm_formal.run.collect.app import ToldToClients

_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(s|m|h|d)", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class DurationType(ParamType[float]):
    """A time such as 30s, 15m, 1h or 2d, in seconds."""

    name = "TIME"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Read it."""
        match = _TIME.fullmatch(str(value))
        if match is None or not float(match[1]):
            self.fail(f"{value!r} is no time such as 30s, 15m, 1h or 2d", param, ctx)
        return float(match[1]) * _SECONDS[match[2]]


class OriginType(ParamType[str]):
    """The origin of a web page."""

    name = "ORIGIN"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """As browsers send it."""
        from ppdm_formal.run.web.guard import checked_origin

        try:
            return checked_origin(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


SHOWN = Shown("collect", "Take clients' reports over HTTP on this machine, for pilots.")


@click.command("collect")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--operator", "name", metavar="NAME", required=True, help="What clients run.")
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), required=True, help="The files' folder."
)
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Give a parameter a value.")
@click.option("--column", metavar="COLUMN", help="Name of the reports' column [the operator's].")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="0, as by default: any that is free."
)
@click.option(
    "--window",
    type=DurationType(),
    default="1h",
    show_default=True,
    help="Close the window so often: a file of its reports in random order.",
)
@click.option("--for", "lasts", type=DurationType(), help="End by itself after this time.")
@click.option(
    "--origin",
    "origins",
    type=OriginType(),
    multiple=True,
    help="A web page's origin, whose scripts may send reports.",
)
@forbid_options("Also claim: no breach from R1 to R2.")
@override_option
@timeout_option
@exact_matrix_options
@writes_result
def command(
    model: Path,
    name: str,
    folder: Path,
    values: Sequence[tuple[str, Any]],
    column: str | None,
    port: int,
    window: float,
    lasts: float | None,
    origins: Sequence[str],
    forbid: Sequence[Claim],
    although: bool,
    timeout: float,
    matrix: MatrixOptions,
    out: Outputs,
) -> Answer | int:
    """Collect reports of clients on this machine's loopback address.

    \b
    ppdm collect MODEL --operator NAME --out DIR [--port 8080] [--window 1h]

    Batches of reports that clients drew are checked, kept on disk before they are acknowledged,
    and written as DIR/window-000001.parquet when their window closes: releases that ppdm estimate
    reads. Ctrl-C closes the window and ends; a collector that was killed goes on where it was.
    It is for pilots: docs/collect.md says what a real collection needs besides.
    """  # noqa: D301
    from ppdm_formal.run.collect.accepted import Accepted, SoFar
    from ppdm_formal.run.release import Override, ReleasedColumn

    loaded = load_model(model, dict(values), timeout, reading=matrix.reading())
    with progress() as say:
        review = review_operator(loaded, name, forbid, timeout, say)
    if review.clearance.why and not although:
        return refuse([review], "No collection was")
    named = column or name
    described = ReleasedColumn(named, review.operator, model_origin(loaded), None, review.claims)
    why = review.clearance.why
    overrides = (Override(OVERRIDE, named, why),) if why else ()
    accepted = Accepted(described, folder, overrides)
    files, reports = _collect(accepted, SoFar(accepted), review, port, window, lasts, origins)
    lines = [counted(reports, "report"), f"operator {name}, sha256 {accepted.digest}"]
    facts = {"reports": reports, "operator": accepted.digest, "column": named}
    out.say(f"Collected {lines[0]} in {counted(len(files), 'window')}.")
    written = Written("collect", tuple(map(str, files)), tuple(lines), facts)
    return Answer(written, said=True)


def _collect(
    accepted: Accepted,
    so_far: SoFar,
    review: Review,
    port: int,
    window: float,
    lasts: float | None,
    origins: Sequence[str],
) -> tuple[list[Path], int]:
    """Serve until asked to end; the files of this run, and how many reports came."""
    try:
        from ppdm_formal.run.collect.app import EVERYBODY, application
        from ppdm_formal.run.web.server import listening, serve
    except ImportError as missing:
        raise click.UsageError(
            f"collecting needs the package {missing.name}: pip install 'ppdm_formal[serve]'"
        ) from None
    from ppdm_formal.run.collect.collecting import Collecting
    from ppdm_formal.run.collect.windows import Windows
    from ppdm_formal.run.web.guard import Door

    token = secrets.token_urlsafe(24)
    try:
        opened = listening(port)
    except OSError as problem:
        raise click.UsageError(f"port {port}: {problem.strerror}") from None
    with opened:
        windows = Windows(accepted.folder, accepted.digest, accepted.release, so_far.add)
        so_far.add_closed(windows.closed())
        collecting = Collecting(windows, accepted.digest, accepted.packed, so_far.add, window)
        door = Door(opened.getsockname()[1], token, EVERYBODY, frozenset(origins))
        app = application(collecting, _told(accepted, so_far), door)
        announce = partial(_announce, accepted, review, windows, door, window)
        try:
            serve(app, opened, door.limits, announce, lasts)
        finally:
            collecting.end()
    return collecting.closed, collecting.taken


def _announce(accepted: Accepted, review: Review, windows: Any, door: Any, window: float) -> None:
    """What whoever started it needs to know, on standard error."""
    from ppdm_formal.report.words.visible import clean

    origin = accepted.column.model
    address = f"http://127.0.0.1:{door.port}"
    example = {
        "format": "ppdm-batch/1",
        "operator": accepted.digest,
        "window": windows.number,
        "batch": secrets.token_hex(16),
        "reports": accepted.examples(),
    }
    lines = [
        f"Collecting reports of {review.operator.name} at {address}",
        f"  the page:  {address}/#{door.token}",
        f"  model:     {origin.file}, sha256 {origin.sha256}",
        f"  operator:  sha256 {accepted.digest}",
        f"  accepted:  {accepted.says}, in batches",
        f"  files:     {accepted.folder}/window-{windows.number:06}.parquet every {window:g} s",
        *(f"  found:     {said}" for said in windows.said),
        "  to try it (these reports count!):",
        f"    curl -H 'Content-Type: application/json' {address}/reports \\",
        f"      -d '{_for_shell(json.dumps(example))}'",
        "Ctrl-C closes the window and ends. For pilots only: no TLS, no authentication.",
    ]
    for line in lines:
        click.echo(clean(line, 2000), err=True)
    say_claims(review, err=True)


def _for_shell(text: str) -> str:
    return text.replace("'", "'\\''")


def _told(accepted: Accepted, so_far: SoFar) -> ToldToClients:
    """What the page shows."""
    from ppdm_formal.infer.tables.so_far import so_far_json
    from ppdm_formal.run.collect.app import ToldToClients

    operator, origin = accepted.column.operator, accepted.column.model
    about = {
        "name": operator.name,
        "operator": accepted.digest,
        "reports": accepted.says,
        "report": accepted.report.to_json(),
        "model": origin.file,
        "model_sha256": origin.sha256,
    }
    return ToldToClients(about, lambda: so_far_json(operator, *so_far.now()))
