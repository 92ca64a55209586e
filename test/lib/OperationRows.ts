import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isoUtc } from "../../src/api/Timestamp.ts"
import { analyticsRows } from "./rows/AnalyticsRows.ts"
import { arenaBoardRows } from "./rows/ArenaBoardRows.ts"
import { botCreditsRows } from "./rows/BotCreditsRows.ts"
import { botDecisionRows } from "./rows/BotDecisionRows.ts"
import { botRows } from "./rows/BotRows.ts"
import { commerceRows } from "./rows/CommerceRows.ts"
import { companyRows } from "./rows/CompanyRows.ts"
import { kycRows, submitKyc } from "./rows/KycRows.ts"
import { creditRows } from "./rows/CreditRows.ts"
import { paymentsRows } from "./rows/PaymentsRows.ts"
import { requestRows } from "./rows/RequestRows.ts"
import { transferRows } from "./rows/TransferRows.ts"
import { subscriptionRows } from "./rows/SubscriptionRows.ts"
import { webhookRows } from "./rows/WebhookRows.ts"
import { addParty, PASSWORD, type Fixture, termsOf } from "./OperationFixture.ts"

/** A shop of the sandbox. */
const SHOP = "demo.myshopify.com"

/** The parts of a request that an operation takes. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The body is sent as a form. */
  readonly form?: boolean
}

/**
 * What another tenant gets for the same request: `refused` where it names something of the first one, `own` where it is
 * about whoever asks and tells nothing of the first one, `public` where all see the same.
 */
type Tenancy = "refused" | "own" | "public"

/** What a generated test has to know of an operation to be let in. */
export interface OperationRow {
  readonly tenancy: Tenancy
  /** Who is let in, where a person is not. */
  readonly as?: "admin"
  /** What the right caller is answered; 200 unless told. */
  readonly status?: number
  /** It ends the caller's sign-ins. */
  readonly ends?: boolean
  /** Sent often, it takes all that its owner may have of something, so that no other operation could make one. */
  readonly fills?: boolean
  /**
   * A request that is right for `fixture.mine`, after whatever it needs was made. No two turns have the same body where
   * there is one.
   */
  readonly send: (fixture: Fixture, turn: number) => Sent | Effect.Effect<Sent>
}

/** The request of a row. */
export const requestOf = (row: OperationRow | undefined, fixture: Fixture, turn: number): Effect.Effect<Sent> =>
  Effect.suspend(() => {
    const sent = row?.send(fixture, turn) ?? {}
    return Effect.isEffect(sent) ? sent : Effect.succeed(sent)
  })

const nothing = (): Sent => ({})

const open = (send: OperationRow["send"] = nothing, status = 200): OperationRow => ({ tenancy: "public", status, send })

const own = (send: OperationRow["send"] = nothing): OperationRow => ({ tenancy: "own", send })

/** For administrators alone. */
const administered = (send: OperationRow["send"]): OperationRow => ({ tenancy: "refused", as: "admin", send })

/** The registration of a machine trader. */
const traderOf = (name: string, turn: number) => ({
  agent_id: `${name}-${turn}`,
  agent_uri: "https://example.com/agent",
  wallet_address: `0x${String(turn).padStart(40, "0")}`,
  capabilities: ["fx"],
  collateral_allocated: 10,
  specs: { model: "m", risk_tolerance: "low" }
})

/** A user that came through these steps of administration before. */
const userAfter =
  (...steps: ReadonlyArray<"verify" | "suspend">): OperationRow["send"] =>
  (fixture, turn) =>
    Effect.gen(function* () {
      const { userId } = yield* addParty(fixture, `${steps.join("-")}subject${turn}@example.com`)
      yield* submitKyc(fixture, userId)
      for (const step of steps) {
        const path = step === "verify" ? `/v1/users/verify/${userId}` : `/v1/users/${userId}/suspend`
        yield* fixture.server.request("PUT", path, undefined, { as: fixture.admin })
      }
      return { params: { userId } }
    })

const ofClient: OperationRow["send"] = ({ mine, server }, turn) =>
  Effect.map(
    server.post<{ readonly client_id: string }>(
      "/v1/clients",
      { name: `gone ${turn}`, scopes: [] },
      { as: mine.userId }
    ),
    ({ json }) => ({ params: { clientId: json.client_id } })
  )

