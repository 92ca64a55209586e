"""Which deliveries are taken."""

import base64
import hashlib
import hmac
import json
import random
import unittest
from collections.abc import Mapping, Sequence

from emporion.webhooks import WebhookRefused, verify_webhook

NOW = 1_800_000_000.0
KEY = bytes(range(24))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OTHER = "whsec_" + base64.b64encode(bytes(24)).decode()
BODY = json.dumps({"type": "order.paid", "data": {"object": {"id": "pür_1"}}}, ensure_ascii=False).encode()


def standard(body: bytes = BODY, key: bytes = KEY, at: float = NOW) -> dict[str, str]:
    sent = str(int(at))
    made = hmac.new(key, f"evt_1.{sent}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(made).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": sent, "webhook-signature": signature}


def service(body: bytes = BODY, secret: str = SECRET, at: float = NOW) -> dict[str, str]:
    made = hmac.new(secret.encode(), f"{int(at)}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Service-Signature": f"t={int(at)},v1={made}"}


class VerifyWebhook(unittest.TestCase):
    def refused(
        self, headers: Mapping[str, str], body: bytes | str = BODY, secret: str | Sequence[str] = SECRET
    ) -> str:
        with self.assertRaises(WebhookRefused) as caught:
            verify_webhook(body, headers, secret, now=NOW)
        return caught.exception.code

    def test_takes_either_signature_and_texts_too(self) -> None:
        for headers in (standard(), service(), {name.upper(): text for name, text in standard().items()}):
            bodies: list[bytes | str] = [BODY, BODY.decode()]
            for body in bodies:
                event = verify_webhook(body, headers, SECRET, now=NOW)
                assert event["type"] == "order.paid"
                self.assertEqual(event["data"]["object"]["id"], "pür_1")

    def test_takes_one_of_several_secrets_and_signatures(self) -> None:
        both = standard()
        other = f"v1,{base64.b64encode(bytes(32)).decode()}"
        both["webhook-signature"] = f"{other} {both['webhook-signature']} {other} v2,x"
        for secrets in ([OTHER, SECRET], [SECRET, OTHER], (SECRET,)):
            verify_webhook(BODY, both, secrets, now=NOW)
        verify_webhook(BODY, service(), [OTHER, SECRET], now=NOW)
        self.assertEqual(self.refused(both, secret=[OTHER]), "wrong_signature")
        self.assertEqual(self.refused(both, secret=[]), "wrong_signature")

    def test_looks_at_the_time(self) -> None:
        for away in (-300, 300):
            verify_webhook(BODY, standard(at=NOW + away), SECRET, now=NOW)
            self.assertEqual(self.refused(standard(at=NOW + away * 1.01)), "too_old")
        verify_webhook(BODY, standard(at=NOW - 900), SECRET, now=NOW, tolerance_seconds=900)
        self.assertEqual(self.refused({**standard(), "webhook-timestamp": "١٢"}), "too_old")

    def test_refuses_what_is_not_signed(self) -> None:
        unsigned: list[dict[str, str]] = [{}, {"webhook-id": "evt_1"}, {"x-service-signature": "v1=00"}]
        for headers in unsigned:
            self.assertEqual(self.refused(headers), "not_signed")

    def test_refuses_any_other_body_and_any_other_signature(self) -> None:
        dice = random.Random(7)
        for headers in [standard(), service()] * 200:
            at = dice.randrange(len(BODY))
            other = BODY[:at] + bytes([BODY[at] ^ 1 << dice.randrange(8)]) + BODY[at + 1 :]
            self.assertEqual(self.refused(headers, other), "wrong_signature")
        for signature in ("v1,", "v1,###", "v1,AAAA", "v2," + standard()["webhook-signature"][3:]):
            self.assertEqual(self.refused({**standard(), "webhook-signature": signature}), "wrong_signature")
        self.assertEqual(self.refused({"x-service-signature": f"t={int(NOW)},v1=zz"}), "wrong_signature")

    def test_takes_no_signature_by_a_key_of_nothing(self) -> None:
        for secret in ("", "whsec_", "whsec_#"):
            self.assertEqual(self.refused(standard(key=b""), secret=secret), "wrong_signature")

    def test_says_so_where_the_body_is_no_event(self) -> None:
        for body in (b"", b"[]", b"{}", b"\xff", b'{"type":"order.paid"}'):
            self.assertEqual(self.refused(standard(body), body), "not_an_event")


if __name__ == "__main__":
    unittest.main()
