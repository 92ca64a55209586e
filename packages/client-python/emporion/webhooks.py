"""Whether a delivery of a webhook is genuine, and what it tells."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from .contract import WebhookEvent

__all__ = ["TOLERANCE_SECONDS", "WebhookEvent", "WebhookRefused", "verify_webhook"]

# Seconds that a delivery's time may be away from the receiver's clock.
TOLERANCE_SECONDS = 300.0

_SECRET_PREFIX = "whsec_"


class WebhookRefused(Exception):
    """Why a delivery was not taken: ``too_old`` says also that it is from the future."""

    def __init__(
        self, code: Literal["not_signed", "too_old", "wrong_signature", "not_an_event"], message: str
    ) -> None:
        super().__init__(message)
        self.code: Literal["not_signed", "too_old", "wrong_signature", "not_an_event"] = code
        self.message = message


@dataclass(frozen=True)
class _Claim:
    """Signatures of a delivery, and what they sign."""

    # Seconds since 1970.
    time: str
    prefix: str
    signatures: Sequence[bytes]
    key_of: Callable[[str], bytes]


def verify_webhook(
    payload: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a delivery, once its signature and its time were checked. Raises ``WebhookRefused``.

    ``payload`` is the body as it came, byte for byte, before it was parsed. Of several secrets each may have signed it.
    ``now`` is in seconds since 1970; the present by default.
    """
    claim = _standard_claim(headers) or _service_claim(headers)
    if claim is None:
        raise WebhookRefused("not_signed", "The delivery has no signature.")
    present = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,15}", claim.time) or abs(present - int(claim.time)) > tolerance_seconds:
        raise WebhookRefused("too_old", "The delivery's time is too far from the receiver's.")
    body = payload.encode() if isinstance(payload, str) else payload
    if not _is_genuine(claim, body, [secret] if isinstance(secret, str) else secret):
        raise WebhookRefused("wrong_signature", "No signature of the delivery is by the secret.")
    return _event_of(body)


def _standard_claim(headers: Mapping[str, str]) -> _Claim | None:
    """The signature of Standard Webhooks, whose key is what the secret encodes."""
    message, sent, signature = (
        _header_of(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if message is None or sent is None or signature is None:
        return None
    signatures = [_from_base64(part[3:]) for part in signature.split(" ") if part.startswith("v1,")]
    return _Claim(sent, f"{message}.{sent}.", signatures, lambda text: _from_base64(text.removeprefix(_SECRET_PREFIX)))


def _service_claim(headers: Mapping[str, str]) -> _Claim | None:
    """The platform's own signature, whose key is the text of the secret."""
    parts = (_header_of(headers, "x-service-signature") or "").split(",")
    sent = next((part[2:] for part in parts if part.startswith("t=")), None)
    if sent is None:
        return None
    signatures = [_from_hex(part[3:]) for part in parts if part.startswith("v1=")]
    return _Claim(sent, f"{sent}.", signatures, str.encode)


def _is_genuine(claim: _Claim, body: bytes, secrets: Sequence[str]) -> bool:
    """Whether one of the secrets made one of the signatures. Compares in constant time."""
    signed = claim.prefix.encode() + body
    found = False
    for key in map(claim.key_of, secrets):
        made = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in claim.signatures:
            found = (hmac.compare_digest(made, signature) and key != b"") or found
    return found


def _event_of(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body.decode("utf-8", "replace"))
    except ValueError:
        event = None
    if not isinstance(event, dict) or "type" not in event or "data" not in event:
        raise WebhookRefused("not_an_event", "The body is signed and is not an event.")
    return cast(WebhookEvent, event)


def _header_of(headers: Mapping[str, str], name: str) -> str | None:
    return next((value for each, value in headers.items() if each.lower() == name), None)


def _from_base64(text: str) -> bytes:
    """The bytes; none where it is not base64."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _from_hex(text: str) -> bytes:
    return bytes.fromhex(text) if re.fullmatch(r"([0-9a-fA-F]{2})+", text) else b""
