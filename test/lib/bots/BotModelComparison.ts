import { expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { BotReconciler } from "../../../src/bots/BotReconciler.ts"
import { BotScheduler } from "../../../src/bots/BotScheduler.ts"
import { LedgerAudit } from "../../../src/funds/LedgerAudit.ts"
import type { Answer } from "../Requests.ts"
import { text } from "../platform/PlatformScenario.ts"
import type { TestServer } from "../TestServer.ts"
import { TestWorld } from "../TestWorld.ts"
import { BOTS, type BotCommand, type BotMove } from "./BotMoves.ts"
import { BASE, type BotSeen, type CompanySeen, seen } from "./BotSeen.ts"

/** USD of the owner at first, and the credits of the plan. */
const MINTED = 1_500_000_000n
const GRANT = 5_000

const CREDITS_A_CENT = 1n
const CENT = 10_000n

let users = 0
let keys = 0

type Verdict = "taken" | "refused" | "either"

interface Sent {
  readonly move: BotMove
  readonly answer: Answer | undefined
}

/** Where a move of a bot's life leads: a status, or null where it may not be made. */
const LEADS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  inactive: { start: "active", pause: null, resume: null, terminate: "terminated" },
  active: { start: "active", pause: "paused", resume: "active", terminate: "terminated" },
  paused: { start: null, pause: "paused", resume: "active", terminate: "terminated" },
  suspended: { start: null, pause: null, terminate: "terminated" },
  terminated: { start: null, pause: null, resume: null, terminate: "terminated" }
}

interface OrdersJson {
  readonly orders: ReadonlyArray<{ readonly order_id: string; readonly status: string }>
}

/** A company with bots on a server, beside what must be true of it whatever it does. */
export class BotModelComparison {
  /** How often each kind of move was taken. */
  readonly taken = new Map<string, number>()
  readonly #server: TestServer
  readonly #userId: string
  readonly #botIds: ReadonlyArray<string>
  #before: CompanySeen
  /** Credits that were bought, and USD that they cost. */
  #bought = 0
  #spent = 0n

  /** What is there now. */
  get now(): CompanySeen {
    return this.#before
  }

  private constructor(server: TestServer, userId: string, botIds: ReadonlyArray<string>, before: CompanySeen) {
    this.#server = server
    this.#userId = userId
    this.#botIds = botIds
    this.#before = before
  }

  /** A company on the plan pro, with USD and two bots that were not started. */
  static readonly make = Effect.fnUntraced(function* (server: TestServer) {
    users += 1
    const user = yield* server.user(`0x${String(users).padStart(40, "e")}`)
    const as = yield* server.admin
    yield* server.request("PUT", `/v1/companies/${user.companyId}/plan`, { plan: "pro" }, { as })
    yield* server.mint(user.id, fromUnits(MINTED))
    const ids = yield* Effect.forEach(Array.from({ length: BOTS }), (_, index) =>
      Effect.map(
        server.post<{ readonly bot: { readonly bot_id: string } }>(
          BASE,
          {
            name: `Bot ${index}`,
            capabilities: ["commodity", "fx", "options", "gpu"],
            strategy: { riskPreset: "aggressive", maxCollateralPerTrade: 40 },
            collateral_amount: index * 100,
            credit_budget: 25
          },
          { as: user.id }
        ),
        ({ json, text: told }) => {
          expect(told).toContain("bot_id")
          return json.bot.bot_id
        }
      )
    )
    return new BotModelComparison(server, user.id, ids, yield* seen(server, user.id, ids))
  })

