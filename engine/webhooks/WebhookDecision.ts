/** Decides on webhooks: creating, changing, disabling and deleting them. */

import { Data, Result } from "effect"
import { type Metadata, metadataText } from "../metadata/Metadata.ts"
import { refusal } from "../wire/Refusal.ts"
import { timeText } from "../wire/WireValue.ts"
import { MOST_SIGNING, ROTATION_OVERLAP } from "./SigningSecrets.ts"
import { wantedEvents } from "./WantedEvents.ts"
import { after, previousSecrets, type WebhookState } from "./Webhook.ts"
import type {
  DisabledCause,
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookDisabled,
  WebhookEnabled,
  WebhookEvent,
  WebhookSecretRotated,
  WebhookSettings
} from "./WebhookEvent.ts"

/** Webhooks that a company can have at a time. */
export const MOST_WEBHOOKS = 100

/** Who acts, and when. */
export interface WebhookActor {
  readonly userId: string
  readonly at: number
}

/** What is to change; what is left out stays. */
export interface WebhookPatch {
  readonly url?: string
  readonly events?: ReadonlyArray<string>
  /** Null takes it away. */
  readonly description?: string | null
  /** All of it as it is to be. */
  readonly metadata?: Metadata
  readonly status?: "enabled" | "disabled"
}

/** not_found: the webhook was deleted. */
export class WebhookGone extends Data.TaggedError("WebhookGone")<{ readonly webhookId: string }> {}

/** As many secrets sign as can, the oldest until a time. */
export class TooManySecrets extends refusal(
  "TooManySecrets",
  "conflict",
  ({ until }: { readonly until: number }) =>
    `${MOST_SIGNING} secrets of the webhook sign, the most there can be: rotate again after ${timeText(until)}.`
) {}

/** A company asks to be told of its events. */
export const create = (
  { companyId, settings, webhookId }: Pick<WebhookCreated, "companyId" | "settings" | "webhookId">,
  { at, userId }: WebhookActor
): WebhookCreated => ({
  _tag: "WebhookCreated",
  at,
  userId,
  companyId,
  webhookId,
  settings: {
    url: settings.url,
    events: wantedEvents(settings.events),
    description: settings.description,
    ...(settings.metadata === undefined ? {} : { metadata: settings.metadata })
  }
})

/** Changes settings, and turns it on or off: what that is in events, none where it changes nothing. */
export const change = (
  state: WebhookState,
  patch: WebhookPatch,
  actor: WebhookActor
): Result.Result<ReadonlyArray<WebhookEvent>, WebhookGone> =>
  Result.map(living(state), () => {
    const events: Array<WebhookEvent> = []
    const settings = changed(state.settings, patch)
    if (!isSame(settings, state.settings)) events.push(settingsChanged(state, settings, actor))
    if (patch.status === "enabled" && state.status === "disabled") events.push(enabled(state, actor))
    if (patch.status === "disabled" && state.status === "enabled") {
      events.push(disabled(state, "requested", null, actor.userId, actor.at))
    }
    return events
  })

/** Puts another secret in use; each before it signs beside it until its own time is over. */
export const rotate = (
  state: WebhookState,
  { at, userId }: WebhookActor
): Result.Result<WebhookSecretRotated, WebhookGone | TooManySecrets> =>
  Result.flatMap(living(state), () => {
    const earlierUntil = previousSecrets(state, at).map(({ until }) => until)
    const [oldest] = earlierUntil.slice(-1)
    if (oldest !== undefined && earlierUntil.length + 1 >= MOST_SIGNING) {
      return Result.fail(new TooManySecrets({ until: oldest }))
    }
    return Result.succeed({
      _tag: "WebhookSecretRotated",
      ...act(state, userId, at),
      secretNumber: state.secretNumber + 1,
      previousUntil: at + ROTATION_OVERLAP,
      earlierUntil
    })
  })

/** Deletes it for good. */
export const remove = (state: WebhookState, { at, userId }: WebhookActor): Result.Result<WebhookDeleted, WebhookGone> =>
  Result.map(living(state), () => ({ _tag: "WebhookDeleted", ...act(state, userId, at) }))

/**
 * Disables one that has failed for too long; undefined where it is not enabled any more, or began anew since: an attempt
 * may end after that.
 */
