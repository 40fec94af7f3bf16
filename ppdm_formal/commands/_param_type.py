"""The base of types of options: click's own, which takes a type argument from click 8.4 on only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click import ParamType
else:

    class ParamType(click.ParamType):
        """click.ParamType, with a type argument in every version of click."""

        def __class_getitem__(cls, _: Any) -> type:
            """For the type checker alone."""
            return cls


__all__ = ["ParamType"]
