"""Collecting: reports of clients, taken over HTTP into files that releases are read from."""
