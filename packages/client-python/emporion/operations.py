"""Every operation of the platform, as functions that say what to ask. Made by `bun scripts/generate-reference.ts` from the contract in src/api."""
from __future__ import annotations

from typing import Any, Literal

from . import contract as types
from .requests import ListRequest, Request


def system_live() -> Request[types.Health]:
    """Whether the process runs (`GET /health/live`)"""
    return Request("GET /health/live")


def system_ready() -> Request[types.Health]:
    """Whether requests can be served (`GET /health/ready`)"""
    return Request("GET /health/ready")


def system_info() -> Request[types.Info]:
    """Basic server information (`GET /v1/info`)"""
    return Request("GET /v1/info")


def auth_register(
    body: types.Registration,
) -> Request[types.Registered]:
    """Register a company and its first user (`POST /api/v1/auth/register`)"""
    return Request("POST /api/v1/auth/register", body=body)


def auth_login(
    body: types.Login,
) -> Request[types.LoginResponse]:
    """Get tokens for an email and password (`POST /api/v1/auth/login`)"""
    return Request("POST /api/v1/auth/login", body=body)


def auth_token(
    body: types.TokenRequest,
) -> Request[types.TokenResponse]:
    """Get tokens for client credentials or a refresh token (`POST /api/v1/auth/token`)"""
    return Request("POST /api/v1/auth/token", body=body)


def auth_session() -> Request[types.SessionToken]:
    """Get an access token for the browser's session (`POST /api/v1/auth/session`)"""
    return Request("POST /api/v1/auth/session")


def auth_authorize(
    body: types.AuthorizeRequest,
) -> Request[types.TokenResponse]:
    """Get a user's tokens for an API client (`POST /v1/authorize`)"""
    return Request("POST /v1/authorize", body=body)


def auth_revoke(
    body: types.Revocation,
) -> Request[types.Revoked]:
    """Log out (`POST /api/v1/auth/revoke`)"""
    return Request("POST /api/v1/auth/revoke", body=body)


def auth_logout() -> Request[types.LoggedOut]:
    """End the browser's session (`POST /v1/logout`)"""
    return Request("POST /v1/logout")


def auth_authenticate(
    body: types.Login,
) -> Request[types.LoginResponse]:
    """The older form of login (`POST /v1/authenticate`)"""
    return Request("POST /v1/authenticate", body=body)


def auth_account(
    body: types.Account,
) -> Request[types.Registered]:
    """The older form of registration (`POST /v1/account`)"""
    return Request("POST /v1/account", body=body)


def auth_jwks() -> Request[types.Jwks]:
    """The keys that verify access tokens (`GET /.well-known/jwks.json`)"""
    return Request("GET /.well-known/jwks.json")


def auth_metadata() -> Request[types.AuthorizationServerMetadata]:
    """What an OAuth client needs to know (RFC 8414) (`GET /.well-known/oauth-authorization-server`)"""
    return Request("GET /.well-known/oauth-authorization-server")


def providers_google(
    *,
    return_to: str | None = None,
) -> Request[None]:
    """Sign in at the identity provider (`GET /auth/google`)"""
    return Request("GET /auth/google", query={"return_to": return_to})


def providers_google_return(
    *,
    code: str | None = None,
    state: str | None = None,
    iss: str | None = None,
    error: str | None = None,
) -> Request[None]:
    """The callback page of the platform itself (`GET /auth/google/callback`)"""
    return Request("GET /auth/google/callback", query={"code": code, "state": state, "iss": iss, "error": error})


def providers_google_callback(
    body: types.ProviderCallback,
) -> Request[types.TokenResponse]:
    """Get tokens for the identity provider's code (`POST /api/v1/auth/google/callback`)"""
    return Request("POST /api/v1/auth/google/callback", body=body)


def providers_sandbox_login(
    *,
    return_to: str | None = None,
) -> Request[str]:
    """The sandbox's own identity provider (`GET /api/auth/google`)"""
    return Request("GET /api/auth/google", query={"return_to": return_to})


def providers_sandbox_consent(
    body: types.SandboxPerson,
) -> Request[None]:
    """Answer the sandbox's own identity provider (`POST /api/auth/google`)"""
    return Request("POST /api/auth/google", body=body, is_form=True)


def providers_shop(
    *,
    shop: str,
    return_to: str | None = None,
) -> Request[None]:
    """Sign in at a shop (`GET /auth/ecommerce`)"""
    return Request("GET /auth/ecommerce", query={"shop": shop, "return_to": return_to})


def providers_shop_return(
    *,
    shop: str,
    code: str,
    state: str | None = None,
) -> Request[None]:
    """The shop's callback page of the platform itself (`GET /auth/ecommerce/callback`)"""
    return Request("GET /auth/ecommerce/callback", query={"shop": shop, "code": code, "state": state})


def providers_shop_callback(
    body: types.ShopCallback,
) -> Request[types.TokenResponse]:
    """Get tokens for a shop's code (`POST /api/v1/auth/ecommerce/callback`)"""
    return Request("POST /api/v1/auth/ecommerce/callback", body=body)


def providers_sandbox_shop(
    *,
    shop: str,
    state: str,
) -> Request[str]:
    """The sandbox's own shops (`GET /api/auth/ecommerce`)"""
    return Request("GET /api/auth/ecommerce", query={"shop": shop, "state": state})


def providers_sandbox_shop_consent(
    body: types.SandboxPerson_1,
) -> Request[None]:
    """Answer for a shop of the sandbox (`POST /api/auth/ecommerce`)"""
    return Request("POST /api/auth/ecommerce", body=body, is_form=True)


def current_user_read() -> Request[types.User]:
    """The current user (`GET /api/v1/users/me`)"""
    return Request("GET /api/v1/users/me")


def current_user_update(
    body: types.UserUpdate,
) -> Request[types.User]:
    """Change the current user (`PUT /api/v1/users/me`)"""
    return Request("PUT /api/v1/users/me", body=body)


def account_change_password(
    body: types.PasswordChange,
) -> Request[types.LoginResponse]:
    """Change one's password (`PUT /api/v1/users/me/password`)"""
    return Request("PUT /api/v1/users/me/password", body=body)


