import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Command } from "../ledger/Command.ts"
import { webhookStream } from "../webhooks/Webhook.ts"
import { decideAgain } from "../webhooks/WebhookDecision.ts"
import type { WebhookEvent } from "../webhooks/WebhookEvent.ts"
import { recorded, type RecordedWebhook, webhookRow } from "../webhooks/WebhookRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Replayed {
  readonly webhook: RecordedWebhook
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
    const again = decideAgain(this.#webhooks.get(event.webhookId)?.webhook.state, event)
    return again !== undefined && encodeEvent(again) === data
      ? Result.succeed([])
      : Result.fail("is not what the engine decides")
  }

  evolve(event: WebhookEvent, stored: StoredEvent): void {
    const webhook = recorded(this.#webhooks.get(event.webhookId)?.webhook, event, stored.seq)
    const replayed = { webhook, last: stored }
    this.#webhooks.set(event.webhookId, replayed)
    if (this.#sink.history) this.#put(replayed)
  }

  finish(): void {
    if (this.#sink.history) return
    for (const replayed of this.#webhooks.values()) this.#put(replayed)
  }

  #put({ last, webhook }: Replayed): void {
    this.#sink.put(webhookRow(webhook.state, webhook.place), last)
  }
}
