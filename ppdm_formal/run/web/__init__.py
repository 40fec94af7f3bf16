"""Servers on loopback: what every one of them refuses and limits, and how it starts and ends."""
