import { describe, expect } from "bun:test"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { EvaluationInput, evaluate } from "../../../engine/bots/Evaluation.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { BotScheduler } from "../../../src/bots/BotScheduler.ts"
import { itLive } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { SHORT_SLOTS } from "../../lib/OpenedArena.ts"
import { cheapOrders, operator, TestBot } from "../../lib/TestBots.ts"
import { TestServer } from "../../lib/TestServer.ts"

interface Decision {
  readonly decision_id: string
  readonly order_id: string
  readonly decision_code: string
  readonly should_commit: boolean
  readonly decision_reason: string
  readonly dry_run: boolean
  readonly credits_charged: number
  readonly input: Record<string, unknown>
  readonly decision: Record<string, unknown>
}

interface Decisions {
  readonly total: number
  readonly decisions: ReadonlyArray<Decision>
}

interface Evaluation {
  readonly credits_charged: number
  readonly evaluation: {
    readonly should_commit: boolean
    readonly decision_id: string
    readonly status: string
    readonly warnings: ReadonlyArray<string>
  }
}

interface Commitments {
  readonly commitments: ReadonlyArray<{ readonly order_id: string; readonly bot_id: string | null }>
}

const BASE = "/api/arena/machine-traders"

const round = (server: TestServer) => server.run(Effect.flatMap(BotScheduler, (watch) => watch.round))

const decisionsOf = (server: TestServer, { id, state }: TestBot) =>
  Effect.map(server.get<Decisions>(`${BASE}/${id}/decisions?limit=100`, state.userId), ({ json }) => json.decisions)

/** The orders that a bot committed to. */
const committedBy = (server: TestServer, { id, state }: TestBot) =>
  Effect.map(server.get<Commitments>("/api/arena/commitments/my?limit=100", state.userId), ({ json }) =>
    json.commitments.flatMap(({ bot_id, order_id }) => (bot_id === id ? [order_id] : [])).toSorted()
  )

const creditsOf = (server: TestServer, userId: string) =>
  Effect.map(
    server.get<{ readonly balance: { readonly free_balance: number } }>(`${BASE}/credits/balance`, userId),
    ({ json }) => json.balance.free_balance
  )

const asked = (server: TestServer, { id, state }: TestBot, orderId: string, as = state.userId) =>
  server.post<Evaluation & { readonly code?: string }>(`${BASE}/${id}/evaluate`, { order_id: orderId }, { as })

/** The orders that decisions say to commit to. */
const meant = (decisions: ReadonlyArray<Decision>) =>
  decisions.flatMap(({ order_id, should_commit }) => (should_commit ? [order_id] : [])).toSorted()

const decodeInput = Schema.decodeUnknownSync(EvaluationInput)

/** Every decision can be made again from what is told of it. */
const expectReplayed = (decisions: ReadonlyArray<Decision>): void => {
  for (const { decision, input } of decisions) {
    expect(JSON.parse(encodeEvent(evaluate(decodeInput(input))))).toEqual(decision)
  }
}

describe("BotActors", () => {
  itLive("decide about orders as they open, commit once, and go on after a restart", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make(SHORT_SLOTS)
      const user = yield* operator(server)
      const bot = yield* TestBot.make(server, user)
      const paused = yield* TestBot.make(server, user)
      yield* paused.act("pause")
      yield* cheapOrders(server)
      expect(yield* round(server)).toBe(0)

      const decided = yield* decisionsOf(server, bot)
      expect(decided.length).toBeGreaterThan(2)
      expect(new Set(decided.map(({ order_id }) => order_id)).size).toBe(decided.length)
      expect(decided.every(({ credits_charged, dry_run }) => !dry_run && credits_charged === 1)).toBe(true)
      expectReplayed(decided)
      const toCommit = meant(decided)
      expect(toCommit.length).toBeGreaterThan(0)
      expect(yield* committedBy(server, bot)).toEqual(toCommit)
      expect(yield* decisionsOf(server, paused)).toEqual([])
      expect(yield* creditsOf(server, user.id)).toBe(50_000 - decided.length)

      yield* server.restart()
      server.forgetTokens()
      expect(yield* round(server)).toBe(0)
      expect(yield* decisionsOf(server, bot)).toEqual(decided)
      expect(yield* committedBy(server, bot)).toEqual(toCommit)
      yield* paused.act("resume")
      expect(yield* round(server)).toBe(0)
      const later = meant(yield* decisionsOf(server, paused))
      expect(later.length).toBeGreaterThan(0)
      expect(yield* committedBy(server, paused)).toEqual(later)

      const orderId = decided.find(({ should_commit }) => should_commit)?.order_id ?? ""
      yield* dryRun(server, bot, orderId)
      yield* refusals(server, bot, orderId)
      yield* suspension(server, bot)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )
})

const dryRun = Effect.fnUntraced(function* (server: TestServer, bot: TestBot, orderId: string) {
  const before = yield* creditsOf(server, bot.state.userId)
  const committed = yield* committedBy(server, bot)
  const { json, status } = yield* asked(server, bot, orderId)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    success: true,
    credits_charged: 1,
    evaluation: { status: "decision_made", warnings: [] }
  })
  expect(yield* creditsOf(server, bot.state.userId)).toBe(before - 1)
  expect(yield* committedBy(server, bot)).toEqual(committed)
  const [newest] = yield* decisionsOf(server, bot)
  expect(newest).toMatchObject({ dry_run: true, order_id: orderId, decision_id: json.evaluation.decision_id })
  expectReplayed(newest === undefined ? [] : [newest])
})

const refusals = Effect.fnUntraced(function* (server: TestServer, bot: TestBot, orderId: string) {
  const before = yield* creditsOf(server, bot.state.userId)
  const stranger = yield* operator(server)
  expect((yield* asked(server, bot, orderId, stranger.id)).json).toMatchObject({
    success: false,
    code: "access_denied"
  })
  const missing = `${BASE}/bot_none`
  const unknown = yield* server.post(`${missing}/evaluate`, { order_id: orderId }, { as: stranger.id })
  expect(unknown).toMatchObject({ status: 403, json: { code: "access_denied" } })
  expect((yield* server.get(`${BASE}/${bot.id}/decisions`, stranger.id)).status).toBe(403)
  expect((yield* server.get(`${missing}/decisions`, stranger.id)).status).toBe(403)
  expect((yield* asked(server, bot, "ord_none")).json).toMatchObject({ code: "ARENA_001" })
  yield* server.tick(91_000)
  expect((yield* asked(server, bot, orderId)).json).toMatchObject({ code: "ARENA_004" })
  expect(yield* creditsOf(server, bot.state.userId)).toBe(before)
})

const suspension = Effect.fnUntraced(function* (server: TestServer, bot: TestBot) {
  const trip = [{ scope: "global", reason: "ledger_imbalance" }] as const
  yield* server.run(Effect.flatMap(Breakers, (breakers) => breakers.trip(trip, server.world.now)))
  expect(yield* round(server)).toBe(0)
  const sql = server.service(SqlClient)
  const [row] = yield* sql<{ status: string; cause: string }>`SELECT status, cause FROM bots WHERE id = ${bot.id}`
  expect(row).toEqual({ status: "suspended", cause: "breaker_open" })
  const [account] = yield* sql<{ closed: boolean }>`
    SELECT closed FROM ledger_accounts WHERE id = ${lossAllowanceOf(bot.id)}`
  expect(account).toEqual({ closed: true })
})
