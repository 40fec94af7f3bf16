"""The compiler: declarations, in the order written, to operators, priors, properties and audits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import Ln, TooManyPowers
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.audits import AuditCompiler
from ppdm_formal.declare.language.columns import TooManyWorlds, plain
from ppdm_formal.declare.language.csv_law import (
    ROW_HINT,
    beside,
    declared_names,
    digest,
    file_rows,
    load_csv,
    read_options,
    row_hint,
    tell_origin,
)
from ppdm_formal.declare.language.csv_matrix import CsvMatrix, read_csv, read_text
from ppdm_formal.declare.language.dependencies import dependencies, explained
from ppdm_formal.declare.language.domains import declared_domain, declared_set
from ppdm_formal.declare.language.entries import rule_matrix, table_matrix
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.evaluate import Evaluator, Worlds
from ppdm_formal.declare.language.exponentials import FinerStep
from ppdm_formal.declare.language.families import build_family
from ppdm_formal.declare.language.given import given_value
from ppdm_formal.declare.language.hierarchy import generalization, hierarchy
from ppdm_formal.declare.language.model import HEAD, Audit, Head, Model, RealAudit, RealPart
from ppdm_formal.declare.language.names import NameCheck
from ppdm_formal.declare.language.parser import parse
from ppdm_formal.declare.language.part_declarations import build_parts
from ppdm_formal.declare.language.priors import build_prior
from ppdm_formal.declare.language.program import ProgramRunner, domain_column
from ppdm_formal.declare.language.real_names import RealNames
from ppdm_formal.declare.language.reals import RealsCompiler, check_discrete
from ppdm_formal.declare.language.scope import DISTRIBUTIONS, FUNCTIONS, Scope
from ppdm_formal.declare.language.syntax_errors import empty_model
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge, check_cells
from ppdm_formal.declare.operators.parts import Parts
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import NotStochastic, Operator
from ppdm_formal.declare.reals.grid import on_grid
from ppdm_formal.declare.reals.reals import Reals

__all__ = ["compile_text", "load", "load_csv"]

MAX_BYTES = 8_000_000
"""Longest model file."""


def load(path: str | Path, values: Mapping[str, object] | None = None) -> Model:
    """Read and compile a model file; `values` gives parameters their values."""
    file = Path(path)
    return compile_text(read_text(file, MAX_BYTES), str(path), values, file.parent)


def compile_text(
    source: str,
    file: str = "model",
    values: Mapping[str, object] | None = None,
    folder: Path | None = None,
) -> Model:
    """Compile a model given as text; CSV files are looked for in `folder`."""
    try:
        chosen = {name: _chosen(name, value) for name, value in (values or {}).items()}
        return _compiled(source, file, chosen, folder)
    except ModelError as problem:
        raise problem.in_file(file, source) from None


def _compiled(source: str, file: str, chosen: Mapping[str, Any], folder: Path | None) -> Model:
    """Compile; again where exp(eps/2) turns up after exp(eps), so that both are powers of one t."""
    steps: dict[str, Fraction] = {}
    while True:
        try:
            return _Compiler(source, file, chosen, folder, steps).compile()
        except FinerStep as finer:
            steps[finer.name] = finer.step


def _chosen(name: str, value: object) -> Any:
    """A value given from outside (--set NAME=VALUE)."""
    if isinstance(value, Ln):
        return value
    try:
        number = given_value(value) if isinstance(value, str) else exact(value)
        if isinstance(number, Ln):
            return number
    except (ValueError, TypeError) as problem:
        raise ModelError(f"the value of {name}: {problem}") from None
    if is_symbolic(number):
        raise ModelError(f"the value of {name}: expected a number, found {number_text(number)}")
    return number


class _Compiler:
    def __init__(
        self,
        source: str,
        file: str,
        values: Mapping[str, Any],
        folder: Path | None,
        steps: Mapping[str, Fraction],
    ) -> None:
        self.source = source
        self.file = file
        self.chosen = values
        self.scope = Scope(steps=dict(steps), folder=folder)
        self.evaluator = Evaluator(self.scope)
        self.declared: dict[str, Parameter] = {}
        self.priors: dict[str, Prior] = {}
        self.properties: dict[str, Property] = {}
        self.tables: dict[str, CsvMatrix] = {}
        self.audits: list[Audit] = []
        self.parts: dict[str, Parts] = {}
        self.head: Head | None = None
        self.reals = RealsCompiler(self.evaluator)
        self.names = RealNames(self.reals)
        self.real_audits: list[RealAudit] = []
        self.auditor = AuditCompiler(self.evaluator, self.priors, self.properties, self.names)

    def compile(self) -> Model:
        """Compile every declaration, then check that nothing is left over."""
        declarations = parse(self.source)
        if not declarations:
            raise empty_model()
        for place, declaration in enumerate(declarations):
            try:
                self._declare(declaration)
            except ModelError as problem:
                raise explained(problem, declarations, place) from None
            except TooManyWorlds:
                raise ModelError(
                    "sets or lists that vary too much to be written out for each value",
                    declaration.at,
                ) from None
        unknown = [name for name in self.chosen if name not in self.declared]
        if unknown:
            known = ", ".join(self.declared) or "none"
            raise ModelError(
                f"no parameter {unknown[0]} to set", None, f"the model's parameters: {known}"
            )
        return Model(
            file=self.file,
            sha256=hashlib.sha256(self.source.encode()).hexdigest(),
            operators=dict(self.scope.operators),
            priors=self.priors,
            properties=self.properties,
            parameters={n: p for n, p in self.scope.parameters.items() if p.of is None},
            exponentials=tuple(p for p in self.scope.parameters.values() if p.of is not None),
            values={
                n: Fraction(v) if type(v) is int else v
                for n, v in self.scope.values.items()
                if n not in self.scope.parameters
            },
            csv_files=self.scope.files,
            audits=tuple(self.audits),
            parts=self.parts,
            source=self.source,
            dependencies=dependencies(declarations),
            head=self.head or Head(),
            real=RealPart(
                self.scope.continuous,
                self.names.densities,
                self.names.properties,
                tuple(self.real_audits),
                self.names.on_grid,
            ),
        )

    def _declare(self, declaration: s.Declaration) -> None:
        match declaration:
            case s.DomainDeclaration():
                self.scope.check_new(declaration.name, declaration.at)
                members = declared_set(declaration.values, self.evaluator)
                self.scope.domains[declaration.name] = members
            case s.RealsDeclaration():
                self.reals.domain(declaration)
            case s.ParamDeclaration():
                self._param(declaration)
            case s.PriorDeclaration():
                self._prior(declaration)
            case s.PropertyDeclaration():
                self._property(declaration)
            case s.OperatorDeclaration():
                self._operator(declaration)
            case s.FamilyDeclaration():
                self._check_operator_name(declaration.name, declaration.at)
                built = build_family(declaration, self.evaluator)
                self.scope.operators[declaration.name] = self._sourced(built, declaration.span)
            case s.PartsDeclaration():
                if declaration.name in self.parts:
                    raise ModelError(f"a second record {declaration.name}", declaration.at)
                self.scope.check_new(declaration.name, declaration.at)
                self.parts[declaration.name] = build_parts(declaration, self.evaluator)
            case s.AuditDeclaration():
                for audit in self.auditor.compile(declaration):
                    if isinstance(audit, RealAudit):
                        self.real_audits.append(audit)
                    else:
                        self.audits.append(audit)
            case s.ReportDeclaration():
                self._report(declaration)

    def _report(self, node: s.ReportDeclaration) -> None:
        if self.head is not None:
            raise ModelError("a second report block", node.at)
        found: dict[str, str] = {}
        for at, name, text in node.items:
            if name not in HEAD or name in found:
                what = "said twice" if name in found else "nothing that a report says of itself"
                raise ModelError(f"{name} is {what}", at, f"expected: {', '.join(HEAD)}")
            found[name] = text
            try:
                self.head = Head(**found)
            except ValueError as problem:
                raise ModelError(str(problem), at) from None
        self.head = self.head or Head()

    # -- parameters, priors, properties --------------------------------------------------------

    def _param(self, node: s.ParamDeclaration) -> None:
        self.scope.check_new(node.name, node.at)
        default = None if node.default is None else self.evaluator.constant_rational(node.default)
        try:
            parameter = Parameter(
                node.name,
                self.evaluator.constant_rational(node.low),
                self.evaluator.constant_rational(node.high),
                node.includes_low,
                node.includes_high,
                default,
            )
        except ValueError as problem:
            raise ModelError(str(problem), node.at) from None
        self.declared[node.name] = parameter
        value = self.chosen.get(node.name, default)
        if value is None:
            self.scope.parameters[node.name] = parameter
            self.scope.values[node.name] = parameter.symbol
            return
        if value not in parameter:
            shown = number_text(value)
            raise ModelError(f"{node.name} = {shown} is outside {parameter.interval}", node.at)
        self.scope.values[node.name] = plain(value)

    def _prior(self, node: s.PriorDeclaration) -> None:
        if node.name in self.priors or node.name in self.names.densities:
            raise ModelError(f"a second prior {node.name}", node.at)
        reals = self.reals.named(node.on)
        if reals is not None:
            self.names.densities[node.name] = self.reals.density(node, reals)
        else:
            self.priors[node.name] = build_prior(node, self.evaluator)

    def _property(self, node: s.PropertyDeclaration) -> None:
        if node.name in self.properties or node.name in self.names.properties:
            raise ModelError(f"a second property {node.name}", node.at)
        reals = self.reals.named(node.on)
        if reals is not None:
            self.names.properties[node.name] = self.reals.property(node, reals)
            self.names.conditions[node.name] = node.condition
            return
        domain = declared_domain(node.on, self.evaluator, "x")
        if "x" in self.scope.bare_labels:
            raise ModelError("x is also a label", node.at, 'quote the label: "x"')
        NameCheck(self.evaluator).expressions([node.condition], {"x"})
        worlds = Worlds(domain.size, {"x": domain_column(domain)})
        mask = self.evaluator.truth(node.condition, worlds)
        self.properties[node.name] = Property(domain, mask, node.name)

    # -- operators -----------------------------------------------------------------------------

    def _operator(self, node: s.OperatorDeclaration) -> None:
        self._check_operator_name(node.name, node.at)
        self.scope.check_new(node.variable, node.at)
        reals = self.reals.named(node.inputs)
        if reals is not None:
            self._real_operator(node, reals)
            return
        check_discrete(node)
        inputs = declared_domain(node.inputs, self.evaluator, node.variable)
        outputs = declared_domain(node.outputs, self.evaluator, node.variable)
        try:
            check_cells(inputs.size, outputs.size)
            if isinstance(node.body, s.CsvFile):
                operator = self._from_file(node.name, node.body, inputs, outputs)
            else:
                coded = self._matrix(node, inputs, outputs)
                free = self.scope.free()
                operator = Operator.from_codes(inputs, outputs, coded, node.name, free)
        except TooLarge as problem:
            raise ModelError(str(problem), node.at) from None
        except NotStochastic as problem:
            hint = ROW_HINT
            if isinstance(node.body, s.CsvFile):
                hint = row_hint(node.body, self.tables[node.body.path], problem, inputs)
            raise ModelError(problem.plain, self._row_place(node, problem), hint) from None
        self.scope.operators[node.name] = self._sourced(operator, node.span)

    def _real_operator(self, node: s.OperatorDeclaration, domain: Reals) -> None:
        """A continuous operator; rounded to a grid it is a discrete one."""
        source = self.source[slice(*node.span)]
        operator, step, at = self.reals.operator(node, domain, source)
        if step is None:
            self.scope.continuous[node.name] = operator
            return
        try:
            self.scope.operators[node.name] = on_grid(operator, step)
        except (ValueError, TooManyPowers) as problem:
            raise ModelError(str(problem), at) from None

    def _check_operator_name(self, name: str, at: Place) -> None:
        if name in FUNCTIONS | DISTRIBUTIONS:
            raise ModelError(f"{name} is already a function", at, "choose another name")
        self.scope.check_new(name, at)

    def _matrix(self, node: s.OperatorDeclaration, inputs: Domain, outputs: Domain) -> CodedMatrix:
        body = node.body
        match body:
            case s.Program():
                NameCheck(self.evaluator).program(body, node.variable)
                return ProgramRunner(self.evaluator, node.variable, inputs, outputs).run(body)
            case s.Rule():
                self.scope.check_new(body.target, body.at)
                return rule_matrix(body, self.evaluator, node.variable, inputs, outputs)
            case s.Matrix():
                return table_matrix(body, self.evaluator, inputs, outputs)
            case s.HierarchyFile():
                return generalization(body, hierarchy(body, self.scope), inputs, outputs)
            case s.CsvFile():
                raise AssertionError("files are read by _from_file")

    def _from_file(self, name: str, body: s.CsvFile, inputs: Domain, outputs: Domain) -> Operator:
        reading = read_options(body)
        path = beside(body, self.scope.folder)
        names = declared_names(inputs, outputs)
        table = self.tables[body.path] = read_csv(path, reading.index, reading.header, names)
        self.scope.files[body.path] = digest(path)
        rows = file_rows(body, table, inputs, outputs)
        operator = Operator.from_outside(inputs, outputs, rows, reading, name)
        tell_origin(operator, body.path, table)
        return operator

    def _row_place(self, node: s.OperatorDeclaration, problem: NotStochastic) -> Place:
        """The row's own place where the operator is a matrix."""
        body = node.body
        if isinstance(body, s.Matrix):
            for row in body.rows:
                if self.evaluator.constant(row.value) == problem.row:
                    return row.at
        return node.at if isinstance(body, s.Program) else body.at

    def _sourced(self, operator: Operator, span: tuple[int, int]) -> Operator:
        """The operator with its own text, for reports."""
        names = {parameter.name for parameter in operator.parameters}
        for parameter in operator.parameters:
            if parameter.told.name in names - {parameter.name}:
                raise ModelError(
                    f"{operator.name} depends on {parameter.told.name} itself and on "
                    f"{parameter.name}",
                    None,
                    f"use one of the two, or give it a value: --set {parameter.told.name}=VALUE",
                )
        operator.source = self.source[slice(*span)]
        return operator