/** One row for each operation of the contract. */
export const OPERATION_ROWS: Readonly<Record<string, OperationRow>> = {
  "GET /health/live": open(),
  "GET /health/ready": open(),
  "GET /v1/info": open(),
  "GET /.well-known/jwks.json": open(),
  "GET /.well-known/oauth-authorization-server": open(),

  "POST /api/v1/auth/register": open((_, turn) => ({
    body: { email: `register${turn}@example.com`, password: PASSWORD, company_name: `Company ${turn}` }
  })),
  "POST /v1/account": open((_, turn) => ({
    body: {
      email: `account${turn}@example.com`,
      accountName: `Company ${turn}`,
      firstname: "A",
      lastname: "B",
      password: PASSWORD,
      country: "BE",
      city: "Ghent",
      address: "1 High Street"
    }
  })),
  "POST /api/v1/auth/login": open(({ mine }) => ({ body: { email: mine.email, password: PASSWORD } })),
  "POST /v1/authenticate": open(({ mine }) => ({ body: { email: mine.email, password: PASSWORD } })),
  "POST /v1/authorize": open(({ client, mine }) => ({
    body: { ...client, username: mine.email, password: PASSWORD }
  })),
  "POST /api/v1/auth/token": open(({ client }) => ({ body: { grant_type: "client_credentials", ...client } })),
  "POST /api/v1/auth/revoke": open((_, turn) => ({ body: { refresh_token: `unknown-${turn}` } })),
  "POST /v1/logout": open(),
  "POST /api/v1/auth/session": open(nothing, 401),

  "GET /auth/google": open(nothing, 302),
  "GET /auth/google/callback": open(() => ({ query: { code: "unknown", state: "unknown" } }), 403),
  "POST /api/v1/auth/google/callback": open(() => ({ body: { code: "unknown" } }), 403),
  "GET /api/auth/google": open(),
  "POST /api/auth/google": open(() => ({ form: true, body: { email: "a@example.com", state: "unknown" } }), 403),
  "GET /auth/ecommerce": open(() => ({ query: { shop: SHOP } }), 302),
  "GET /auth/ecommerce/callback": open(() => ({ query: { shop: SHOP, code: "unknown" } }), 403),
  "POST /api/v1/auth/ecommerce/callback": open(() => ({ body: { shop: SHOP, code: "unknown" } }), 403),
  "GET /api/auth/ecommerce": open(() => ({ query: { shop: SHOP, state: "unknown" } }), 403),
  "POST /api/auth/ecommerce": open(() => ({ form: true, body: { email: "a@example.com", state: "unknown" } }), 403),

  "POST /api/v1/auth/password/forgot": open((_, turn) => ({ body: { email: `nobody${turn}@example.com` } })),
  "POST /api/v1/auth/password/reset": open(
    (_, turn) => ({ body: { token: `unknown-${turn}`, password: PASSWORD } }),
    400
  ),
  "POST /api/v1/auth/email/verify": open((_, turn) => ({ body: { token: `unknown-${turn}` } }), 400),
  "PUT /api/v1/users/me/password": {
    tenancy: "own",
    ends: true,
    send: (_, turn) => ({ body: { current_password: PASSWORD, new_password: `${PASSWORD} ${turn}` } })
  },
  "POST /api/v1/users/me/email/verification": own(),
  "POST /v1/logout/everywhere": { tenancy: "own", ends: true, send: nothing },

  "POST /v1/users": own((_, turn) => ({
    body: {
      email: `colleague${turn}@example.com`,
      password: PASSWORD,
      cellphone: "+32 1",
      firstname: "A",
      lastname: "B",
      country: "BE",
      address: "1 High Street"
    }
  })),
  "GET /v1/users": own(),
  "GET /v1/users/{userId}": { tenancy: "refused", send: ({ mine }) => ({ params: { userId: mine.userId } }) },
  "PUT /v1/users/verify/{userId}": administered(userAfter()),
  "PUT /v1/users/verify/{userId}/reject": administered(userAfter()),
  "PUT /v1/users/{userId}/suspend": administered(userAfter("verify")),
  "PUT /v1/users/{userId}/reactivate": administered(userAfter("verify", "suspend")),
  "PUT /v1/users/{userId}/role": administered((fixture, turn) =>
    Effect.map(addParty(fixture, `role${turn}@example.com`), ({ userId }) => ({
      params: { userId },
      body: { role: "seller" }
    }))
  ),
  "POST /v1/users/{userId}/erasure": administered((fixture, turn) =>
    Effect.map(
      fixture.server.post<{ readonly id: string }>("/api/v1/auth/register", {
        email: `gone${turn}@example.com`,
        password: PASSWORD,
        company_name: `Gone ${turn}`
      }),
      ({ json }) => ({ params: { userId: json.id } })
    )
  ),
  "GET /v1/audit": administered(nothing),
  "GET /v1/nodes": administered(nothing),
  "GET /v1/sandbox/clock": administered(nothing),
  // Nothing sets it forward here: the one before is taken back.
  "POST /v1/sandbox/clock": administered(({ server }) =>
    Effect.as(server.run(Effect.flatMap(SqlClient, (sql) => sql`UPDATE sandbox_clock SET until = NULL`)), {
      body: { until: isoUtc(server.world.now + 60_000) }
    })
  ),
  "GET /v1/breakers": administered(nothing),
  // Nothing is latched: what trips the breaker would stop every other operation.
  "POST /v1/breakers/reset": { ...administered(nothing), status: 409 },
  ...commerceRows,
  ...paymentsRows,
  ...companyRows,
  ...analyticsRows,
  ...requestRows,
  ...kycRows,
  ...creditRows,
  ...botCreditsRows,
  ...botDecisionRows,
  ...botRows,
  ...subscriptionRows,
  ...webhookRows,
  ...transferRows,
  "POST /v1/clients": {
    ...own((_, turn) => ({ body: { name: `client ${turn}`, scopes: ["orders:read"] } })),
    fills: true
  },
  "GET /v1/clients": own(),
  "DELETE /v1/clients/{clientId}": { tenancy: "refused", send: ofClient },
  "POST /v1/clients/{clientId}/secret/rotate": { tenancy: "refused", fills: true, send: ofClient },

  "GET /api/v1/users/me": own(),
  "PUT /api/v1/users/me": own((_, turn) => ({ body: { phone: `+32 ${turn}` } })),

  "GET /api/arena/agent/status": open(),
  "GET /api/arena/orders": open(() => ({ query: { asset_type: "fx", limit: "5" } })),
  "GET /api/arena/orders/{order_id}": open(({ orderId }) => ({ params: { order_id: orderId } })),
  "GET /api/arena/yield/estimate": open(() => ({ query: { order_value: "10000", duration_days: "30" } })),
  "GET /api/arena/yield/total": open(),
  "GET /api/arena/yield/vault-stats": open(),
  "GET /api/arena/machine-traders/stats": open(),
  ...arenaBoardRows,
  "POST /api/arena/commitments": own((fixture, turn) => {
    const body = termsOf(fixture, (1_000 + (turn % 1_000)) / 1_000)
    const { mine, server } = fixture
    // The company's switch may have been pulled before.
    const lifted = server.request("DELETE", "/api/arena/machine-traders/kill-switch", undefined, { as: mine.userId })
    return Effect.as(lifted, { body })
  }),
  "GET /api/arena/commitments/my": own(),
  "GET /api/arena/commitments/my.csv": own(),
  "POST /api/arena/stream/ticket": own(),
  "POST /api/arena/machine-traders": administered((_, turn) => ({ body: traderOf("agent", turn) })),
  "POST /api/arena/machine-traders/{trader_id}/retire": administered(({ admin, server }, turn) =>
    Effect.map(
      server.post<{ readonly trader_id: string }>("/api/arena/machine-traders", traderOf("retiring", turn), {
        as: admin
      }),
      ({ json }) => ({ params: { trader_id: json.trader_id } })
    )
  ),

  "POST /v1/funds": {
    tenancy: "refused",
    send: ({ mine }, turn) => ({ body: { owner: mine.userId, type: "USD", symbol: `1.${turn % 999_999}` } })
  },
  "GET /v1/funds": own(),
  "GET /v1/funds/{id}": { tenancy: "refused", send: ({ mine }) => ({ params: { id: mine.fundId } }) }
}
