import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { ATTEMPT_DELAYS } from "../../../engine/webhook/DeliverySchedule.ts"
import { DeliveryScene } from "../../lib/DeliveryScene.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const LIMIT = 60_000

describe("DeliveryWatch", () => {
  itLive(
    "attempts 0, 5, 25, 120 and 600 s after the attempt before, and no more after the fifth",
    () =>
      Effect.gen(function* () {
        const scene = yield* DeliveryScene.make()
        const { world } = scene.server
        const user = yield* scene.server.user()
        const receiver = yield* webhookReceiver()
        receiver.answer(() => ({ status: 500, body: "no" }))
        const webhookId = yield* scene.webhook(user, receiver.url)
        yield* scene.happens(user, "Renamed")
        yield* scene.tell()
        for (const [index, delay] of ATTEMPT_DELAYS.entries()) {
          world.pass(Math.max(0, delay - 1))
          if (delay > 0) {
            yield* scene.round()
            expect(receiver.received.length).toBe(index)
            world.pass(1)
          }
          yield* scene.called()
          yield* scene.round()
          yield* scene.until(([first]) => first?.attempts === index + 1)
        }
        const [delivery] = yield* scene.deliveries()
        expect(delivery).toMatchObject({
          webhookId,
          type: "company.updated",
          status: "failed",
          attempts: 5,
          dueAt: null
        })
        expect(receiver.received.map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => delivery?.body ?? ""))
        expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      }),
    LIMIT
  )
})
