import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { commandHere } from "../../../lib/CommandLine.ts"
import { PRESETS } from "../../../../engine/bots/Strategy.ts"
import { Programs } from "../../../../src/bots/programs/Programs.ts"
import { usd } from "../../../lib/ArenaArbitraries.ts"
import { itLive } from "../../../lib/Effects.ts"
import { AT_ONCE, ModuleArena } from "../../../lib/ModuleBots.ts"
import { operator, TestBot } from "../../../lib/TestBots.ts"

/** Writes down all that it hears, and bids on each order as it opens. */
const LISTENER = `import { appendFileSync } from "node:fs"
const heard = new URL("heard.jsonl", import.meta.url)
${AT_ONCE.replace(
  "export default { onEvent({ type, data }, market) {",
  `export default { channels: ["orders", "commitments", "prices", "my"], onEvent({ type, data, timestamp }, market) {
  appendFileSync(heard, JSON.stringify({ now: market.now, type, data, timestamp }) + "\\n")`
)}`

interface Heard {
  readonly now: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What came of its own bids, whose numbers and times of acceptance differ: without them. */
const ownOutcome = ({ data, type }: Heard) => {
  const { commitment_id: _, ...outcome } = data
  return { type, ...outcome }
}

/** Of one moment in a sequence of its own: a replay has another where several orders do something at once. */
const sorted = (all: ReadonlyArray<Heard>): ReadonlyArray<Heard> => {
  const keyOf = ({ data, now }: Heard) => `${now} ${String(data["order_id"] ?? data["asset"])}`
  return all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0))
}

/** Outbids the listener where it trades. */
const RIVAL = {
  strategyModule: "rival.ts",
  capabilities: ["fx", "commodity"],
  strategy: { riskPreset: "custom", ...PRESETS.aggressive, maxLossPct: usd("100"), maxCollateralPerTrade: usd("1000") }
} as const

const OWN = new Set(["accepted", "refused", "won", "lost", "settled"].map((what): string => `commitment_${what}`))

const isOwn = ({ type }: Heard) => OWN.has(type)

/** A replay numbers the program's own bids otherwise. */
const withoutOwnIds = (all: ReadonlyArray<Heard>) => {
  const ids = new Set(all.filter(isOwn).map(({ data }) => data["commitment_id"]))
  return (heard: Heard): Heard =>
    ids.has(heard.data["winner_commitment_id"])
      ? { ...heard, data: { ...heard.data, winner_commitment_id: "own" } }
      : heard
}

describe("what a bot's module hears", () => {
  itLive(
    "is what the same module hears where the recorded auctions are played to it",
    () =>
      Effect.gen(function* () {
        const arena = yield* ModuleArena.make()
        arena.write(AT_ONCE.replaceAll("1.001", "1.002"), "rival.ts")
        const rival = yield* TestBot.make(arena.server, yield* operator(arena.server), RIVAL, usd("5000"))
        const botId = yield* arena.started(LISTENER)
        for (let ticks = 0; ticks < 40; ticks++) yield* arena.pass(5_000)
        expect((yield* arena.bot(botId)).status).toBe("active")
        const file = join(arena.folder, "heard.jsonl")
        const read = (path: string): ReadonlyArray<Heard> =>
          readFileSync(path, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        const lived = sorted(read(file))
        renameSync(file, join(arena.folder, "lived.jsonl"))
        const { code, stderr } = yield* commandHere([
          "replay-market",
          "--database",
          arena.server.databaseUrl,
          "--with",
          join(arena.folder, "my.ts"),
          "--once",
          "--owner",
          arena.user.companyId,
          "--balance",
          "5000",
          "--latency",
          "0"
        ])
        expect([code, stderr]).toEqual([0, ""])
        const replayed = sorted(read(file))
        const ended = new Set(replayed.flatMap(({ data }) => (data["status"] === "settled" ? [data["order_id"]] : [])))
        expect(ended.size).toBeGreaterThan(3)
        const own = (all: ReadonlyArray<Heard>) =>
          all.filter((heard) => isOwn(heard) && ended.has(heard.data["order_id"])).map(ownOutcome)
        expect(own(lived)).toEqual(own(replayed))
        const outcomes = new Set(own(lived).map(({ type }) => type))
        expect(outcomes).toEqual(new Set([...OWN].filter((type) => type !== "commitment_refused")))
        const ofOrders = (all: ReadonlyArray<Heard>) =>
          all.filter((heard) => !isOwn(heard) && ended.has(heard.data["order_id"])).map(withoutOwnIds(all))
        expect(ofOrders(lived)).toEqual(ofOrders(replayed))
        const bids = ofOrders(lived).filter(({ type }) => type === "commitment_updated")
        expect(new Set(bids.map(({ data }) => data["status"]))).toEqual(new Set(["active", "won"]))
        const prices = (all: ReadonlyArray<Heard>) => all.filter(({ type }) => type === "price_update")
        const count = prices(lived).length
        expect(count).toBeGreaterThan(100)
        expect(prices(replayed).slice(0, count)).toEqual(prices(lived))
        expect((yield* arena.server.run(Effect.map(Programs, ({ sessions }) => sessions()))).length).toBe(2)
        expect(rival.state.standing.status).toBe("active")
      }),
    60_000
  )
})
