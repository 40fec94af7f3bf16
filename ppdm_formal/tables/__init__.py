"""Tables: generated from code tables, judged for anonymity, and what their owners are due."""
