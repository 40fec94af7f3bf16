"""Anonymity of tables: k-anonymity, l-diversity, t-closeness, and their random forms."""
