"""Hidden sizes: the one size that all baskets are padded or cut to, and what hiding costs."""

from __future__ import annotations

from ppdm_formal.itemsets.request import Request


def chosen_size(request: Request) -> int:
    """The one size: as asked for, or the largest there is."""
    return request.largest if request.longest is None else request.longest
