import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { ATTEMPT_DELAYS } from "../../../engine/webhooks/DeliverySchedule.ts"
import { meetsTheTable } from "../../lib/DeliverySchedules.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const LIMIT = 60_000

/** Of the thousand of the long suite. */
const SCHEDULES = 20

describe("DeliveryDispatcher", () => {
  it(`keeps each delivery's own due time in ${SCHEDULES} schedules`, () => meetsTheTable(SCHEDULES), LIMIT)

  itLive(
    "attempts 0, 5, 25, 120 and 600 s after the attempt before, and no more after the fifth",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { world } = fixture.server
        const user = yield* fixture.server.user()
        const receiver = yield* webhookReceiver()
        receiver.answer(() => ({ status: 500, body: "no" }))
        const webhookId = yield* fixture.webhook(user, receiver.url)
        yield* fixture.happens(user, "Renamed")
        yield* fixture.tell()
        for (const [index, delay] of ATTEMPT_DELAYS.entries()) {
          world.pass(Math.max(0, delay - 1))
          if (delay > 0) {
            yield* fixture.round()
            expect(receiver.received.length).toBe(index)
            world.pass(1)
          }
          yield* fixture.called()
          yield* fixture.round()
          yield* fixture.until(([first]) => first?.attempts === index + 1)
        }
        const [delivery] = yield* fixture.deliveries()
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

  itLive(
    "keeps a time for each of two deliveries to one endpoint",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { world } = fixture.server
        const user = yield* fixture.server.user()
        const receiver = yield* webhookReceiver()
        const nameOf = (body: string): string => JSON.parse(body).data.object.name
        const sent = () => receiver.received.map(({ body }) => nameOf(body))
        receiver.answer(({ body }) => {
          const isMended = nameOf(body) === "B" && sent().filter((name) => name === "B").length > 1
          return { status: isMended ? 200 : 500 }
        })
        yield* fixture.webhook(user, receiver.url)
        const attempts = (...made: ReadonlyArray<number>) =>
          fixture.until((all) => all.map((one) => one.attempts).join() === made.join())
        for (const [index, name] of ["A", "B"].entries()) {
          yield* fixture.happens(user, name)
          yield* fixture.tell()
          yield* fixture.round()
          yield* attempts(1, ...(index === 0 ? [] : [1]))
          world.pass(1_000)
        }
        world.pass(3_000)
        yield* fixture.called()
        yield* fixture.round()
        yield* attempts(2, 1)
        world.pass(1_000)
        yield* fixture.called()
        yield* fixture.round()
        yield* attempts(2, 2)
        world.pass(24_000)
        yield* fixture.called()
        yield* fixture.round()
        yield* attempts(3, 2)
        world.pass(120_000)
        yield* fixture.called()
        yield* fixture.round()
        yield* attempts(4, 2)
        expect(sent()).toEqual(["A", "B", "A", "B", "A", "A"])
      }),
    LIMIT
  )
})
