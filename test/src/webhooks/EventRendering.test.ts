import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { WebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { recordedOf } from "../../../engine/replay/EventCodec.ts"
import { EventRendering } from "../../../src/webhooks/EventRendering.ts"
import { OutboxRepository } from "../../../src/webhooks/OutboxRepository.ts"
import { itEffect } from "../../lib/Effects.ts"

const act = { userId: "usr_1", companyId: "cmp_1", webhookId: "whk_1" }

const life: ReadonlyArray<WebhookEvent> = [
  {
    ...act,
    _tag: "WebhookCreated",
    at: 1_000,
    settings: { url: "https://a.example/", events: ["*"], description: null }
  },
  { ...act, _tag: "WebhookDisabled", at: 2_000, userId: null, cause: "failing", failingSince: 1_500 },
  { ...act, _tag: "WebhookEnabled", at: 3_000 },
  { ...act, _tag: "WebhookDisabled", at: 4_000, cause: "requested", failingSince: null }
]

const stored = life.map((event, index) => ({
  seq: 10 * (index + 1),
  stream: "webhook/whk_1",
  version: index + 1,
  type: event._tag,
  data: encodeEvent(event),
  hash: `${index}`.repeat(64)
}))

describe("EventRendering", () => {
  itEffect("tells of each event as it left things, by one reading of its stream", () =>
    Effect.gen(function* () {
      const asked: Array<readonly [ReadonlyArray<string>, number]> = []
      const repository = Layer.mock(OutboxRepository, {
        streams: (ids, until) =>
          Effect.sync(() => {
            asked.push([ids, until])
            return stored
          })
      })
      const { render } = yield* Effect.provide(EventRendering, Layer.provide(EventRendering.layer, repository))
      const rendered = yield* render(stored.map(recordedOf))
      expect(rendered.map(({ recorded }) => recorded.seq)).toEqual([10, 20, 30, 40])
      expect(rendered.map(({ messages }) => messages.map(({ type }) => type))).toEqual([
        [],
        ["webhook.disabled"],
        [],
        ["webhook.disabled"]
      ])
      const causes = rendered.flatMap(({ messages }) => messages.map((message) => message.object()))
      expect(causes).toMatchObject([{ disabled_cause: "failing" }, { disabled_cause: "requested" }])
      expect(asked).toEqual([[["webhook/whk_1"], 40]])
      expect(new Set(rendered.flatMap(({ messages }) => messages.map(({ id }) => id))).size).toBe(2)
    })
  )
})
