import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Why a webhook gets nothing: its company asked for that, or it failed for too long. */
export const DISABLED_CAUSES = ["requested", "failing"] as const
export type DisabledCause = (typeof DISABLED_CAUSES)[number]

/** What its company says of a webhook. */
export const WebhookSettings = Schema.Struct({
  /** Where deliveries go. */
  url: Schema.String,
  /** The types of events it gets, in the order of the published list. */
  events: Schema.Array(Schema.String),
  description: Schema.NullOr(Schema.String),
  metadata: Schema.optionalKey(Metadata)
})
export type WebhookSettings = typeof WebhookSettings.Type

const act = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  /** Who acted; null for the platform itself. */
  userId: Schema.NullOr(Schema.String),
  companyId: Schema.String,
  webhookId: Schema.String
}

/** A company asks to be told of its events. The first secret signs from now on. */
export const WebhookCreated = Schema.TaggedStruct("WebhookCreated", {
  ...act,
  userId: Schema.String,
  settings: WebhookSettings
})
export type WebhookCreated = typeof WebhookCreated.Type

/** The settings are others from now on. */
export const WebhookChanged = Schema.TaggedStruct("WebhookChanged", {
  ...act,
  userId: Schema.String,
  settings: WebhookSettings,
  /** The URL is another one, so that what failed before does not count. Where it is not said, that went on counting. */
  isMoved: Schema.optionalKey(Schema.Literal(true))
})
export type WebhookChanged = typeof WebhookChanged.Type

/** Another secret signs. What it is stands in no event: only its number does. */
export const WebhookSecretRotated = Schema.TaggedStruct("WebhookSecretRotated", {
  ...act,
  userId: Schema.String,
  secretNumber: Schema.Int,
  /** Until when the secret before signs as well. */
  previousUntil: Schema.Int,
  /** Until when those before that one sign as well, the newest first. Where it is not said, none of them does. */
  earlierUntil: Schema.optionalKey(Schema.Array(Schema.Int))
})
export type WebhookSecretRotated = typeof WebhookSecretRotated.Type

/** It gets no more events. */
export const WebhookDisabled = Schema.TaggedStruct("WebhookDisabled", {
  ...act,
  cause: Schema.Literals(DISABLED_CAUSES),
  /** Since when attempts had failed, where that is the cause. */
  failingSince: Schema.NullOr(Schema.Int)
})
export type WebhookDisabled = typeof WebhookDisabled.Type

/** It gets the events from now on. */
export const WebhookEnabled = Schema.TaggedStruct("WebhookEnabled", {
  ...act,
  userId: Schema.String
})
export type WebhookEnabled = typeof WebhookEnabled.Type

/** It is gone for good. */
export const WebhookDeleted = Schema.TaggedStruct("WebhookDeleted", {
  ...act,
  userId: Schema.String
})
export type WebhookDeleted = typeof WebhookDeleted.Type

export const WebhookEvent = Schema.Union([
  WebhookCreated,
  WebhookChanged,
  WebhookSecretRotated,
  WebhookDisabled,
  WebhookEnabled,
  WebhookDeleted
])
export type WebhookEvent = typeof WebhookEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeWebhookEvent = eventDecoder(WebhookEvent)
