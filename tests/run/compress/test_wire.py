"""The wire format: seeds come back as they were; what was cut, changed or mixed up is refused."""

from __future__ import annotations

import io
import json
import struct
import zlib

import numpy as np
import pytest

from ppdm_formal.run.compress import wire, wire_parquet
from ppdm_formal.run.compress.draw import uniform_seeds
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.wire import (
    MAGIC,
    SeedHeader,
    SeedPart,
    StreamReader,
    create_seeds,
    gathered,
    open_seeds,
)
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.simulation import Simulation

HEADER = SeedHeader(
    "ab" * 32,
    (
        SeedPart("all", 1, Polynomial(50, 3, 1, 1)),  # 18 bits
        SeedPart("all", 2, Polynomial(50, 4, 3, 4)),  # 24 bits
        SeedPart("pairs", 2, Polynomial(10**12, 3, 1, 2)),  # 120 bits
    ),
)
ROWS = (5, 3, 4)


def seeds_of(rows=ROWS):
    return [
        uniform_seeds(count, part.generator.seed_bits, Simulation(count))
        for count, part in zip(rows, HEADER.parts, strict=True)
    ]


def write(path, rows=ROWS, header=HEADER):
    with (
        path.open("wb") as raw,
        create_seeds(raw, header, path.suffix == ".parquet") as writer,
    ):
        for part, seeds in zip(header.parts, seeds_of(rows), strict=True):
            writer.write(part.group, part.size, seeds)
        writer.finish({})


def read(path):
    with open_seeds(path, path.suffix == ".parquet") as reader:
        found = [[], [], []]
        for number, seeds in reader.blocks():
            found[number].append(seeds)
        joined = [
            np.concatenate([np.empty((0, part.generator.words), np.uint64), *some])
            for part, some in zip(reader.header.parts, found, strict=True)
        ]
        return reader.header, joined


NAMES = pytest.mark.parametrize("name", ["out.seeds", "out.parquet"])


@NAMES
@pytest.mark.parametrize("rows", [ROWS, (0, 0, 1), (1000, 0, 700), (0, 0, 0)])
def test_seeds_come_back(tmp_path, name, rows, monkeypatch):
    monkeypatch.setattr(wire, "MAX_BLOCK", 100)  # many blocks
    monkeypatch.setattr(wire_parquet, "BATCH", 7)
    write(tmp_path / name, rows)
    header, found = read(tmp_path / name)
    assert header == HEADER
    for one, other in zip(found, seeds_of(rows), strict=True):
        assert one.tolist() == other.tolist()


