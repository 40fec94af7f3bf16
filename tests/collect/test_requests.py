"""What the collector answers: batches taken once, hostile bodies refused, other pages kept out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import SURVEY, TOKEN, batch, collector

from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.run.collect.batch import MAX_REPORTS, read_batch
from ppdm_formal.run.collect.windows import Full
from ppdm_formal.run.randomize import randomize
from ppdm_formal.run.release import Release
from ppdm_formal.run.web.guard import Limits, checked_origin
from ppdm_formal.run.web.refused import Refused

AUTHORIZED = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def client(tmp_path):
    with collector(tmp_path) as found:
        yield found


def test_a_batch_is_taken_once(client, tmp_path):
    one = batch(client, [0, 1, 4, 4])
    assert client.post("/reports", json=one).json() == {"taken": 4, "already": False, "window": 1}
    assert client.post("/reports", json=one).json() == {"taken": 0, "already": True, "window": 1}
    assert client.get("/collection").json()["in_window"] == 4
    assert client.get("/estimate", headers=AUTHORIZED).json()["rows"] == 4


def test_a_closed_window_is_a_release_in_random_order(tmp_path):
    reports = [k % 5 for k in range(3000)]
    with collector(tmp_path) as client:
        for start in range(0, 3000, 100):
            client.post("/reports", json=batch(client, reports[start : start + 100]))
    release = Release.read(tmp_path / "window-000001.parquet")
    found = [x for (block,) in release.blocks(["answer"]) for x in block.tolist()]
    assert sorted(found) == sorted(reports)
    assert found != reports
    assert release.shuffled
    assert release.tally.rows_out == 3000
    assert {path.suffix for path in tmp_path.glob("window*")} == {".parquet", ".batches"}


def test_a_batch_sent_again_after_its_window_closed_is_known(tmp_path):
    with collector(tmp_path) as client:
        one = batch(client, [1])
        client.post("/reports", json=one)
    with collector(tmp_path) as client:
        assert client.get("/collection").json()["window"] == 2
        assert client.post("/reports", json=one).json()["already"]
        late = batch(client, [2], window=1)  # made in the first window, heard of in the second
        assert client.post("/reports", json=late).json()["window"] == 2
    with collector(tmp_path) as client:
        assert client.post("/reports", json=one).status_code == 410
        assert client.post("/reports", json=late).status_code == 410
        assert client.post("/reports", json=batch(client, [1], window=9)).status_code == 409
    assert sum(Release.read(p).tally.rows_out for p in tmp_path.glob("*.parquet")) == 2


def test_a_full_window_closes(tmp_path):
    with collector(tmp_path, full=Full(reports=10)) as client:
        for _ in range(4):
            window = client.get("/collection").json()["window"]
            client.post("/reports", json=batch(client, [1] * 5, window))
    assert len(list(tmp_path.glob("*.parquet"))) == 2


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"reports": [0, 5]}, 422, "report 1"),
        ({"reports": [0, -1]}, 422, "report 1"),
        ({"reports": ["0"]}, 422, "report 0"),
        ({"reports": [True]}, 422, "report 0"),
        ({"reports": [None]}, 422, "report 0"),
        ({"reports": [[0]]}, 422, "report 0"),
        ({"reports": [{"set": [0]}]}, 422, "report 0"),
        ({"reports": []}, 400, "at least one"),
        ({"reports": 3}, 400, "at least one"),
        ({"reports": [0] * (MAX_REPORTS + 1)}, 413, "at most 10,000"),
        ({"operator": "0" * 64}, 409, "another operator"),
        ({"operator": None}, 409, "another operator"),
        ({"format": "ppdm-batch/2"}, 400, "ppdm-batch/1"),
        ({"batch": "xyz"}, 400, "32 hexadecimal"),
        ({"batch": 7}, 400, "32 hexadecimal"),
        ({"batch": "0" * 33}, 400, "32 hexadecimal"),
        ({"window": 0}, 400, "window"),
        ({"window": True}, 400, "window"),
        ({"window": 10**30}, 400, "window"),
        ({"window": "1"}, 400, "window"),
        ({"more": 1}, 400, "keys"),
    ],
)
def test_what_is_no_batch_is_refused_whole(client, change, status, says):
    answer = client.post("/reports", json={**batch(client, [0]), **change})
    assert answer.status_code == status
    assert says in answer.json()["error"]
    assert answer.json()["remedy"]
    assert client.get("/collection").json()["in_window"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 100_000,
        b"NaN",
        b'{"reports": [1.5]}',
        b'{"reports": [1e400]}',
        b'{"reports": [], "reports": []}',
        b'"a batch"',
        b"null",
    ],
)
def test_what_is_no_json_of_a_batch_is_refused(client, body):
    kind = {"content-type": "application/json"}
    answer = client.post("/reports", content=body, headers=kind)
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "remedy"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "format": st.just("ppdm-batch/1") | json_values,
            "operator": st.just("d") | json_values,
            "window": st.just(1) | json_values,
            "batch": st.just("0" * 32) | json_values,
            "reports": st.just([1]) | json_values,
        },
    )
)
def test_any_json_is_a_batch_or_refused(sent):
    try:
        found = read_batch(json.dumps(sent).encode(), "d")
    except Refused:
        return
    assert found.reports == sent["reports"]
    assert found.window == sent["window"]
    assert found.identifier.hex() == sent["batch"]


def test_bodies_are_limited(tmp_path):
    with collector(tmp_path, limits=Limits(body=1000, discarded=5000, bodies=1500)) as client:
        kind = {"content-type": "application/json"}
        for size in (1001, 5000, 7000, 10**6):
            answer = client.post("/reports", content=b"x" * size, headers=kind)
            assert answer.status_code == 413
            assert "1,000 bytes" in answer.json()["error"]
        streamed = client.post("/reports", content=iter([b"x" * 600] * 3), headers=kind)
        assert streamed.status_code == 413
        packed = client.post("/reports", content=b"", headers={**kind, "content-encoding": "gzip"})
        assert packed.status_code == 415
        assert client.post("/reports", json=batch(client, [0])).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:81"},
        {"host": "evil.example:8080"},
        {"host": "127.0.0.1.evil.example:8080"},
        {"host": ""},
    ],
)
def test_another_host_is_refused(client, headers):
    for method, path in (("GET", "/"), ("POST", "/reports"), ("GET", "/estimate")):
        answer = client.request(method, path, headers={**AUTHORIZED, **headers})
        assert answer.status_code == 421


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:81", f"{SURVEY}.evil.example"]
)
def test_pages_of_another_origin_are_refused(client, origin):
    for method, path in (("GET", "/"), ("POST", "/reports"), ("OPTIONS", "/reports")):
        answer = client.request(method, path, headers={"origin": origin})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_a_named_origin_may_send_reports_and_nothing_else(client):
    asks = {"origin": SURVEY, "access-control-request-method": "POST"}
    before = client.options("/reports", headers=asks)
    assert before.status_code == 204
    assert before.headers["access-control-allow-origin"] == SURVEY
    assert before.headers["access-control-allow-methods"] == "POST"
    sent = client.post("/reports", json=batch(client, [0]), headers={"origin": SURVEY})
    assert sent.headers["access-control-allow-origin"] == SURVEY
    wrong = client.post("/reports", json={}, headers={"origin": SURVEY})
    assert wrong.status_code == 400
    assert wrong.headers["access-control-allow-origin"] == SURVEY
    for path in ("/estimate", "/close"):
        answer = client.post(path, headers={"origin": SURVEY, **AUTHORIZED})
        assert answer.status_code == 403


def test_what_is_not_for_everybody_wants_the_token(client):
    for method, path in (("GET", "/estimate"), ("POST", "/close"), ("GET", "/nothing")):
        assert client.request(method, path).status_code == 401
        wrong = {"authorization": "Bearer x"}
        assert client.request(method, path, headers=wrong).status_code == 401
    assert client.get("/estimate", headers=AUTHORIZED).status_code == 200
    assert client.get("/nothing", headers=AUTHORIZED).json()["error"] == "there is nothing here"
    assert client.put("/reports", headers=AUTHORIZED).status_code == 405


def test_other_kinds_of_content_are_refused(client):
    """Forms of any page can send these without asking first."""
    body = json.dumps(batch(client, [0]))
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = client.post("/reports", content=body, headers={"content-type": kind})
        assert answer.status_code == 415


def test_every_answer_has_the_headers_that_protect(client):
    answers = [
        client.get("/"),
        client.get("/page.js"),
        client.get("/estimate"),
        client.post("/reports", json={}),
        client.get("/", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    page = client.get("/").text
    assert "style=" not in page
    assert "://" not in page


FAMILIES = [
    unary_encoding(8, "3/4", "1/4"),
    unary_encoding(40, "3/4", "1/4"),
    subset_selection(30, chosen=6, epsilon=1),
    local_hashing(20, 4, epsilon=1),
]


@pytest.mark.parametrize("operator", FAMILIES, ids=lambda one: one.outputs.__class__.__name__)
def test_reports_of_every_type_come_back_from_the_files(tmp_path, operator):
    drawn = randomize(operator, [k % 8 for k in range(300)])
    sent = [operator.report.encoded(one) for one in drawn]
    with collector(tmp_path, operator) as client:
        taken = client.post("/reports", json=batch(client, sent))
        assert taken.json()["taken"] == 300
        for wrong in ("", "A" * 100, [0], [0, 10**9], None, -1):
            answer = client.post("/reports", json=batch(client, [*sent, wrong]))
            assert answer.status_code == 422
            assert "report 300" in answer.json()["error"]
    found = estimate(tmp_path / "window-000001.parquet").tables[0]
    expected = estimate(operator, drawn).tables[0]
    assert [c.estimate for c in found.cells] == [c.estimate for c in expected.cells]


def test_closing_by_hand(client, tmp_path):
    client.post("/reports", json=batch(client, [1, 2]))
    assert client.post("/close", headers=AUTHORIZED).json() == {"closing": 1}
    assert client.post("/reports", json=batch(client, [3])).json()["window"] in (1, 2)


@pytest.mark.parametrize("text", ["survey.example", "ftp://a", "https://a/b", "https://a b", "*"])
def test_what_is_no_origin(text):
    with pytest.raises(ValueError, match="no origin"):
        checked_origin(text)
