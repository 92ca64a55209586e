"""Every request, answer, message and event of the platform as types. Made by `bun scripts/generate-reference.ts` from the contract in src/api."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, TypedDict, Union

ARENA_STREAM_PATH: Final = "/ws/arena"
STREAM_PROTOCOL: Final = "emporion.v1"
TICKET_PROTOCOL_PREFIX: Final = "ticket."
HEARTBEAT_MILLIS: Final = 15000
STREAM_CLOSE: Final[Mapping[str, int]] = {"shutdown": 1001, "policyViolation": 1008, "tooBig": 1009, "tryAgainLater": 1013, "authenticationExpired": 4401, "tooSlow": 4408}
FAST_LANE_PATH: Final = "/rpc"
FAST_LANE_PROTOCOL: Final = "emporion.rpc.v1.json"
TOKEN_PROTOCOL_PREFIX: Final = "bearer."
MAX_UNDER_WAY: Final = 256
WITHOUT_KEY: Final = ("POST /api/v1/auth/login", "POST /api/v1/auth/token", "POST /api/v1/auth/session", "POST /v1/authorize", "POST /v1/logout", "POST /v1/authenticate", "POST /api/v1/auth/google/callback", "POST /api/auth/google", "POST /api/v1/auth/ecommerce/callback", "POST /api/auth/ecommerce", "POST /v1/logout/everywhere", "POST /v1/clients", "POST /v1/clients/{clientId}/secret/rotate", "POST /v1/kyc", "POST /api/arena/stream/ticket", "POST /v1/transfers/to", "POST /v1/webhooks", "POST /v1/webhooks/{id}/secret/rotate", "POST /v1/webhooks/test",)
ERROR_STATUS: Final[Mapping[str, int]] = {"invalid_request": 400, "invalid_grant": 400, "unauthorized_client": 400, "invalid_scope": 400, "unsupported_grant_type": 400, "unauthorized": 401, "invalid_client": 401, "access_denied": 403, "insufficient_scope": 403, "plan_required": 403, "entitlement_required": 403, "bot_limit_reached": 403, "not_found": 404, "method_not_allowed": 405, "conflict": 409, "commitments_halted": 409, "range_not_satisfiable": 416, "payload_too_large": 413, "unsupported_media_type": 415, "unprocessable": 422, "credit_frozen": 422, "wallet_required": 422, "loss_limit": 422, "rate_limited": 429, "internal": 500, "unavailable": 503, "ARENA_001": 404, "ARENA_002": 422, "ARENA_003": 409, "ARENA_004": 410, "ARENA_005": 422, "ARENA_006": 403, "ARENA_007": 409, "ARENA_008": 503, "ARENA_009": 503}


class WebhookTestResult(TypedDict):
    # Whether a 2xx answer came within 5 seconds.
    delivered: bool
    status: int | None
    duration_ms: int
    # The first 16 KiB of the answer's body.
    answer: str | None
    # Why no answer came.
    error: str | None
    # What was sent.
    body: str
    # What signed it, made for this test; null where a webhook of the company has this URL: its secret did.
    signing_secret: str | None


class WebhookTest(TypedDict):
    endpoint: str
    event: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"]


class WebhookQuota(TypedDict):
    # a day such as 2026-01-31, from 1970 on
    date: str
    # Deliveries begun on the day, each once, however often it was tried.
    deliveries: int
    # What the plan allows on a day; null: no limit.
    limit: int | None
    # Deliveries that wait for room, of this day and days before.
    held: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    resets_at: str


class WebhookEventType(TypedDict):
    type: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"]
    description: str
    # The kind of its object.
    object: str
    # Which companies are told.
    told: str
    example: Any


class WebhookBulkRetryResult(TypedDict):
    retried: int
    # Those that a next request retries: one retries at most 10,000.
    left: int


class WebhookBulkRetry(TypedDict):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    since: str


class WebhookDelivery(TypedDict):
    id: str
    webhook_id: str
    event_id: str
    event: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"]
    # `held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it.
    status: Literal["pending", "held", "delivered", "failed"]
    # 1, and one more with each retry by hand.
    round: int
    # Attempts of this round, at most 5.
    attempt_count: int
    last_attempt_at: str | None
    # The HTTP status of the last answer.
    last_status: int | None
    # Why the last attempt got no answer.
    last_error: str | None
    last_duration_ms: int | None
    # When the next attempt is due, while it is pending.
    due_at: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str


class WebhookDeliveryDetail(TypedDict):
    id: str
    webhook_id: str
    event_id: str
    event: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"]
    # `held`: the plan's deliveries of the day are used up. `failed`: all attempts failed; retry it.
    status: Literal["pending", "held", "delivered", "failed"]
    # 1, and one more with each retry by hand.
    round: int
    # Attempts of this round, at most 5.
    attempt_count: int
    last_attempt_at: str | None
    # The HTTP status of the last answer.
    last_status: int | None
    # Why the last attempt got no answer.
    last_error: str | None
    last_duration_ms: int | None
    # When the next attempt is due, while it is pending.
    due_at: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str
    # The event's place in all events: GET /v1/requests?event_seq= finds the request that caused it.
    event_seq: int
    # Where the webhook's deliveries go now.
    url: str
    # The body, byte for byte as it is signed and sent.
    body: str
    # Why it is not delivered yet, in words; null where it is, or where nothing was tried.
    failure: str | None
    # The last 100 attempts, oldest first.
    attempts: list[WebhookAttempt]


class WebhookAttempt(TypedDict):
    round: int
    # Which attempt of the round, from 1.
    number: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    started_at: str
    duration_ms: int
    url: str
    request_headers: dict[str, str]
    # Null where no answer came.
    status: int | None
    # Why none came.
    error: str | None
    # The first 16 KiB of the answer's body.
    answer: str | None


class WebhookEndpointWithSecret(TypedDict):
    id: str
    company_id: str
    url: str
    # The types that it is told of.
    events: list[str]
    description: str | None
    # What its company keeps with it by keys of its own.
    metadata: dict[str, str]
    status: Literal["enabled", "disabled"]
    # `failing`: its attempts failed for 5 days. `requested`: somebody disabled it.
    disabled_cause: Literal["requested", "failing"] | None
    disabled_at: str | None
    # The first failed attempt since the last success, or since it was enabled or got another URL; null where none failed since.
    failing_since: str | None
    # Until when the secret before the last rotation signs as well. Those before it end earlier.
    previous_secret_until: str | None
    created_by: str
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str
    # What signs deliveries: `whsec_` and base64. Shown this once.
    secret: str


class DeletedWebhook(TypedDict):
    id: str
    deleted: Literal[True]


class WebhookEndpoint(TypedDict):
    id: str
    company_id: str
    url: str
    # The types that it is told of.
    events: list[str]
    description: str | None
    # What its company keeps with it by keys of its own.
    metadata: dict[str, str]
    status: Literal["enabled", "disabled"]
    # `failing`: its attempts failed for 5 days. `requested`: somebody disabled it.
    disabled_cause: Literal["requested", "failing"] | None
    disabled_at: str | None
    # The first failed attempt since the last success, or since it was enabled or got another URL; null where none failed since.
    failing_since: str | None
    # Until when the secret before the last rotation signs as well. Those before it end earlier.
    previous_secret_until: str | None
    created_by: str
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str


class WebhookChange(TypedDict, total=False):
    url: str | None
    events: list[Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test", "*"]] | None
    description: str | None
    status: Literal["enabled", "disabled"] | None
    # Extension: keys to be set; those that are not named stay, and null and "" remove one. In all at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class _NewWebhook(TypedDict):
    url: str
    # The types that it gets; `*` is every one, also those that come later.
    events: list[Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test", "*"]]


class NewWebhook(_NewWebhook, total=False):
    description: str | None
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class Subscription(TypedDict):
    id: str
    # The buyer.
    company_id: str
    # Whose USD wallet pays.
    user_id: str
    seller_company_id: str
    product_id: str
    quantity: int
    # USD for a piece, fixed when it was made.
    unit_price: float
    # USD a period.
    price: float
    currency: Literal["USD"]
    interval: Literal["week", "month", "year"]
    periods: int | None
    start: str
    status: Literal["active", "past_due", "completed", "cancelled"]
    paid_periods: int
    # How often the period that is due could not be charged.
    failures: int
    # When the next period is due, or a failed one is tried again.
    next_at: str | None
    # When it ends, where it was cancelled for the end of a period.
    cancel_at: str | None
    ended_at: str | None
    end_reason: Literal["requested", "period_end", "payment_failed"] | None
    # What the buyer keeps with it by keys of its own.
    metadata: dict[str, str]
    created_at: str


class SubscriptionCancellation(TypedDict, total=False):
    # Whether it ends with the period that was paid last, not at once.
    at_period_end: bool | None


class SubscriptionAct(TypedDict):
    # Its place in all that the platform recorded.
    sequence: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    event: Literal["created", "renewed", "payment_failed", "end_set", "cancelled"]
    # Who did it; null for the platform.
    user_id: str | None
    period: int | None
    # USD that was paid, or was to be paid.
    amount: float | None
    reason: str | None


class _SubscriptionRequest(TypedDict):
    company_id: str
    product_id: str
    # A whole number from 1 to 1000000.
    quantity: int
    # How long a period is.
    interval: Literal["week", "month", "year"]


class SubscriptionRequest(_SubscriptionRequest, total=False):
    # How many periods there are, at most 520 weeks, 120 months or 10 years; without it, until it is cancelled.
    periods: int | None
    # When the first period is due, at most 366 days ahead; now without it.
    start: str | None
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class PaymentTermsOffers(TypedDict):
    company_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    amount: float
    currency: Literal["USD"]
    # Of the caller's last score card; null without one.
    score: int | None
    band: Literal["A", "B", "C", "D", "E"] | None
    # The card's, in percent a year.
    apr: float | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    free_limit: float
    terms: list[PaymentTermsOffer]


class PaymentTermsOfferReasons(TypedDict):
    code: Literal["not_assessed", "kyc_required", "overdue", "limit_too_small", "amount_too_small"]
    text: str


class PaymentTermsOfferSchedule(TypedDict):
    number: int
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    amount: float
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    due_at: str


class _PaymentTermsOffer(TypedDict):
    type: Literal["prepaid", "net_30", "net_60", "installments"]
    available: bool
    # Why it is not available; empty where it is.
    reasons: list[PaymentTermsOfferReasons]
    # Percent a year that the terms cost: orders carry no interest.
    apr: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    total: float
    # What would be due when, for an order placed now. It sums to the total.
    schedule: list[PaymentTermsOfferSchedule]


class PaymentTermsOffer(_PaymentTermsOffer, total=False):
    # 2 to 12, with type installments alone.
    installments: int


class PaymentTermsRequest(TypedDict):
    company_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    amount: float
    # One of USD, in any case.
    currency: str


class ScoreCardPoints(TypedDict):
    attribute: str
    points: int


class ScoreCardReasons(TypedDict):
    code: str
    text: str
    points: int


class ScoreCard(TypedDict):
    # The user's id.
    profileId: str
    # 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds.
    score: int
    # That the credit is not paid back, from 0 to 1.
    probability: float
    band: Literal["A", "B", "C", "D", "E"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    limit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    assessedLimit: float
    # Percent a year.
    apr: float
    # They add up to the score.
    points: list[ScoreCardPoints]
    # What cost most points, the costliest first: at most four.
    reasons: list[ScoreCardReasons]
    modelVersion: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    assessedAt: str


class PresentCreditProfile(TypedDict):
    # The user's id.
    profileId: str
    # 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds.
    score: int
    # That the credit is not paid back, from 0 to 1.
    probability: float
    band: Literal["A", "B", "C", "D", "E"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    limit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    assessedLimit: float
    # Percent a year.
    apr: float
    # They add up to the score.
    points: list[ScoreCardPoints]
    # What cost most points, the costliest first: at most four.
    reasons: list[ScoreCardReasons]
    modelVersion: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    assessedAt: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    available: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    used: float
    # Whether something of the user's company is overdue, so that it orders nothing new on credit.
    frozen: bool


class CreditProfile(TypedDict):
    # The user's id.
    profileId: str
    # 300 to 850: 600 at odds of 19:1 that a credit is paid back, and 50 points double the odds.
    score: int
    # That the credit is not paid back, from 0 to 1.
    probability: float
    band: Literal["A", "B", "C", "D", "E"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    limit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    assessedLimit: float
    # Percent a year.
    apr: float
    # They add up to the score.
    points: list[ScoreCardPoints]
    # What cost most points, the costliest first: at most four.
    reasons: list[ScoreCardReasons]
    modelVersion: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    assessedAt: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    available: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    used: float


class CreditRequest(TypedDict):
    annualIncome: float
    # Whether the home is owned or mortgaged.
    homeOwnership: bool
    # Years in the current employment.
    empLength: str
    loanAmt: int
    purpose: str
    desc: str


class FxDeskHolding(TypedDict):
    type: str
    # a decimal number as text with at most 6 decimals
    symbol: str


class FxDeskFunding(TypedDict):
    # One of USD, EUR, GBP, JPY, CHF, AUD, CAD, CNY, INR, BRL, MXN, XAU, XAG, BTC, ETH, in any case.
    type: str
    # a positive decimal number as text with at most 6 decimals, at most 8000000000
    symbol: str
    # What the money stands for outside. Taken once.
    external_reference: str


class FxQuote(TypedDict):
    id: str
    # BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD.
    pair: str
    trade: Literal["Buy", "Sell"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # How much of the quote one unit of the base is: a decimal number from 0 to 10000000000; decimals beyond the 12th are rounded.
    rate: float
    # a decimal number as text with at most 6 decimals
    value: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    expires_at: str
    used: bool


class _FxQuoteRequest(TypedDict):
    # BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD.
    pair: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float


class FxQuoteRequest(_FxQuoteRequest, total=False):
    # Sell by default: the base is sold for the quote. Buy: the base is bought with it.
    trade: Literal["Buy", "Sell"] | None


class Withdrawal(TypedDict):
    id: str
    fund_id: str
    type: str
    # a decimal number as text with at most 6 decimals
    quantity: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class Withdraw(TypedDict):
    # a decimal number as text with at most 6 decimals
    quantity: str
    id: str


class _WithdrawRequest(TypedDict):
    # a positive decimal number as text with at most 6 decimals, at most 8000000000
    quantity: str


class WithdrawRequest(_WithdrawRequest, total=False):
    # The fund; by default the caller's fund of USD.
    id: str | None


_Transfer = TypedDict("_Transfer", {
    # BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD.
    "pair": "str",
    # a decimal number as text with at most 6 decimals
    "quantity": "str",
    "from": "str",
    "to": "str",
    "country": "str",
    "description": "str",
    "createdDate": "int",
    "id": "str",
    "mode": "Literal[\"local\", \"international\"]",
    # Extension: what it was exchanged at; null where nothing was, and to the recipient.
    "rate": "float | None",
    # Extension: which end the owner is at.
    "direction": "Literal[\"sent\", \"received\"]",
    # Extension: units taken from the sender; null to the recipient.
    "taken": "str | None",
    # Extension: of which fund; null to the recipient.
    "taken_type": "str | None",
    # a decimal number as text with at most 6 decimals
    "received": "str",
    # Extension: in which fund.
    "received_type": "str",
    # Extension: the held rate that it used; null to the recipient.
    "quote_id": "str | None",
    # Extension: what the sender keeps with it; empty to the recipient.
    "metadata": "dict[str, str]",
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    "created_at": "str",
})


class Transfer(_Transfer, total=False):
    # How much of the quote one unit of the base is: a decimal number from 0 to 10000000000; decimals beyond the 12th are rounded.
    fxQuote: float


TransferReceipt = TypedDict("TransferReceipt", {
    "to": "str",
    "from": "str",
    # a decimal number as text with at most 6 decimals
    "quantity": "str",
    "id": "str",
})


_TransferRequest = TypedDict("_TransferRequest", {
    # BASE/QUOTE: two symbols of funds, such as EUR/USD, eur-usd, EUR_USD or EURUSD.
    "pair": "str",
    # a positive decimal number as text with at most 6 decimals, at most 8000000000
    "quantity": "str",
    "from": "str",
    "to": "str",
    "country": "str",
    "description": "str",
    "createdDate": "int",
})


class TransferRequest(_TransferRequest, total=False):
    # The caller's own id for it. The same id and body again answer the same and move nothing.
    id: str | None
    # The worst rate that the sender accepts. It is never the rate that is made. Ignored where the mode is local.
    fxQuote: float | None
    # By default `international` where fxQuote or quote_id is given, else `local`.
    mode: Literal["local", "international"] | None
    # Extension: the rate of POST /v1/fx/quotes to use, for its own pair and quantity.
    quote_id: str | None
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class _Beneficiary(TypedDict):
    # Extension: what a transfer names as `to`.
    id: str
    accountName: str
    accountNumber: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class Beneficiary(_Beneficiary, total=False):
    country: str
    bankId: str


class _BankAccount(TypedDict):
    accountName: str
    accountNumber: str


class BankAccount(_BankAccount, total=False):
    # Where the account is: a code of ISO 3166-1 or an English name. An IBAN says it itself.
    country: str | None
    # The bank's BIC, or its national number such as a routing number.
    bankId: str | None


class FundEntry(TypedDict):
    id: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # a decimal number as text with at most 6 decimals, negative where it left
    quantity: str
    # a decimal number as text with at most 6 decimals
    balance: str
    purpose: str
    # outside, owner, arena, or an account of the platform's own such as fx_desk.
    counterparty: str
    # The other owner of a transfer.
    counterparty_id: str | None
    # Such as the id of a transfer, a withdrawal or a commitment.
    reference: str


class Fund(TypedDict):
    id: str
    owner: str
    type: str
    # a decimal number as text with at most 6 decimals
    symbol: str
    # a decimal number as text with at most 6 decimals
    available: str
    # a decimal number as text with at most 6 decimals
    held: str


class _FundRequest(TypedDict):
    owner: str
    # One of USD, EUR, GBP, JPY, CHF, AUD, CAD, CNY, INR, BRL, MXN, XAU, XAG, BTC, ETH, in any case.
    type: str
    # a positive decimal number as text with at most 6 decimals, at most 8000000000
    symbol: str


class FundRequest(_FundRequest, total=False):
    # The id of a new fund, or of the one to add to.
    id: str | None
    # Extension: what the money stands for outside. Taken once. Required in production.
    external_reference: str | None


class Payment(TypedDict):
    """A payment, as GET /v1/payments/{id} answers it."""

    id: str
    object: Literal["payment"]
    order_id: str
    # The user who pays.
    payer: str
    # The company that pays.
    company_id: str
    provider: Literal["wallet", "sandbox-card", "stripe"]
    # To the buyer the test card's name, or Stripe's id of the payment method; to a seller null. Never a card's number.
    instrument: str | None
    # Null where the order was paid from the wallet at once.
    extent: Literal["next", "all"] | None
    capture: Literal["automatic", "manual"]
    # `processing`: the provider's answer is awaited, and asked for again by itself.
    status: Literal["processing", "authorized", "captured", "partially_refunded", "refunded", "failed", "voided"]
    # USD.
    amount: float
    currency: Literal["USD"]
    # USD.
    captured: float
    # USD that the order has of it.
    applied: float
    # USD on the way back to the instrument.
    refunding: float
    # USD that are back at the instrument.
    refunded: float
    # Why it failed, such as `insufficient_funds`.
    failure: str | None
    dispute: Literal["open", "won", "lost"] | None
    refunds: list[PaymentRefund]
    # What the buyer keeps with it by keys of its own; to a seller nothing.
    metadata: dict[str, str]
    created_at: str
    updated_at: str


class PaymentRefund(TypedDict):
    id: str
    # USD.
    amount: float
    status: Literal["pending", "succeeded", "failed"]
    # `seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise.
    reason: Literal["seller", "unneeded"]
    seller_company_id: str | None
    failure: str | None
    # How often it was asked for: an `unneeded` one that is declined is tried again, once a day at last.
    attempts: int
    created_at: str


class RefundRequest(TypedDict, total=False):
    # USD, more than 0. By default all that the caller's company can give back.
    amount: float | None


class _PaymentRequest(TypedDict):
    order_id: str
    # `wallet`: the caller's USD fund. `sandbox-card`: a test card, in the sandbox alone. `stripe`: a card.
    provider: Literal["wallet", "sandbox-card", "stripe"]


class PaymentRequest(_PaymentRequest, total=False):
    # What to pay with: the number of a documented test card, or the id of a Stripe payment method. Never the number of a real card.
    instrument: str | None
    # The next instalment, or all that is left: the default.
    extent: Literal["next", "all"] | None
    # `manual` only authorizes; POST /v1/payments/{id}/capture takes it. By default `automatic`.
    capture: Literal["automatic", "manual"] | None
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class PurchaseOrderHistoryEntry(TypedDict):
    # From 1, without a gap.
    number: int
    type: Literal["order.created", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue"]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # Null where another seller, or nobody, did it.
    user_id: str | None
    # Null where another seller, or nobody, did it.
    company_id: str | None
    # USD: of the order, of the payment, or of the instalment; to a seller its own part.
    amount: float | None
    # The number of the instalment that is due before long, or overdue.
    installment: int | None
    payment_id: str | None
    reason: str | None


class PurchaseOrderPaymentTermsSchedule(TypedDict):
    number: int
    # USD.
    amount: float
    due_at: str
    paid: bool
    # Its due date, once that was found to have passed and as long as it is not paid; else null.
    overdue_since: str | None


class PurchaseOrderPaymentTerms(TypedDict):
    type: Literal["prepaid", "net_30", "net_60", "installments"]
    installments: int | None
    # The parts sum to the amount.
    schedule: list[PurchaseOrderPaymentTermsSchedule]


class PurchaseOrderSellers(TypedDict):
    company_id: str
    # USD.
    subtotal: float
    # USD that it was paid of that, refunded or not.
    paid: float
    fulfilled_at: str | None


class PurchaseOrderItems(TypedDict):
    product_id: str
    seller_company_id: str
    quantity: int
    # USD.
    unit_price: float
    # USD.
    total: float


class PurchaseOrderPayments(TypedDict):
    id: str
    # USD.
    amount: float
    # The numbers of the instalments that it paid.
    installments: list[int]
    refunded: bool


class PurchaseOrder(TypedDict):
    """An order, as GET /v1/orders/{id} answers it."""

    id: str
    object: Literal["order"]
    # The company that buys.
    company_id: str
    status: Literal["pending", "paid", "fulfilled", "cancelled"]
    payment_status: Literal["unpaid", "partially_paid", "paid", "refunded"]
    fulfilment_status: Literal["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"]
    # USD for the whole order; to a seller for its own items.
    amount: float
    # USD of that which are not paid yet.
    amount_due: float
    # Whether an instalment is overdue.
    overdue: bool
    currency: Literal["USD"]
    payment_terms: PurchaseOrderPaymentTerms
    # Sub-totals; to a seller its own alone.
    sellers: list[PurchaseOrderSellers]
    # The number of the items.
    item_count: int
    # What the buyer keeps with it by keys of its own.
    metadata: dict[str, str]
    created_at: str
    updated_at: str
    # To a seller its own alone.
    items: list[PurchaseOrderItems]
    # To a seller its own parts alone.
    payments: list[PurchaseOrderPayments]


class OrderCancellation(TypedDict, total=False):
    reason: str | None


class OrderPayment(TypedDict, total=False):
    # The next instalment, or all that is left, which is the default.
    instalments: Literal["next", "all"] | None


class PurchaseOrderSummary(TypedDict):
    id: str
    object: Literal["order"]
    # The company that buys.
    company_id: str
    status: Literal["pending", "paid", "fulfilled", "cancelled"]
    payment_status: Literal["unpaid", "partially_paid", "paid", "refunded"]
    fulfilment_status: Literal["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"]
    # USD for the whole order; to a seller for its own items.
    amount: float
    # USD of that which are not paid yet.
    amount_due: float
    # Whether an instalment is overdue.
    overdue: bool
    currency: Literal["USD"]
    payment_terms: PurchaseOrderPaymentTerms
    # Sub-totals; to a seller its own alone.
    sellers: list[PurchaseOrderSellers]
    # The number of the items.
    item_count: int
    # What the buyer keeps with it by keys of its own.
    metadata: dict[str, str]
    created_at: str
    updated_at: str


class NewPurchaseOrderItems(TypedDict):
    product_id: str
    quantity: int


class _NewPurchaseOrderPaymentTerms(TypedDict):
    # prepaid is paid before it is fulfilled; the others need a verified KYC record and free credit limit.
    type: Literal["prepaid", "net_30", "net_60", "installments"]


class NewPurchaseOrderPaymentTerms(_NewPurchaseOrderPaymentTerms, total=False):
    # 2 to 12 monthly parts: for the type installments, where it is required. Another type takes none; 0 and 1 say so too.
    installments: int | None


class _NewPurchaseOrder(TypedDict):
    company_id: str
    items: list[NewPurchaseOrderItems]
    payment_terms: NewPurchaseOrderPaymentTerms


class NewPurchaseOrder(_NewPurchaseOrder, total=False):
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class PriceListPrices(TypedDict):
    product_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    price: float


class PriceList(TypedDict):
    id: str
    # The seller.
    company_id: str
    customer_company_id: str
    name: str
    prices: list[PriceListPrices]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str


class PriceListChange(TypedDict, total=False):
    name: str | None
    # All of them: what is not here is gone.
    prices: list[PriceListPrices] | None


class NewPriceList(TypedDict):
    customer_company_id: str
    name: str
    prices: list[PriceListPrices]


class CatalogEntry(TypedDict):
    id: str
    # Extension: the seller.
    company_id: str
    name: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    price: float
    description: str
    # a whole number as text from 0 to 1000000000
    quantity: str
    # Extension: whether any is for sale.
    available: bool
    # a whole number as text from 0 to 1000000000
    reserved: str
    insurable: bool
    bidable: bool
    iscontract: bool
    type: Literal["Commodity", "Consumer Product"]
    # Extension: what was kept with it by keys of one's own.
    metadata: dict[str, str]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    list_price: float
    # The seller's price list that the price is of.
    price_list_id: str | None


class Product(TypedDict):
    id: str
    # Extension: the seller.
    company_id: str
    name: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    price: float
    description: str
    # a whole number as text from 0 to 1000000000
    quantity: str
    # Extension: whether any is for sale.
    available: bool
    # a whole number as text from 0 to 1000000000
    reserved: str
    insurable: bool
    bidable: bool
    iscontract: bool
    type: Literal["Commodity", "Consumer Product"]
    # Extension: what was kept with it by keys of one's own.
    metadata: dict[str, str]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    updated_at: str


class ProductChange(TypedDict, total=False):
    name: str | None
    price: float | None
    description: str | None
    # How many are to be for sale from now on.
    quantity: str | None
    insurable: bool | None
    bidable: bool | None
    iscontract: bool | None
    type: Literal["Commodity", "Consumer Product"] | None
    # Extension: keys to be set; those that are not named stay, and null and "" remove one. In all at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class _NewProduct(TypedDict):
    name: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    price: float
    description: str
    # a whole number as text from 0 to 1000000000
    quantity: str


class NewProduct(_NewProduct, total=False):
    # By default false.
    insurable: bool | None
    # By default false.
    bidable: bool | None
    # Opens to forwards and futures. By default false.
    iscontract: bool | None
    # By default Consumer Product.
    type: Literal["Commodity", "Consumer Product"] | None
    # Extension: what is to be kept with it, without keys of null and "": at most 20 keys of 1 to 40 characters without colons, with texts of at most 500 characters without control characters and without sealed:v1:.
    metadata: dict[str, str | None] | None


class BotDecision(TypedDict):
    decision_id: str
    order_id: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    dry_run: bool
    should_commit: bool
    decision_code: Literal["commit", "window_closed", "breaker_open", "not_capable", "price_missing", "collateral_missing", "loss_limit", "collateral_cap", "below_entry", "roi_too_low"]
    decision_reason: str
    credits_charged: int
    # What it was decided on, as it was recorded: amounts are decimal strings of 10⁻⁶.
    input: dict[str, Any]
    # What was decided, as it was recorded.
    decision: dict[str, Any]


class Evaluation(TypedDict):
    should_commit: bool
    # A code and a sentence, such as `commit: …`.
    decision_reason: str
    # A decimal number; negative for a loss.
    expected_profit: float
    # A decimal number; negative for a loss.
    roi_percent: float
    status: Literal["decision_made"]
    # Extension.
    decision_id: str
    # Extension: the code alone.
    decision_code: Literal["commit", "window_closed", "breaker_open", "not_capable", "price_missing", "collateral_missing", "loss_limit", "collateral_cap", "below_entry", "roi_too_low"]
    # Extension: what the bot holds it for worth.
    fair_price: float | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    proposed_entry_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    slippage_tolerance: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    expected_exit_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    # Extension: such as ARENA_007 while too few machine traders take part for one to win.
    warnings: list[str]


class EvaluationRequest(TypedDict):
    order_id: str


class CreditBalance(TypedDict):
    # The plan's credits that are left of this month.
    free_balance: int
    # Bought ones, which do not lapse.
    paid_balance: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    period_end: str
    currency: Literal["CREDITS"]


class CreditMovement(TypedDict):
    # Its place among all events.
    seq: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # A calendar month in UTC, such as 2026-11.
    period: str
    kind: Literal["grant", "lapse", "topup", "charge"]
    # By what the free credits changed.
    free: int
    # By what the paid ones changed.
    paid: int
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    usd: float
    # Whether a bot bought them by itself.
    automatic: bool
    bot_id: str | None
    # The decision that was paid for.
    charge_id: str | None


class BotCreditStats(TypedDict):
    bot_id: str
    # A calendar month in UTC, such as 2026-11.
    period: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    period_end: str
    # What it may use a month.
    credit_budget: int
    # What it may still use this month.
    budget_remaining: int
    auto_topup_enabled: bool
    # What it bought automatically this month.
    auto_topped_up: int
    this_period: CreditUse
    all_time: CreditUse
    last_evaluation_at: str | None


class CreditUse(TypedDict):
    # Credits.
    credits_used: int
    # Credits.
    free_credits_used: int
    # Credits.
    paid_credits_used: int
    evaluations: int
    # Bought for the bot, by hand or automatically.
    credits_purchased: int
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    usd_spent: float


class CreditsToppedUp(TypedDict):
    success: Literal[True]
    message: str
    top_up_id: str
    bot_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    dollar_amount: float
    # Credits.
    credits_purchased: int
    balance: CreditBalance


class CreditTopUp(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    dollar_amount: float


class KillSwitch(TypedDict):
    success: Literal[True]
    # Whether every commitment of the company is refused.
    halted: bool
    # When it was pulled last.
    halted_at: str | None
    # The user who pulled it; null for the platform.
    halted_by: str | None
    # asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections.
    cause: Literal["asked", "deadline", "disconnected", "restarted"] | None
    # When cancel-after pulls it; null for never.
    halts_at: str | None
    # Whether there are connections whose end pulls it.
    cancel_on_disconnect: bool


class BotGuardStanding(TypedDict):
    success: Literal[True]
    # When all bots are paused; null for never.
    pauses_at: str | None


class _BotGuard(TypedDict):
    success: Literal[True]
    timeout_seconds: int
    # When all bots are paused; null for never.
    pauses_at: str | None


class BotGuard(_BotGuard, total=False):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    halted_at: str


class _CancelAfter(TypedDict):
    timeout_seconds: int


class CancelAfter(_CancelAfter, total=False):
    scope: Literal["bots", "company"] | None


class PauseAll(TypedDict, total=False):
    scope: Literal["bots", "company"] | None


class MyCommitment(TypedDict):
    commitment_id: str
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    trader_type: Literal["human", "machine"]
    # Extension.
    bot_id: str | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    proposed_entry_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    expected_exit_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    status: Literal["active", "won", "lost", "settled"]
    # A decimal number; negative for a loss.
    profit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    yield_earned: float
    # Extension.
    loss_reason: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class CollateralMoved(TypedDict):
    success: Literal[True]
    message: str
    bot_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    amount: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_amount: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_locked: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_available: float


class CollateralAmount(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    amount: float


class Bot(TypedDict):
    bot_id: str
    # The company.
    owner_id: str
    # Whose account funds it and gets its collateral back.
    user_id: str
    wallet_address: str
    name: str
    capabilities: list[Literal["commodity", "fx", "options", "gpu"]]
    strategy: Strategy
    status: Literal["inactive", "active", "paused", "suspended", "terminated"]
    suspension_reason: Literal["credits_gone", "loss_limit", "breaker_open", "plan_downgraded", "module_failed"] | None
    # Extension: the file of the module that decides for it; null where its strategy does.
    strategy_module: str | None
    # Extension: what its module failed with, while it is suspended by module_failed.
    strategy_error: str | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_amount: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_locked: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_available: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    net_funded: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    loss_limit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    loss_remaining: float
    credit_budget: int
    auto_topup_enabled: bool
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    status_changed_at: str


class Strategy(TypedDict):
    riskPreset: Literal["conservative", "balanced", "aggressive", "custom"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    riskLevel: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    maxLossPct: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    minRoiPct: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    maxCollateralPerTrade: float
    # Extension: the numbers that are not those of the preset that riskPreset names.
    overrides: list[Literal["riskLevel", "maxLossPct", "minRoiPct"]]


class BotChange(TypedDict, total=False):
    name: str | None
    capabilities: list[Literal["commodity", "fx", "options", "gpu"]] | None
    strategy: StrategyRequest | None
    credit_budget: int | None
    auto_topup_enabled: bool | None
    # Extension: null has the strategy decide again.
    strategy_module: str | None


class _StrategyRequest(TypedDict):
    riskPreset: Literal["conservative", "balanced", "aggressive", "custom"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    maxCollateralPerTrade: float


class StrategyRequest(_StrategyRequest, total=False):
    # How far the bot follows its fair price, 0 to 1. Left out, the preset's; custom needs it.
    riskLevel: float | None
    # The part of the net funding that the bot may lose, in percent. Left out, the preset's; custom needs it.
    maxLossPct: float | None
    # The least return on the collateral, in percent. Left out, the preset's; custom needs it.
    minRoiPct: float | None


class BotDetail(TypedDict):
    bot_id: str
    # The company.
    owner_id: str
    # Whose account funds it and gets its collateral back.
    user_id: str
    wallet_address: str
    name: str
    capabilities: list[Literal["commodity", "fx", "options", "gpu"]]
    strategy: Strategy
    status: Literal["inactive", "active", "paused", "suspended", "terminated"]
    suspension_reason: Literal["credits_gone", "loss_limit", "breaker_open", "plan_downgraded", "module_failed"] | None
    # Extension: the file of the module that decides for it; null where its strategy does.
    strategy_module: str | None
    # Extension: what its module failed with, while it is suspended by module_failed.
    strategy_error: str | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_amount: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_locked: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_available: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    net_funded: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    loss_limit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    loss_remaining: float
    credit_budget: int
    auto_topup_enabled: bool
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    status_changed_at: str
    # A decimal number; negative for a loss.
    profit_loss: float
    # Won of decided commitments, a fraction; 0 before the first.
    win_rate: float
    # Credits that its evaluations took.
    credits_used: int
    total_commitments: int
    commitments_won: int


class MachineTraderRegistered(TypedDict):
    success: Literal[True]
    message: str
    trader_id: str
    status: str


class _BotCreation(TypedDict):
    name: str
    capabilities: list[Literal["commodity", "fx", "options", "gpu"]]
    strategy: StrategyRequest


class BotCreation(_BotCreation, total=False):
    # USD that move from the caller's account to the bot, by default 0.
    collateral_amount: float | None
    # Credits a month. Left out, what the plan gives a month.
    credit_budget: int | None
    auto_topup_enabled: bool | None
    # Extension: the module that decides in place of the strategy, a file in the folder that a sandbox's operator names by STRATEGY_MODULES.
    strategy_module: str | None


class MachineTraderRegistrationSpecs(TypedDict):
    model: str
    risk_tolerance: str


class MachineTraderRegistration(TypedDict):
    agent_id: str
    agent_uri: str
    wallet_address: str
    capabilities: list[Literal["commodity", "fx", "options", "gpu"]]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_allocated: float
    specs: MachineTraderRegistrationSpecs


class Breakers(TypedDict):
    breakers: list[Breaker]
    # What they did, newest first, the last 100 times.
    transitions: list[BreakerTransition]


class BreakerTransition(TypedDict):
    # global, or an asset type.
    scope: Literal["global", "commodity", "fx", "options", "gpu"]
    # What it became.
    status: Literal["closed", "open", "half_open"]
    # What tripped it; clean; or operator_reset.
    reason: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str


class Breaker(TypedDict):
    # global, or an asset type.
    scope: Literal["global", "commodity", "fx", "options", "gpu"]
    # closed: trading. open: commitments are refused. half_open: trading on trial.
    status: Literal["closed", "open", "half_open"]
    # Null for one that has never changed.
    since: str | None
    # Only an administrator closes it.
    latched: bool


class StreamTicket(TypedDict):
    success: Literal[True]
    ticket: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    expires_at: str


class Candle(TypedDict):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    open: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    high: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    low: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    close: float
    # How many recorded prices it is made of.
    prices: int


class HistoryDayJournal(TypedDict):
    # The last entry of the journal when the day was sealed.
    sequence: int
    # The hash of the journal's row that ends there.
    hash: str


class HistoryDay(TypedDict):
    # a day such as 2026-01-31, from 1970 on
    day: str
    # Auctions whose settlement_date lies in the day, void ones included.
    orders: int
    commitments: int
    # As the orders of the files have it.
    bids: Literal["open", "sealed"]
    files: list[HistoryFile]
    journal: HistoryDayJournal
    # The hash of the day that was sealed before; zeros before the first.
    previous: str
    # SHA-256 of previous and of everything above.
    hash: str


class HistoryFile(TypedDict):
    name: Literal["auctions.jsonl", "auctions.csv", "medians.jsonl", "medians.csv", "yields.jsonl", "yields.csv"]
    bytes: int
    # SHA-256, 64 hexadecimal digits.
    sha256: str


class Leader(TypedDict):
    rank: int
    # The company.
    owner_id: str
    trader_address: str
    trader_type: Literal["human", "machine"]
    # Decided ones: void orders decide nothing.
    commitments: int
    won: int
    # Won of decided commitments, a fraction.
    win_rate: float
    # A decimal number; negative for a loss.
    profit: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    yield_earned: float


class PricePoint(TypedDict):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    price: float
    # Whether it was inside its band: only these choose and settle.
    safe: bool


class _CommitmentRequest(TypedDict):
    order_id: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    proposed_entry_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    expected_exit_price: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float


class CommitmentRequest(_CommitmentRequest, total=False):
    swap_executor: str | None
    slippage_tolerance: float | None
    # Extension: commits as one's machine trader.
    bot_id: str | None


class OrderDetailFairness(TypedDict):
    rule: str
    machines: str
    total: str
    # The eligible owners that counted as machines.
    machine_owners: list[str]


class OrderDetail(TypedDict):
    """opened_at, reference_price and what follows it are an extension: what anyone needs to recompute the choice and its price."""

    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    entry_price: float
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    settlement_date: str
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    expiry_date: str
    status: Literal["open", "competing", "settling", "settled"]
    # The wallet address of who sells.
    market_maker: str
    onchain_order_id: str
    asset_details: dict[str, str | float]
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    opened_at: str
    commitments: list[OrderCommitment]
    # Extension: whether the prices of others' bids are shown before the choice.
    bids: Literal["open", "sealed"]
    # Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float.
    maker_discount: float | None
    reference_price: float | None
    # Extension: the least that the market maker sells for, reference_price × (1 − maker_discount).
    reserve_price: float | None
    clearing_price: float | None
    settlement_price: float | None
    winner_commitment_id: str | None
    void_reason: str | None
    tie_key_hash: str
    tie_key: str | None
    fairness: OrderDetailFairness | None


class OrderCommitment(TypedDict):
    commitment_id: str
    trader_address: str
    trader_type: Literal["human", "machine"]
    # Null until the choice where bids are sealed.
    proposed_entry_price: float | None
    # Null until the choice where bids are sealed.
    expected_exit_price: float | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    status: Literal["active", "won", "lost", "settled"]
    # Extension: who competes; after the choice.
    owner_id: str | None
    # Extension: as submitted; after the choice.
    slippage_tolerance: float | None
    # Extension: after the choice.
    accepted_at: str | None
    # Extension: the place in the ranking, from 1.
    rank: int | None
    # Extension: (offered − reserve_price) × quantity in 10⁻¹² USD.
    score: str | None
    # Extension: outbid, below_reference, ARENA_007 or void.
    loss_reason: str | None


class ListedOrder(TypedDict):
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    entry_price: float
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    settlement_date: str
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    expiry_date: str
    status: Literal["open", "competing", "settling", "settled"]
    # The wallet address of who sells.
    market_maker: str
    onchain_order_id: str
    # The order's details as JSON text.
    asset_details: str


class KycRecord(TypedDict):
    id: str
    fullnames: str
    address: str
    phoneNumber: str
    country: str
    email: str
    identityId: str
    # Extension: whose it is.
    user_id: str
    # Extension: what an administrator found.
    status: Literal["pending", "verified", "rejected"]
    # Extension: why it was rejected.
    reason: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    submitted_at: str
    # Extension: when an administrator decided.
    reviewed_at: str | None


class KycRejection(TypedDict):
    reason: str


class KycSubmitted(TypedDict):
    id: str
    fullnames: str
    address: str
    phoneNumber: str
    country: str
    email: str
    identityId: str


class _KycSubmission(TypedDict):
    fullnames: str
    address: str
    phoneNumber: str
    country: str
    email: str
    identityId: str


class KycSubmission(_KycSubmission, total=False):
    # The id of the new record; by default one is made.
    id: str | None


class LoggedRequestDetail(TypedDict):
    # In this log; it grows with the time of the answer.
    id: str
    # X-Request-Id of the answer. Callers may send one of their own.
    request_id: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # The caller's; null where nobody could tell who sent it.
    company_id: str | None
    user_id: str | None
    # The API client, or the platform's own pages.
    client_id: str | None
    # The address that it came from.
    address: str
    # Method and path template, such as POST /v1/transfers; unmatched where there is no such operation.
    operation: str
    # The path as it was written, at most 300 characters.
    path: str
    status: int
    # The code of a refusal.
    code: str | None
    # From the arrival to the answer.
    duration_ms: float
    # The length of the body, where it was said.
    request_bytes: int | None
    # The length of the answer's body, before it is compressed.
    response_bytes: int | None
    # The trace it belongs to (W3C Trace Context).
    trace_id: str | None
    # The events that it wrote, by their place in all events, the first 16.
    event_seqs: list[int]
    # Of a refused request, without secrets.
    query: str | None
    # The body of a refused request, as JSON without secrets: what is in a field that the operation does not know is removed as well. Null where it was refused before it was read, is longer than 8,192 characters or is no JSON.
    body: str | None
    # Where the time went of a request that wrote something. All but the last add up to duration_ms.
    phases: RequestPhases | None


class RequestPhases(TypedDict):
    # Reading and checking the request, before it asked for its commit.
    checks_ms: float
    # Waiting for whoever decides, the decision, and the group that it was written with.
    decision_ms: float
    # From when that was sent to the journal to when it was durable.
    append_ms: float
    # From there to the answer.
    answer_ms: float
    # From when it was sent to the journal to when the tables had it, which no request waits for.
    projection_ms: float | None


class LoggedRequest(TypedDict):
    # In this log; it grows with the time of the answer.
    id: str
    # X-Request-Id of the answer. Callers may send one of their own.
    request_id: str
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # The caller's; null where nobody could tell who sent it.
    company_id: str | None
    user_id: str | None
    # The API client, or the platform's own pages.
    client_id: str | None
    # The address that it came from.
    address: str
    # Method and path template, such as POST /v1/transfers; unmatched where there is no such operation.
    operation: str
    # The path as it was written, at most 300 characters.
    path: str
    status: int
    # The code of a refusal.
    code: str | None
    # From the arrival to the answer.
    duration_ms: float
    # The length of the body, where it was said.
    request_bytes: int | None
    # The length of the answer's body, before it is compressed.
    response_bytes: int | None
    # The trace it belongs to (W3C Trace Context).
    trace_id: str | None
    # The events that it wrote, by their place in all events, the first 16.
    event_seqs: list[int]


Usage = TypedDict("Usage", {
    # Null: all, and requests without a caller.
    "company_id": "str | None",
    # a day such as 2026-01-31, from 1970 on
    "from": "str",
    # a day such as 2026-01-31, from 1970 on
    "to": "str",
    "interval": "Literal[\"day\"]",
    "totals": "UsageTotals",
    # Every day from the first to the last.
    "days": "list[UsageDay]",
})


class UsageDay(TypedDict):
    # a day such as 2026-01-31, from 1970 on
    date: str
    requests: int
    # Of these, answered with 400 to 499.
    client_errors: int
    # Of these, answered with 500 or above.
    server_errors: int
    # Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests.
    latency_ms: Latency | None
    endpoints: list[EndpointUsage]
    activities: list[Activity]
    credits: UsedCredits


class UsedCredits(TypedDict):
    # What plans gave.
    granted: int
    # What was left of it at a month's end.
    lapsed: int
    purchased: int
    # What evaluations of bots took.
    used: int


class Activity(TypedDict):
    # Such as orders_placed.
    activity: str
    count: int
    # The sum of its amounts, those of them that are in USD.
    volume_usd: str


class EndpointUsage(TypedDict):
    # Method and path template, such as GET /v1/funds/{id}; unmatched where there is no such endpoint; overflow, for administrators, where more were asked than are counted apart.
    endpoint: str
    requests: int
    # Of these, answered with 400 to 499.
    client_errors: int
    # Of these, answered with 500 or above.
    server_errors: int
    # Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests.
    latency_ms: Latency | None


class Latency(TypedDict):
    p50: float
    p95: float
    p99: float


class UsageTotals(TypedDict):
    requests: int
    # Of these, answered with 400 to 499.
    client_errors: int
    # Of these, answered with 500 or above.
    server_errors: int
    # Percentiles by nearest rank of the time from a request's arrival to its answer, in milliseconds, off by 3.2 % at most. Null where there were no requests.
    latency_ms: Latency | None
    endpoints: list[EndpointUsage]
    activities: list[Activity]
    credits: UsedCredits


class SandboxClock(TypedDict):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    now: str
    # How far that is ahead of the machine's clock.
    ahead_seconds: int
    # advancing: it is on its way to `until`, and does what is due on the way.
    status: Literal["ready", "advancing"]
    until: str | None


class Nodes(TypedDict):
    # By address; none where one server works alone.
    nodes: list[Node]
    # The address of the node that took the last term.
    writer: str | None
    # Since when the writer takes requests; null while it does not.
    serving_since: str | None
    # The number of the last writer.
    term: int
    # Events of the journal that the tables do not have yet.
    unprojected: int


class Node(TypedDict):
    # By which the other nodes reach it.
    address: str
    # Since when it is connected to the database; null where it is gone.
    connected_since: str | None
    # Whether it took the last term.
    writes: bool
    # Events that it heard of and does not have; null where it writes, or did not say.
    behind: int | None


class AuditEntry(TypedDict):
    id: int
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    at: str
    # Who.
    actor_id: str
    # What, such as user.suspend.
    act: str
    # Whom or which.
    subject_id: str
    before: dict[str, str | bool | None] | None
    after: dict[str, str | bool | None] | None
    request_id: str | None


class MadeClient(TypedDict):
    id: str
    client_id: str
    name: str
    scopes: list[Literal["orders:read", "orders:write", "payments:read", "payments:write", "subscriptions:read", "subscriptions:write", "credit:read", "credit:write", "kyc:read", "kyc:write", "users:read", "users:write"]]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str
    # Shown this once: only its hash is kept.
    client_secret: str


class DeletedClient(TypedDict):
    id: str
    deleted: Literal[True]


class Client(TypedDict):
    id: str
    client_id: str
    name: str
    scopes: list[Literal["orders:read", "orders:write", "payments:read", "payments:write", "subscriptions:read", "subscriptions:write", "credit:read", "credit:write", "kyc:read", "kyc:write", "users:read", "users:write"]]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class NewClient(TypedDict):
    name: str
    # What its tokens may do at most. With none it may use the arena.
    scopes: list[Literal["orders:read", "orders:write", "payments:read", "payments:write", "subscriptions:read", "subscriptions:write", "credit:read", "credit:write", "kyc:read", "kyc:write", "users:read", "users:write"]]


class Company(TypedDict):
    id: str
    name: str
    plan: Literal["standard", "pro", "enterprise"]
    status: Literal["pending", "verified"]
    # The company that made it and manages it.
    managed_by: str | None
    tax_id: str | None
    email: str | None
    phone: str | None
    # Where it is registered.
    country: str | None
    address: PostalAddress | None
    created_at: str
    verified_at: str | None
    # Whether it may have the bots that its plan gives: false where an administrator withdrew them.
    machine_trader: bool


class PostalAddress(TypedDict, total=False):
    street: str
    city: str
    state: str
    postal_code: str
    country: str


class EntitlementsChange(TypedDict):
    machine_trader: bool


class PlanChange(TypedDict):
    plan: Literal["standard", "pro", "enterprise"]


class CompanyChange(TypedDict, total=False):
    name: str | None
    tax_id: str | None
    email: str | None
    phone: str | None
    country: str | None
    address: NewPostalAddress | None


class NewPostalAddress(TypedDict, total=False):
    street: str | None
    city: str | None
    state: str | None
    postal_code: str | None
    country: str | None


class _NewCompany(TypedDict):
    name: str


class NewCompany(_NewCompany, total=False):
    tax_id: str | None
    email: str | None
    phone: str | None
    country: str | None
    address: NewPostalAddress | None


class Erasure(TypedDict):
    # The user's id, which stays.
    id: str
    company_id: str
    # Whether the user was the company's last person, so that its contacts were forgotten too.
    company_erased: bool
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    erased_at: str


class Person(TypedDict):
    id: str
    email: str | None
    email_verified: bool
    cellphone: str | None
    firstname: str | None
    lastname: str | None
    contact_name: str | None
    country: str | None
    address: str | None
    accountname: str | None
    language: str | None
    profileurl: str | None
    appsprofile: str | None
    company_id: str
    company_name: str
    role: Literal["admin", "buyer", "seller", "service"]
    status: Literal["pending_kyc", "active", "suspended", "rejected"]
    wallet_address: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class RoleChange(TypedDict):
    role: Literal["admin", "buyer", "seller"]


class _NewUser(TypedDict):
    email: str
    password: str
    cellphone: str
    firstname: str
    lastname: str
    country: str
    address: str


class NewUser(_NewUser, total=False):
    accountname: str | None
    language: str | None
    profileurl: str | None
    appsprofile: str | None
    accesstoken: str | None


class EmailVerification(TypedDict):
    token: str


class PasswordReset(TypedDict):
    token: str
    password: str


class ForgottenPassword(TypedDict):
    email: str


class LoginResponseUser(TypedDict):
    id: str
    email: str
    company_name: str
    role: Literal["admin", "buyer", "seller", "service"]


class LoginResponse(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds; 1800.
    expires_in: int
    # Good once, within 30 days of the sign-in: its use answers the next one, which replaces it. An old one that is used again ends the sign-in.
    refresh_token: str
    user: LoginResponseUser


class PasswordChange(TypedDict):
    current_password: str
    new_password: str


class User(TypedDict):
    id: str
    email: str | None
    email_verified: bool
    company_name: str
    company_id: str
    tax_id: str | None
    role: Literal["admin", "buyer", "seller", "service"]
    status: Literal["pending_kyc", "active", "suspended", "rejected"]
    phone: str | None
    address: PostalAddress | None
    contact_name: str | None
    wallet_address: str | None
    ecommerce_company_id: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class UserUpdate(TypedDict, total=False):
    phone: str | None
    address: PostalAddressChange | None
    wallet_address: str | None


class PostalAddressChange(TypedDict, total=False):
    street: str | None
    city: str | None
    state: str | None
    postal_code: str | None
    country: str | None


class _SandboxPerson_1(TypedDict):
    email: str
    state: str


class SandboxPerson_1(_SandboxPerson_1, total=False):
    name: str | None


class TokenResponse(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds; 1800.
    expires_in: int
    # Good once, within 30 days of the sign-in: its use answers the next one, which replaces it. An old one that is used again ends the sign-in.
    refresh_token: str


class _ShopCallback(TypedDict):
    shop: str
    code: str


class ShopCallback(_ShopCallback, total=False):
    state: str | None
    timestamp: str | None
    host: str | None
    hmac: str | None


class _SandboxPerson(TypedDict):
    email: str
    state: str


class SandboxPerson(_SandboxPerson, total=False):
    name: str | None


class _ProviderCallback(TypedDict):
    code: str


class ProviderCallback(_ProviderCallback, total=False):
    state: str | None
    iss: str | None


class AuthorizationServerMetadata(TypedDict):
    issuer: str
    token_endpoint: str
    revocation_endpoint: str
    jwks_uri: str
    scopes_supported: list[Literal["orders:read", "orders:write", "payments:read", "payments:write", "subscriptions:read", "subscriptions:write", "credit:read", "credit:write", "kyc:read", "kyc:write", "users:read", "users:write"]]
    response_types_supported: list[str]
    grant_types_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]
    revocation_endpoint_auth_methods_supported: list[str]
    service_documentation: str


class Jwks(TypedDict):
    keys: list[Jwk]


class Jwk(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]


class Registered(TypedDict):
    id: str
    email: str
    company_name: str
    status: Literal["pending_kyc", "active", "suspended", "rejected"]
    ecommerce_company_id: str | None
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    created_at: str


class Account(TypedDict):
    email: str
    accountName: str
    firstname: str
    lastname: str
    password: str
    country: str
    city: str
    address: str


class Login(TypedDict):
    email: str
    password: str


class Revocation_1(TypedDict, total=False):
    refresh_token: str | None
    token: str | None
    token_type_hint: str | None


class Revocation(TypedDict, total=False):
    refresh_token: str | None
    token: str | None
    token_type_hint: str | None


class AuthorizeRequest_1(TypedDict):
    client_id: str
    client_secret: str
    username: str
    password: str


class AuthorizeRequest(TypedDict):
    client_id: str
    client_secret: str
    username: str
    password: str


class SessionToken(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds; 1800.
    expires_in: int


class _TokenRequest_1(TypedDict):
    grant_type: str


class TokenRequest_1(_TokenRequest_1, total=False):
    client_id: str | None
    client_secret: str | None
    refresh_token: str | None
    scope: str | None


class _TokenRequest(TypedDict):
    grant_type: str


class TokenRequest(_TokenRequest, total=False):
    client_id: str | None
    client_secret: str | None
    refresh_token: str | None
    scope: str | None


class _Registration(TypedDict):
    email: str
    password: str
    company_name: str


class Registration(_Registration, total=False):
    contact_name: str | None
    phone: str | None
    tax_id: str | None
    address: NewPostalAddress | None


class Info(TypedDict):
    name: str
    version: str
    release: str
    mode: Literal["sandbox", "production"]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    time: str
    documentation: str


class Health(TypedDict):
    status: Literal["ok"]


class _Profile(TypedDict):
    email: str
    cellphone: str
    country: str
    address: str
    firstname: str
    lastname: str
    city: str


class Profile(_Profile, total=False):
    id: str
    accountName: str
    accesstoken: str
    profileurl: str
    language: str
    nickname: str
    dob: str
    occupation: str
    iscorporate: str


class Wallet(TypedDict):
    name: str
    symbol: str
    userId: str
    balance: float


class ResponseError(TypedDict):
    # What to do, in a sentence.
    message: str
    # What a program decides by.
    code: str


class WebhookDataPurchaseOrder(TypedDict):
    """An order, as GET /v1/orders/{id} answers it."""

    id: str
    object: Literal["order"]
    # The company that buys.
    company_id: str
    status: Literal["pending", "paid", "fulfilled", "cancelled"]
    payment_status: Literal["unpaid", "partially_paid", "paid", "refunded"]
    fulfilment_status: Literal["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"]
    # USD for the whole order; to a seller for its own items.
    amount: float
    # USD of that which are not paid yet.
    amount_due: float
    # Whether an instalment is overdue.
    overdue: bool
    currency: Literal["USD"]
    payment_terms: PurchaseOrderPaymentTerms
    # Sub-totals; to a seller its own alone.
    sellers: list[PurchaseOrderSellers]
    # The number of the items.
    item_count: int
    # What the buyer keeps with it by keys of its own.
    metadata: dict[str, str]
    created_at: str
    updated_at: str
    # To a seller its own alone.
    items: list[PurchaseOrderItems]
    # To a seller its own parts alone.
    payments: list[PurchaseOrderPayments]


class WebhookDataPaymentRefund(TypedDict):
    id: str
    # USD.
    amount: float
    status: Literal["pending", "succeeded", "failed"]
    # `seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise.
    reason: Literal["seller", "unneeded"]
    seller_company_id: str | None
    failure: str | None
    # How often it was asked for: an `unneeded` one that is declined is tried again, once a day at last.
    attempts: int
    created_at: str


class WebhookDataPayment(TypedDict):
    """A payment, as GET /v1/payments/{id} answers it."""

    id: str
    object: Literal["payment"]
    order_id: str
    # The user who pays.
    payer: str
    # The company that pays.
    company_id: str
    provider: Literal["wallet", "sandbox-card", "stripe"]
    # To the buyer the test card's name, or Stripe's id of the payment method; to a seller null. Never a card's number.
    instrument: str | None
    # Null where the order was paid from the wallet at once.
    extent: Literal["next", "all"] | None
    capture: Literal["automatic", "manual"]
    # `processing`: the provider's answer is awaited, and asked for again by itself.
    status: Literal["processing", "authorized", "captured", "partially_refunded", "refunded", "failed", "voided"]
    # USD.
    amount: float
    currency: Literal["USD"]
    # USD.
    captured: float
    # USD that the order has of it.
    applied: float
    # USD on the way back to the instrument.
    refunding: float
    # USD that are back at the instrument.
    refunded: float
    # Why it failed, such as `insufficient_funds`.
    failure: str | None
    dispute: Literal["open", "won", "lost"] | None
    refunds: list[WebhookDataPaymentRefund]
    # What the buyer keeps with it by keys of its own; to a seller nothing.
    metadata: dict[str, str]
    created_at: str
    updated_at: str


class WebhookDataSubscription(TypedDict):
    """A subscription, as GET /v1/subscriptions/{id} answers it."""

    object: Literal["subscription"]
    # USD a period, the same as `price`.
    amount: float
    id: str
    # The buyer.
    company_id: str
    # Whose USD wallet pays.
    user_id: str
    seller_company_id: str
    product_id: str
    quantity: int
    # USD for a piece, fixed when it was made.
    unit_price: float
    # USD a period.
    price: float
    currency: Literal["USD"]
    interval: Literal["week", "month", "year"]
    periods: int | None
    start: str
    status: Literal["active", "past_due", "completed", "cancelled"]
    paid_periods: int
    # How often the period that is due could not be charged.
    failures: int
    # When the next period is due, or a failed one is tried again.
    next_at: str | None
    # When it ends, where it was cancelled for the end of a period.
    cancel_at: str | None
    ended_at: str | None
    end_reason: Literal["requested", "period_end", "payment_failed"] | None
    # What the buyer keeps with it by keys of its own.
    metadata: dict[str, str]
    created_at: str


class WebhookDataPostalAddress(TypedDict, total=False):
    street: str
    city: str
    state: str
    postal_code: str
    country: str


class WebhookDataCompany(TypedDict):
    """A company, as GET /v1/companies/{id} answers it."""

    object: Literal["company"]
    # The same as `id`.
    company_id: str
    id: str
    name: str
    plan: Literal["standard", "pro", "enterprise"]
    status: Literal["pending", "verified"]
    # The company that made it and manages it.
    managed_by: str | None
    tax_id: str | None
    email: str | None
    phone: str | None
    # Where it is registered.
    country: str | None
    address: WebhookDataPostalAddress | None
    created_at: str
    verified_at: str | None


class WebhookDataCreditProfile(TypedDict):
    """A user's credit profile."""

    # The user's id, by which GET /v1/credit/profile/{profileId} answers.
    id: str
    object: Literal["credit_profile"]
    # The user's company.
    company_id: str
    # `declined`: the limit is 0.
    status: Literal["approved", "declined"]
    # USD that the user may owe: its limit.
    amount: float
    currency: Literal["USD"]
    created_at: str
    # USD that the user could owe before.
    previous_amount: float
    # USD that unpaid orders use.
    used: float
    # USD that the user may still owe.
    available: float
    # 300 to 850.
    score: int
    band: Literal["A", "B", "C", "D", "E"]
    # Percent a year.
    apr: float
    # What cost most points, the costliest first: at most four.
    reasons: list[ScoreCardReasons]
    model_version: str


