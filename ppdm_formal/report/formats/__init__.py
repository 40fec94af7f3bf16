"""Formats: a report on a terminal, as HTML, Markdown or JSON, and in notebooks."""
