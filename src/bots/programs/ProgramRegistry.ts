import { Effect, Semaphore } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { BotState } from "../../../engine/bots/Bot.ts"
import { isOf, type PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { type News, type ToldMoment } from "./MarketNews.ts"
import { type ProgramBot, ProgramSession, type SessionWorld } from "./ProgramSession.ts"
import { ProgramFailed } from "./ProgramThread.ts"

/** The most news that waits to be told; where more comes, the programs begin anew. */
export const MAX_NEWS = 20_000

/** The most programs that run at once, each in a thread. */
export const MAX_PROGRAMS = 100

const FULL = new ProgramFailed({
  message: `This server runs at most ${MAX_PROGRAMS} modules at once: try again later, or ask its operator.`
})

/** The most modules that are loaded at once: each has a limit of time for it, which the others' loading must not use up. */
export const MAX_LOADING = 2

/** What a registry needs of the world. */
export interface RegistryWorld {
  /** Whether bots may have modules here: else only those that were active at the start are looked at. */
  readonly isOpen: boolean
  readonly find: (botId: string) => Effect.Effect<BotState | undefined, Unavailable>
  /** What is told of news, moment by moment. */
  readonly momentsOf: (news: ReadonlyArray<News>) => Effect.Effect<ReadonlyArray<ToldMoment>, Unavailable>
  readonly worldOf: (bot: ProgramBot) => SessionWorld
  /** Is told that there is something to dispatch. Must not wait. */
  readonly call: () => void
}

const isOfOrders = isOf("order")
const isOfBots = isOf("bot")

/** Whose program an event may begin or end, and whether it ends whatever the bot is now. */
const changeBy = (event: PlatformEvent): { readonly botId: string; readonly ends: boolean } | undefined => {
  if (!isOfBots(event)) return undefined
  switch (event._tag) {
    case "BotStarted":
    case "BotResumed":
    case "BotPaused":
    case "BotSuspended":
    case "BotTerminated":
      return { botId: event.botId, ends: true }
    case "BotChanged":
      return { botId: event.botId, ends: false }
    default:
      return undefined
  }
}

/** Which bots' programs there are, and what they are still to be told. */
export class ProgramRegistry {
  readonly #world: RegistryWorld
  readonly #sessions = new Map<string, ProgramSession>()
  /** Bots to look at again, and whether their programs end whatever they are now. */
  readonly #changed = new Map<string, boolean>()
  readonly #alone = Semaphore.makeUnsafe(1)
  readonly #loading = Semaphore.makeUnsafe(MAX_LOADING)
  #news: Array<News> = []
  #isBehind = false

  constructor(world: RegistryWorld) {
    this.#world = world
  }

  get sessions(): ReadonlyArray<ProgramSession> {
    return [...this.#sessions.values()]
  }

  /** Has a bot looked at. */
  mark(botId: string, ends: boolean): void {
    this.#changed.set(botId, ends || this.#changed.get(botId) === true)
    this.#world.call()
  }

  /** Takes in what was recorded. */
  hear(recorded: ReadonlyArray<Pick<Recorded<PlatformEvent>, "event" | "version">>): void {
    for (const { event } of recorded) {
      const change = this.#world.isOpen ? changeBy(event) : undefined
      if (change !== undefined) this.mark(change.botId, change.ends)
    }
    if (this.#sessions.size === 0) return
    this.tell(recorded.flatMap(({ event, version }) => (isOfOrders(event) ? [{ order: { event, version } }] : [])))
  }

  /** Takes in news, where anybody is to be told. */
  tell(news: ReadonlyArray<News>): void {
    if (this.#sessions.size === 0 || news.length === 0) return
    if (this.#news.length + news.length > MAX_NEWS) this.#isBehind = true
    else this.#news.push(...news)
    this.#world.call()
  }

  /** Begins and ends programs as bots begin and end, and tells each what happened. What fails stays to be done. */
  readonly dispatch: Effect.Effect<void, Unavailable> = Effect.gen({ self: this }, function* () {
    if (this.#isBehind) yield* this.#beginAnew()
    for (const [botId, ends] of this.#changed) {
      this.#changed.delete(botId)
      yield* Effect.onError(this.#refresh(botId, ends), () => Effect.sync(() => this.mark(botId, ends)))
    }
    const news = this.#news
    this.#news = []
    const moments = yield* Effect.onError(this.#world.momentsOf(news), () =>
      Effect.sync(() => {
        this.#news = [...news, ...this.#news]
      })
    )
    for (const moment of moments) for (const session of this.#sessions.values()) session.hear(moment)
  }).pipe(this.#alone.withPermit)

  readonly #end = Effect.fnUntraced(function* (this: ProgramRegistry, botId: string) {
    const session = this.#sessions.get(botId)
    this.#sessions.delete(botId)
    if (session !== undefined) yield* session.close
  })

  /** Begins a bot's program, or ends it, as the bot is now. */
  readonly #refresh = Effect.fnUntraced(function* (this: ProgramRegistry, botId: string, ends: boolean) {
    if (ends) yield* this.#end(botId)
    const bot = yield* this.#world.find(botId)
    const module = bot?.standing.status === "active" ? bot.profile.strategyModule : undefined
    if (this.#sessions.get(botId)?.bot.module !== module) yield* this.#end(botId)
    if (bot === undefined || module === undefined || this.#sessions.has(botId)) return
    const of: ProgramBot = { botId, companyId: bot.companyId, module }
    const world = this.#world.worldOf(of)
    const isFull = this.#sessions.size >= MAX_PROGRAMS
    const start = isFull ? Effect.fail(FULL) : this.#loading.withPermit(world.start)
    this.#sessions.set(botId, new ProgramSession(of, { ...world, start }))
  })

  readonly #beginAnew = Effect.fnUntraced(function* (this: ProgramRegistry) {
    const all = [...this.#sessions.keys()]
    for (const botId of all) this.mark(botId, true)
    this.#news = []
    this.#isBehind = false
    yield* Effect.forEach(all, (botId) => this.#end(botId), { discard: true })
  })
}
