import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commandHere } from "../../../lib/CommandLine.ts"
import { itLive } from "../../../lib/Effects.ts"
import { AT_ONCE, ModuleArena } from "../../../lib/ModuleBots.ts"
import { SHORT_SLOTS } from "../../../lib/OpenedArena.ts"
import { NO_FINDINGS, replayFindings } from "../../../lib/RecordedState.ts"

const PAGE = join(import.meta.dir, "../../../../docs/concepts/market-replay.md")

/** The program of the page, which bids in the last five seconds of each order. */
const EXAMPLE = /```ts\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8"))?.[1] ?? ""

interface ReplayedJson {
  readonly reproduced: number
  readonly chosen: number
  readonly auctions_entered: ReadonlyArray<{
    readonly order_id: string
    readonly bids: ReadonlyArray<Readonly<Record<string, unknown>>>
    readonly won: boolean
  }>
}

interface OrdersJson {
  readonly orders: ReadonlyArray<{ readonly order_id: string }>
}

/** USD or pieces of a recorded amount. */
const units = (text: string | undefined): number => Number(text) / 1e6

const EVIL = `export default { onEvent() { throw new Error("no luck") } }`

const MALFORMED = AT_ONCE.replace("quantity: data.quantity", "quantity: -1")

describe("a bot whose module is the program of the page", () => {
  itLive(
    "trades by it, and the file bids the same where the recorded auctions are played to it",
    () =>
      Effect.gen(function* () {
        const arena = yield* ModuleArena.make()
        const botId = yield* arena.started(EXAMPLE)
        yield* arena.pass(0)
        yield* arena.pass(84_000)
        expect(yield* arena.decisions(botId)).toEqual([])
        yield* arena.pass(1_000)
        const first = yield* arena.decisions(botId)
        expect(first.length).toBeGreaterThan(2)
        for (let ticks = 0; ticks < 30; ticks++) yield* arena.pass(5_000)

        const decisions = yield* arena.decisions(botId)
        const bot = yield* arena.bot(botId)
        const digest = createHash("sha256").update(EXAMPLE).digest("hex")
        expect(bot).toMatchObject({ status: "active", strategy_module: "my.ts", strategy_error: null })
        expect(bot.commitments_won).toBeGreaterThan(2)
        expect(bot.credits_used).toBe(decisions.length)
        for (const decision of decisions) {
          expect(decision).toMatchObject({ decision_code: "commit", credits_charged: 1, input: { asked: { digest } } })
        }

        expect(yield* replayFindings(arena.server)).toEqual(NO_FINDINGS)
        const verified = yield* commandHere(["verify", "--database", arena.server.databaseUrl])
        expect([verified.code, verified.stderr]).toEqual([0, ""])

        const { code, stderr, stdout } = yield* commandHere([
          "replay-market",
          "--database",
          arena.server.databaseUrl,
          "--with",
          join(arena.folder, "my.ts"),
          "--json",
          "--once",
          "--owner",
          arena.user.companyId,
          "--balance",
          "5000"
        ])
        expect([code, stderr]).toEqual([0, ""])
        const replayed: ReplayedJson = JSON.parse(stdout)
        expect(replayed.reproduced).toBe(replayed.chosen)
        const asked = new Map(decisions.map(({ input, order_id: id }) => [id, input.asked]))
        expect(replayed.auctions_entered.length).toBeGreaterThan(6)
        expect(replayed.auctions_entered.every(({ won }) => won)).toBe(true)
        for (const { bids, order_id: id } of replayed.auctions_entered) {
          const bid = asked.get(id)
          expect(bids).toMatchObject([
            {
              proposed_entry_price: units(bid?.proposedPrice),
              expected_exit_price: units(bid?.exitPrice),
              quantity: units(bid?.quantity),
              slippage_tolerance: units(bid?.tolerance)
            }
          ])
        }
      }),
    60_000
  )
})

describe("a bot's module", () => {
  itLive("is a file of the folder, named by a field of the bot, and no other", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      arena.write(AT_ONCE)
      const tricks = [
        "../my.ts",
        "/etc/passwd",
        "folder/my.ts",
        "my.json",
        ".ts",
        "..ts",
        "my.ts\u0000.ts",
        "%2e%2e/my.ts"
      ]
      for (const strategy_module of tricks) {
        const { json, status } = yield* arena.create({ strategy_module })
        expect([status, json.message]).toEqual([
          400,
          expect.stringContaining("payload.strategy_module: Expected a file's")
        ])
      }
      const missing = yield* arena.create({ strategy_module: "other.ts" })
      expect([missing.status, missing.json.message]).toEqual([
        422,
        "payload.strategy_module: There is no file other.ts in the folder of STRATEGY_MODULES."
      ])
      const plain = (yield* arena.create({ strategy_module: null })).json.bot
      expect(plain.strategy_module).toBeNull()
      const changed = yield* arena.change(plain.bot_id, { strategy_module: "my.ts" })
      expect(changed.json.bot.strategy_module).toBe("my.ts")
      expect((yield* arena.change(plain.bot_id, { name: "Other" })).json.bot.strategy_module).toBe("my.ts")
      expect((yield* arena.change(plain.bot_id, { strategy_module: "other.ts" })).status).toBe(422)
      expect((yield* arena.change(plain.bot_id, { strategy_module: null })).json.bot.strategy_module).toBeNull()
    })
  )

  itLive("is refused where no folder is named, and a bot that has one is suspended with what to do", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      const botId = yield* arena.started(AT_ONCE)
      yield* arena.server.restart(SHORT_SLOTS)
      const refused = yield* arena.create()
      expect([refused.status, refused.json.code, refused.json.message]).toEqual([
        422,
        "unprocessable",
        expect.stringContaining("payload.strategy_module: This server runs no modules of bots: leave it out")
      ])
      yield* arena.failing(botId)
      expect(yield* arena.bot(botId)).toMatchObject({
        status: "suspended",
        suspension_reason: "module_failed",
        strategy_error: expect.stringContaining("This server runs no modules of bots")
      })
      const resumed = yield* arena.act(botId, "resume")
      expect([resumed.status, resumed.json.message]).toEqual([
        409,
        expect.stringContaining("The bot's module cannot run.")
      ])
      yield* arena.change(botId, { strategy_module: null })
      expect((yield* arena.act(botId, "resume")).json.bot.status).toBe("active")
      expect(yield* replayFindings(arena.server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("that fails suspends its bot with what it threw, and goes on once it is mended", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      const botId = yield* arena.started(EVIL)
      yield* arena.server.tick()
      yield* arena.failing(botId)
      const failed = yield* arena.bot(botId)
      expect(failed).toMatchObject({ status: "suspended", suspension_reason: "module_failed" })
      expect(failed.strategy_error).toMatch(/^Error: no luck \(my\.ts:1:\d+\)$/)
      arena.write(AT_ONCE)
      const resumed = yield* arena.act(botId, "resume")
      expect(resumed.json.bot).toMatchObject({ status: "active", suspension_reason: null, strategy_error: null })
      yield* arena.pass(0)
      expect((yield* arena.decisions(botId)).length).toBeGreaterThan(2)
      const asked = yield* arena.server.post<{ readonly message: string }>(
        `/api/arena/machine-traders/${botId}/evaluate`,
        { order_id: "ord_1" },
        { as: arena.user.id }
      )
      expect([asked.status, asked.json.message]).toEqual([409, expect.stringContaining("The module my.ts decides")])
      expect(yield* replayFindings(arena.server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("keeps a bot that does not run from being asked, from its change on until its next", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      arena.write(AT_ONCE)
      yield* arena.server.tick()
      const { json } = yield* arena.create({ strategy_module: null })
      const botId = json.bot.bot_id
      const as = { as: arena.user.id }
      const orders = yield* arena.server.get<OrdersJson>("/api/arena/orders?limit=1", arena.user.id)
      const body = { order_id: orders.json.orders[0]?.order_id }
      const asked = Effect.suspend(() =>
        arena.server.post<unknown>(`/api/arena/machine-traders/${botId}/evaluate`, body, as)
      )
      const statuses: Array<number> = [(yield* asked).status]
      for (const strategy_module of ["my.ts", null]) {
        yield* arena.change(botId, { strategy_module })
        statuses.push((yield* asked).status)
      }
      expect(statuses).toEqual([200, 409, 200])
      expect(yield* arena.bot(botId)).toMatchObject({ status: "inactive", credits_used: 2 })
      expect(yield* replayFindings(arena.server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("that asks for what is no bid, or for too much, moves nothing", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      const malformed = yield* arena.started(MALFORMED)
      arena.write(AT_ONCE, "much.ts")
      const poor = { strategy_module: "much.ts", collateral_amount: 10 }
      const { json } = yield* arena.create(poor)
      yield* arena.act(json.bot.bot_id, "start")
      yield* arena.pass(0)
      yield* arena.pass(0)
      expect(yield* arena.decisions(malformed)).toEqual([])
      expect(yield* arena.bot(malformed)).toMatchObject({ status: "active", collateral_locked: 0, credits_used: 0 })
      const beyond = yield* arena.decisions(json.bot.bot_id)
      expect(beyond.length).toBeGreaterThan(2)
      for (const { decision_code: code } of beyond) expect(code).toBe("collateral_missing")
      expect(yield* arena.bot(json.bot.bot_id)).toMatchObject({ collateral_locked: 0, credits_used: beyond.length })
      expect(yield* replayFindings(arena.server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("bids no second time after a restart, and stops where its bot is paused", () =>
    Effect.gen(function* () {
      const arena = yield* ModuleArena.make()
      const botId = yield* arena.started(AT_ONCE)
      yield* arena.pass(0)
      const first = yield* arena.decisions(botId)
      yield* arena.server.restart()
      yield* arena.pass(1_000)
      expect(yield* arena.decisions(botId)).toEqual(first)
      yield* arena.act(botId, "pause")
      yield* arena.pass(60_000)
      expect(yield* arena.decisions(botId)).toEqual(first)
      yield* arena.act(botId, "resume")
      yield* arena.pass(0)
      expect((yield* arena.decisions(botId)).length).toBe(2 * first.length)
    })
  )
})
