"""Information: knowledge gain, leakage, capacity and rate-distortion, with rigorous bounds."""
