import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Entry } from "../actor/Journal.ts"
import { type BotChange, decisionRow, guardRow, keptAfter, keptRows, type KeptBot, spanRow } from "../bots/BotRows.ts"
import { after, type BotLifeEvent, type BotState } from "../bots/Bot.ts"
import { botCommands } from "../bots/BotCommands.ts"
import { change, create, fund, giveBack, move, suspended, withdraw } from "../bots/BotLifeDecision.ts"
import { type BotDecided, type BotEvent, type BotGuardSet, streamOf } from "../bots/BotEvent.ts"
import type { BotAct } from "../bots/BotLifecycle.ts"
import { evaluate } from "../bots/Evaluation.ts"
import type { Charge } from "../bots/EvaluationCreditsEvent.ts"
import type { Command } from "../ledger/Command.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Replayed {
  readonly bot: KeptBot
  /** The event that changed its row last. */
  readonly last: StoredEvent
}

/** What is wrong with a charge that a decision carries, or nothing. */
type ChargeCheck = (charge: Charge, at: number) => string | undefined

type Decision = Result.Result<ReadonlyArray<Command>, string>

const ACTS = { BotStarted: "start", BotPaused: "pause", BotResumed: "resume", BotTerminated: "terminate" } as const

/** Decides again what happened to bots, and every decision that a bot made. What was free for them is taken from the events. */
export class BotReplay implements FamilyReplay<BotEvent> {
  readonly #sink: RowSink
  readonly #wrongWith: ChargeCheck
  readonly #bots = new Map<string, Replayed>()
  /** What bots decided by themselves, as bot and order. */
  readonly #decided = new Set<string>()
  readonly #guards = new Map<string, { readonly event: BotGuardSet; readonly last: StoredEvent }>()

  constructor(sink: RowSink, wrongWith: ChargeCheck) {
    this.#sink = sink
    this.#wrongWith = wrongWith
  }

  decide(event: BotEvent, { data, stream }: StoredEvent): Decision {
    const expected = streamOf(event)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    if (event._tag === "BotGuardSet") return Result.succeed([])
    const state = this.#bots.get(event.botId)?.bot.state
    if (event._tag === "BotDecided") return this.#decideAgain(state, event)
    const again = decideAgain(state, event)
    return again !== undefined && encodeEvent(again.event) === data
      ? Result.succeed(again.commands)
      : Result.fail("is not what the engine decides")
  }

  evolve(event: BotEvent, stored: StoredEvent): void {
    if (event._tag === "BotGuardSet") {
      this.#guards.set(event.companyId, { event, last: stored })
      if (this.#sink.history) this.#sink.put(guardRow(event, stored.seq), stored)
      return
    }
    const before = this.#bots.get(event.botId)
    if (event._tag === "BotDecided") {
      if (!event.dryRun) this.#decided.add(`${event.botId}/${event.orderId}`)
      this.#sink.put(decisionRow(event, stored.seq), stored)
      if (before === undefined) return
      const { bot } = before
      this.#bots.set(event.botId, { ...before, bot: { ...bot, state: after(bot.state, event) } })
      return
    }
    const bot = keptAfter(before?.bot, event, stored.seq)
    this.#bots.set(event.botId, { bot, last: stored })
    if (this.#sink.history) for (const row of keptRows(bot)) this.#sink.put(row, stored)
    else if (bot.ended !== null) this.#sink.put(spanRow(bot.ended.span, bot.ended.until), stored)
  }

  finish(): void {
    for (const { bot, last } of this.#bots.values()) {
      if (this.#sink.history) continue
      for (const row of keptRows({ ...bot, ended: null })) this.#sink.put(row, last)
    }
    for (const { event, last } of this.#guards.values()) this.#sink.put(guardRow(event, last.seq), last)
  }

  #decideAgain(state: BotState | undefined, event: BotDecided): Decision {
    if (state === undefined) return Result.fail("is of a bot that was never made")
    const { status } = state.standing
    if (status === "terminated" || (status !== "active" && !event.dryRun))
      return Result.fail(`is of a bot that is ${status}`)
    if (!event.dryRun && this.#decided.has(`${event.botId}/${event.orderId}`)) {
      return Result.fail("was decided before for this order")
    }
    const otherwise = wrongModule(state, event)
    if (otherwise !== undefined) return Result.fail(otherwise)
    if (encodeEvent(evaluate(event.input)) !== encodeEvent(event.decision)) {
      return Result.fail("is not what its evaluation says")
    }
    const wrong = event.charge === null ? undefined : this.#wrongWith(event.charge, event.at)
    return wrong === undefined ? Result.succeed(botCommands(state.userId, event)) : Result.fail(wrong)
  }
}

/** What is wrong with who decided, or nothing: a bot with a module by that alone, within its own limits, and any other without. */
const wrongModule = ({ profile }: BotState, { dryRun, input }: BotDecided): string | undefined => {
  const { asked, strategy } = input
  if (asked?.module !== profile.strategyModule) {
    return `was decided by ${asked?.module ?? "the strategy"}, not by ${profile.strategyModule ?? "the strategy"}`
  }
  if (asked === undefined) return undefined
  if (dryRun) return "is of a module, which nobody asks"
  return encodeEvent(strategy) === encodeEvent(profile.strategy) ? undefined : "has other limits than its bot's"
}

/** What the engine would decide where the recorded event was; undefined for nothing. */
const decideAgain = (state: BotState | undefined, event: BotChange): Entry<BotLifeEvent> | undefined => {
  const { at, by } = event
  if (event._tag === "BotCreated") return state === undefined ? create(event, { at, by }) : undefined
  if (state === undefined) return undefined
  switch (event._tag) {
    case "BotChanged":
      return Result.getOrUndefined(change(state, event.profile, room(ZERO, event.allowance), { at, by }))
    case "BotFunded":
      return Result.getOrUndefined(fund(state, event.amount, { at, by }))
    case "BotWithdrawn":
      return Result.getOrUndefined(withdraw(state, event.amount, room(event.amount, event.allowance), { at, by }))
    case "BotReturned":
      return giveBack(state, room(event.amount, ZERO), at)
    case "BotSuspended":
      return suspended(state, event.cause, at, event.failure)
    case "BotStarted":
    case "BotPaused":
    case "BotResumed":
    case "BotTerminated": {
      const asked: BotAct = ACTS[event._tag]
      const free = event._tag === "BotTerminated" ? event.amount : ZERO
      return Result.getOrUndefined(move(state, asked, room(free, ZERO), false, { at, by }))
    }
  }
}

/** What must have been free for the event to be decided, and no more. */
const room = (collateral: Amount, moved: Amount) => ({
  collateral,
  allowance: moved < ZERO ? fromUnits(-moved) : ZERO,
  held: ZERO
})
