import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { tell } from "../../../engine/webhooks/FanOut.ts"
import type { WebhookMessage } from "../../../engine/webhooks/WebhookMessage.ts"
import { WebhookRegistry } from "../../../engine/webhooks/WebhookRegistry.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { property } from "../../lib/Property.ts"

/** `cmp_1` manages `cmp_2`. */
const managerOf = (companyId: string): string | null => (companyId === "cmp_2" ? "cmp_1" : null)

const companies = fc.constantFrom("cmp_1", "cmp_2", "cmp_3")

type Step = { readonly create: string } | { readonly tell: string }

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    companies.map((create) => ({ create })),
    companies.map((told) => ({ tell: told }))
  ),
  { maxLength: 30 }
)

const acted = (webhookId: string, companyId: string) => ({ at: 0, userId: "usr_1", companyId, webhookId })

const message = (id: string, companyId: string): WebhookMessage => ({
  id,
  type: "order.paid",
  companyId,
  createdAt: 0,
  object: () => {
    throw new Error("nobody reads")
  }
})

const renderedOf = (list: ReadonlyArray<Step>) =>
  list.map((step, index) => {
    const [seq, id] = [index + 1, `${index}`]
    if ("tell" in step) {
      const event: PlatformEvent = {
        ...acted("whk_other", step.tell),
        _tag: "WebhookSecretRotated",
        secretNumber: 2,
        previousUntil: 0
      }
      return { recorded: { seq, event }, messages: [message(`evt_${id}`, step.tell)] }
    }
    const settings = { url: "https://a.example", events: ["*"], description: null }
    const event: PlatformEvent = { ...acted(`whk_${id}`, step.create), _tag: "WebhookCreated", settings }
    return { recorded: { seq, event }, messages: [] }
  })

/** The webhooks that were created before a step by the companies that hear it. */
const naive = (list: ReadonlyArray<Step>) =>
  list.flatMap((step, index) => {
    if (!("tell" in step)) return []
    const hearing = list.slice(0, index).flatMap((before, place) => {
      const isHeard = "create" in before && (before.create === step.tell || before.create === managerOf(step.tell))
      return isHeard ? [`whk_${place}`] : []
    })
    return hearing.length === 0 ? [] : [{ seq: index + 1, id: `evt_${index}`, hearing }]
  })

const found = (fanOut: ReturnType<typeof tell>) =>
  fanOut.told.map(({ hearers, message: { id }, seq }) => ({
    seq,
    id,
    hearing: hearers.map(({ webhookId }) => webhookId).toSorted()
  }))

describe("fanOut", () => {
  it("reaches exactly the webhooks that were there before, of the company and its manager", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const fanOut = tell(new WebhookRegistry(), renderedOf(list), managerOf, 1_000)
        expect(found(fanOut)).toEqual(naive(list).map((one) => ({ ...one, hearing: one.hearing.toSorted() })))
        expect(fanOut.to).toBe(list.length === 0 ? undefined : list.length)
      }),
      property()
    )
  })

  it("comes to the same in parts, each of which ends with the event that fills it", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (list, limit) => {
        const events = renderedOf(list)
        const whole = tell(new WebhookRegistry(), events, managerOf, Number.POSITIVE_INFINITY)
        const registry = new WebhookRegistry()
        const parts: Array<ReturnType<typeof tell>> = []
        for (let at = 0; at < events.length; at = parts.at(-1)?.to ?? events.length) {
          parts.push(tell(registry, events.slice(at), managerOf, limit))
        }
        expect(parts.flatMap(found)).toEqual(found(whole))
        for (const { told } of parts.slice(0, -1)) {
          const last = told.at(-1)?.hearers.length ?? 0
          const all = told.reduce((sum, { hearers }) => sum + hearers.length, 0)
          expect(all >= limit && all - last < limit).toBe(true)
        }
      }),
      property()
    )
  })
})
