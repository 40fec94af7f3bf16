"""Keystream: cryptographic random words, AES-256 in counter mode keyed by the operating system.

Encrypting zeros gives gigabytes of words a second; ChaCha20 is half as fast where processors
have AES instructions (benchmarks/keystreams.py). Without the package `cryptography` the words
come from the operating system directly: slower, and as good.
"""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.draw import Bits

BLOCK = 1 << 17
"""Bytes made at a time; small requests are served from what is left of the last block."""

REKEY_BYTES = 1 << 36
"""A key is replaced after so many bytes, long before a counter's blocks can be told from random."""

_ZEROS = bytes(BLOCK)
_forks = 0


def _forked() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_forked)


class Keystream(Bits):
    """Words that are used once: not after a fork, not by two threads, not in a copy."""

    def __init__(self) -> None:
        self._renew()

    def _renew(self) -> None:
        """A new key, and nothing left of the old stream."""
        self._owner = (os.getpid(), _forks)
        self._lock = threading.Lock()  # a lock held by another thread at a fork stays shut
        self._left = np.empty(0, dtype=np.uint64)
        self._encryptor: Any = _encryptor()
        self._made = 0

    def words(self, count: int) -> npt.NDArray[np.unsignedinteger]:
        """Fresh words; what they are depends on nothing that anyone can know."""
        if self._owner != (os.getpid(), _forks):
            self._renew()
        with self._lock:
            if count <= self._left.size:
                taken, self._left = self._left[:count], self._left[count:]
                return taken
            blocks = -(-count * 8 // BLOCK)
            fresh = np.empty(blocks * BLOCK + 16, dtype=np.uint8)  # the cipher wants room to spare
            for block in range(blocks):
                self._write(fresh.data[block * BLOCK :])
            made = fresh[: blocks * BLOCK].view(np.uint64)
            self._left = made[count:]
            return made[:count]

    def _write(self, where: memoryview) -> None:
        """One block of the stream."""
        if self._made >= REKEY_BYTES:
            self._encryptor, self._made = _encryptor(), 0
        self._made += BLOCK
        if self._encryptor is None:
            where[:BLOCK] = os.urandom(BLOCK)
        else:
            self._encryptor.update_into(_ZEROS, where)

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError("a keystream is never copied: two copies would give the same words")


def _encryptor() -> Any:
    """AES-256-CTR with a key and counter from the operating system; None without the package."""
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        return None
    return Cipher(algorithms.AES(os.urandom(32)), modes.CTR(os.urandom(16))).encryptor()