def account_send_verification() -> Request[types.VerificationSent]:
    """Ask for another mail to verify one's email (`POST /api/v1/users/me/email/verification`)"""
    return Request("POST /api/v1/users/me/email/verification")


def account_logout_everywhere() -> Request[types.LoggedOutEverywhere]:
    """Log out everywhere (`POST /v1/logout/everywhere`)"""
    return Request("POST /v1/logout/everywhere")


def recovery_forgot_password(
    body: types.ForgottenPassword,
) -> Request[types.ResetRequested]:
    """Ask for a mail to reset a password (`POST /api/v1/auth/password/forgot`)"""
    return Request("POST /api/v1/auth/password/forgot", body=body)


def recovery_reset_password(
    body: types.PasswordReset,
) -> Request[types.PasswordWasReset]:
    """Set a new password by a mail's token (`POST /api/v1/auth/password/reset`)"""
    return Request("POST /api/v1/auth/password/reset", body=body)


def recovery_verify_email(
    body: types.EmailVerification,
) -> Request[types.EmailVerified]:
    """Verify an email by a mail's token (`POST /api/v1/auth/email/verify`)"""
    return Request("POST /api/v1/auth/email/verify", body=body)


def users_add_user(
    body: types.NewUser,
    *,
    company_id: str | None = None,
) -> Request[types.Person]:
    """Add a user to the company (`POST /v1/users`)"""
    return Request("POST /v1/users", query={"company_id": company_id}, body=body)


def users_list_users(
    *,
    company_id: str | None = None,
    status: Literal["pending_kyc", "active", "suspended", "rejected"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Person], types.Person]:
    """List the company's users, oldest first (`GET /v1/users`)"""
    return ListRequest("GET /v1/users", query={"company_id": company_id, "status": status, "limit": limit, "offset": offset, "after": after})


def users_get_user(
    user_id: str,
) -> Request[types.Person]:
    """One user of the company (`GET /v1/users/{userId}`)"""
    return Request("GET /v1/users/{userId}", path={"userId": user_id})


def user_administration_verify_user(
    user_id: str,
) -> Request[types.Person]:
    """Verify a user (`PUT /v1/users/verify/{userId}`)"""
    return Request("PUT /v1/users/verify/{userId}", path={"userId": user_id})


def user_administration_reject_user(
    user_id: str,
) -> Request[types.Person]:
    """Reject a user (`PUT /v1/users/verify/{userId}/reject`)"""
    return Request("PUT /v1/users/verify/{userId}/reject", path={"userId": user_id})


def user_administration_suspend_user(
    user_id: str,
) -> Request[types.Person]:
    """Suspend a user (`PUT /v1/users/{userId}/suspend`)"""
    return Request("PUT /v1/users/{userId}/suspend", path={"userId": user_id})


def user_administration_reactivate_user(
    user_id: str,
) -> Request[types.Person]:
    """Reactivate a user (`PUT /v1/users/{userId}/reactivate`)"""
    return Request("PUT /v1/users/{userId}/reactivate", path={"userId": user_id})


def user_administration_set_user_role(
    user_id: str,
    body: types.RoleChange,
) -> Request[types.Person]:
    """Set a user's role (`PUT /v1/users/{userId}/role`)"""
    return Request("PUT /v1/users/{userId}/role", path={"userId": user_id}, body=body)


def erasure_erase_user(
    user_id: str,
) -> Request[types.Erasure]:
    """Forget a user (`POST /v1/users/{userId}/erasure`)"""
    return Request("POST /v1/users/{userId}/erasure", path={"userId": user_id})


def companies_create_company(
    body: types.NewCompany,
) -> Request[types.Company]:
    """Make a company that the caller's company manages (`POST /v1/companies`)"""
    return Request("POST /v1/companies", body=body)


def companies_list_companies(
    *,
    q: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Company], types.Company]:
    """List the caller's company and those that it manages, oldest first (`GET /v1/companies`)"""
    return ListRequest("GET /v1/companies", query={"q": q, "limit": limit, "offset": offset, "after": after})


def companies_get_company(
    id: str,
) -> Request[types.Company]:
    """The caller's company, or one that it manages (`GET /v1/companies/{id}`)"""
    return Request("GET /v1/companies/{id}", path={"id": id})


def companies_change_company(
    id: str,
    body: types.CompanyChange,
) -> Request[types.Company]:
    """Change the caller's company, or one that it manages (`PATCH /v1/companies/{id}`)"""
    return Request("PATCH /v1/companies/{id}", path={"id": id}, body=body)


def companies_set_company_plan(
    id: str,
    body: types.PlanChange,
) -> Request[types.Company]:
    """Set a company's plan (`PUT /v1/companies/{id}/plan`)"""
    return Request("PUT /v1/companies/{id}/plan", path={"id": id}, body=body)


def companies_set_company_entitlements(
    id: str,
    body: types.EntitlementsChange,
) -> Request[types.Company]:
    """Withdraw or give back what a company's plan gives (`PUT /v1/companies/{id}/entitlements`)"""
    return Request("PUT /v1/companies/{id}/entitlements", path={"id": id}, body=body)


def companies_verify_company(
    id: str,
) -> Request[types.Company]:
    """Verify a company (`PUT /v1/companies/{id}/verify`)"""
    return Request("PUT /v1/companies/{id}/verify", path={"id": id})


def clients_create_client(
    body: types.NewClient,
) -> Request[types.MadeClient]:
    """Create an API client (`POST /v1/clients`)"""
    return Request("POST /v1/clients", body=body)


def clients_list_clients(
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Client], types.Client]:
    """List the company's API clients, oldest first (`GET /v1/clients`)"""
    return ListRequest("GET /v1/clients", query={"limit": limit, "offset": offset, "after": after})


def clients_delete_client(
    client_id: str,
) -> Request[types.DeletedClient]:
    """Delete an API client (`DELETE /v1/clients/{clientId}`)"""
    return Request("DELETE /v1/clients/{clientId}", path={"clientId": client_id})


