import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import type { Rpc } from "effect/rpc"
import { ACCOUNT_MOVES, messageName } from "../../../src/api/AccountMoves.ts"
import { type Access, SCOPES, WRITE_SCOPES } from "../../../src/api/Authorization.ts"
import { FastLane } from "../../../src/api/rpc/FastLane.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { accessOf } from "../../../src/rpc/RpcHandler.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { BODY, PATH, wallet } from "../../lib/BotOwner.ts"
import { makeBot } from "../../lib/CreditsFixture.ts"
import { withLayer } from "../../lib/Effects.ts"
import { movedBy } from "../../lib/MovedAccounts.ts"
import { makeFixture, type Fixture, termsOf, tokenOf } from "../../lib/OperationFixture.ts"
import { OPERATIONS } from "../../lib/Operations.ts"
import { RawLane } from "../../lib/RawLane.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/AccountMoves/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture()))

const MESSAGES: ReadonlyArray<Rpc.Any> = [...FastLane.requests.values()]

/** Everything that can be asked for, and who may. */
const ASKED: ReadonlyArray<readonly [string, Access | undefined]> = [
  ...OPERATIONS.map(({ access, name }) => [name, access] as const),
  ...MESSAGES.map((rpc) => [messageName(rpc._tag), accessOf(rpc)] as const)
]

/** What takes less than `payments:write` although it can move a person's money, and the scope that its family has. */
const FAMILIES: Readonly<Record<string, string>> = {
  "POST /v1/orders/{id}/cancel": "orders:write",
  "POST /v1/subscriptions": "subscriptions:write",
  "POST /v1/subscriptions/{id}/renew": "subscriptions:write",
  // What comes back to its owner; and a bot with collateral, which the handler looks at.
  "POST /api/arena/machine-traders/{bot_id}/terminate": "any :write",
  "POST /api/arena/machine-traders": "any :write"
}

const MESSAGE_ROWS: Readonly<Record<string, (fixture: Fixture, botId: string) => unknown>> = {
  commit: (fixture) => termsOf(fixture, 1.5),
  commitBatch: (fixture) => ({ items: [termsOf(fixture, 1.25)] }),
  myCommitments: () => ({}),
  balances: () => ({}),
  evaluate: ({ orderId }, botId) => ({ bot_id: botId, order_id: orderId }),
  pauseAll: () => ({}),
  cancelAfter: () => ({ timeout_seconds: 0 }),
  cancelOnDisconnect: () => ({ enabled: false }),
  liftKillSwitch: () => ({})
}

/** A bot of `mine`, with credits to decide with. */
const robot = Effect.gen(function* () {
  const { admin, mine, server } = yield* TheFixture
  yield* server.request("PUT", `/v1/companies/${mine.companyId}/plan`, { plan: "enterprise" }, { as: admin })
  return (yield* makeBot(server, { id: mine.userId, companyId: mine.companyId })).botId
})

/** What a message was answered by a token of these scopes, and what it moved. */
const sent = (rpc: string, botId: string, scopes: ReadonlyArray<(typeof SCOPES)[number]>) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    const token = yield* tokenOf(fixture, fixture.mine.userId, scopes)
    const lane = yield* RawLane.open(fixture.server.url, { headers: { authorization: `Bearer ${token}` } })
    const moved = new Set<string>()
    yield* fixture.server
      .service(UnitOfWork)
      .onCommit((_, { changedAccounts }) => changedAccounts.forEach((account) => moved.add(account)))
    const answer = yield* lane.call(rpc, MESSAGE_ROWS[rpc]?.(fixture, botId))
    return { answer, moved: [...movedBy(moved)] }
  })

