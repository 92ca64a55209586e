import { Effect, Result } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { after, type BotLifeEvent, type BotState } from "../../engine/bots/Bot.ts"
import { change, create, move, suspended } from "../../engine/bots/BotLifeDecision.ts"
import { type BotProfile, botStream, companyBotsStream } from "../../engine/bots/BotEvent.ts"
import type { BotAct } from "../../engine/bots/BotLifecycle.ts"
import { PRESETS } from "../../engine/bots/Strategy.ts"
import { type Amount, ZERO } from "../../engine/money/Amount.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import type { User } from "../../src/identity/users/User.ts"
import { usd } from "./ArenaArbitraries.ts"
import { owner } from "./BotOwner.ts"
import type { TestServer } from "./TestServer.ts"

let made = 0

/** Records what the engine decides about a bot. */
const record = (server: TestServer, stream: string, version: number | null, entry: Entry<BotLifeEvent>) =>
  server.run(
    Effect.gen(function* () {
      const [outcome] = yield* (yield* UnitOfWork).append({ stream, version, entries: [entry] })
      if (outcome?._tag !== "Accepted") throw new Error(`refused: ${outcome?.error._tag}`)
    })
  )

/** A user on the plan enterprise, with a linked wallet and 10,000 USD. */
export const operator = (server: TestServer): Effect.Effect<User> => owner(server, "enterprise", "10000")

/** A bot of a user, recorded as the engine decides it. */
export class TestBot {
  readonly server: TestServer
  state: BotState

  private constructor(server: TestServer, state: BotState) {
    this.server = server
    this.state = state
  }

  get id(): string {
    return this.state.botId
  }

  /** Makes a balanced bot for all asset types, which trades with 1,000 USD, and starts it. */
  static readonly make = (
    server: TestServer,
    user: User,
    profile: Partial<BotProfile> = {},
    amount: Amount = usd("1000")
  ): Effect.Effect<TestBot> =>
    Effect.gen(function* () {
      made += 1
      const entry = create(
        {
          botId: `bot_${String(made).padStart(24, "0")}`,
          companyId: user.companyId,
          userId: user.id,
          walletAddress: `0x${"d".repeat(40)}`,
          profile: {
            name: `Bot ${made}`,
            capabilities: ["commodity", "fx", "options", "gpu"],
            strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: usd("50") },
            creditBudget: usd("1000"),
            autoTopUp: false,
            ...profile
          },
          amount
        },
        { at: server.world.now, by: user.id }
      )
      yield* record(server, companyBotsStream(user.companyId), null, entry)
      const bot = new TestBot(server, after(undefined, entry.event))
      yield* bot.act("start")
      return bot
    })

  act(asked: BotAct): Effect.Effect<void> {
    const room = { collateral: ZERO, allowance: ZERO, held: ZERO }
    return this.#take(Result.getOrThrow(move(this.state, asked, room, false, this.#by)))
  }

  change(profile: Partial<BotProfile>): Effect.Effect<void> {
    const room = { collateral: ZERO, allowance: usd("1000000"), held: ZERO }
    return this.#take(Result.getOrThrow(change(this.state, { ...this.state.profile, ...profile }, room, this.#by)))
  }

  suspend(): Effect.Effect<void> {
    return this.#take(suspended(this.state, "plan_downgraded", this.server.world.now))
  }

  get #by() {
    return { at: this.server.world.now, by: this.state.userId }
  }

  #take(entry: Entry<BotLifeEvent> | undefined): Effect.Effect<void> {
    if (entry === undefined) return Effect.void
    return Effect.map(record(this.server, botStream(this.id), null, entry), () => {
      this.state = after(this.state, entry.event)
    })
  }
}

/** Prices that are known for a while, then fall by 3 %, at which the next slot's orders open. */
export const cheapOrders = (server: TestServer): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let ticks = 0; ticks < 6; ticks++) yield* server.tick(10_000)
    server.world.move(970n)
    yield* server.tick(60_000 - (server.world.now % 60_000))
  })