def clients_rotate_client_secret(
    client_id: str,
) -> Request[types.MadeClient]:
    """Give an API client a new secret (`POST /v1/clients/{clientId}/secret/rotate`)"""
    return Request("POST /v1/clients/{clientId}/secret/rotate", path={"clientId": client_id})


def audit_list_audit(
    *,
    actor_id: str | None = None,
    subject_id: str | None = None,
    act: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.AuditEntry], types.AuditEntry]:
    """List what administrators did, newest first (`GET /v1/audit`)"""
    return ListRequest("GET /v1/audit", query={"actor_id": actor_id, "subject_id": subject_id, "act": act, "limit": limit, "offset": offset, "after": after})


def nodes_list_nodes() -> Request[types.Nodes]:
    """The nodes, and which one writes (`GET /v1/nodes`)"""
    return Request("GET /v1/nodes")


def sandbox_sandbox_clock() -> Request[types.SandboxClock]:
    """What the sandbox's clock says (`GET /v1/sandbox/clock`)"""
    return Request("GET /v1/sandbox/clock")


def sandbox_advance_sandbox_clock(
    body: types.SandboxAdvanceSandboxClockBody,
) -> Request[types.SandboxClock]:
    """Set the sandbox's clock forward (`POST /v1/sandbox/clock`)"""
    return Request("POST /v1/sandbox/clock", body=body)


def analytics_usage(
    *,
    from_: str | None = None,
    to: str | None = None,
    interval: Literal["day"] | None = None,
    endpoint: str | None = None,
    company_id: str | None = None,
) -> Request[types.Usage]:
    """What the caller's company asked of the platform and did on it, by day (`GET /v1/analytics/usage`)"""
    return Request("GET /v1/analytics/usage", query={"from": from_, "to": to, "interval": interval, "endpoint": endpoint, "company_id": company_id})


def requests_list_requests(
    *,
    status: Literal["refused", "2xx", "3xx", "4xx", "5xx"] | None = None,
    code: str | None = None,
    operation: str | None = None,
    path: str | None = None,
    user_id: str | None = None,
    company_id: str | None = None,
    event_seq: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.LoggedRequest], types.LoggedRequest]:
    """List the requests of the caller's company, newest first (`GET /v1/requests`)"""
    return ListRequest("GET /v1/requests", query={"status": status, "code": code, "operation": operation, "path": path, "user_id": user_id, "company_id": company_id, "event_seq": event_seq, "since": since, "until": until, "limit": limit, "after": after})


def requests_get_request(
    id: str,
) -> Request[types.LoggedRequestDetail]:
    """One request, with the body that was refused or the phases of its commit (`GET /v1/requests/{id}`)"""
    return Request("GET /v1/requests/{id}", path={"id": id})


def kyc_submit_kyc(
    body: types.KycSubmission,
) -> Request[types.KycSubmitted]:
    """Submit one's KYC record (`POST /v1/kyc`)"""
    return Request("POST /v1/kyc", body=body)


def kyc_list_kyc(
    *,
    user_id: str | None = None,
    status: Literal["pending", "verified", "rejected"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.KycRecord], types.KycRecord]:
    """List KYC records, oldest first (`GET /v1/kyc`)"""
    return ListRequest("GET /v1/kyc", query={"user_id": user_id, "status": status, "limit": limit, "offset": offset, "after": after})


def kyc_get_kyc(
    id: str,
) -> Request[types.KycRecord]:
    """One KYC record (`GET /v1/kyc/{id}`)"""
    return Request("GET /v1/kyc/{id}", path={"id": id})


def kyc_review_verify_kyc(
    id: str,
) -> Request[types.KycRecord]:
    """Verify a KYC record (`PUT /v1/kyc/{id}/verify`)"""
    return Request("PUT /v1/kyc/{id}/verify", path={"id": id})


def kyc_review_reject_kyc(
    id: str,
    body: types.KycRejection,
) -> Request[types.KycRecord]:
    """Reject a KYC record (`PUT /v1/kyc/{id}/reject`)"""
    return Request("PUT /v1/kyc/{id}/reject", path={"id": id}, body=body)


def arena_agent_status() -> Request[types.ArenaAgentStatusResponse]:
    """State of the order agent and its oracles (`GET /api/arena/agent/status`)"""
    return Request("GET /api/arena/agent/status")


