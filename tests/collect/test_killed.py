"""A real collector on loopback, killed while clients send; more by hand (killed.py)."""

import signal

import pytest
from how_many import cases
from killed import Collector, campaign, check


def test_acknowledged_reports_survive_kills_once(tmp_path):
    senders, found, _ = campaign(tmp_path, cases(2, 10), 8, 5, 20, "0.5s")
    check(senders, found)
    assert senders.acknowledged
    assert senders.answers[200, False]


@pytest.mark.parametrize("number", [signal.SIGINT])
def test_a_request_to_end_closes_the_window(tmp_path, number):
    collector = Collector(tmp_path)
    collector.start()
    assert collector.end(number) == 0
    assert not collector.files()
    told = "".join(collector.told)
    assert "operator:  sha256" in told
    assert "curl" in told
