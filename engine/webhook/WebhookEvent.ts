/** Why a webhook gets nothing: its company asked for that, or it failed for too long. */
export const DISABLED_CAUSES = ["requested", "failing"] as const
export type DisabledCause = (typeof DISABLED_CAUSES)[number]

/** What its company says of a webhook. */
export interface WebhookSettings {
  /** Where deliveries go. */
  readonly url: string
  /** The types of events it gets, in the order of the published list. */
  readonly events: ReadonlyArray<string>
  readonly description: string | null
}

interface Act {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who acted; null for the platform itself. */
  readonly userId: string | null
  readonly companyId: string
  readonly webhookId: string
}

/** A company asks to be told of its events. The first secret signs from now on. */
export interface WebhookCreated extends Act {
  readonly _tag: "WebhookCreated"
  readonly userId: string
  readonly settings: WebhookSettings
}

/** The settings are others from now on. */
export interface WebhookChanged extends Act {
  readonly _tag: "WebhookChanged"
  readonly userId: string
  readonly settings: WebhookSettings
}

/** Another secret signs. What it is stands in no event: only its number does. */
export interface WebhookSecretRotated extends Act {
  readonly _tag: "WebhookSecretRotated"
  readonly userId: string
  readonly secretNumber: number
  /** Until when the secret before signs as well. */
  readonly previousUntil: number
}

/** It gets no more events. */
export interface WebhookDisabled extends Act {
  readonly _tag: "WebhookDisabled"
  readonly cause: DisabledCause
  /** Since when attempts had failed, where that is the cause. */
  readonly failingSince: number | null
}

/** It gets the events from now on. */
export interface WebhookEnabled extends Act {
  readonly _tag: "WebhookEnabled"
  readonly userId: string
}

/** It is gone for good. */
export interface WebhookDeleted extends Act {
  readonly _tag: "WebhookDeleted"
  readonly userId: string
}

export type WebhookEvent =
  | WebhookCreated
  | WebhookChanged
  | WebhookSecretRotated
  | WebhookDisabled
  | WebhookEnabled
  | WebhookDeleted
