import type { DisabledCause, WebhookEvent, WebhookSettings } from "./WebhookEvent.ts"

/** `deleted` is final. */
export const WEBHOOK_STATUSES = ["enabled", "disabled", "deleted"] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** A webhook as its events make it. Times are milliseconds since 1970. */
export interface WebhookState {
  readonly webhookId: string
  /** Whose events it gets. */
  readonly companyId: string
  readonly createdBy: string
  readonly settings: WebhookSettings
  readonly status: WebhookStatus
  /** Why and since when it is disabled; null while it is not. */
  readonly disabled: { readonly cause: DisabledCause; readonly at: number } | null
  /** Which of its secrets signs: 1 for the first, one more with each rotation. */
  readonly secretNumber: number
  /** Until when the secret before signs as well; null before the first rotation. */
  readonly previousUntil: number | null
  /** Until when those before that one sign as well, the newest first. */
  readonly earlierUntil: ReadonlyArray<number>
  readonly createdAt: number
  /** Since when its failures count: when it was made, enabled or moved to another URL last. */
  readonly countsFrom: number
  readonly updatedAt: number
  /** The number of events recorded. */
  readonly version: number
}

/** The stream of a webhook's events. */
export const webhookStream = (webhookId: string): string => `webhook/${webhookId}`

/** The secrets before the present one that sign at a time, the newest first, and until when. */
export const previousSecrets = (
  { earlierUntil, previousUntil, secretNumber }: WebhookState,
  at: number
): ReadonlyArray<{ readonly number: number; readonly until: number }> => {
  const ends = previousUntil === null ? [] : [previousUntil, ...earlierUntil]
  const last = ends.findLastIndex((until) => at < until)
  return ends.slice(0, last + 1).map((until, index) => ({ number: secretNumber - 1 - index, until }))
}

/** What a webhook is after one more event; undefined is none yet. */
export const after = (state: WebhookState | undefined, event: WebhookEvent): WebhookState => {
  const { at } = event
  if (event._tag === "WebhookCreated") {
    return {
      webhookId: event.webhookId,
      companyId: event.companyId,
      createdBy: event.userId,
      settings: event.settings,
      status: "enabled",
      disabled: null,
      secretNumber: 1,
      previousUntil: null,
      earlierUntil: [],
      createdAt: at,
      countsFrom: at,
      updatedAt: at,
      version: 1
    }
  }
  if (state === undefined) throw new TypeError(`${event._tag} of a webhook that was not created`)
  const next = { ...state, updatedAt: at, version: state.version + 1 }
  switch (event._tag) {
    case "WebhookChanged":
      return { ...next, settings: event.settings, ...(event.isMoved === true && { countsFrom: at }) }
    case "WebhookSecretRotated":
      return {
        ...next,
        secretNumber: event.secretNumber,
        previousUntil: event.previousUntil,
        earlierUntil: event.earlierUntil ?? []
      }
    case "WebhookDisabled":
      return { ...next, status: "disabled", disabled: { cause: event.cause, at } }
    case "WebhookEnabled":
      return { ...next, status: "enabled", disabled: null, countsFrom: at }
    case "WebhookDeleted":
      return { ...next, status: "deleted", disabled: null }
  }
}