def arena_list_orders(
    *,
    asset_type: Literal["commodity", "fx", "options", "gpu"] | None = None,
    status: Literal["open", "competing", "settling", "settled"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.ArenaListOrdersResponse, types.ListedOrder]:
    """List orders, newest first (`GET /api/arena/orders`)"""
    return ListRequest("GET /api/arena/orders", query={"asset_type": asset_type, "status": status, "limit": limit, "offset": offset, "after": after})


def arena_get_order(
    order_id: str,
) -> Request[types.ArenaGetOrderResponse]:
    """One order with its commitments and, after the choice, the ranking (`GET /api/arena/orders/{order_id}`)"""
    return Request("GET /api/arena/orders/{order_id}", path={"order_id": order_id})


def arena_submit_commitment(
    body: types.CommitmentRequest,
) -> Request[types.ArenaSubmitCommitmentResponse]:
    """Commit to an order (`POST /api/arena/commitments`)"""
    return Request("POST /api/arena/commitments", body=body)


def arena_my_commitments(
    *,
    status: Literal["active", "won", "lost", "settled"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.ArenaMyCommitmentsResponse, types.MyCommitment]:
    """The caller's commitments, newest first (`GET /api/arena/commitments/my`)"""
    return ListRequest("GET /api/arena/commitments/my", query={"status": status, "limit": limit, "offset": offset, "after": after})


def arena_my_commitments_file(
    *,
    status: Literal["active", "won", "lost", "settled"] | None = None,
    after: str | None = None,
) -> Request[str]:
    """The caller's commitments with what each earned, newest first, as CSV (`GET /api/arena/commitments/my.csv`)"""
    return Request("GET /api/arena/commitments/my.csv", query={"status": status, "after": after})


def arena_board_order_prices(
    order_id: str,
) -> Request[types.ArenaBoardOrderPricesResponse]:
    """What an order's unit was worth, from before its opening to its settlement (`GET /api/arena/orders/{order_id}/prices`)"""
    return Request("GET /api/arena/orders/{order_id}/prices", path={"order_id": order_id})


def arena_board_leaderboard(
    *,
    asset_type: Literal["commodity", "fx", "options", "gpu"] | None = None,
    days: int | None = None,
    limit: int | None = None,
) -> ListRequest[types.ArenaBoardLeaderboardResponse, types.Leader]:
    """Who earned most on settled orders (`GET /api/arena/leaderboard`)"""
    return ListRequest("GET /api/arena/leaderboard", query={"asset_type": asset_type, "days": days, "limit": limit})


def arena_history_list_history(
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.ArenaHistoryListHistoryResponse, types.HistoryDay]:
    """The sealed days of the arena's history, newest first (`GET /api/arena/history`)"""
    return ListRequest("GET /api/arena/history", query={"limit": limit, "offset": offset, "after": after})


def arena_history_get_history_file(
    day: str,
    file: Literal["auctions.jsonl", "auctions.csv", "medians.jsonl", "medians.csv", "yields.jsonl", "yields.csv"],
) -> Request[str]:
    """The auctions, recorded prices or yields of a day, as JSON lines or CSV (`GET /api/arena/history/{day}/{file}`)"""
    return Request("GET /api/arena/history/{day}/{file}", path={"day": day, "file": file})


def arena_history_candles(
    asset: str,
    *,
    interval: int,
    from_: str | None = None,
    to: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.ArenaHistoryCandlesResponse, types.Candle]:
    """What an asset was worth by interval, oldest first (`GET /api/arena/candles/{asset}`)"""
    return ListRequest("GET /api/arena/candles/{asset}", path={"asset": asset}, query={"interval": interval, "from": from_, "to": to, "limit": limit, "offset": offset, "after": after})


def arena_stream_stream_ticket() -> Request[types.StreamTicket]:
    """Get a ticket for one connection to /ws/arena (`POST /api/arena/stream/ticket`)"""
    return Request("POST /api/arena/stream/ticket")


def yield_yield_estimate(
    *,
    order_value: float,
    duration_days: int,
) -> Request[types.YieldYieldEstimateResponse]:
    """What an order's collateral would earn (`GET /api/arena/yield/estimate`)"""
    return Request("GET /api/arena/yield/estimate", query={"order_value": order_value, "duration_days": duration_days})


def yield_yield_total() -> Request[types.YieldYieldTotalResponse]:
    """What the vault earned so far (`GET /api/arena/yield/total`)"""
    return Request("GET /api/arena/yield/total")


def yield_vault_stats() -> Request[types.YieldVaultStatsResponse]:
    """The vault now (`GET /api/arena/yield/vault-stats`)"""
    return Request("GET /api/arena/yield/vault-stats")


def breakers_list_breakers() -> Request[types.Breakers]:
    """The arena's circuit breakers and what they did (`GET /v1/breakers`)"""
    return Request("GET /v1/breakers")


def breakers_reset_breakers() -> Request[types.Breakers]:
    """Let trading go on after a ledger that did not add up (`POST /v1/breakers/reset`)"""
    return Request("POST /v1/breakers/reset")


def machine_traders_machine_trader_stats(
    *,
    trader_id: str | None = None,
) -> Request[types.MachineTradersMachineTraderStatsResponse]:
    """What machine traders committed, won and earned (`GET /api/arena/machine-traders/stats`)"""
    return Request("GET /api/arena/machine-traders/stats", query={"trader_id": trader_id})


def machine_traders_retire_machine_trader(
    trader_id: str,
) -> Request[types.MachineTraderRegistered]:
    """Retire a registered machine trader for good (administrators) (`POST /api/arena/machine-traders/{trader_id}/retire`)"""
    return Request("POST /api/arena/machine-traders/{trader_id}/retire", path={"trader_id": trader_id})


def bots_create_machine_trader(
    body: types.MachineTraderRegistration | types.BotCreation,
) -> Request[types.MachineTraderRegistered | types.BotsCreateMachineTraderResponse]:
    """Make a bot, or register a machine trader (administrators) (`POST /api/arena/machine-traders`)"""
    return Request("POST /api/arena/machine-traders", body=body)


def bots_list_bots(
    *,
    status: Literal["inactive", "active", "paused", "suspended", "terminated"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.BotsListBotsResponse, types.BotDetail]:
    """The company's bots with what they earned, oldest first (`GET /api/arena/machine-traders`)"""
    return ListRequest("GET /api/arena/machine-traders", query={"status": status, "limit": limit, "offset": offset, "after": after})


def bots_get_bot(
    bot_id: str,
) -> Request[types.BotsGetBotResponse]:
    """One bot with what it earned (`GET /api/arena/machine-traders/{bot_id}`)"""
    return Request("GET /api/arena/machine-traders/{bot_id}", path={"bot_id": bot_id})


def bots_change_bot(
    bot_id: str,
    body: types.BotChange,
) -> Request[types.BotsCreateMachineTraderResponse]:
    """Change a bot (`PATCH /api/arena/machine-traders/{bot_id}`)"""
    return Request("PATCH /api/arena/machine-traders/{bot_id}", path={"bot_id": bot_id}, body=body)


def bots_start_bot(
    bot_id: str,
) -> Request[types.BotsCreateMachineTraderResponse]:
    """Start an inactive bot (`POST /api/arena/machine-traders/{bot_id}/start`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/start", path={"bot_id": bot_id})


def bots_pause_bot(
    bot_id: str,
) -> Request[types.BotsCreateMachineTraderResponse]:
    """Pause an active bot (`POST /api/arena/machine-traders/{bot_id}/pause`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/pause", path={"bot_id": bot_id})


def bots_resume_bot(
    bot_id: str,
) -> Request[types.BotsCreateMachineTraderResponse]:
    """Resume a paused bot, or a suspended one whose cause is gone (`POST /api/arena/machine-traders/{bot_id}/resume`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/resume", path={"bot_id": bot_id})


def bots_terminate_bot(
    bot_id: str,
) -> Request[types.BotsCreateMachineTraderResponse]:
    """Terminate a bot for good (`POST /api/arena/machine-traders/{bot_id}/terminate`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/terminate", path={"bot_id": bot_id})


def bots_fund_bot(
    bot_id: str,
    body: types.CollateralAmount,
) -> Request[types.CollateralMoved]:
    """Move USD from the account to the bot (`POST /api/arena/machine-traders/{bot_id}/fund`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/fund", path={"bot_id": bot_id}, body=body)


def bots_withdraw_from_bot(
    bot_id: str,
    body: types.CollateralAmount,
) -> Request[types.CollateralMoved]:
    """Move free collateral back to the account of the bot's user (`POST /api/arena/machine-traders/{bot_id}/withdraw`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/withdraw", path={"bot_id": bot_id}, body=body)


def bots_list_bot_commitments(
    bot_id: str,
    *,
    status: Literal["active", "won", "lost", "settled"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.ArenaMyCommitmentsResponse, types.MyCommitment]:
    """What a bot committed to, newest first (`GET /api/arena/machine-traders/{bot_id}/commitments`)"""
    return ListRequest("GET /api/arena/machine-traders/{bot_id}/commitments", path={"bot_id": bot_id}, query={"status": status, "limit": limit, "offset": offset, "after": after})


def bots_pause_all_bots(
    body: types.PauseAll | None,
) -> Request[types.BotsPauseAllBotsResponse]:
    """Pause all active bots of the company, or stop all that it commits (`POST /api/arena/machine-traders/pause-all`)"""
    return Request("POST /api/arena/machine-traders/pause-all", body=body)


def bots_cancel_after(
    body: types.CancelAfter,
) -> Request[types.BotGuard]:
    """Pause all bots of the company unless asked again in time (`POST /api/arena/machine-traders/cancel-after`)"""
    return Request("POST /api/arena/machine-traders/cancel-after", body=body)


def bots_bot_guard() -> Request[types.BotGuardStanding]:
    """When all bots of the company are paused, unless cancel-after is asked again (`GET /api/arena/machine-traders/cancel-after`)"""
    return Request("GET /api/arena/machine-traders/cancel-after")


def bots_kill_switch() -> Request[types.KillSwitch]:
    """Whether the company's commitments are stopped, and what would stop them (`GET /api/arena/machine-traders/kill-switch`)"""
    return Request("GET /api/arena/machine-traders/kill-switch")


def bots_lift_kill_switch() -> Request[types.KillSwitch]:
    """Lift the company's kill switch, so that it may commit again (`DELETE /api/arena/machine-traders/kill-switch`)"""
    return Request("DELETE /api/arena/machine-traders/kill-switch")


def bot_credits_get_credit_balance() -> Request[types.BotCreditsGetCreditBalanceResponse]:
    """The company's credits (`GET /api/arena/machine-traders/credits/balance`)"""
    return Request("GET /api/arena/machine-traders/credits/balance")


def bot_credits_get_credit_rates() -> Request[types.BotCreditsGetCreditRatesResponse]:
    """What credits cost, and who sells them (`GET /api/arena/machine-traders/credits/rates`)"""
    return Request("GET /api/arena/machine-traders/credits/rates")


def bot_credits_list_credit_movements(
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.BotCreditsListCreditMovementsResponse, types.CreditMovement]:
    """Every movement of the company's credits, newest first (`GET /api/arena/machine-traders/credits/history`)"""
    return ListRequest("GET /api/arena/machine-traders/credits/history", query={"limit": limit, "offset": offset, "after": after})


def bot_credits_top_up_bot(
    bot_id: str,
    body: types.CreditTopUp,
) -> Request[types.CreditsToppedUp]:
    """Buy credits with USD (`POST /api/arena/machine-traders/{bot_id}/topup`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/topup", path={"bot_id": bot_id}, body=body)


def bot_credits_get_bot_stats(
    bot_id: str,
) -> Request[types.BotCreditsGetBotStatsResponse]:
    """The credits that a bot used, this month and in all (`GET /api/arena/machine-traders/{bot_id}/stats`)"""
    return Request("GET /api/arena/machine-traders/{bot_id}/stats", path={"bot_id": bot_id})


def bot_credits_get_bot_usage(
    bot_id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.BotCreditsGetBotUsageResponse, types.CreditMovement]:
    """A bot's credit ledger, newest first, and the company's balance (`GET /api/arena/machine-traders/{bot_id}/usage`)"""
    return ListRequest("GET /api/arena/machine-traders/{bot_id}/usage", path={"bot_id": bot_id}, query={"limit": limit, "offset": offset, "after": after})


def bot_decisions_evaluate_order(
    bot_id: str,
    body: types.EvaluationRequest,
) -> Request[types.BotDecisionsEvaluateOrderResponse]:
    """What a bot would do about an open order (costs a credit) (`POST /api/arena/machine-traders/{bot_id}/evaluate`)"""
    return Request("POST /api/arena/machine-traders/{bot_id}/evaluate", path={"bot_id": bot_id}, body=body)


def bot_decisions_list_bot_decisions(
    bot_id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[types.BotDecisionsListBotDecisionsResponse, types.BotDecision]:
    """What a bot decided and why, newest first (`GET /api/arena/machine-traders/{bot_id}/decisions`)"""
    return ListRequest("GET /api/arena/machine-traders/{bot_id}/decisions", path={"bot_id": bot_id}, query={"limit": limit, "offset": offset, "after": after})


def products_create_product(
    body: types.NewProduct,
) -> Request[types.Product]:
    """Offer a product (`POST /v1/commerce/products`)"""
    return Request("POST /v1/commerce/products", body=body)


def products_list_products(
    *,
    company_id: str | None = None,
    type: Literal["Commodity", "Consumer Product"] | None = None,
    bidable: Literal["true", "false"] | None = None,
    iscontract: Literal["true", "false"] | None = None,
    q: str | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Product], types.Product]:
    """List products, oldest first (`GET /v1/commerce/products`)"""
    return ListRequest("GET /v1/commerce/products", query={"company_id": company_id, "type": type, "bidable": bidable, "iscontract": iscontract, "q": q, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def products_get_product(
    id: str,
) -> Request[types.Product]:
    """One product (`GET /v1/commerce/products/{id}`)"""
    return Request("GET /v1/commerce/products/{id}", path={"id": id})


def products_update_product(
    id: str,
    body: types.ProductChange,
) -> Request[types.Product]:
    """Change a product of one's company (`PUT /v1/commerce/products/{id}`)"""
    return Request("PUT /v1/commerce/products/{id}", path={"id": id}, body=body)


def products_list_catalog(
    *,
    customer_company_id: str | None = None,
    company_id: str | None = None,
    type: Literal["Commodity", "Consumer Product"] | None = None,
    bidable: Literal["true", "false"] | None = None,
    iscontract: Literal["true", "false"] | None = None,
    q: str | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.CatalogEntry], types.CatalogEntry]:
    """List what the caller's company can buy, oldest first (`GET /v1/commerce/catalog`)"""
    return ListRequest("GET /v1/commerce/catalog", query={"customer_company_id": customer_company_id, "company_id": company_id, "type": type, "bidable": bidable, "iscontract": iscontract, "q": q, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def price_lists_create_price_list(
    body: types.NewPriceList,
) -> Request[types.PriceList]:
    """Give a customer prices of its own (`POST /v1/commerce/price-lists`)"""
    return Request("POST /v1/commerce/price-lists", body=body)


def price_lists_list_price_lists(
    *,
    customer_company_id: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.PriceList], types.PriceList]:
    """List the company's price lists, oldest first (`GET /v1/commerce/price-lists`)"""
    return ListRequest("GET /v1/commerce/price-lists", query={"customer_company_id": customer_company_id, "limit": limit, "offset": offset, "after": after})


def price_lists_get_price_list(
    id: str,
) -> Request[types.PriceList]:
    """One price list (`GET /v1/commerce/price-lists/{id}`)"""
    return Request("GET /v1/commerce/price-lists/{id}", path={"id": id})


def price_lists_update_price_list(
    id: str,
    body: types.PriceListChange,
) -> Request[types.PriceList]:
    """Change a price list (`PUT /v1/commerce/price-lists/{id}`)"""
    return Request("PUT /v1/commerce/price-lists/{id}", path={"id": id}, body=body)


def price_lists_delete_price_list(
    id: str,
) -> Request[types.DeletedWebhook]:
    """Delete a price list (`DELETE /v1/commerce/price-lists/{id}`)"""
    return Request("DELETE /v1/commerce/price-lists/{id}", path={"id": id})


def purchase_orders_place_order(
    body: types.NewPurchaseOrder,
) -> Request[types.PurchaseOrder]:
    """Order products of one or several companies (`POST /v1/orders`)"""
    return Request("POST /v1/orders", body=body)


def purchase_orders_list_orders(
    *,
    role: Literal["buyer", "seller"] | None = None,
    status: Literal["pending", "paid", "fulfilled", "cancelled"] | None = None,
    company_id: str | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.PurchaseOrderSummary], types.PurchaseOrderSummary]:
    """List the company's orders without their items, newest first (`GET /v1/orders`)"""
    return ListRequest("GET /v1/orders", query={"role": role, "status": status, "company_id": company_id, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def purchase_orders_get_order(
    id: str,
) -> Request[types.PurchaseOrder]:
    """One order, for those who take part in it: a seller sees its own part (`GET /v1/orders/{id}`)"""
    return Request("GET /v1/orders/{id}", path={"id": id})


def purchase_orders_pay_order(
    id: str,
    body: types.OrderPayment,
) -> Request[types.PurchaseOrder]:
    """Pay an order from the caller's USD wallet (`POST /v1/orders/{id}/pay`)"""
    return Request("POST /v1/orders/{id}/pay", path={"id": id}, body=body)


def purchase_orders_fulfil_order(
    id: str,
) -> Request[types.PurchaseOrder]:
    """Say that the caller's company has delivered its items (`POST /v1/orders/{id}/fulfil`)"""
    return Request("POST /v1/orders/{id}/fulfil", path={"id": id})


def purchase_orders_cancel_order(
    id: str,
    body: types.OrderCancellation,
) -> Request[types.PurchaseOrder]:
    """Cancel an order before anything of it is fulfilled (`POST /v1/orders/{id}/cancel`)"""
    return Request("POST /v1/orders/{id}/cancel", path={"id": id}, body=body)


def purchase_orders_get_order_history(
    id: str,
) -> ListRequest[list[types.PurchaseOrderHistoryEntry], types.PurchaseOrderHistoryEntry]:
    """Who did what to an order, oldest first (`GET /v1/orders/{id}/history`)"""
    return ListRequest("GET /v1/orders/{id}/history", path={"id": id})


def payments_create_payment(
    body: types.PaymentRequest,
) -> Request[types.Payment]:
    """Pay an order (`POST /v1/payments`)"""
    return Request("POST /v1/payments", body=body)


def payments_list_payments(
    *,
    order_id: str | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Payment], types.Payment]:
    """List the company's payments, newest first (`GET /v1/payments`)"""
    return ListRequest("GET /v1/payments", query={"order_id": order_id, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def payments_get_payment(
    id: str,
) -> Request[types.Payment]:
    """One payment (`GET /v1/payments/{id}`)"""
    return Request("GET /v1/payments/{id}", path={"id": id})


def payments_capture_payment(
    id: str,
) -> Request[types.Payment]:
    """Take an authorized payment (`POST /v1/payments/{id}/capture`)"""
    return Request("POST /v1/payments/{id}/capture", path={"id": id})


def payments_void_payment(
    id: str,
) -> Request[types.Payment]:
    """Let an authorized payment go (`POST /v1/payments/{id}/void`)"""
    return Request("POST /v1/payments/{id}/void", path={"id": id})


def payments_refund_payment(
    id: str,
    body: types.RefundRequest,
) -> Request[types.Payment]:
    """Give money back to the instrument that paid (`POST /v1/payments/{id}/refund`)"""
    return Request("POST /v1/payments/{id}/refund", path={"id": id}, body=body)


def funds_create_fund(
    body: types.FundRequest,
) -> Request[types.Fund]:
    """Add units to a fund (`POST /v1/funds`)"""
    return Request("POST /v1/funds", body=body)


def funds_list_funds(
    *,
    owner: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Fund], types.Fund]:
    """List funds, oldest first (`GET /v1/funds`)"""
    return ListRequest("GET /v1/funds", query={"owner": owner, "limit": limit, "offset": offset, "after": after})


def funds_get_fund(
    id: str,
) -> Request[types.Fund]:
    """One fund (`GET /v1/funds/{id}`)"""
    return Request("GET /v1/funds/{id}", path={"id": id})


def funds_list_fund_entries(
    id: str,
    *,
    format: Literal["json", "csv"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.FundEntry] | str, types.FundEntry]:
    """A fund's statement, newest first (`GET /v1/funds/{id}/entries`)"""
    return ListRequest("GET /v1/funds/{id}/entries", path={"id": id}, query={"format": format, "limit": limit, "offset": offset, "after": after})


def beneficiaries_create_beneficiary(
    body: types.BankAccount,
) -> Request[types.Beneficiary]:
    """Load a beneficiary (`POST /v1/transfers/to`)"""
    return Request("POST /v1/transfers/to", body=body)


def beneficiaries_list_beneficiaries(
    *,
    owner: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Beneficiary], types.Beneficiary]:
    """The caller's beneficiaries, oldest first (`GET /v1/transfers/to`)"""
    return ListRequest("GET /v1/transfers/to", query={"owner": owner, "limit": limit, "offset": offset, "after": after})


def beneficiaries_delete_beneficiary(
    id: str,
) -> Request[types.DeletedWebhook]:
    """Delete a beneficiary (`DELETE /v1/transfers/to/{id}`)"""
    return Request("DELETE /v1/transfers/to/{id}", path={"id": id})


def transfers_create_transfer(
    body: types.TransferRequest,
) -> Request[types.TransferReceipt]:
    """Move money to another owner or a beneficiary (`POST /v1/transfers`)"""
    return Request("POST /v1/transfers", body=body)


def transfers_list_transfers(
    *,
    direction: Literal["sent", "received"] | None = None,
    owner: str | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Transfer], types.Transfer]:
    """The transfers that the caller sent and received, newest first (`GET /v1/transfers`)"""
    return ListRequest("GET /v1/transfers", query={"direction": direction, "owner": owner, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def transfers_get_transfer(
    id: str,
    *,
    owner: str | None = None,
) -> Request[types.Transfer]:
    """One transfer (`GET /v1/transfers/{id}`)"""
    return Request("GET /v1/transfers/{id}", path={"id": id}, query={"owner": owner})


def withdrawals_withdraw(
    body: types.WithdrawRequest,
) -> Request[types.Withdraw]:
    """Take money out of a fund (`POST /v1/withdraw`)"""
    return Request("POST /v1/withdraw", body=body)


def withdrawals_list_withdrawals(
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Withdrawal], types.Withdrawal]:
    """The caller's withdrawals, newest first (`GET /v1/withdraw`)"""
    return ListRequest("GET /v1/withdraw", query={"limit": limit, "offset": offset, "after": after})


def fx_create_fx_quote(
    body: types.FxQuoteRequest,
) -> Request[types.FxQuote]:
    """Hold an exchange rate (`POST /v1/fx/quotes`)"""
    return Request("POST /v1/fx/quotes", body=body)


def fx_get_fx_quote(
    id: str,
) -> Request[types.FxQuote]:
    """One held rate (`GET /v1/fx/quotes/{id}`)"""
    return Request("GET /v1/fx/quotes/{id}", path={"id": id})


def fx_get_fx_desk() -> ListRequest[list[types.FxDeskHolding], types.FxDeskHolding]:
    """What the desk can pay out (`GET /v1/fx/desk`)"""
    return ListRequest("GET /v1/fx/desk")


def fx_fund_fx_desk(
    body: types.FxDeskFunding,
) -> Request[types.FxDeskHolding]:
    """Add to what the desk can pay out (`POST /v1/fx/desk`)"""
    return Request("POST /v1/fx/desk", body=body)


def credit_request_credit(
    body: types.CreditRequest,
) -> Request[types.CreditProfile]:
    """Score the caller and set its credit limit (`POST /v1/credit/request`)"""
    return Request("POST /v1/credit/request", body=body)


def credit_get_credit_profile(
    profile_id: str,
) -> Request[types.PresentCreditProfile]:
    """A user's score card (`GET /v1/credit/profile/{profileId}`)"""
    return Request("GET /v1/credit/profile/{profileId}", path={"profileId": profile_id})


def credit_list_credit_profiles(
    profile_id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.ScoreCard], types.ScoreCard]:
    """A user's score cards, newest first (`GET /v1/credit/profile/{profileId}/history`)"""
    return ListRequest("GET /v1/credit/profile/{profileId}/history", path={"profileId": profile_id}, query={"limit": limit, "offset": offset, "after": after})


def payment_terms_offer_payment_terms(
    body: types.PaymentTermsRequest,
) -> Request[types.PaymentTermsOffers]:
    """The terms on which an amount can be paid (`POST /v1/payments/terms`)"""
    return Request("POST /v1/payments/terms", body=body)


def subscriptions_create_subscription(
    body: types.SubscriptionRequest,
) -> Request[types.Subscription]:
    """Buy a product each period (`POST /v1/subscriptions`)"""
    return Request("POST /v1/subscriptions", body=body)


def subscriptions_list_subscriptions(
    *,
    role: Literal["buyer", "seller"] | None = None,
    status: Literal["active", "past_due", "completed", "cancelled"] | None = None,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.Subscription], types.Subscription]:
    """List the company's subscriptions, oldest first (`GET /v1/subscriptions`)"""
    return ListRequest("GET /v1/subscriptions", query={"role": role, "status": status, "metadata": metadata, "limit": limit, "offset": offset, "after": after})


def subscriptions_get_subscription(
    id: str,
) -> Request[types.Subscription]:
    """One subscription (`GET /v1/subscriptions/{id}`)"""
    return Request("GET /v1/subscriptions/{id}", path={"id": id})


def subscriptions_list_subscription_history(
    id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.SubscriptionAct], types.SubscriptionAct]:
    """Who did what to a subscription, oldest first (`GET /v1/subscriptions/{id}/history`)"""
    return ListRequest("GET /v1/subscriptions/{id}/history", path={"id": id}, query={"limit": limit, "offset": offset, "after": after})


def subscriptions_cancel_subscription(
    id: str,
    body: types.SubscriptionCancellation,
) -> Request[types.Subscription]:
    """Cancel a subscription (`POST /v1/subscriptions/{id}/cancel`)"""
    return Request("POST /v1/subscriptions/{id}/cancel", path={"id": id}, body=body)


def subscriptions_renew_subscription(
    id: str,
) -> Request[types.Subscription]:
    """Pay the next period now (`POST /v1/subscriptions/{id}/renew`)"""
    return Request("POST /v1/subscriptions/{id}/renew", path={"id": id})


def webhooks_create_webhook(
    body: types.NewWebhook,
) -> Request[types.WebhookEndpointWithSecret]:
    """Be told of events (`POST /v1/webhooks`)"""
    return Request("POST /v1/webhooks", body=body)


def webhooks_list_webhooks(
    *,
    metadata: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.WebhookEndpoint], types.WebhookEndpoint]:
    """List the company's webhooks, oldest first (`GET /v1/webhooks`)"""
    return ListRequest("GET /v1/webhooks", query={"metadata": metadata, "limit": limit, "offset": offset, "after": after})


def webhooks_get_webhook(
    id: str,
) -> Request[types.WebhookEndpoint]:
    """One webhook (`GET /v1/webhooks/{id}`)"""
    return Request("GET /v1/webhooks/{id}", path={"id": id})


def webhooks_change_webhook(
    id: str,
    body: types.WebhookChange,
) -> Request[types.WebhookEndpoint]:
    """Change a webhook, disable or enable it (`PATCH /v1/webhooks/{id}`)"""
    return Request("PATCH /v1/webhooks/{id}", path={"id": id}, body=body)


def webhooks_delete_webhook(
    id: str,
) -> Request[types.DeletedWebhook]:
    """Delete a webhook (`DELETE /v1/webhooks/{id}`)"""
    return Request("DELETE /v1/webhooks/{id}", path={"id": id})


def webhooks_rotate_webhook_secret(
    id: str,
) -> Request[types.WebhookEndpointWithSecret]:
    """Sign with a new secret (`POST /v1/webhooks/{id}/secret/rotate`)"""
    return Request("POST /v1/webhooks/{id}/secret/rotate", path={"id": id})


def webhooks_list_webhook_deliveries(
    id: str,
    *,
    status: Literal["pending", "held", "delivered", "failed"] | None = None,
    event: Literal["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.payment_due", "order.overdue", "payment.authorized", "payment.captured", "payment.refunded", "payment.failed", "company.created", "company.verified", "company.updated", "subscription.created", "subscription.renewed", "subscription.cancelled", "subscription.payment_failed", "credit.score_updated", "credit.limit_changed", "webhook.disabled", "webhook.test"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    after: str | None = None,
) -> ListRequest[list[types.WebhookDelivery], types.WebhookDelivery]:
    """List a webhook's deliveries, newest first (`GET /v1/webhooks/{id}/deliveries`)"""
    return ListRequest("GET /v1/webhooks/{id}/deliveries", path={"id": id}, query={"status": status, "event": event, "limit": limit, "offset": offset, "after": after})


def webhooks_get_webhook_delivery(
    id: str,
) -> Request[types.WebhookDeliveryDetail]:
    """One delivery with its body, its attempts and why it failed (`GET /v1/webhooks/deliveries/{id}`)"""
    return Request("GET /v1/webhooks/deliveries/{id}", path={"id": id})


def webhooks_retry_webhook_delivery(
    id: str,
) -> Request[types.WebhookDelivery]:
    """Retry a failed delivery (`POST /v1/webhooks/deliveries/{id}/retry`)"""
    return Request("POST /v1/webhooks/deliveries/{id}/retry", path={"id": id})


def webhooks_retry_webhook_deliveries(
    id: str,
    body: types.WebhookBulkRetry,
) -> Request[types.WebhookBulkRetryResult]:
    """Retry everything that failed since a time, the oldest first (`POST /v1/webhooks/{id}/retry`)"""
    return Request("POST /v1/webhooks/{id}/retry", path={"id": id}, body=body)


def webhooks_list_webhook_event_types() -> ListRequest[list[types.WebhookEventType], types.WebhookEventType]:
    """What webhooks can be told of, each with an example (`GET /v1/webhooks/event-types`)"""
    return ListRequest("GET /v1/webhooks/event-types")


def webhooks_webhook_quota() -> Request[types.WebhookQuota]:
    """How much of the day's deliveries the company has used (`GET /v1/webhooks/quota`)"""
    return Request("GET /v1/webhooks/quota")


def webhooks_test_webhook(
    body: types.WebhookTest,
) -> Request[types.WebhookTestResult]:
    """Post an example of an event to an endpoint (`POST /v1/webhooks/test`)"""
    return Request("POST /v1/webhooks/test", body=body)


def service_openapi() -> Request[dict[str, Any]]:
    """This document (`GET /openapi.json`)"""
    return Request("GET /openapi.json")


def service_docs() -> Request[str]:
    """This document as a page (`GET /docs`)"""
    return Request("GET /docs")


def service_docs_style() -> Request[str]:
    """The page's style sheet (`GET /docs/style.css`)"""
    return Request("GET /docs/style.css")


def service_metrics() -> Request[str]:
    """Metrics, for callers on the same machine and administrators (`GET /metrics`)"""
    return Request("GET /metrics")


def service_arena_stream() -> Request[None]:
    """The arena's event stream, by WebSocket (`GET /ws/arena`)"""
    return Request("GET /ws/arena")
