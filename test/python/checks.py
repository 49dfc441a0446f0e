"""Tests of the Python module against a running service: python3 checks.py URL"""

import http.server
import json
import socket
import sys
import threading
import typing
import unittest
from decimal import Decimal
from email.message import Message
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import stakewright  # noqa: E402
from stakewright import ApprovalNeeded, NotModified, Stakewright, StakewrightError  # noqa: E402

URL = sys.argv.pop(1)


class Planned:
    """A server with canned answers in order: status, body, headers. Without a status it sends the body as raw bytes."""

    def __init__(self, *answers):
        self.paths = []
        self.headers = []
        planned = iter(answers)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                outer.paths.append(self.path)
                outer.headers.append(self.headers)
                status, body, headers = next(planned)
                if status is None:
                    self.close_connection = True
                    self.wfile.write(body)
                    return
                text = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": len(text)}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.waits = []
        url = f"http://127.0.0.1:{self.server.server_port}"
        return self, Stakewright(url, random=lambda: 0.0, sleep=self.waits.append)

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


BUSY = {"error": "store_not_ready", "message": "Not yet.", "status": 503, "requestId": "r"}


class Module(unittest.TestCase):
    def test_every_annotation_resolves(self):
        dicts = [value for value in vars(stakewright).values() if hasattr(value, "__required_keys__")]
        self.assertGreater(len(dicts), 50)
        for value in dicts:
            typing.get_type_hints(value)
        for value in vars(Stakewright).values():
            if callable(value):
                typing.get_type_hints(value, vars(stakewright))

    def test_answers_and_rate_limits(self):
        answers = []
        anybody = Stakewright(URL, on_answer=answers.append)
        self.assertEqual(anybody.health()["network"], "sandbox")
        self.assertIsNone(answers[-1].rate_limit)
        (first, *_) = anybody.validators()["data"]
        self.assertEqual(anybody.validator(id=first["id"])["name"], first["name"])
        key = anybody.sandbox_key(agent_name="python")["data"]["apiKey"]
        client = Stakewright(URL, api_key=key)
        said = []
        self.assertEqual(client.usage(on_answer=said.append)["used"], {"rpm": 1, "rpd": 1})
        self.assertEqual([answer.endpoint for answer in answers], ["health", "validators", "validator", "sandbox_key"])
        (answer,) = said
        self.assertEqual((answer.endpoint, answer.status), ("usage", 200))
        self.assertEqual(answer.rate_limit.remaining, 999)
        self.assertEqual(answer.rate_limit.limit_day, 100_000)
        self.assertEqual(client.sandbox_advance()["epoch"], client.epoch()["epoch"])

    def test_refusals_say_what_is_wrong(self):
        with self.assertRaises(StakewrightError) as caught:
            Stakewright(URL).usage()
        self.assertEqual((caught.exception.code, caught.exception.status), ("unauthorized", 401))
        self.assertTrue(caught.exception.request_id)
        self.assertFalse(caught.exception.retryable)

    def test_no_error_quotes_a_secret(self):
        key = Stakewright(URL).sandbox_key(agent_name="python")["data"]["apiKey"]
        self.assertEqual(Stakewright(URL, api_key=f" {key}\n").usage()["tier"], "builder")
        for bad in [f"{key}\nx", f"{key} x", f"{key}\u00e9", f"{key}\u20ac"]:
            for secret in [{"api_key": bad}, {"token": bad}]:
                with self.assertRaises(ValueError) as caught:
                    Stakewright(URL, **secret)
                self.assertNotIn(key, str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            Stakewright("http://me:hidden@127.0.0.1:3000")
        self.assertNotIn("hidden", str(caught.exception))

    def test_unchanged_data_is_not_modified(self):
        client = Stakewright(URL)
        known = client.validators()["hash"]
        with self.assertRaises(NotModified) as caught:
            client.validators(hash=known)
        self.assertEqual((caught.exception.code, caught.exception.status), ("not_modified", 304))
        self.assertEqual(client.validators(hash="another")["hash"], known)

    def test_a_build_that_needs_approval_raises_with_the_approval_id(self):
        waiting = {"approvalId": "apr_1", "expiresAt": "2026-01-02T00:00:00.000Z"}
        told = {**waiting, "message": "It waits.", "fix": "Ask the owner.", "next": {"method": "POST"}}
        with Planned((202, told, {})) as (_, client):
            with self.assertRaises(ApprovalNeeded) as caught:
                client.build_stake(validator_id="0x1", amount="1")
        said = caught.exception
        self.assertEqual((said.approval_id, said.code), ("apr_1", "approval_needed"))
        self.assertEqual((said.message, said.fix, said.next), ("It waits.", "Ask the owner.", {"method": "POST"}))

    def test_an_invalid_argument_is_refused_with_its_name(self):
        client = Stakewright(URL, api_key="stk_hidden")
        self.assertEqual(repr(client), f"Stakewright({URL!r})")
        for value in (float("nan"), float("inf"), Decimal("1.5")):
            with self.assertRaisesRegex(ValueError, "^maxShare cannot be sent as JSON"):
                client.allocate(amount="5000000000000", max_share=value)
        with self.assertRaisesRegex(TypeError, "^api_key must be a str$"):
            Stakewright(URL, api_key=b"stk_hidden")
        for seconds in (0, -1, float("nan"), float("inf"), 1e10):
            for calls in (lambda: Stakewright(URL, timeout=seconds), lambda: client.epoch(timeout=seconds)):
                with self.assertRaisesRegex(ValueError, "^timeout must be more than 0"):
                    calls()
        for calls in (lambda: Stakewright(URL, retries=-1), lambda: client.epoch(retries=float("nan"))):
            with self.assertRaisesRegex(ValueError, "^retries must be a number from 0 on"):
                calls()
        with self.assertRaisesRegex(ValueError, "^id is missing"):
            client.validator_apy_history(id=None)

    def test_unreachable_says_why(self):
        with self.assertRaises(StakewrightError) as caught:
            Stakewright("http://127.0.0.1:9", retries=0).epoch()
        self.assertEqual(caught.exception.code, "unreachable")
        self.assertIn("refused", caught.exception.message)
        with self.assertRaises(ValueError):
            Stakewright("127.0.0.1:3000")

    def test_only_retryable_calls_are_retried(self):
        with Planned((502, {}, {}), (200, {"epoch": 7}, {})) as (server, client):
            self.assertEqual(client.epoch()["epoch"], 7)
            self.assertEqual(server.waits, [0.125])
        undone = {**BUSY, "retryable": True}
        with Planned((503, undone, {"Retry-After": 1}), (201, {"success": True}, {})) as (server, client):
            client.sandbox_key(agent_name="x")
            self.assertEqual(server.waits, [1])
        unknown = {**BUSY, "retryable": False}
        with Planned((503, unknown, {"Retry-After": 1}), (200, {"success": True}, {})) as (server, client):
            client.report_leak(api_key="stk_x")
            self.assertEqual(server.waits, [1])
        for answer in [
            (502, {}, {}),
            (503, BUSY, {"Retry-After": 1}),
            (503, unknown, {"Retry-After": 1}),
            (503, undone, {"Retry-After": 60}),
        ]:
            with Planned(answer) as (server, client):
                with self.assertRaises(StakewrightError) as caught:
                    client.sandbox_key(agent_name="x")
                self.assertEqual(len(server.paths), 1)
                self.assertEqual(caught.exception.retryable, answer[1] is undone)
        with Planned(*[(503, BUSY, {"Retry-After": 0})] * 3) as (server, client):
            with self.assertRaises(StakewrightError):
                client.epoch()
            self.assertEqual(len(server.paths), 3)

    def test_dots_are_no_part_of_a_path(self):
        for part in (".", ".."):
            with Planned((200, {}, {})) as (server, client):
                client.validator(id=part)
                self.assertEqual(server.paths, ["/api/v1/staking/validators/"])

    def test_an_error_of_a_proxy_gets_its_code_from_the_status(self):
        for status, code in [(401, "unauthorized"), (404, "not_found"), (500, "internal_error")]:
            with Planned((status, {}, {})) as (_, client), self.assertRaises(StakewrightError) as raised:
                client.epoch()
            self.assertEqual((raised.exception.code, raised.exception.status), (code, status))
        elsewhere = {"Location": "https://elsewhere.example/"}
        with Planned((308, {}, elsewhere)) as (server, client), self.assertRaises(StakewrightError) as raised:
            client.epoch()
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("unreachable", False))
        self.assertIn("elsewhere.example", str(raised.exception))
        self.assertEqual(len(server.paths), 1)

    def test_a_build_with_an_idempotency_key_is_built_once(self):
        key = Stakewright(URL).sandbox_key(agent_name="python")["data"]["apiKey"]
        client = Stakewright(URL, api_key=key)
        (first, *_) = client.scored_validators()["validators"]
        build = lambda name: client.build_stake(  # noqa: E731
            validator_id=first["validatorId"], amount="10000000000", idempotency_key=name
        )
        once = build("one")
        self.assertEqual(build("one")["intentId"], once["intentId"])
        self.assertNotEqual(build("two")["intentId"], once["intentId"])
        with self.assertRaises(StakewrightError) as caught:
            client.build_stake(validator_id=first["validatorId"], amount="20000000000", idempotency_key="one")
        self.assertEqual(caught.exception.code, "invalid_input")
        with self.assertRaises(TypeError):
            client.epoch(idempotency_key="x")
        with self.assertRaises(ValueError):
            build("two words")

    def test_a_build_is_retried_only_with_an_idempotency_key(self):
        build = {"validator_id": "0x1", "amount": "1"}
        with Planned((502, {}, {})) as (server, client):
            with self.assertRaises(StakewrightError):
                client.build_stake(**build)
            self.assertEqual(len(server.paths), 1)
        with Planned((502, {}, {}), (200, {"action": "stake"}, {})) as (server, client):
            self.assertEqual(client.build_stake(**build, idempotency_key="a")["action"], "stake")
            self.assertEqual([headers["Idempotency-Key"] for headers in server.headers], ["a", "a"])
        with Planned((502, {}, {})) as (server, client):
            with self.assertRaises(StakewrightError):
                client.sandbox_key(agent_name="x")
            self.assertEqual(len(server.paths), 1)

    def test_a_call_may_have_its_own_timeout_and_retries(self):
        with Planned((502, {}, {})) as (server, client):
            with self.assertRaises(StakewrightError):
                client.epoch(retries=0)
            self.assertEqual(len(server.paths), 1)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with self.assertRaises(StakewrightError) as caught:
                Stakewright(f"http://127.0.0.1:{silent.getsockname()[1]}").epoch(timeout=0.05, retries=0)
        self.assertEqual(caught.exception.code, "unreachable")
        self.assertIn("within 0.05 s", caught.exception.message)

    def test_a_malformed_answer_counts_as_no_answer_and_is_retried(self):
        for sent in [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"]:
            with Planned((None, sent, {}), (200, {"epoch": 7}, {})) as (server, client):
                self.assertEqual(client.epoch()["epoch"], 7, sent)
                self.assertEqual(len(server.paths), 2)

    def test_unchanged_public_data_come_from_the_cache(self):
        answers = []
        client = Stakewright(URL, on_answer=answers.append)
        first = client.validators()
        self.assertEqual(client.validators(), first)
        self.assertEqual([answer.status for answer in answers], [200, 304])
        self.assertEqual(answers[-1].headers["ETag"], f'"{first["hash"]}"')

    def test_retry_after_may_be_a_date(self):
        dates = {"Retry-After": "Mon, 05 Jan 2026 00:00:03 GMT", "Date": "Mon, 05 Jan 2026 00:00:00 GMT"}
        headers = Message()
        for name, value in dates.items():
            headers[name] = value
        self.assertEqual(stakewright._to_error(503, headers, b"", True).retry_after_seconds, 3)
        headers.replace_header("Retry-After", "soon")
        self.assertIsNone(stakewright._to_error(503, headers, b"", True).retry_after_seconds)


unittest.main()
