import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Command } from "../ledger/Command.ts"
import { after, type WebhookState, webhookStream } from "../webhook/Webhook.ts"
import { decideAgain } from "../webhook/WebhookDecision.ts"
import type { WebhookEvent } from "../webhook/WebhookEvent.ts"
import { webhookRow } from "../webhook/WebhookRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Replayed {
  readonly state: WebhookState
  readonly createdSeq: number
  /** When it was enabled last. */
  readonly enabledAt: number
  readonly last: StoredEvent
}

/** Decides every act on every webhook again. */
export class WebhookReplay implements FamilyReplay<WebhookEvent> {
  readonly #sink: RowSink
  readonly #webhooks = new Map<string, Replayed>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: WebhookEvent, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = webhookStream(event.webhookId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const again = decideAgain(this.#webhooks.get(event.webhookId)?.state, event)
    return again !== undefined && encodeEvent(again) === data
      ? Result.succeed([])
      : Result.fail("is not what the engine decides")
  }

  evolve(event: WebhookEvent, stored: StoredEvent): void {
    const before = this.#webhooks.get(event.webhookId)
    const createdSeq = before?.createdSeq ?? stored.seq
    const isEnabled = event._tag === "WebhookCreated" || event._tag === "WebhookEnabled"
    const enabledAt = isEnabled ? event.at : (before?.enabledAt ?? event.at)
    const replayed = { state: after(before?.state, event), createdSeq, enabledAt, last: stored }
    this.#webhooks.set(event.webhookId, replayed)
    if (this.#sink.history) this.#put(replayed)
  }

  finish(): void {
    if (this.#sink.history) return
    for (const replayed of this.#webhooks.values()) this.#put(replayed)
  }

  #put({ createdSeq, enabledAt, last, state }: Replayed): void {
    this.#sink.put(webhookRow(state, { createdSeq, enabledAt, seq: last.seq }), last)
  }
}
