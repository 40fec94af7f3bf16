"""Plans as their files hold them: what was written, read as JSON and nothing else."""

from __future__ import annotations

import json

from ppdm_formal.design import design, planning
from ppdm_formal.design.plan_file import plan_of, write_plan


def written(plan):
    return json.loads(write_plan(plan))


def written_plan(request):
    return written(planning.plan_for(request))


def written_design(*given, **named):
    return written(design.design(*given, **named))


def written_continued(content, *found):
    return written(planning.continue_for(plan_of(content), *found))