describe("What moves accounts", () => {
  it("is told of every operation and every message, and of no other", () =>
    Effect.sync(() => {
      expect(Object.keys(ACCOUNT_MOVES).toSorted()).toEqual(ASKED.map(([name]) => name).toSorted())
    }))

  it("takes payments:write where it is a person's money, or the scope of its family", () =>
    Effect.sync(() => {
      const told = ASKED.flatMap(([name, access]) => {
        if (ACCOUNT_MOVES[name]?.includes("user wallet") !== true || access?._tag === "Admin") return []
        if (access?._tag === "Scopes" && access.scopes.includes("payments:write")) return []
        return [
          [
            name,
            access?._tag === "Scopes" ? access.scopes.join(" ") : access?._tag === "AnyWrite" ? "any :write" : "nothing"
          ]
        ]
      })
      expect(Object.fromEntries(told)).toEqual(FAMILIES)
    }))

  it("is never moved by reading, but for a month's free credits", () =>
    Effect.sync(() => {
      const reading = ASKED.filter(([name]) => name.startsWith("GET ") && (ACCOUNT_MOVES[name] ?? []).length > 0)
      expect(reading.map(([name]) => name)).toEqual([
        "GET /api/arena/machine-traders/credits/balance",
        "GET /api/arena/machine-traders/{bot_id}/usage"
      ])
    }))

  for (const rpc of MESSAGES.filter(({ _tag }) => _tag in MESSAGE_ROWS)) {
    it(`takes the scopes of ${messageName(rpc._tag)}, and moves what it says`, () =>
      Effect.gen(function* () {
        const botId = yield* robot
        const access = accessOf(rpc)
        const needed = access._tag === "Scopes" ? access.scopes : []
        for (const missing of needed) {
          const others = SCOPES.filter((scope) => scope !== missing)
          const { answer, moved } = yield* sent(rpc._tag, botId, others)
          expect(answer).toMatchObject({ _tag: "Refused", code: "insufficient_scope" })
          expect(moved).toEqual([])
        }
        const { answer, moved } = yield* sent(rpc._tag, botId, needed)
        expect(answer).not.toMatchObject({ _tag: "Refused" })
        expect(JSON.stringify(answer)).not.toContain("Refused")
        const allowed = ACCOUNT_MOVES[messageName(rpc._tag)] ?? []
        expect(moved.filter((account) => !allowed.includes(account))).toEqual([])
        if (allowed.includes("user wallet")) expect(moved).not.toEqual([])
      }))
  }

  it("has a row for each message that is answered once", () =>
    Effect.sync(() => {
      const others = MESSAGES.map(({ _tag }) => _tag).filter((name) => !(name in MESSAGE_ROWS))
      expect(others).toEqual(["authenticate", "orders", "subscribe", "webhookEvents"])
      for (const name of others) expect(ACCOUNT_MOVES[messageName(name)]).toEqual([])
    }))

  it("takes payments:write for what a bot may spend more, when it is made and when it is changed", () =>
    Effect.gen(function* () {
      const fixture = yield* TheFixture
      const { admin, server } = fixture
      const user = yield* server.user(wallet())
      yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan: "enterprise" }, { as: admin })
      yield* server.mint(user.id, usd("1000"))
      const send = (method: string, path: string, body: object, scope: (typeof SCOPES)[number]) =>
        Effect.flatMap(tokenOf(fixture, user.id, [scope]), (token) =>
          server.request<{ readonly code?: string; readonly bot?: { readonly bot_id: string } }>(method, path, body, {
            headers: { authorization: `Bearer ${token}` }
          })
        )
      const free = { ...BODY, collateral_amount: 0, auto_topup_enabled: false }
      const made = yield* send("POST", PATH, free, "kyc:write")
      expect(made.status).toBe(200)
      const one = `${PATH}/${made.json.bot?.bot_id ?? ""}`
      const spending: ReadonlyArray<readonly [string, string, object]> = [
        ["POST", PATH, { ...free, collateral_amount: 100 }],
        ["POST", PATH, { ...free, auto_topup_enabled: true }],
        ["PATCH", one, { auto_topup_enabled: true }],
        ["PATCH", one, { credit_budget: 1_000 }]
      ]
      for (const [method, path, body] of spending) {
        for (const scope of WRITE_SCOPES.filter((other) => other !== "payments:write")) {
          const { json, status } = yield* send(method, path, body, scope)
          expect([status, json.code]).toEqual([403, "insufficient_scope"])
        }
        expect((yield* send(method, path, body, "payments:write")).status).toBe(200)
      }
      expect((yield* send("PATCH", one, { auto_topup_enabled: false, name: "Calm" }, "users:write")).status).toBe(200)
    }))
})
