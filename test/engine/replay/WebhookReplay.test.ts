import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { STATE_COLUMNS, type StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { WebhookReplay } from "../../../engine/replay/WebhookReplay.ts"
import { webhookStream } from "../../../engine/webhooks/Webhook.ts"
import type { WebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { decodeWebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { runs } from "../../lib/Property.ts"
import { anyAct, CREATED_AT, webhookCase } from "../../lib/WebhookCases.ts"

const stored = (event: WebhookEvent, index: number): StoredEvent => ({
  seq: index + 10,
  stream: webhookStream(event.webhookId),
  version: index + 1,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const replaying = (history = false) => {
  const rows: Array<StateRow> = []
  const replay = new WebhookReplay({ history, put: (row) => rows.push(row) })
  const take = (one: StoredEvent) => {
    const event = decodeWebhookEvent(one.data)
    const decided = replay.decide(event, one)
    if (Result.isSuccess(decided)) replay.evolve(event, one)
    return decided
  }
  return { rows, replay, take }
}

describe("WebhookReplay", () => {
  it("decides every event again, and ends with one row of each webhook", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 12 }), (acts) => {
        const { events, states } = webhookCase(acts)
        const { replay, rows, take } = replaying()
        for (const one of events.map(stored)) expect(Result.getOrThrow(take(one))).toEqual([])
        replay.finish()
        const last = states.at(-1)
        expect(rows).toHaveLength(1)
        expect(rows[0]?.values).toHaveLength(STATE_COLUMNS.webhooks.length)
        expect(rows[0]?.values.slice(6, 7)).toEqual([last?.status as string])
        expect(rows[0]?.values.slice(-3, -1)).toEqual(["10", `${events.length + 9}`])
      }),
      { numRuns: runs() }
    )
  })

  it("puts the row of a disabled one, and each state where the history is wanted", () => {
    const { events } = webhookCase([
      { act: "change", patch: { description: "Ours", events: ["order.paid", "order.created"] } },
      { act: "rotate" },
      { act: "fail" }
    ])
    const { rows, take } = replaying(true)
    for (const one of events.map(stored)) take(one)
    expect(rows).toHaveLength(4)
    const at = (minutes: number) => `${CREATED_AT + minutes * 60_000}`
    expect(rows.at(-1)).toEqual({
      table: "webhooks",
      values: [
        "whk_1",
        "cmp_1",
        "usr_0",
        "https://example.com/hooks",
        "{order.created,order.paid}",
        "Ours",
        "disabled",
        "failing",
        at(3),
        "2",
        at(2 + 24 * 60),
        "{}",
        at(0),
        at(0),
        at(3),
        "10",
        "13",
        "{}"
      ]
    })
  })

  it("finds an event in another stream, and one that the engine would not decide", () => {
    const { events } = webhookCase([{ act: "rotate" }])
    const [created, rotated] = events.map(stored) as [StoredEvent, StoredEvent]
    expect(replaying().take({ ...created, stream: "webhook/whk_2" })).toEqual(
      Result.fail("belongs in the stream webhook/whk_1 and stands in another")
    )
    expect(replaying().take(rotated)).toEqual(Result.fail("is not what the engine decides"))
    const { take } = replaying()
    take(created)
    expect(take(created)).toEqual(Result.fail("is not what the engine decides"))
    const forged = { ...rotated, data: rotated.data.replace('"secretNumber":2', '"secretNumber":3') }
    expect(take(forged)).toEqual(Result.fail("is not what the engine decides"))
  })
})