def test_a_stream_is_as_documented(tmp_path):
    """Read byte by byte as docs/compressed.md says, with nothing of the reader's code."""
    write(tmp_path / "out.seeds")
    content = (tmp_path / "out.seeds").read_bytes()
    assert content[:8] == b"\x89PPDMs\r\n"
    version, length = struct.unpack_from("<HI", content, 8)
    assert version == 1
    header = json.loads(content[14 : 14 + length])
    assert header["plan"] == "ab" * 32
    assert header["parts"][1]["generator"]["name"] == "polynomial"
    place = 14 + length
    assert struct.unpack_from("<I", content, place)[0] == zlib.crc32(content[:place])
    place += 4
    for number, seeds in enumerate(seeds_of()):
        width = -(-header["parts"][number]["generator"]["seed_bits"] // 8)
        assert struct.unpack_from("<II", content, place) == (number, len(seeds))
        for row, seed in enumerate(seeds):
            start = place + 8 + row * width
            value = int.from_bytes(content[start : start + width], "little")
            assert value == sum(int(word) << 64 * k for k, word in enumerate(seed))
        end = place + 8 + len(seeds) * width
        assert struct.unpack_from("<I", content, end)[0] == zlib.crc32(content[place:end])
        place = end + 4
    assert struct.unpack_from("<IQ", content, place) == (0xFFFFFFFF, sum(ROWS))
    import hashlib

    assert content[place + 12 :] == hashlib.sha256(content[: place + 12]).digest()


def refused(content):
    """Whether a stream is refused, before all of it was believed."""
    try:
        reader = StreamReader("x.seeds", io.BytesIO(content))
        found = list(reader.blocks())
    except ReleaseError as wrong:
        return str(wrong)
    return None if found else "empty"


def test_every_cut_and_every_flipped_bit_is_refused(tmp_path):
    write(tmp_path / "out.seeds")
    content = (tmp_path / "out.seeds").read_bytes()
    assert refused(content) is None
    for length in range(len(content)):
        assert refused(content[:length]), length
    for place in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[place] ^= 1 << bit
            assert refused(bytes(changed)), (place, bit)
    assert "follows its end" in refused(content + b"\0")
    assert "cut short" in refused(content[:-33])


def test_blocks_left_out_or_in_another_order_are_refused(tmp_path):
    write(tmp_path / "out.seeds")
    content = (tmp_path / "out.seeds").read_bytes()
    places, place = [], 14 + len(HEADER.text()) + 4
    for count, width in zip(ROWS, (3, 3, 15), strict=True):
        places.append((place, place + 8 + count * width + 4))
        place = places[-1][1]
    one, two = (content[slice(*span)] for span in places[:2])
    front, rest = content[: places[0][0]], content[places[1][1] :]
    assert refused(front + one + two + rest) is None
    for changed in (front + two + one + rest, front + one + rest, front + one + one + two + rest):
        assert "digest" in refused(changed)


def test_a_damaged_parquet_file_is_refused_or_says_the_same(tmp_path):
    """Page checksums guard the seeds; what else is in the file may change what is not used."""
    path = tmp_path / "out.parquet"
    write(path, (40, 30, 20))
    content = path.read_bytes()
    expected = [one.tolist() for one in read(path)[1]]
    caught = 0
    for place in range(4, len(content), 5):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            header, found = read(path)
        except DataError:
            caught += 1
            continue
        assert header == HEADER
        assert [one.tolist() for one in found] == expected
    assert caught > 100
    for length in (0, 3, 100, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(DataError):
            read(path)


def test_seeds_for_another_plan_or_generator_are_refused():
    other = SeedHeader("cd" * 32, HEADER.parts)
    with pytest.raises(ReleaseError, match="drawn for another plan"):
        HEADER.check(other, "x")
    longer = (*HEADER.parts[:2], SeedPart("pairs", 2, Polynomial(10**12, 4, 1, 2)))
    with pytest.raises(ReleaseError, match="generators of the seeds"):
        HEADER.check(SeedHeader(HEADER.plan, longer), "x")
    HEADER.check(SeedHeader(HEADER.plan, HEADER.parts), "x")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda h: h.pop("plan"), "the header"),
        (lambda h: h.update(parts=[]), "the parts are none"),
        (lambda h: h.update(parts=h["parts"][:1] * 2), "occurs twice"),
        (lambda h: h["parts"][0]["generator"].update(name="none"), "no generator of this name"),
        (lambda h: h["parts"][0]["generator"].update(seed_bits=19), "not how"),
        (lambda h: h["parts"][0].update(size="1"), "a size"),
    ],
)
def test_bad_headers_are_refused(change, why):
    header = json.loads(HEADER.text())
    change(header)
    with pytest.raises(ReleaseError, match=why):
        SeedHeader.of(json.dumps(header), "x.seeds")
    for text in ("", "[]", "{", "[" * 100_000):
        with pytest.raises(ReleaseError):
            SeedHeader.of(text, "x.seeds")


def test_other_files_and_later_versions_are_refused_in_words():
    assert "not a file of seeds" in refused(b"1 2 3\n")
    assert "version 2" in refused(MAGIC + struct.pack("<HI", 2, 0))
    assert "header of" in refused(MAGIC + struct.pack("<HI", 1, 1 << 30))


def test_seeds_must_be_as_many_and_in_the_order_of_the_release():
    one = np.zeros((2, 1), dtype=np.uint64)
    assert len(list(gathered(iter([(0, one), (0, one), (2, one)]), (4, 0, 2), "x"))) == 3
    for blocks, rows in [
        ([(0, one)], (2, 1)),
        ([(0, one), (0, one)], (2, 2)),
        ([(1, one), (0, one)], (2, 2)),
        ([], (1,)),
    ]:
        with pytest.raises(ReleaseError, match="x: the seeds are not as many"):
            list(gathered(iter(blocks), rows, "x"))


@NAMES
def test_bits_behind_a_seed_are_refused(tmp_path, name):
    path = tmp_path / name
    part = HEADER.parts[0]  # 18 bits in three bytes
    with path.open("wb") as raw, create_seeds(raw, HEADER, name == "out.parquet") as writer:
        writer.write(part.group, part.size, np.array([[1 << 18]], dtype=np.uint64))
        writer.finish({})
    with pytest.raises(ReleaseError, match="longer than its generator"):
        read(path)
