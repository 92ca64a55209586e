import { Schema } from "effect"
import { DISABLED_CAUSES, type WebhookEvent } from "./WebhookEvent.ts"

const actOf = <User extends Schema.Codec<string | null, string | null>>(userId: User) => ({
  at: Schema.Int,
  userId,
  companyId: Schema.String,
  webhookId: Schema.String
})

const act = actOf(Schema.String)

const settings = Schema.Struct({
  url: Schema.String,
  events: Schema.Array(Schema.String),
  description: Schema.NullOr(Schema.String)
})

const WebhookEventSchema: Schema.Codec<WebhookEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("WebhookCreated", { ...act, settings }),
  Schema.TaggedStruct("WebhookChanged", { ...act, settings }),
  Schema.TaggedStruct("WebhookSecretRotated", { ...act, secretNumber: Schema.Int, previousUntil: Schema.Int }),
  Schema.TaggedStruct("WebhookDisabled", {
    ...actOf(Schema.NullOr(Schema.String)),
    cause: Schema.Literals(DISABLED_CAUSES),
    failingSince: Schema.NullOr(Schema.Int)
  }),
  Schema.TaggedStruct("WebhookEnabled", act),
  Schema.TaggedStruct("WebhookDeleted", act)
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(WebhookEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeWebhookEvent = (data: string): WebhookEvent => fromJson(data)
