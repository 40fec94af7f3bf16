"""Models, plans and data that the tests of ppdm randomize share."""

import importlib.util
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]

MODEL = """
domain Answer = {yes, no, unsure}
domain Age = 0..99
param p in [0, 1]
prior X on Answer { yes: 1/10; no: 8/10; unsure: 1/10 }
operator Reply(x: Answer) -> Answer { [x -> y] = 1/2 if y == x | 1/4 otherwise }
operator Blur(x: Age) -> Age {
    with 1/5 { return x }
    else { return uniform(Age) }
}
operator Clear(x: Answer) -> Answer { [x -> y] = 9/10 if y == x | 1/20 otherwise }
operator Free(x: Answer) -> Answer { [x -> y] = p if y == x | (1 - p)/2 otherwise }
operator Silent(x: Answer) -> Answer { [x -> y] = 1/2 if y == x | 1/4 otherwise }
operator Empty(x: Answer) -> Answer { [x -> y] = 1/2 if y == x | 1/4 otherwise }
audit Reply { prior X; forbid breach 1/4 -> 1/2 }
audit Blur { forbid breach 1/50 -> 1/2 }
audit Clear { forbid breach 1/4 -> 1/2 }
audit Free { forbid breach 1/4 -> 1/2 }
audit Empty { forbid upward breach 1/20 -> 1/2 under X }
"""


def write_model(folder):
    path = folder / "model.ppdm"
    path.write_text(MODEL)
    return path


def write_plan(folder, sizes=(1, 2, 3), items=50, paper=False):
    from ppdm_formal.design import plan_file
    from ppdm_formal.design.design import design

    path = folder / "plan.json"
    plan = design(sizes, 10_000, "5%", "50%", 2, items, paper=paper, form="paper")
    path.write_text(plan_file.write_plan(plan))
    return path


def schema_checker():
    """The part of JSON Schema that the certificates' tests know, applied to a release."""
    path = ROOT / "tests/certify/certify_schema.py"
    spec = importlib.util.spec_from_file_location("certify_schema", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    schema = json.loads((ROOT / "docs/release.schema.json").read_text())
    return lambda document: module.validate(document, schema), module.Invalid
