"""Pictures: what is drawn of results, as SVG."""