class WebhookDataWebhook(TypedDict):
    """An endpoint."""

    id: str
    object: Literal["webhook"]
    company_id: str
    status: Literal["enabled", "disabled", "deleted"]
    created_at: str
    url: str
    # The types that it is told of.
    events: list[str]
    description: str | None
    # What its company keeps with it by keys of its own.
    metadata: dict[str, str]
    # `failing`: its attempts failed for 5 days. `requested`: somebody disabled it.
    disabled_cause: Literal["requested", "failing"] | None


class CommitmentLostData(TypedDict):
    commitment_id: str
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    reason: Literal["outbid", "below_reference", "ARENA_007", "void"]


class _CommitmentLost(TypedDict):
    type: Literal["commitment_lost"]
    data: CommitmentLostData
    timestamp: str


class CommitmentLost(_CommitmentLost, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class CommitmentSettledData(TypedDict):
    commitment_id: str
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    profit: float
    settlement_price: float | None


class _CommitmentSettled(TypedDict):
    type: Literal["commitment_settled"]
    data: CommitmentSettledData
    timestamp: str


class CommitmentSettled(_CommitmentSettled, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class CommitmentSubmittedData(TypedDict):
    commitment_id: str
    order_id: str
    trader_type: Literal["human", "machine"]
    collateral: float


class _CommitmentSubmitted(TypedDict):
    type: Literal["commitment_submitted"]
    data: CommitmentSubmittedData
    timestamp: str


class CommitmentSubmitted(_CommitmentSubmitted, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class CommitmentUpdatedData(TypedDict):
    order_id: str
    commitment_id: str
    trader_address: str
    trader_type: Literal["human", "machine"]
    # Null until the choice where bids are sealed.
    proposed_entry_price: float | None
    # Null until the choice where bids are sealed.
    expected_exit_price: float | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    status: Literal["active", "won", "lost", "settled"]
    # Extension: who competes; after the choice.
    owner_id: str | None
    # Extension: as submitted; after the choice.
    slippage_tolerance: float | None
    # Extension: after the choice.
    accepted_at: str | None
    # Extension: the place in the ranking, from 1.
    rank: int | None
    # Extension: (offered − reserve_price) × quantity in 10⁻¹² USD.
    score: str | None
    # Extension: outbid, below_reference, ARENA_007 or void.
    loss_reason: str | None


class _CommitmentUpdated(TypedDict):
    type: Literal["commitment_updated"]
    data: CommitmentUpdatedData
    timestamp: str


class CommitmentUpdated(_CommitmentUpdated, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class CommitmentWonData(TypedDict):
    commitment_id: str
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    clearing_price: float | None


class _CommitmentWon(TypedDict):
    type: Literal["commitment_won"]
    data: CommitmentWonData
    timestamp: str


class CommitmentWon(_CommitmentWon, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class HeartbeatData(TypedDict):
    epoch: str
    seq: int
    prev: int


class Heartbeat(TypedDict):
    type: Literal["heartbeat"]
    data: HeartbeatData
    timestamp: str


class OrderCreatedData(TypedDict):
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    entry_price: float
    settlement_date: str


class _OrderCreated(TypedDict):
    type: Literal["order_created"]
    data: OrderCreatedData
    timestamp: str


class OrderCreated(_OrderCreated, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class OrderSettledData(TypedDict):
    order_id: str
    winner_commitment_id: str | None
    winner_address: str | None
    prize_amount: float
    yield_distributed: float


class _OrderSettled(TypedDict):
    type: Literal["order_settled"]
    data: OrderSettledData
    timestamp: str


class OrderSettled(_OrderSettled, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class OrderUpdatedData(TypedDict):
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    entry_price: float
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    settlement_date: str
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    expiry_date: str
    status: Literal["open", "competing", "settling", "settled"]
    # The wallet address of who sells.
    market_maker: str
    onchain_order_id: str
    asset_details: dict[str, str | float]
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    opened_at: str
    # Extension: whether the prices of others' bids are shown before the choice.
    bids: Literal["open", "sealed"]
    # Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float.
    maker_discount: float | None
    reference_price: float | None
    # Extension: the least that the market maker sells for, reference_price × (1 − maker_discount).
    reserve_price: float | None
    clearing_price: float | None
    settlement_price: float | None
    winner_commitment_id: str | None
    void_reason: str | None
    tie_key_hash: str
    tie_key: str | None
    fairness: OrderDetailFairness | None


class _OrderUpdated(TypedDict):
    type: Literal["order_updated"]
    data: OrderUpdatedData
    timestamp: str


class OrderUpdated(_OrderUpdated, total=False):
    seq: int
    prev: int
    frame: int
    frames: int


class _Ping(TypedDict):
    type: Literal["ping"]


class Ping(_Ping, total=False):
    id: str | None


class PongData(TypedDict, total=False):
    id: str


class Pong(TypedDict):
    type: Literal["pong"]
    data: PongData
    timestamp: str


class Position(TypedDict):
    epoch: str
    seq: int


class PriceUpdateData(TypedDict):
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    asset: str
    price: float
    source: str


class _PriceUpdate(TypedDict):
    type: Literal["price_update"]
    data: PriceUpdateData
    timestamp: str


class PriceUpdate(_PriceUpdate, total=False):
    price_seq: int
    price_prev: int | None


class _ResyncRequiredData(TypedDict):
    epoch: str
    seq: int
    reason: Literal["epoch_changed", "position_unknown", "too_far_behind"]


class ResyncRequiredData(_ResyncRequiredData, total=False):
    id: str


class ResyncRequired(TypedDict):
    type: Literal["resync_required"]
    data: ResyncRequiredData
    timestamp: str


class ServerShutdownData(TypedDict):
    reconnect_after_ms: int


class ServerShutdown(TypedDict):
    type: Literal["server_shutdown"]
    data: ServerShutdownData
    timestamp: str


class _SnapshotData(TypedDict):
    epoch: str
    seq: int
    page: int
    pages: int
    orders: list[OrderDetail]


class SnapshotData(_SnapshotData, total=False):
    id: str


class Snapshot(TypedDict):
    type: Literal["snapshot"]
    data: SnapshotData
    timestamp: str


class _StreamErrorData(TypedDict):
    code: Literal["invalid_request", "unauthorized", "unavailable", "conflict"]
    message: str


class StreamErrorData(_StreamErrorData, total=False):
    id: str


class StreamError(TypedDict):
    type: Literal["error"]
    data: StreamErrorData
    timestamp: str


class StreamedCommitment(TypedDict):
    order_id: str
    commitment_id: str
    trader_address: str
    trader_type: Literal["human", "machine"]
    # Null until the choice where bids are sealed.
    proposed_entry_price: float | None
    # Null until the choice where bids are sealed.
    expected_exit_price: float | None
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    status: Literal["active", "won", "lost", "settled"]
    # Extension: who competes; after the choice.
    owner_id: str | None
    # Extension: as submitted; after the choice.
    slippage_tolerance: float | None
    # Extension: after the choice.
    accepted_at: str | None
    # Extension: the place in the ranking, from 1.
    rank: int | None
    # Extension: (offered − reserve_price) × quantity in 10⁻¹² USD.
    score: str | None
    # Extension: outbid, below_reference, ARENA_007 or void.
    loss_reason: str | None


class StreamedOrder(TypedDict):
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    entry_price: float
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    settlement_date: str
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    expiry_date: str
    status: Literal["open", "competing", "settling", "settled"]
    # The wallet address of who sells.
    market_maker: str
    onchain_order_id: str
    asset_details: dict[str, str | float]
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    opened_at: str
    # Extension: whether the prices of others' bids are shown before the choice.
    bids: Literal["open", "sealed"]
    # Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float.
    maker_discount: float | None
    reference_price: float | None
    # Extension: the least that the market maker sells for, reference_price × (1 − maker_discount).
    reserve_price: float | None
    clearing_price: float | None
    settlement_price: float | None
    winner_commitment_id: str | None
    void_reason: str | None
    tie_key_hash: str
    tie_key: str | None
    fairness: OrderDetailFairness | None


class SubscribeData(TypedDict, total=False):
    channels: list[Literal["orders", "commitments", "settlements", "prices", "my"]] | None
    asset_type: list[Literal["commodity", "fx", "options", "gpu"]] | None
    order_id: list[str] | None
    snapshot: bool | None
    sequence: bool | None
    resume: Position | None
    price_sequence: bool | None
    price_resume: int | None


class _Subscribe(TypedDict):
    type: Literal["subscribe"]


class Subscribe(_Subscribe, total=False):
    id: str | None
    data: SubscribeData | None


class _SubscribedData(TypedDict):
    epoch: str
    seq: int
    channels: list[Literal["orders", "commitments", "settlements", "prices", "my"]]
    asset_type: list[Literal["commodity", "fx", "options", "gpu"]]
    order_id: list[str]


class SubscribedData(_SubscribedData, total=False):
    id: str


class Subscribed(TypedDict):
    type: Literal["subscribed"]
    data: SubscribedData
    timestamp: str


class UnsubscribeData(TypedDict, total=False):
    channels: list[Literal["orders", "commitments", "settlements", "prices", "my"]] | None


class _Unsubscribe(TypedDict):
    type: Literal["unsubscribe"]


class Unsubscribe(_Unsubscribe, total=False):
    id: str | None
    data: UnsubscribeData | None


class _UnsubscribedData(TypedDict):
    channels: list[Literal["orders", "commitments", "settlements", "prices", "my"]]


class UnsubscribedData(_UnsubscribedData, total=False):
    id: str


class Unsubscribed(TypedDict):
    type: Literal["unsubscribed"]
    data: UnsubscribedData
    timestamp: str


class FieldError(TypedDict):
    # Where it is: payload, query, path or headers, and the field's path.
    field: str
    # What the field takes.
    expected: str


class AuthenticatePayload(TypedDict):
    access_token: str


class AuthenticateSuccess(TypedDict):
    user_id: str
    company_id: str


class _CommitPayload(TypedDict):
    order_id: str
    proposed_entry_price: float
    expected_exit_price: float
    quantity: float


class CommitPayload(_CommitPayload, total=False):
    swap_executor: str | None
    slippage_tolerance: float | None
    bot_id: str | None
    # A commitment that was accepted under it is answered again within 24 hours, and made once however often it is sent. A refused one may be sent again.
    idempotency_id: str | None


class CommitSuccess(TypedDict):
    _tag: Literal["Accepted"]
    commitment_id: str
    onchain_commitment_id: str
    transaction_hash: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_required: float
    status: Literal["active"]


class CommitBatchPayload(TypedDict):
    items: list[CommitPayload]


class _CommitBatchSuccessResults(TypedDict):
    _tag: Literal["Refused"]
    code: Literal["invalid_request", "invalid_grant", "unauthorized_client", "invalid_scope", "unsupported_grant_type", "unauthorized", "invalid_client", "access_denied", "insufficient_scope", "plan_required", "entitlement_required", "bot_limit_reached", "not_found", "method_not_allowed", "conflict", "commitments_halted", "range_not_satisfiable", "payload_too_large", "unsupported_media_type", "unprocessable", "credit_frozen", "wallet_required", "loss_limit", "rate_limited", "internal", "unavailable", "ARENA_001", "ARENA_002", "ARENA_003", "ARENA_004", "ARENA_005", "ARENA_006", "ARENA_007", "ARENA_008", "ARENA_009"]
    # What to do, in a sentence.
    message: str


class CommitBatchSuccessResults(_CommitBatchSuccessResults, total=False):
    # Every faulty field, at most 20, the first of which the message names.
    errors: list[FieldError]
    # Seconds after which the same message may succeed.
    retry_after: float


class CommitBatchSuccess(TypedDict):
    results: list[CommitSuccess | CommitBatchSuccessResults]


class MyCommitmentsPayload(TypedDict, total=False):
    status: Literal["active", "won", "lost", "settled"] | None
    limit: int | None
    offset: int | None
    # The id of a row of this list: the page begins behind it. The next of an answer is that of the next page.
    after: str | None


class _MyCommitmentsSuccess(TypedDict):
    commitments: list[MyCommitment]
    total: int


class MyCommitmentsSuccess(_MyCommitmentsSuccess, total=False):
    # What after is for the next page, where there is one.
    next: str


class BalancesPayload(TypedDict, total=False):
    limit: int | None
    offset: int | None
    # The id of a row of this list: the page begins behind it. The next of an answer is that of the next page.
    after: str | None


class _BalancesSuccess(TypedDict):
    funds: list[Fund]
    total: int


class BalancesSuccess(_BalancesSuccess, total=False):
    # What after is for the next page, where there is one.
    next: str


class EvaluatePayload(TypedDict):
    bot_id: str
    order_id: str


class EvaluateSuccess(TypedDict):
    evaluation: Evaluation
    credits_charged: int


class PauseAllPayload(TypedDict, total=False):
    scope: Literal["bots", "company"] | None


class _PauseAllSuccess(TypedDict):
    paused: list[str]


class PauseAllSuccess(_PauseAllSuccess, total=False):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    halted_at: str


class _CancelAfterPayload(TypedDict):
    timeout_seconds: int


class CancelAfterPayload(_CancelAfterPayload, total=False):
    scope: Literal["bots", "company"] | None


class _CancelAfterSuccess(TypedDict):
    timeout_seconds: int
    # When all bots are paused; null for never.
    pauses_at: str | None


class CancelAfterSuccess(_CancelAfterSuccess, total=False):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    halted_at: str


class CancelOnDisconnectPayload(TypedDict):
    enabled: bool


class CancelOnDisconnectSuccess(TypedDict):
    # Whether every commitment of the company is refused.
    halted: bool
    # When it was pulled last.
    halted_at: str | None
    # The user who pulled it; null for the platform.
    halted_by: str | None
    # asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections.
    cause: Literal["asked", "deadline", "disconnected", "restarted"] | None
    # When cancel-after pulls it; null for never.
    halts_at: str | None
    # Whether there are connections whose end pulls it.
    cancel_on_disconnect: bool


class LiftKillSwitchSuccess(TypedDict):
    # Whether every commitment of the company is refused.
    halted: bool
    # When it was pulled last.
    halted_at: str | None
    # The user who pulled it; null for the platform.
    halted_by: str | None
    # asked; deadline, where cancel-after was not asked again; disconnected, where a connection with cancel_on_disconnect ended; restarted, where the platform did while there were such connections.
    cause: Literal["asked", "deadline", "disconnected", "restarted"] | None
    # When cancel-after pulls it; null for never.
    halts_at: str | None
    # Whether there are connections whose end pulls it.
    cancel_on_disconnect: bool


class OrdersPayload(TypedDict, total=False):
    asset_type: list[Literal["commodity", "fx", "options", "gpu"]] | None
    order_id: list[str] | None


class OrdersSuccess(TypedDict):
    order_id: str
    asset_type: Literal["commodity", "fx", "options", "gpu"]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    quantity: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    entry_price: float
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    settlement_date: str
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    expiry_date: str
    status: Literal["open", "competing", "settling", "settled"]
    # The wallet address of who sells.
    market_maker: str
    onchain_order_id: str
    asset_details: dict[str, str | float]
    # an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000
    opened_at: str
    # Extension: whether the prices of others' bids are shown before the choice.
    bids: Literal["open", "sealed"]
    # Extension: how far below the reference price the market maker sells, as a fraction. Null where bids do not float.
    maker_discount: float | None
    reference_price: float | None
    # Extension: the least that the market maker sells for, reference_price × (1 − maker_discount).
    reserve_price: float | None
    clearing_price: float | None
    settlement_price: float | None
    winner_commitment_id: str | None
    void_reason: str | None
    tie_key_hash: str
    tie_key: str | None
    fairness: OrderDetailFairness | None


class SubscribePayload(TypedDict, total=False):
    channels: list[Literal["orders", "commitments", "settlements", "prices", "my"]] | None
    asset_type: list[Literal["commodity", "fx", "options", "gpu"]] | None
    order_id: list[str] | None
    snapshot: bool | None
    resume: Position | None


class WebhookEventsPayload(TypedDict, total=False):
    # Absent: every one.
    events: list[Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test", "*"]] | None
    after: int | None


class WebhookEventsSuccessEvents(TypedDict):
    id: str
    type: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"]
    # The envelope, byte for byte as a delivery carries it.
    body: str


class WebhookEventsSuccess(TypedDict):
    seq: int
    events: list[WebhookEventsSuccessEvents]


class OrderCreatedEventData(TypedDict):
    object: WebhookDataPurchaseOrder


class OrderCreatedEvent(TypedDict):
    """An order was placed. Its stock is reserved, and on credit terms the buyer's limit."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.created"]
    created_at: str
    data: OrderCreatedEventData


class OrderUpdatedEvent(TypedDict):
    """A part of an order was paid, or to its buyer: one of several sellers has delivered."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.updated"]
    created_at: str
    data: OrderCreatedEventData


class OrderPaidEvent(TypedDict):
    """Nothing of an order is owed any more."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.paid"]
    created_at: str
    data: OrderCreatedEventData


class OrderFulfilledEvent(TypedDict):
    """Every seller has delivered; to a seller: it has."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.fulfilled"]
    created_at: str
    data: OrderCreatedEventData


class OrderCancelledEvent(TypedDict):
    """An order was cancelled: stock and limit are free again, and what was paid goes back."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.cancelled"]
    created_at: str
    data: OrderCreatedEventData


class OrderPaymentDueEvent(TypedDict):
    """An instalment of an order on credit is not paid yet and due within three days."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.payment_due"]
    created_at: str
    data: OrderCreatedEventData


class OrderOverdueEvent(TypedDict):
    """An instalment's due date has passed and it is not paid. The buyer's company orders nothing on credit until it is."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["order.overdue"]
    created_at: str
    data: OrderCreatedEventData


class PaymentAuthorizedEventData(TypedDict):
    object: WebhookDataPayment


class PaymentAuthorizedEvent(TypedDict):
    """The provider keeps the money. With automatic capture it is taken next."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["payment.authorized"]
    created_at: str
    data: PaymentAuthorizedEventData


class PaymentCapturedEvent(TypedDict):
    """The money was taken; to a seller: the order has it, and the seller its part."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["payment.captured"]
    created_at: str
    data: PaymentAuthorizedEventData


class PaymentRefundedEvent(TypedDict):
    """Money is back at what paid it; the status says whether all of it."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["payment.refunded"]
    created_at: str
    data: PaymentAuthorizedEventData


class PaymentFailedEvent(TypedDict):
    """The provider refused. Nothing was taken."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["payment.failed"]
    created_at: str
    data: PaymentAuthorizedEventData


class CompanyCreatedEventData(TypedDict):
    object: WebhookDataCompany


class CompanyCreatedEvent(TypedDict):
    """A company was made. One that registers has no endpoint yet, so that only managers hear of theirs."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["company.created"]
    created_at: str
    data: CompanyCreatedEventData


class CompanyVerifiedEvent(TypedDict):
    """An administrator verified a company, or the first of its users."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["company.verified"]
    created_at: str
    data: CompanyCreatedEventData


class CompanyUpdatedEvent(TypedDict):
    """A company's profile, plan or status is another one."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["company.updated"]
    created_at: str
    data: CompanyCreatedEventData


class SubscriptionCreatedEventData(TypedDict):
    object: WebhookDataSubscription


class SubscriptionCreatedEvent(TypedDict):
    """A company subscribed. A first period that is due at once was charged with it."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["subscription.created"]
    created_at: str
    data: SubscriptionCreatedEventData


class SubscriptionRenewedEvent(TypedDict):
    """A period was charged. After the last the status is `completed`."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["subscription.renewed"]
    created_at: str
    data: SubscriptionCreatedEventData


class SubscriptionCancelledEvent(TypedDict):
    """A subscription ended before its last period; `end_reason` says why."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["subscription.cancelled"]
    created_at: str
    data: SubscriptionCreatedEventData


class SubscriptionPaymentFailedEvent(TypedDict):
    """A period could not be charged; `next_at` says when it is tried again."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["subscription.payment_failed"]
    created_at: str
    data: SubscriptionCreatedEventData


class CreditScoreUpdatedEventData(TypedDict):
    object: WebhookDataCreditProfile


class CreditScoreUpdatedEvent(TypedDict):
    """A user was scored."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["credit.score_updated"]
    created_at: str
    data: CreditScoreUpdatedEventData


class CreditLimitChangedEvent(TypedDict):
    """What a user may owe is another amount than before."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["credit.limit_changed"]
    created_at: str
    data: CreditScoreUpdatedEventData


class WebhookDisabledEventData(TypedDict):
    object: WebhookDataWebhook


class WebhookDisabledEvent(TypedDict):
    """An endpoint was disabled. The company's other endpoints hear of it; it hears nothing itself."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["webhook.disabled"]
    created_at: str
    data: WebhookDisabledEventData


class WebhookTestEvent(TypedDict):
    """Somebody tries out an endpoint. It stands for nothing."""

    # Receivers know duplicates by it.
    id: str
    object: Literal["event"]
    type: Literal["webhook.test"]
    created_at: str
    data: WebhookDisabledEventData


class SandboxAdvanceSandboxClockBody(TypedDict):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    until: str


class ArenaAgentStatusResponseOraclesPriceOracle(TypedDict):
    available: bool
    sample_price: str
    source: str


class ArenaAgentStatusResponseOraclesFxApi(TypedDict):
    available: bool


class ArenaAgentStatusResponseOracles(TypedDict):
    price_oracle: ArenaAgentStatusResponseOraclesPriceOracle
    fx_api: ArenaAgentStatusResponseOraclesFxApi
    gpu_marketplaces: ArenaAgentStatusResponseOraclesFxApi


class ArenaAgentStatusResponseOpenOrdersCount(TypedDict):
    commodity: int
    fx: int
    options: int
    gpu: int


class ArenaAgentStatusResponse(TypedDict):
    success: Literal[True]
    status: str
    oracles: ArenaAgentStatusResponseOracles
    supported_asset_types: list[Literal["commodity", "fx", "options", "gpu"]]
    open_orders_count: ArenaAgentStatusResponseOpenOrdersCount
    # At least 1.
    generation_interval_minutes: int
    # Extension: the same, exactly.
    generation_interval_seconds: int
    # Extension.
    circuit_breakers: dict[str, str]
    # Extension: orders not made since the start, for want of a safe price or of maker capital.
    skipped_orders: int


class ArenaListOrdersResponse(TypedDict):
    success: Literal[True]
    orders: list[ListedOrder]
    total: int
    offset: int
    limit: int


class ArenaGetOrderResponse(TypedDict):
    success: Literal[True]
    order: OrderDetail


class ArenaSubmitCommitmentResponseData(TypedDict):
    commitment_id: str
    onchain_commitment_id: str
    transaction_hash: str
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral_required: float
    status: Literal["active"]


class ArenaSubmitCommitmentResponse(TypedDict):
    success: Literal[True]
    message: str
    data: ArenaSubmitCommitmentResponseData


class ArenaMyCommitmentsResponse(TypedDict):
    success: Literal[True]
    commitments: list[MyCommitment]
    total: int
    offset: int
    limit: int


class ArenaBoardOrderPricesResponse(TypedDict):
    success: Literal[True]
    order_id: str
    # Whose prices were recorded: of an option the underlying.
    asset: str
    prices: list[PricePoint]


class ArenaBoardLeaderboardResponse(TypedDict):
    success: Literal[True]
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    since: str
    # Settled orders that were counted: the newest 2,000 of the days.
    orders: int
    leaders: list[Leader]


class ArenaHistoryListHistoryResponse(TypedDict):
    success: Literal[True]
    days: list[HistoryDay]
    total: int
    offset: int
    limit: int


class ArenaHistoryCandlesResponse(TypedDict):
    success: Literal[True]
    asset: str
    interval: int
    candles: list[Candle]
    total: int
    offset: int
    limit: int


class YieldYieldEstimateResponseEstimateBreakdown(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    trader_share: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    insurance_share: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    platform_share: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    token_holder_share: float


class YieldYieldEstimateResponseEstimate(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    order_value: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    collateral: float
    duration_days: int
    # A fraction: 0.05 is 5 %.
    estimated_apy: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    estimated_yield: float
    strategy: str
    breakdown: YieldYieldEstimateResponseEstimateBreakdown


class YieldYieldEstimateResponse(TypedDict):
    success: Literal[True]
    estimate: YieldYieldEstimateResponseEstimate


class YieldYieldTotalResponseStrategies(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    tvl: float
    # A fraction: 0.05 is 5 %.
    apy: float


class YieldYieldTotalResponse(TypedDict):
    success: Literal[True]
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    total_yield_generated: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    total_collateral_deployed: float
    # A fraction: 0.05 is 5 %.
    average_apy: float
    active_commitments: int
    strategies: dict[str, YieldYieldTotalResponseStrategies]


class YieldVaultStatsResponseVault(TypedDict):
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    total_value_locked: float
    # A non-negative decimal number, at most 8000000000; decimals beyond the sixth are rounded, a half to even.
    total_yield_generated: float
    active_strategies: int
    current_strategy: str
    allocation: dict[str, float]


class YieldVaultStatsResponse(TypedDict):
    success: Literal[True]
    vault: YieldVaultStatsResponseVault


class MachineTradersMachineTraderStatsResponseStatsTraders(TypedDict):
    trader_id: str
    agent_id: str
    status: str
    total_commitments: int
    commitments_won: int
    # A fraction: 0.05 is 5 %.
    win_rate: float
    # A decimal number; negative for a loss.
    total_profit: float


class MachineTradersMachineTraderStatsResponseStats(TypedDict):
    total_traders: int
    active_traders: int
    total_commitments: int
    # A fraction: 0.05 is 5 %.
    win_rate: float
    # A decimal number; negative for a loss.
    avg_profit_per_trade: float
    traders: list[MachineTradersMachineTraderStatsResponseStatsTraders]


class MachineTradersMachineTraderStatsResponse(TypedDict):
    success: Literal[True]
    stats: MachineTradersMachineTraderStatsResponseStats


class BotsCreateMachineTraderResponse(TypedDict):
    success: Literal[True]
    bot: Bot


class BotsListBotsResponse(TypedDict):
    success: Literal[True]
    bots: list[BotDetail]
    total: int
    offset: int
    limit: int


class BotsGetBotResponse(TypedDict):
    success: Literal[True]
    bot: BotDetail


class _BotsPauseAllBotsResponse(TypedDict):
    success: Literal[True]
    # The ids of the bots that were active.
    paused: list[str]


class BotsPauseAllBotsResponse(_BotsPauseAllBotsResponse, total=False):
    # an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z
    halted_at: str


class BotCreditsGetCreditBalanceResponse(TypedDict):
    success: Literal[True]
    plan: Literal["standard", "pro", "enterprise"]
    balance: CreditBalance
    # What the plan gives a month.
    monthly_grant: int
    credit_unit_usd: float
    credits_per_dollar: Literal[100]


class BotCreditsGetCreditRatesResponseMonthlyGrants(TypedDict):
    standard: int
    pro: int
    enterprise: int


class BotCreditsGetCreditRatesResponsePartnerPoolProviders(TypedDict):
    provider: str
    credits_per_dollar: int
    available: bool


class BotCreditsGetCreditRatesResponse(TypedDict):
    success: Literal[True]
    credit_unit_usd: float
    credits_per_dollar: Literal[100]
    # Credits that one evaluation takes.
    evaluation_price: int
    # Credits that an automatic top-up buys at most.
    auto_topup_credits: int
    min_topup_usd: float
    max_topup_usd: float
    monthly_grants: BotCreditsGetCreditRatesResponseMonthlyGrants
    # Who sells credits. The platform alone does.
    partner_pool_providers: list[BotCreditsGetCreditRatesResponsePartnerPoolProviders]


class BotCreditsListCreditMovementsResponse(TypedDict):
    success: Literal[True]
    entries: list[CreditMovement]
    total: int
    offset: int
    limit: int


class BotCreditsGetBotStatsResponse(TypedDict):
    success: Literal[True]
    stats: BotCreditStats


class BotCreditsGetBotUsageResponse(TypedDict):
    success: Literal[True]
    entries: list[CreditMovement]
    total: int
    offset: int
    limit: int
    bot_id: str
    plan: Literal["standard", "pro", "enterprise"]
    balance: CreditBalance
    # What the plan gives a month.
    monthly_grant: int
    credit_unit_usd: float
    credits_per_dollar: Literal[100]


class BotDecisionsEvaluateOrderResponse(TypedDict):
    success: Literal[True]
    evaluation: Evaluation
    credits_charged: int


class BotDecisionsListBotDecisionsResponse(TypedDict):
    success: Literal[True]
    decisions: list[BotDecision]
    total: int
    offset: int
    limit: int


# What a program decides by when it is refused.
ErrorCode: TypeAlias = Literal["ARENA_001", "ARENA_002", "ARENA_003", "ARENA_004", "ARENA_005", "ARENA_006", "ARENA_008", "ARENA_009", "access_denied", "bot_limit_reached", "commitments_halted", "conflict", "credit_frozen", "entitlement_required", "insufficient_scope", "internal", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "loss_limit", "not_found", "payload_too_large", "plan_required", "range_not_satisfiable", "rate_limited", "unauthorized", "unauthorized_client", "unavailable", "unprocessable", "unsupported_grant_type", "unsupported_media_type", "wallet_required"]

EmailVerified: TypeAlias = Any

PasswordWasReset: TypeAlias = Any

ResetRequested: TypeAlias = Any

LoggedOutEverywhere: TypeAlias = Any

VerificationSent: TypeAlias = Any

LoggedOut: TypeAlias = Any

Revoked: TypeAlias = Any

ClientFrame: TypeAlias = Union[Subscribe, Unsubscribe, Ping]

EventFrame: TypeAlias = Union[OrderCreated, CommitmentSubmitted, OrderSettled, OrderUpdated, CommitmentUpdated, CommitmentWon, CommitmentLost, CommitmentSettled]

ServerFrame: TypeAlias = Union[OrderCreated, CommitmentSubmitted, OrderSettled, OrderUpdated, CommitmentUpdated, CommitmentWon, CommitmentLost, CommitmentSettled, PriceUpdate, Subscribed, Unsubscribed, Snapshot, Pong, Heartbeat, ResyncRequired, ServerShutdown, StreamError]

SubscribeSuccess: TypeAlias = Union[OrderCreated, CommitmentSubmitted, OrderSettled, OrderUpdated, CommitmentUpdated, CommitmentWon, CommitmentLost, CommitmentSettled, PriceUpdate, Subscribed, Snapshot, Heartbeat, ResyncRequired]

# Everything that a webhook may be sent; `type` says which.
WebhookEvent: TypeAlias = Union[OrderCreatedEvent, OrderUpdatedEvent, OrderPaidEvent, OrderFulfilledEvent, OrderCancelledEvent, OrderPaymentDueEvent, OrderOverdueEvent, PaymentAuthorizedEvent, PaymentCapturedEvent, PaymentRefundedEvent, PaymentFailedEvent, CompanyCreatedEvent, CompanyVerifiedEvent, CompanyUpdatedEvent, SubscriptionCreatedEvent, SubscriptionRenewedEvent, SubscriptionCancelledEvent, SubscriptionPaymentFailedEvent, CreditScoreUpdatedEvent, CreditLimitChangedEvent, WebhookDisabledEvent, WebhookTestEvent]


# The codes with which each operation may refuse.
OPERATION_CODES: Final[Mapping[str, tuple[ErrorCode, ...]]] = {
    "GET /health/live": ("internal", "invalid_request", "rate_limited", "unavailable",),
    "GET /health/ready": ("internal", "invalid_request", "rate_limited", "unavailable",),
    "GET /v1/info": ("internal", "invalid_request", "rate_limited", "unavailable",),
    "POST /api/v1/auth/register": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/v1/auth/login": ("access_denied", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "POST /api/v1/auth/token": ("access_denied", "internal", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "payload_too_large", "rate_limited", "unauthorized_client", "unavailable", "unsupported_grant_type", "unsupported_media_type",),
    "POST /api/v1/auth/session": ("access_denied", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/authorize": ("access_denied", "internal", "invalid_client", "invalid_grant", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unsupported_media_type",),
    "POST /api/v1/auth/revoke": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/logout": ("access_denied", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable",),
    "POST /v1/authenticate": ("access_denied", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "POST /v1/account": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /.well-known/jwks.json": ("internal", "invalid_request", "rate_limited", "unavailable",),
    "GET /.well-known/oauth-authorization-server": ("internal", "invalid_request", "rate_limited", "unavailable",),
    "GET /auth/google": ("internal", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "GET /auth/google/callback": ("access_denied", "internal", "invalid_grant", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "POST /api/v1/auth/google/callback": ("access_denied", "internal", "invalid_grant", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unavailable", "unsupported_media_type",),
    "GET /api/auth/google": ("internal", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "POST /api/auth/google": ("access_denied", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unavailable", "unsupported_media_type",),
    "GET /auth/ecommerce": ("internal", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "GET /auth/ecommerce/callback": ("access_denied", "internal", "invalid_grant", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "POST /api/v1/auth/ecommerce/callback": ("access_denied", "internal", "invalid_grant", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unavailable", "unsupported_media_type",),
    "GET /api/auth/ecommerce": ("access_denied", "internal", "invalid_request", "not_found", "rate_limited", "unavailable",),
    "POST /api/auth/ecommerce": ("access_denied", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unavailable", "unsupported_media_type",),
    "GET /api/v1/users/me": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "PUT /api/v1/users/me": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "PUT /api/v1/users/me/password": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "POST /api/v1/users/me/email/verification": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/logout/everywhere": ("access_denied", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/v1/auth/password/forgot": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/v1/auth/password/reset": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/v1/auth/email/verify": ("conflict", "internal", "invalid_request", "payload_too_large", "rate_limited", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/users": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/users": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/users/{userId}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/users/verify/{userId}": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/users/verify/{userId}/reject": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/users/{userId}/suspend": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/users/{userId}/reactivate": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/users/{userId}/role": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/users/{userId}/erasure": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/companies": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/companies": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/companies/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PATCH /v1/companies/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "PUT /v1/companies/{id}/plan": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "PUT /v1/companies/{id}/entitlements": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "PUT /v1/companies/{id}/verify": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/clients": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "GET /v1/clients": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "DELETE /v1/clients/{clientId}": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/clients/{clientId}/secret/rotate": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/audit": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/nodes": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/sandbox/clock": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/sandbox/clock": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/analytics/usage": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/requests": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/requests/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/kyc": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "GET /v1/kyc": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/kyc/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/kyc/{id}/verify": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/kyc/{id}/reject": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "GET /api/arena/agent/status": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/orders": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/orders/{order_id}": ("ARENA_001", "access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/commitments": ("ARENA_001", "ARENA_002", "ARENA_003", "ARENA_004", "ARENA_005", "ARENA_006", "ARENA_008", "ARENA_009", "access_denied", "commitments_halted", "conflict", "insufficient_scope", "internal", "invalid_request", "loss_limit", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /api/arena/commitments/my": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/commitments/my.csv": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/orders/{order_id}/prices": ("ARENA_001", "access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/leaderboard": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/history": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/history/{day}/{file}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "range_not_satisfiable", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/candles/{asset}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/stream/ticket": ("access_denied", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/yield/estimate": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/yield/total": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/yield/vault-stats": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/breakers": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/breakers/reset": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "GET /api/arena/machine-traders/stats": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/machine-traders/{trader_id}/retire": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /api/arena/machine-traders": ("access_denied", "bot_limit_reached", "conflict", "entitlement_required", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "plan_required", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type", "wallet_required",),
    "GET /api/arena/machine-traders": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/{bot_id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "PATCH /api/arena/machine-traders/{bot_id}": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/arena/machine-traders/{bot_id}/start": ("access_denied", "bot_limit_reached", "conflict", "entitlement_required", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "plan_required", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /api/arena/machine-traders/{bot_id}/pause": ("access_denied", "bot_limit_reached", "conflict", "entitlement_required", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "plan_required", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /api/arena/machine-traders/{bot_id}/resume": ("access_denied", "bot_limit_reached", "conflict", "entitlement_required", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "plan_required", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /api/arena/machine-traders/{bot_id}/terminate": ("access_denied", "bot_limit_reached", "conflict", "entitlement_required", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "plan_required", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /api/arena/machine-traders/{bot_id}/fund": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/arena/machine-traders/{bot_id}/withdraw": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /api/arena/machine-traders/{bot_id}/commitments": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/machine-traders/pause-all": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /api/arena/machine-traders/cancel-after": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /api/arena/machine-traders/cancel-after": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/kill-switch": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "DELETE /api/arena/machine-traders/kill-switch": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/credits/balance": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/credits/rates": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/credits/history": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/machine-traders/{bot_id}/topup": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /api/arena/machine-traders/{bot_id}/stats": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /api/arena/machine-traders/{bot_id}/usage": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /api/arena/machine-traders/{bot_id}/evaluate": ("ARENA_001", "ARENA_003", "ARENA_004", "access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /api/arena/machine-traders/{bot_id}/decisions": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/commerce/products": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/commerce/products": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/commerce/products/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/commerce/products/{id}": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/commerce/catalog": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/commerce/price-lists": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/commerce/price-lists": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/commerce/price-lists/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PUT /v1/commerce/price-lists/{id}": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "DELETE /v1/commerce/price-lists/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/orders": ("access_denied", "conflict", "credit_frozen", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/orders": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "GET /v1/orders/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/orders/{id}/pay": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/orders/{id}/fulfil": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/orders/{id}/cancel": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/orders/{id}/history": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/payments": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/payments": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "GET /v1/payments/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/payments/{id}/capture": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/payments/{id}/void": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/payments/{id}/refund": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/funds": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/funds": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/funds/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/funds/{id}/entries": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/transfers/to": ("access_denied", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/transfers/to": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "DELETE /v1/transfers/to/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/transfers": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/transfers": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/transfers/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/withdraw": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/withdraw": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/fx/quotes": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/fx/quotes/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/fx/desk": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/fx/desk": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/credit/request": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/credit/profile/{profileId}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/credit/profile/{profileId}/history": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/payments/terms": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/subscriptions": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/subscriptions": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "GET /v1/subscriptions/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/subscriptions/{id}/history": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/subscriptions/{id}/cancel": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "POST /v1/subscriptions/{id}/renew": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/webhooks": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "GET /v1/webhooks": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/webhooks/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "PATCH /v1/webhooks/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "DELETE /v1/webhooks/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/webhooks/{id}/secret/rotate": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/webhooks/{id}/deliveries": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/webhooks/deliveries/{id}": ("access_denied", "insufficient_scope", "internal", "invalid_request", "not_found", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/webhooks/deliveries/{id}/retry": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable",),
    "POST /v1/webhooks/{id}/retry": ("access_denied", "conflict", "insufficient_scope", "internal", "invalid_request", "not_found", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unprocessable", "unsupported_media_type",),
    "GET /v1/webhooks/event-types": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "GET /v1/webhooks/quota": ("access_denied", "insufficient_scope", "internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
    "POST /v1/webhooks/test": ("access_denied", "insufficient_scope", "internal", "invalid_request", "payload_too_large", "rate_limited", "unauthorized", "unavailable", "unsupported_media_type",),
    "GET /openapi.json": ("internal", "rate_limited", "unavailable",),
    "GET /docs": ("internal", "rate_limited", "unavailable",),
    "GET /docs/style.css": ("internal", "rate_limited", "unavailable",),
    "GET /metrics": ("access_denied", "internal", "rate_limited", "unauthorized", "unavailable",),
    "GET /ws/arena": ("internal", "invalid_request", "rate_limited", "unauthorized", "unavailable",),
}
