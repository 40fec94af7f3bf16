"""Numbers: rationals, closed forms, parameters, roots, signs and enclosures."""
