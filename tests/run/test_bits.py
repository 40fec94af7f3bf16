"""Where random words come from: fresh after a fork, in threads and in copies; seeds repeat."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import threading

import numpy as np
import pytest

from ppdm_formal.run import keystream
from ppdm_formal.run.keystream import BLOCK, Keystream
from ppdm_formal.run.simulation import Simulation


def one_bits(words):
    return int(np.unpackbits(words.view(np.uint8)).sum())


@pytest.fixture(params=["cipher", "operating system"])
def source(request, monkeypatch):
    if request.param == "operating system":
        monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    bits = Keystream()
    assert (bits._encryptor is None) == (request.param == "operating system")
    return bits


def test_words_are_fresh_whatever_is_asked(source):
    asked = [0, 1, 5, BLOCK // 8 - 6, 1, 3 * BLOCK // 8 + 1, BLOCK // 8, 2]
    taken = [source.words(count) for count in asked]
    assert [words.size for words in taken] == asked
    assert all(words.dtype == np.uint64 for words in taken)
    together = np.concatenate(taken)
    assert np.unique(together).size == together.size
    # 64 * 10^5 fair bits: eight standard deviations.
    assert abs(one_bits(together) - 32 * together.size) < 8 * 4 * together.size**0.5


def test_two_streams_differ(source):
    assert not np.intersect1d(source.words(1000), Keystream().words(1000)).size


def test_a_key_is_replaced_in_time(monkeypatch):
    monkeypatch.setattr(keystream, "REKEY_BYTES", 2 * BLOCK)
    bits = Keystream()
    first = bits._encryptor
    bits.words(BLOCK // 4)
    assert bits._encryptor is first
    words = bits.words(BLOCK // 4)
    assert bits._encryptor is not first
    assert np.unique(words).size == words.size


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX warns, if a test loaded it
def test_a_forked_child_draws_its_own_words():
    bits = Keystream()
    bits.words(1)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, bits.words(64).tobytes())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        theirs = np.frombuffer(pipe.read(), dtype=np.uint64)
    os.waitpid(child, 0)
    assert theirs.size == 64
    assert not np.intersect1d(theirs, bits.words(BLOCK // 8)).size


def test_a_changed_process_number_is_enough(monkeypatch):
    bits = Keystream()
    bits.words(1)
    before = bits._encryptor
    monkeypatch.setattr(os, "getpid", lambda: -1)
    bits.words(1)
    assert bits._encryptor is not before


def test_threads_share_no_words():
    bits = Keystream()
    found = []

    def draw():
        for _ in range(200):
            found.append(bits.words(37))

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = np.concatenate(found)
    assert together.size == 8 * 200 * 37
    assert np.unique(together).size == together.size


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_keystream_is_not_copied(how):
    with pytest.raises(TypeError, match="never copied"):
        how(Keystream())


def test_a_simulation_repeats():
    first, second = Simulation(3), Simulation(3)
    assert np.array_equal(first.words(10), np.concatenate([second.words(4), second.words(6)]))
    assert not np.array_equal(first.words(10), Simulation(4).words(10))
    assert first.words(0).size == 0
