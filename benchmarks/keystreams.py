"""Where random words come from: AES-256-CTR, ChaCha20, the operating system, and a plain PCG64."""

from __future__ import annotations

import os

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from benchmarks.result import Result, median_seconds
from ppdm_formal.run.keystream import Keystream

BYTES = 1 << 23


def measure() -> list[Result]:
    """Eight mebibytes from each; the keystream uses the faster cipher."""
    aes = _cipher(Cipher(algorithms.AES(os.urandom(32)), modes.CTR(os.urandom(16))))
    chacha = _cipher(Cipher(algorithms.ChaCha20(os.urandom(32), os.urandom(16)), None))
    system = median_seconds(lambda: os.urandom(BYTES))
    generator, bits = np.random.PCG64(1), Keystream()
    plain = median_seconds(lambda: generator.random_raw(BYTES // 8))
    ours = median_seconds(lambda: bits.words(BYTES // 8))
    speeds = ", ".join(
        f"{name} {BYTES / taken / 1e9:.2f}"
        for name, taken in (
            ("AES-256-CTR", aes),
            ("ChaCha20", chacha),
            ("os.urandom", system),
            ("PCG64", plain),
            ("our keystream", ours),
        )
    )
    return [
        Result("random words, in GB/s", speeds, "keystream no slower than ChaCha20", ours <= chacha)
    ]


def _cipher(cipher: Cipher) -> float:
    encryptor, zeros, room = cipher.encryptor(), bytes(BYTES), bytearray(BYTES + 16)
    return median_seconds(lambda: encryptor.update_into(zeros, room))
