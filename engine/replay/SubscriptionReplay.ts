import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Command } from "../ledger/Command.ts"
import { after, type SubscriptionState, subscriptionStream } from "../subscriptions/Subscription.ts"
import { cancel, create, dueStep, failed, renew } from "../subscriptions/SubscriptionDecision.ts"
import type { SubscriptionEvent } from "../subscriptions/SubscriptionEvent.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"
import { historyRow, subscriptionRow } from "../subscriptions/SubscriptionRows.ts"

interface Replayed {
  readonly state: SubscriptionState
  readonly last: StoredEvent
}

/** Decides every step of every subscription again. One that has ended is put away. */
export class SubscriptionReplay implements FamilyReplay<SubscriptionEvent> {
  readonly #sink: RowSink
  readonly #live = new Map<string, Replayed>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** Decides the event again: its commands to the ledger, or what is wrong with it. */
  decide(event: SubscriptionEvent, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = subscriptionStream(event.subscriptionId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const state = this.#live.get(event.subscriptionId)?.state
    const again = decideAgain(state, event)
    return again !== undefined && encodeEvent(again.event) === data
      ? Result.succeed(again.commands)
      : Result.fail("is not what the engine decides")
  }

  /** Applies an event that was decided again: puts its part of the history. */
  evolve(event: SubscriptionEvent, stored: StoredEvent): void {
    const { subscriptionId } = event
    const state = after(this.#live.get(subscriptionId)?.state, event)
    this.#live.set(subscriptionId, { state, last: stored })
    this.#sink.put(historyRow(event, stored.seq), stored)
    if (this.#sink.history || state.nextAt === null) this.#sink.put(subscriptionRow(state, stored.seq), stored)
    if (state.nextAt === null) this.#live.delete(subscriptionId)
  }

  /** Puts what goes on. */
  finish(): void {
    if (this.#sink.history) return
    for (const { last, state } of this.#live.values()) this.#sink.put(subscriptionRow(state, last.seq), last)
  }
}

/** The entry that the engine would decide where the recorded event was; undefined for none. */
const decideAgain = (
  state: SubscriptionState | undefined,
  event: SubscriptionEvent
): Entry<SubscriptionEvent> | undefined => {
  const { at, userId } = event
  if (event._tag === "SubscriptionCreated") {
    return state === undefined ? Result.getOrUndefined(create(event.terms, at)) : undefined
  }
  if (state === undefined) return undefined
  const { buyer } = state.terms
  if (event._tag === "SubscriptionPaymentFailed") {
    return dueStep(state, at)?.event._tag === "SubscriptionRenewed" ? failed(state, event.reason, at) : undefined
  }
  if (userId === null) return dueStep(state, at)
  const actor = { userId, companyId: buyer.companyId, at }
  return Result.getOrUndefined<Entry<SubscriptionEvent>, unknown>(
    event._tag === "SubscriptionRenewed"
      ? renew(state, actor)
      : cancel(state, event._tag === "SubscriptionEndSet", actor)
  )
}
