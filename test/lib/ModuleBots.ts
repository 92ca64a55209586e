import { Effect, type Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { MAX_FAILURES } from "../../src/bots/programs/ProgramSession.ts"
import { Programs } from "../../src/bots/programs/Programs.ts"
import type { User } from "../../src/identity/users/User.ts"
import { SHORT_SLOTS } from "./OpenedArena.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { operator } from "./TestBots.ts"
import { TestServer, type Variables } from "./TestServer.ts"

/** A bot as it is answered, as far as its module is concerned. */
export interface ModuleBotJson {
  readonly bot_id: string
  readonly status: string
  readonly suspension_reason: string | null
  readonly strategy_module: string | null
  readonly strategy_error: string | null
  readonly collateral_locked: number
  readonly credits_used: number
  readonly commitments_won: number
}

interface Answered {
  readonly code?: string
  readonly message?: string
  readonly bot: ModuleBotJson
}

const BASE = "/api/arena/machine-traders"

/** Bids a tenth of a percent above the market on each order as it opens. */
export const AT_ONCE = `export default { onEvent({ type, data }, market) {
  if (type !== "order_updated" || data.status !== "open") return
  market.commit({
    order_id: data.order_id,
    proposed_entry_price: data.entry_price * 1.001,
    expected_exit_price: data.entry_price * 1.2,
    slippage_tolerance: 0.02,
    quantity: data.quantity
  })
} }`

/** A sandbox with a folder of modules outside of the project, and somebody who may have bots. */
export class ModuleArena {
  readonly folder: string
  readonly server: TestServer
  readonly user: User

  private constructor(folder: string, server: TestServer, user: User) {
    this.folder = folder
    this.server = server
    this.user = user
  }

  static readonly make = (variables: Variables = {}): Effect.Effect<ModuleArena, never, Scope.Scope> =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = yield* TestServer.make({ ...SHORT_SLOTS, STRATEGY_MODULES: folder, ...variables })
      return new ModuleArena(folder, server, yield* operator(server))
    })

  /** Writes a module; answers where it is. */
  write(text: string, name = "my.ts"): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** Asks to make a bot of 5,000 USD, all of which it may lose. */
  create(fields: Readonly<Record<string, unknown>> = {}) {
    const strategy = { riskPreset: "aggressive", maxLossPct: 100, maxCollateralPerTrade: 1_000 }
    const body = {
      name: "Mine",
      capabilities: ["commodity", "fx", "gpu", "options"],
      strategy,
      collateral_amount: 5_000,
      credit_budget: 100,
      strategy_module: "my.ts",
      ...fields
    }
    return this.server.post<Answered>(BASE, body, { as: this.user.id })
  }

  change(botId: string, body: object) {
    return this.server.request<Answered>("PATCH", `${BASE}/${botId}`, body, { as: this.user.id })
  }

  act(botId: string, asked: "start" | "pause" | "resume") {
    return this.server.post<Answered>(`${BASE}/${botId}/${asked}`, undefined, { as: this.user.id })
  }

  /** Makes a bot with a module and starts it, and its program. */
  started(text: string, fields: Readonly<Record<string, unknown>> = {}): Effect.Effect<string> {
    return Effect.gen({ self: this }, function* () {
      this.write(text)
      const { json } = yield* this.create(fields)
      yield* this.act(json.bot.bot_id, "start")
      yield* this.round
      return json.bot.bot_id
    })
  }

  bot(botId: string): Effect.Effect<ModuleBotJson> {
    return Effect.map(this.server.get<Answered>(`${BASE}/${botId}`, this.user.id), ({ json }) => json.bot)
  }

  decisions(botId: string) {
    return Effect.map(
      this.server.get<{ readonly decisions: ReadonlyArray<ModuleDecisionJson> }>(
        `${BASE}/${botId}/decisions?limit=100`,
        this.user.id
      ),
      ({ json }) => json.decisions
    )
  }

  /** Lets the programs do what there is to do. */
  get round(): Effect.Effect<void> {
    return this.server.run(Effect.flatMap(Programs, ({ round }) => round))
  }

  /** Lets a bot's program fail as often as it may. */
  failing(botId: string): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let failure = 0; failure < 2 * MAX_FAILURES; failure++) {
        yield* this.round
        this.server.world.pass(60_000)
        if ((yield* this.bot(botId)).status === "suspended") return
      }
    })
  }

  /** Lets time pass for the arena, then for the programs. */
  pass(millis: number): Effect.Effect<void> {
    return Effect.andThen(this.server.tick(millis), Effect.andThen(this.round, this.round))
  }
}

/** A decision of a module as it is answered: the amounts are decimal strings of 10⁻⁶. */
export interface ModuleDecisionJson {
  readonly order_id: string
  readonly decision_code: string
  readonly decision_reason: string
  readonly credits_charged: number
  readonly input: {
    readonly asked?: {
      readonly module: string
      readonly digest: string
      readonly proposedPrice: string
      readonly exitPrice: string
      readonly quantity: string
      readonly tolerance: string
    }
  }
}
