import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { HeardEvents, MAX_HEARD } from "../../../src/webhooks/HeardEvents.ts"
import { property } from "../../lib/Property.ts"

/** Every third event is needed. */
const event = (seq: number): Recorded<PlatformEvent> => ({
  seq,
  stream: "webhook/whk_1",
  version: seq,
  hash: "",
  event: {
    _tag: seq % 3 === 0 ? "WebhookDeleted" : "WebhookEnabled",
    at: seq,
    userId: "usr_1",
    companyId: "cmp_1",
    webhookId: "whk_1"
  }
})

const isNeeded = ({ _tag }: PlatformEvent): boolean => _tag === "WebhookDeleted"

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => event(from + index))

const steps = fc.array(
  fc.oneof(
    fc.record({ hear: fc.integer({ min: 1, max: 12 }), skip: fc.constantFrom(0, 0, 0, 0, 2) }),
    fc.record({ take: fc.integer({ min: 1, max: 5 }) })
  ),
  { maxLength: 40 }
)

describe("heard events", () => {
  it("are all that is needed after a place, in their order, or none where one may be missing", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const heard = new HeardEvents(isNeeded)
        let last = 0
        let position = 0
        const missed = new Set<number>()
        for (const step of list) {
          if ("hear" in step) {
            for (let seq = last + 1; seq <= last + step.skip; seq++) missed.add(seq)
            const events = range(last + step.skip + 1, step.hear)
            expect(heard.hear(events)).toBe(events.some((one) => isNeeded(one.event)))
            last += step.skip + step.hear
            continue
          }
          const stretch = heard.after(position, step.take)
          if (stretch === undefined) {
            expect(last === 0 || [...missed].some((seq) => seq > position)).toBe(true)
            // Read elsewhere.
            position = last
            continue
          }
          const needed = range(position + 1, stretch.to - position).filter((one) => isNeeded(one.event))
          expect(stretch.events).toEqual(needed)
          expect(stretch.events.length).toBeLessThanOrEqual(step.take)
          expect([...missed].filter((seq) => seq > position && seq <= stretch.to)).toEqual([])
          if (stretch.events.length < step.take) expect(stretch.to).toBe(last)
          position = stretch.to
        }
      }),
      property()
    )
  })

  it("are no more than a limit: beyond it they are read", () => {
    const heard = new HeardEvents(() => true)
    heard.hear(range(1, MAX_HEARD))
    expect(heard.after(0, 2)?.events.length).toBe(2)
    heard.hear(range(MAX_HEARD + 1, 1))
    expect(heard.after(0, 2)).toBeUndefined()
    expect(heard.after(MAX_HEARD, 2)).toEqual({ events: range(MAX_HEARD + 1, 1), to: MAX_HEARD + 1 })
  })
})