export const disableFailing = (state: WebhookState, failingSince: number, at: number): WebhookDisabled | undefined =>
  failingSince >= state.countsFrom ? failed(state, failingSince, at) : undefined

/**
 * The events that the engine would decide where the recorded one was, which is one of them; none where it would refuse.
 * Whether it was asked for is taken from the event.
 */
export const decideAgain = (state: WebhookState | undefined, event: WebhookEvent): WebhookEvent | undefined => {
  if (event._tag === "WebhookCreated") return state === undefined ? create(event, event) : undefined
  if (state === undefined || event.companyId !== state.companyId) return undefined
  switch (event._tag) {
    case "WebhookChanged":
      return changedAgain(state, event)
    case "WebhookEnabled":
      return only(change(state, { status: "enabled" }, event))
    case "WebhookDisabled":
      return event.userId === null
        ? failed(state, event.failingSince ?? event.at, event.at)
        : only(change(state, { status: "disabled" }, { userId: event.userId, at: event.at }))
    case "WebhookSecretRotated":
      return rotatedAgain(state, event)
    case "WebhookDeleted":
      return Result.getOrUndefined(remove(state, event))
  }
}

/** An event that does not say that the URL is another one let failures go on counting. */
const changedAgain = (state: WebhookState, event: WebhookChanged): WebhookEvent | undefined => {
  const decided = only(change(state, event.settings, event))
  if (decided?._tag !== "WebhookChanged" || event.isMoved !== undefined) return decided
  const { isMoved: _moved, ...rest } = decided
  return rest
}

/** An event that does not say until when earlier secrets sign ended them. */
const rotatedAgain = (state: WebhookState, event: WebhookSecretRotated): WebhookSecretRotated | undefined => {
  if (event.earlierUntil !== undefined) return Result.getOrUndefined(rotate(state, event))
  const decided = Result.getOrUndefined(rotate({ ...state, earlierUntil: [] }, event))
  if (decided === undefined) return undefined
  const { earlierUntil: _ended, ...rotation } = decided
  return rotation
}

/** What a webhook is after several events. */
export const afterAll = (state: WebhookState, events: ReadonlyArray<WebhookEvent>): WebhookState =>
  events.reduce(after, state)

const only = (events: Result.Result<ReadonlyArray<WebhookEvent>, WebhookGone>): WebhookEvent | undefined =>
  Result.getOrUndefined(events)?.[0]

const living = (state: WebhookState): Result.Result<WebhookState, WebhookGone> =>
  state.status === "deleted" ? Result.fail(new WebhookGone({ webhookId: state.webhookId })) : Result.succeed(state)

/** What every event says, in the order in which it is recorded. */
const act = <User extends string | null>({ companyId, webhookId }: WebhookState, userId: User, at: number) => ({
  at,
  userId,
  companyId,
  webhookId
})

const changed = (settings: WebhookSettings, { description, events, metadata, url }: WebhookPatch): WebhookSettings => ({
  ...settings,
  url: url ?? settings.url,
  events: events === undefined ? settings.events : wantedEvents(events),
  description: description === undefined ? settings.description : description,
  ...(metadata === undefined ? {} : { metadata })
})

const isSame = (one: WebhookSettings, other: WebhookSettings): boolean =>
  one.url === other.url &&
  one.description === other.description &&
  one.events.join() === other.events.join() &&
  metadataText(one.metadata) === metadataText(other.metadata)

const settingsChanged = (
  state: WebhookState,
  settings: WebhookSettings,
  { at, userId }: WebhookActor
): WebhookChanged => ({
  _tag: "WebhookChanged",
  ...act(state, userId, at),
  settings,
  ...(settings.url !== state.settings.url && { isMoved: true })
})

const enabled = (state: WebhookState, { at, userId }: WebhookActor): WebhookEnabled => ({
  _tag: "WebhookEnabled",
  ...act(state, userId, at)
})

const failed = (state: WebhookState, failingSince: number, at: number): WebhookDisabled | undefined =>
  state.status === "enabled" ? disabled(state, "failing", failingSince, null, at) : undefined

const disabled = (
  state: WebhookState,
  cause: DisabledCause,
  failingSince: number | null,
  userId: string | null,
  at: number
): WebhookDisabled => ({ _tag: "WebhookDisabled", ...act(state, userId, at), cause, failingSince })
