import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { MOST_SIGNING } from "../../../engine/webhooks/SigningSecrets.ts"
import { after, previousSecrets, type WebhookState } from "../../../engine/webhooks/Webhook.ts"
import {
  afterAll,
  change,
  create,
  decideAgain,
  disableFailing,
  remove,
  rotate,
  WebhookGone,
  type WebhookPatch
} from "../../../engine/webhooks/WebhookDecision.ts"
import type { WebhookChanged, WebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { runs } from "../../lib/Property.ts"
import { anyAct, anyPatch, anySettings, CREATED_AT, SETTINGS, webhookCase } from "../../lib/WebhookCases.ts"

const HOUR = 3_600_000
const later = { userId: "usr_9", at: CREATED_AT + HOUR }

const made = (settings = SETTINGS): WebhookState =>
  after(undefined, create({ companyId: "cmp_1", webhookId: "whk_1", settings }, { userId: "usr_0", at: CREATED_AT }))

const changedBy = (state: WebhookState, patch: WebhookPatch) => Result.getOrThrow(change(state, patch, later))

const deleted = (): WebhookState => after(made(), Result.getOrThrow(remove(made(), later)))

describe("Changing a webhook", () => {
  it("changes what is named, leaves the rest, and is nothing where it names what is so already", () => {
    const state = made({ ...SETTINGS, description: "Ours" } as never)
    expect(changedBy(state, {})).toEqual([])
    expect(
      changedBy(state, { url: SETTINGS.url, events: ["order.created", "order.created"], status: "enabled" })
    ).toEqual([])
    expect(changedBy(state, { description: null })).toMatchObject([
      { _tag: "WebhookChanged", userId: "usr_9", at: later.at, settings: { ...SETTINGS, description: null } }
    ])
    expect(changedBy(state, { events: ["order.paid", "*"], status: "disabled" })).toMatchObject([
      { _tag: "WebhookChanged", settings: { url: SETTINGS.url, events: ["*"], description: "Ours" } },
      { _tag: "WebhookDisabled", cause: "requested", userId: "usr_9", failingSince: null }
    ])
  })

  it("leaves what was asked for, and asking again changes nothing", () => {
    fc.assert(
      fc.property(anySettings, anyPatch, (settings, patch) => {
        const before = made(settings as typeof SETTINGS)
        const state = afterAll(before, changedBy(before, patch))
        expect(state.settings.url).toBe(patch.url ?? before.settings.url)
        expect(state.status).toBe(patch.status ?? "enabled")
        expect(changedBy(state, patch)).toEqual([])
      }),
      { numRuns: runs() }
    )
  })

  it("enables one that failed, and disables nothing twice", () => {
    const failing = disableFailing(made(), CREATED_AT + 1, later.at)
    expect(failing).toMatchObject({ cause: "failing", userId: null, failingSince: CREATED_AT + 1 })
    const state = after(made(), failing as never)
    expect(state.disabled).toEqual({ cause: "failing", at: later.at })
    expect(disableFailing(state, CREATED_AT, later.at)).toBeUndefined()
    expect(changedBy(state, { status: "disabled" })).toEqual([])
    expect(changedBy(state, { status: "enabled" })).toMatchObject([{ _tag: "WebhookEnabled", userId: "usr_9" }])
  })
})

describe("A webhook that gets another URL", () => {
  const URL = "https://example.com/other"

  it("begins anew: what failed before disables it no more", () => {
    const [moved] = changedBy(made(), { url: URL })
    expect(moved).toMatchObject({ _tag: "WebhookChanged", isMoved: true })
    const state = after(made(), moved as WebhookEvent)
    expect(state.countsFrom).toBe(later.at)
    expect(disableFailing(state, later.at - 1, later.at + HOUR)).toBeUndefined()
    expect(disableFailing(state, later.at, later.at + HOUR)).toMatchObject({ failingSince: later.at })
  })

  it("goes on where anything else changes", () => {
    const [changed] = changedBy(made(), { url: SETTINGS.url, events: ["*"] })
    expect(changed).not.toHaveProperty("isMoved")
    expect(after(made(), changed as WebhookEvent).countsFrom).toBe(CREATED_AT)
  })

  it("is what it was where that was recorded before", () => {
    const [moved] = changedBy(made(), { url: URL })
    const { isMoved: _moved, ...recorded } = moved as WebhookChanged
    const state = after(made(), recorded)
    expect(decideAgain(made(), recorded)).toEqual(recorded)
    expect(state.countsFrom).toBe(CREATED_AT)
    const failing = disableFailing(state, CREATED_AT, later.at)
    expect(failing).toMatchObject({ cause: "failing" })
    expect(decideAgain(state, failing as WebhookEvent)).toEqual(failing as WebhookEvent)
  })

  it("is disabled by what was recorded, though the attempts failed before it was enabled", () => {
    const state = { ...made(), countsFrom: later.at }
    const failing = disableFailing({ ...state, countsFrom: 0 }, CREATED_AT, later.at)
    expect(decideAgain(state, failing as WebhookEvent)).toEqual(failing as WebhookEvent)
  })
})

describe("Rotating", () => {
  it("lets the secret before sign for 24 hours more", () => {
    const once = after(made(), Result.getOrThrow(rotate(made(), later)))
    expect(once).toMatchObject({ secretNumber: 2, previousUntil: later.at + 24 * HOUR })
    const twice = after(once, Result.getOrThrow(rotate(once, { ...later, at: later.at + 1 })))
    expect(twice).toMatchObject({ secretNumber: 3, previousUntil: later.at + 1 + 24 * HOUR })
    expect(previousSecrets(twice, later.at + 24 * HOUR - 1)).toEqual([
      { number: 2, until: later.at + 1 + 24 * HOUR },
      { number: 1, until: later.at + 24 * HOUR }
    ])
    expect(previousSecrets(twice, later.at + 24 * HOUR)).toEqual([{ number: 2, until: later.at + 1 + 24 * HOUR }])
    const next = after(twice, Result.getOrThrow(rotate(twice, { ...later, at: later.at + 24 * HOUR })))
    expect(next).toMatchObject({ secretNumber: 4, earlierUntil: [later.at + 1 + 24 * HOUR] })
  })

  it("is refused while as many sign as can, until the oldest ends", () => {
    const rotatedAt = (state: WebhookState, at: number) =>
      Result.map(rotate(state, { ...later, at }), (e) => after(state, e))
    let state = made()
    for (let turn = 0; turn < MOST_SIGNING - 1; turn++) state = Result.getOrThrow(rotatedAt(state, later.at + turn))
    const until = later.at + 24 * HOUR
    expect(previousSecrets(state, until - 1)).toHaveLength(MOST_SIGNING - 1)
    const refused = Result.getOrThrow(Result.flip(rotatedAt(state, until - 1)))
    expect(refused).toMatchObject({ code: "conflict", until })
    expect(refused.message).toBe(
      `5 secrets of the webhook sign, the most there can be: rotate again after ${new Date(until).toISOString()}.`
    )
    const after24Hours = Result.getOrThrow(rotatedAt(state, until))
    expect(previousSecrets(after24Hours, until)).toHaveLength(MOST_SIGNING - 1)
  })

  it("names the secrets by their places where a clock stepped back", () => {
    const once = after(made(), Result.getOrThrow(rotate(made(), later)))
    const twice = after(once, Result.getOrThrow(rotate(once, { ...later, at: later.at - 10 })))
    expect(previousSecrets(twice, later.at - 5 + 24 * HOUR)).toEqual([
      { number: 2, until: later.at - 10 + 24 * HOUR },
      { number: 1, until: later.at + 24 * HOUR }
    ])
  })
})

describe("A deleted webhook", () => {
  it("takes nothing more", () => {
    const state = deleted()
    const gone = Result.fail(new WebhookGone({ webhookId: "whk_1" }))
    expect(change(state, { status: "enabled" }, later)).toEqual(gone)
    expect(rotate(state, later)).toEqual(gone)
    expect(remove(state, later)).toEqual(gone)
    expect(disableFailing(state, CREATED_AT, later.at)).toBeUndefined()
  })
})

describe("Deciding again", () => {
  it("comes to each event that was decided", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 12 }), (acts) => {
        const { events, states } = webhookCase(acts)
        for (const [index, event] of events.entries()) expect(decideAgain(states[index - 1], event)).toEqual(event)
      }),
      { numRuns: runs() }
    )
  })

  it("comes to another one where the event is not what was decided", () => {
    const { events, states } = webhookCase([{ act: "rotate" }, { act: "change", patch: { status: "disabled" } }])
    const [created, rotation, disabling] = events
    if (rotation?._tag !== "WebhookSecretRotated" || disabling?._tag !== "WebhookDisabled")
      throw new Error("no webhookCase")
    expect(decideAgain(states[0], created as never)).toBeUndefined()
    expect(decideAgain(undefined, rotation)).toBeUndefined()
    expect(decideAgain(states[0], { ...rotation, companyId: "cmp_2" })).toBeUndefined()
    expect(decideAgain(states[0], { ...rotation, previousUntil: 0 })).not.toEqual({ ...rotation, previousUntil: 0 })
    expect(decideAgain(states[2], disabling)).toBeUndefined()
  })

  it("comes to what was recorded when a rotation ended all secrets but the one before", () => {
    const { earlierUntil: _none, ...once } = Result.getOrThrow(rotate(made(), later))
    let state = after(made(), once)
    for (let turn = 1; turn <= MOST_SIGNING; turn++) {
      const { earlierUntil: _ended, ...again } = Result.getOrThrow(
        rotate({ ...state, earlierUntil: [] }, { ...later, at: later.at + turn })
      )
      expect(decideAgain(state, again)).toEqual(again)
      state = after(state, again)
    }
    expect(previousSecrets(state, later.at)).toHaveLength(1)
  })
})