  /** Does it, and looks whether all is as it must be. */
  do(command: BotCommand): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      switch (command.tag) {
        case "look":
          yield* this.#live
          break
        case "trade":
          yield* this.#trade(command.permille, command.ticks)
          break
        case "moves":
          yield* this.#moves(command.moves, command.copies)
      }
      yield* this.#audit(command)
    })
  }

  /** What happens by itself: bots look at orders, and what is left of terminated ones goes back. */
  get #live(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      yield* this.#server.run(Effect.flatMap(BotScheduler, ({ round }) => round))
      yield* this.#server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
    })
  }

  #trade(permille: number, ticks: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { world } = this.#server
      for (const [asset, price] of new TestWorld().prices) world.prices.set(asset, price)
      world.move(BigInt(permille))
      for (let tick = 0; tick < ticks; tick++) yield* this.#server.tick(10_000)
      yield* this.#server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
    })
  }

  #moves(moves: ReadonlyArray<BotMove>, copies: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const open = yield* this.#open
      const sent: ReadonlyArray<Sent> = yield* Effect.forEach(
        moves,
        (move) => Effect.map(this.#send(move, copies, open), (answer) => ({ move, answer })),
        { concurrency: "unbounded" }
      )
      for (const { answer, move } of sent) {
        if (answer === undefined) continue
        const isTaken = answer.status === 200
        const verdict = moves.length === 1 ? this.#verdict(move, open) : "either"
        const said = isTaken ? "taken" : "refused"
        if (verdict !== "either")
          expect({ move, said, told: answer.text }).toEqual({ move, said: verdict, told: answer.text })
        if (!isTaken) continue
        this.taken.set(move.act, (this.taken.get(move.act) ?? 0) + 1)
        if (move.act !== "topup") continue
        this.#spent += move.amount
        this.#bought += Number((move.amount / CENT) * CREDITS_A_CENT)
      }
    })
  }

  get #open(): Effect.Effect<ReadonlyArray<string>> {
    return Effect.map(this.#server.get<OrdersJson>("/api/arena/orders?limit=100", this.#userId), ({ json }) =>
      json.orders.flatMap(({ order_id, status }) => (status === "open" || status === "competing" ? [order_id] : []))
    )
  }

  #verdict(move: BotMove, open: ReadonlyArray<string>): Verdict {
    const bot = this.#before.bots[move.bot]
    if (bot === undefined) return "either"
    const isOver = bot.status === "terminated"
    switch (move.act) {
      case "fund":
        return !isOver && move.amount > 0n && this.#before.usd >= move.amount ? "taken" : "refused"
      case "withdraw":
        if (isOver || move.amount <= 0n || bot.free < move.amount) return "refused"
        return bot.free === bot.collateral ? "taken" : "either"
      case "topup":
        if (move.amount % CENT !== 0n || this.#before.usd < move.amount) return "refused"
        return isOver ? "either" : "taken"
      case "evaluate": {
        if (isOver || open.length === 0 || this.#before.free + this.#before.paid < 1 || bot.budgetLeft < 1)
          return "refused"
        // Whether its window is over is for its time to say.
        return "either"
      }
      case "budget":
      case "limit":
        return isOver ? "refused" : "either"
      default: {
        const led = LEADS[bot.status]?.[move.act]
        return led === undefined ? "either" : led === null ? "refused" : "taken"
      }
    }
  }

  /** Sends a move so many times at once under one key, and once more when it is answered. */
  #send(move: BotMove, copies: number, open: ReadonlyArray<string>): Effect.Effect<Answer | undefined> {
    return Effect.gen({ self: this }, function* () {
      const id = this.#botIds[move.bot]
      keys += 1
      const { body, method, path } = requestOf(move, open)
      const options = { as: this.#userId, ...(method === "POST" && { key: `bots-${keys}` }) }
      const send = this.#server.request(method, `${BASE}/${id}${path}`, body, options)
      const answers = yield* Effect.all(
        Array.from({ length: copies }, () => send),
        { concurrency: "unbounded" }
      )
      for (const { status, text: told } of answers) {
        expect({ status: status < 500 || status === 503, told }).toEqual({ status: true, told })
      }
      if (method !== "POST") return answers.at(-1)
      const again = yield* send
      const decided = answers.filter(({ text: told }) => !told.includes("is still running"))
      for (const { status, text: told } of decided) {
        if (status < 500 && status !== 429) expect([again.status, again.text]).toEqual([status, told])
      }
      return again
    })
  }

  #audit(command: BotCommand): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* seen(this.#server, this.#userId, this.#botIds)
      const before = this.#before
      this.#before = now
      const told = JSON.stringify(command, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
      const sum = (of: (bot: BotSeen) => bigint) => now.bots.reduce((total, bot) => total + of(bot), 0n)

      const usd = now.usd + this.#spent + sum(({ collateral }) => collateral)
      expect({ told, usd }).toEqual({ told, usd: MINTED + sum(({ profit }) => profit) })

      const decisions = now.bots.reduce((total, bot) => total + bot.decisions, 0)
      expect({ told, credits: now.free + now.paid }).toEqual({ told, credits: GRANT + this.#bought - decisions })
      expect({ told, paid: now.paid }).toEqual({ told, paid: this.#bought - Math.max(0, decisions - GRANT) })

      for (const [index, bot] of now.bots.entries()) this.#auditBot(told, bot, before.bots[index]!)
      if (isEvaluation(command)) {
        expect({ told, usd: now.usd, bots: now.bots.map(moneyOf) }).toEqual({
          told,
          usd: before.usd,
          bots: before.bots.map(moneyOf)
        })
      }
      const report = yield* this.#server.run(Effect.flatMap(LedgerAudit, ({ check }) => check))
      expect(report).toEqual({ balanced: true, findings: [] })
    })
  }

  #auditBot(told: string, bot: BotSeen, before: BotSeen): void {
    expect({ told, used: bot.used }).toEqual({ told, used: bot.decisions })
    const isWithin = bot.free >= 0n && bot.lossLeft >= 0n && bot.budgetLeft >= 0 && bot.commitments <= bot.decisions
    expect({ told, lossLeft: bot.lossLeft <= bot.limit }).toEqual({ told, lossLeft: true })
    expect({ told, bot: bot.id, isWithin }).toEqual({ told, bot: bot.id, isWithin: true })
    if (bot.budget === before.budget) {
      expect({ told, most: bot.used <= Math.max(bot.budget, before.used) }).toEqual({ told, most: true })
    }
    if (bot.status === "terminated" && !told.includes(`"moves"`)) {
      expect({ told, kept: bot.free }).toEqual({ told, kept: 0n })
    }
    // What is locked while nothing is lost yet is within the limit.
    if (bot.profit >= 0n && before.profit >= 0n && bot.commitments > before.commitments) {
      expect({ told, within: bot.collateral - bot.free <= bot.limit }).toEqual({ told, within: true })
    }
    const stays = before.status !== "active" && bot.status === before.status && bot.status !== "suspended"
    if (stays && (bot.status === "terminated" || told.includes(`"look"`) || told.includes(`"trade"`))) {
      expect({ told, commitments: bot.commitments }).toEqual({ told, commitments: before.commitments })
    }
  }
}

const moneyOf = ({ collateral, commitments, free, lossLeft, status }: BotSeen) => [
  collateral,
  commitments,
  free,
  lossLeft,
  status
]

const isEvaluation = (command: BotCommand): boolean =>
  command.tag === "moves" && command.moves.every(({ act }) => act === "evaluate")

const requestOf = (move: BotMove, open: ReadonlyArray<string>) => {
  switch (move.act) {
    case "fund":
    case "withdraw":
      return { method: "POST", path: `/${move.act}`, body: { amount: Number(text(move.amount)) } }
    case "topup":
      return { method: "POST", path: "/topup", body: { dollar_amount: Number(text(move.amount)) } }
    case "evaluate":
      return { method: "POST", path: "/evaluate", body: { order_id: open[move.order % open.length] ?? "ord_none" } }
    case "budget":
      return { method: "PATCH", path: "", body: { credit_budget: move.credits } }
    case "limit":
      return {
        method: "PATCH",
        path: "",
        body: {
          strategy: {
            riskPreset: "custom",
            riskLevel: 0.8,
            maxLossPct: move.percent,
            minRoiPct: 1,
            maxCollateralPerTrade: 40
          }
        }
      }
    default:
      return { method: "POST", path: `/${move.act}`, body: undefined }
  }
}
