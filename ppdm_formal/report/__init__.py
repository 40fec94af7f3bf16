"""Reports: an audit's result as JSON, as text for a terminal, and for notebooks."""
