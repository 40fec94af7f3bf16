"""The sections of a report, one file each with a record PART; parts/part.py finds them."""
