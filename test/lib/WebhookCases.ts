import fc from "fast-check"
import { Result } from "effect"
import { WANTED_EVENTS } from "../../engine/webhooks/WantedEvents.ts"
import { after, type WebhookState } from "../../engine/webhooks/Webhook.ts"
import {
  change,
  create,
  disableFailing,
  remove,
  rotate,
  type WebhookPatch
} from "../../engine/webhooks/WebhookDecision.ts"
import type { WebhookEvent } from "../../engine/webhooks/WebhookEvent.ts"

export const CREATED_AT = Date.UTC(2026, 0, 31, 12)

export const SETTINGS = { url: "https://example.com/hooks", events: ["order.created"], description: null }

/** What somebody, or the platform, may do to a webhook. */
type WebhookAct =
  | { readonly act: "change"; readonly patch: WebhookPatch }
  | { readonly act: "rotate" | "remove" | "fail" }

const anyEvents = fc.subarray([...WANTED_EVENTS], { minLength: 1 })
const anyUrl = fc.constantFrom("https://example.com/hooks", "https://example.com/other")
const anyDescription = fc.constantFrom(null, "Ours", 'Shop "A", {north}')
const anyStatus = fc.constantFrom("enabled" as const, "disabled" as const)

export const anySettings = fc.record({ url: anyUrl, events: anyEvents, description: anyDescription })

export const anyPatch: fc.Arbitrary<WebhookPatch> = fc.record(
  { url: anyUrl, events: anyEvents, description: anyDescription, status: anyStatus },
  { requiredKeys: [] }
)

export const anyAct: fc.Arbitrary<WebhookAct> = fc.oneof(
  { weight: 6, arbitrary: anyPatch.map((patch) => ({ act: "change" as const, patch })) },
  { weight: 2, arbitrary: fc.constant({ act: "rotate" as const }) },
  { weight: 2, arbitrary: fc.constant({ act: "fail" as const }) },
  { weight: 1, arbitrary: fc.constant({ act: "remove" as const }) }
)

/** A step a minute after the one before, by another user each time. */
const actedOn = (state: WebhookState, one: WebhookAct, turn: number): ReadonlyArray<WebhookEvent> => {
  const actor = { userId: `usr_${turn}`, at: CREATED_AT + turn * 60_000 }
  switch (one.act) {
    case "change":
      return Result.getOrElse(change(state, one.patch, actor), () => [])
    case "rotate":
      return [...Result.getOrElse(Result.map(rotate(state, actor), Array.of<WebhookEvent>), () => [])]
    case "remove":
      return [...Result.getOrElse(Result.map(remove(state, actor), Array.of<WebhookEvent>), () => [])]
    case "fail": {
      const event = disableFailing(state, state.countsFrom, actor.at)
      return event === undefined ? [] : [event]
    }
  }
}

/** The events of a webhook's life, and what it is after each of them. */
export const webhookCase = (
  acts: ReadonlyArray<WebhookAct>,
  settings: typeof SETTINGS | WebhookState["settings"] = SETTINGS
) => {
  const made = create({ companyId: "cmp_1", webhookId: "whk_1", settings }, { userId: "usr_0", at: CREATED_AT })
  const events: Array<WebhookEvent> = [made]
  const states: Array<WebhookState> = [after(undefined, made)]
  for (const [index, act] of acts.entries()) {
    for (const event of actedOn(states.at(-1) as WebhookState, act, index + 1)) {
      events.push(event)
      states.push(after(states.at(-1), event))
    }
  }
  return { events, states }
}
