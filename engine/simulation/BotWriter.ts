import { Clock, Effect, Result } from "effect"
import {
  type Entry,
  type Idempotency,
  type Journal,
  type JournalUnavailable,
  type Premise,
  StaleVersion
} from "../actor/Journal.ts"
import type { BotLifeEvent, BotState } from "../bot/Bot.ts"
import { botStream } from "../bot/BotEvent.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { MemoryJournal } from "./MemoryJournal.ts"
import type { SimulatedEvent } from "./SimulatedArena.ts"

/** How often something is decided anew while others come first. */
const MAX_ATTEMPTS = 64

export type WriteFailure = StaleVersion | JournalUnavailable

/** What is decided about a bot as it is then; undefined where there is nothing to do. */
export type Decide = (
  state: BotState,
  at: number
) => Result.Result<Entry<BotLifeEvent> | undefined, { readonly _tag: string }>

export interface BotWriterParts {
  /** What was written. */
  readonly journal: Pick<MemoryJournal<SimulatedEvent>, "answers">
  /** Where it is written. */
  readonly writes: Journal<SimulatedEvent>
  readonly projection: BotProjection
}

/** Writes what is decided about bots, as the server does. */
export class BotWriter {
  readonly #parts: BotWriterParts

  constructor(parts: BotWriterParts) {
    this.#parts = parts
  }

  /**
   * Decides on what a bot is now, and writes it; decides anew where somebody else wrote first. Answers in a word. Fails
   * where another stream that it was decided on is not what it was.
   */
  written(
    botId: string,
    decide: Decide,
    on: { readonly idempotency?: Idempotency | undefined; readonly premises?: ReadonlyArray<Premise> } = {},
    left = MAX_ATTEMPTS
  ): Effect.Effect<string, WriteFailure> {
    return this.#attempt(botId, decide, on).pipe(
      Effect.catch((error) =>
        error instanceof StaleVersion && error.stream === botStream(botId) && left > 1
          ? this.written(botId, decide, on, left - 1)
          : Effect.fail(error)
      )
    )
  }

  readonly #attempt = Effect.fnUntraced(function* (
    this: BotWriter,
    botId: string,
    decide: Decide,
    { idempotency, premises = [] }: NonNullable<Parameters<BotWriter["written"]>[2]>
  ): Effect.fn.Return<string, WriteFailure> {
    const { journal, projection, writes } = this.#parts
    // What was written under a key is not written again, whoever waited for it.
    if (idempotency !== undefined && journal.answers.has(idempotency.key)) return "Replayed"
    const state = projection.bots.get(botId)
    if (state === undefined) return "BotNotFound"
    const decided = decide(state, yield* Clock.currentTimeMillis)
    if (Result.isFailure(decided)) return decided.failure._tag
    if (decided.success === undefined) return "AlreadyThere"
    const { version } = state
    const entries = [{ ...decided.success, idempotency }]
    const [outcome] = yield* writes.append({ stream: botStream(botId), version, premises, entries })
    if (outcome?._tag === "Refused") return outcome.error._tag
    return decided.success.event._tag
  })
}
