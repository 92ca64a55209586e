import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { exampleOf } from "../../engine/webhooks/WebhookExample.ts"
import type { WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import { bodyOf } from "../../engine/webhooks/WebhookMessage.ts"
import * as Identifier from "../../src/Identifier.ts"
import type { TestServer } from "./TestServer.ts"

/** What a webhook can be made with. */
export const NEW_WEBHOOK = { url: "https://example.com/hooks", events: ["order.created", "order.paid"] } as const

/** An attempt as it may have been. */
interface AttemptFacts {
  readonly status: number | null
  readonly error?: string
  readonly answer?: string
  readonly url?: string
}

/** A delivery as it may stand. */
export interface DeliveryFacts {
  readonly status: "pending" | "held" | "delivered" | "failed"
  readonly type?: WebhookEventType
  /** Those of its only round. */
  readonly attempts?: ReadonlyArray<AttemptFacts>
  /** When its state changed last, in milliseconds since 1970; now without it. */
  readonly at?: number
}

const FAILED: ReadonlyArray<AttemptFacts> = [{ status: 500, answer: "no" }]

/** Puts a delivery of an example where deliveries are kept, without sending anything; answers its id. */
export const makeDelivery = (
  server: TestServer,
  companyId: string,
  webhookId: string,
  { at = server.world.now, attempts = FAILED, status, type = "order.paid" }: DeliveryFacts
): Effect.Effect<string> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const eventId = yield* Identifier.make("evt")
      const name = eventId.slice(4)
      const [id, now] = [`whd_${name}`, BigInt(at)]
      const company = `${companyId}/${name}`
      yield* sql`
        INSERT INTO webhook_events (id, seq, type, company_id, created_at, body)
        SELECT ${eventId}, max(seq), ${type}, ${company}, ${now}, ${bodyOf(exampleOf(type, eventId))} FROM events`
      const dueAt = status === "pending" ? now : null
      yield* sql`
        INSERT INTO webhook_deliveries (id, webhook_id, company_id, event_id, event_seq, status, attempts, round, due_at,
          created_at, updated_at)
        SELECT ${id}, ${webhookId}, ${companyId}, ${eventId}, seq, ${status}, ${attempts.length}, 1, ${dueAt}, ${now},
          ${now}
        FROM webhook_events WHERE id = ${eventId}`
      for (const [index, attempt] of attempts.entries()) {
        const { url = NEW_WEBHOOK.url } = attempt
        const error = attempt.status === null ? (attempt.error ?? "no answer within 5 s") : null
        yield* sql`
          INSERT INTO webhook_attempts (delivery_id, round, n, started_at, duration_ms, url, headers, status, error,
            answer)
          VALUES (${id}, 1, ${index + 1}, ${now + BigInt(index)}, 12, ${url},
            '{"content-type":"application/json"}', ${attempt.status}, ${error}, ${attempt.answer ?? null})`
      }
      return id
    })
  )
