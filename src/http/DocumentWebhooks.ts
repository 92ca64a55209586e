import { Schema } from "effect"
import { OBJECT_SCHEMAS } from "../../engine/webhooks/WebhookBody.ts"
import { WEBHOOK_EVENTS } from "../../engine/webhooks/WebhookEventTypes.ts"
import { exampleOf } from "../../engine/webhooks/WebhookExample.ts"
import { envelopeOf } from "../../engine/webhooks/WebhookMessage.ts"
import { isObject } from "./DocumentJson.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"

const PREFIX = "WebhookData"

const header = (name: string, description: string): JsonObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

/** The headers of a delivery. Specification 6.2, and Standard Webhooks. */
export const PARAMETERS: JsonObject = {
  "X-Service-Signature": header(
    "X-Service-Signature",
    "t=<unix seconds>,v1=<hex>: HMAC-SHA-256 of `<t>.<raw body>` with the webhook's secret. " +
      "While rotations overlap, one v1 for each secret that signs."
  ),
  "webhook-id": header("webhook-id", "The event's id, the same at each attempt: receivers know duplicates by it."),
  "webhook-timestamp": header("webhook-timestamp", "Unix seconds of the attempt."),
  "webhook-signature": header("webhook-signature", "v1,<base64>, as Standard Webhooks has it.")
}

/** The same with its references turned to the document's own components. */
const localized = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(localized)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, `#/components/schemas/${PREFIX}${inner.split("/").at(-1)}`]
        : [key, localized(inner)]
    )
  )
}

const described = Object.entries(OBJECT_SCHEMAS).map(([kind, schema]) => {
  const made: { readonly schema: JsonObject; readonly definitions: JsonObject } = JSON.parse(
    JSON.stringify(Schema.toJsonSchemaDocument(schema))
  )
  return { kind, ...made }
})

/** The schemas of the objects in deliveries. */
export const SCHEMAS: JsonObject = Object.fromEntries(
  described.flatMap(({ definitions }) =>
    Object.entries(definitions).map(([name, schema]) => [`${PREFIX}${name}`, localized(schema)])
  )
)

const objectOf = (kind: string): Json => localized(described.find((one) => one.kind === kind)?.schema ?? {})

const envelope = (type: string, object: Json): JsonObject => ({
  type: "object",
  required: ["id", "object", "type", "created_at", "data"],
  properties: {
    id: { type: "string", description: "Receivers know duplicates by it." },
    object: { type: "string", enum: ["event"] },
    type: { type: "string", enum: [type] },
    created_at: { type: "string", format: "date-time" },
    data: { type: "object", required: ["object"], properties: { object } }
  }
})

/** One entry for each type of event, made by the code that renders deliveries. Specification 2.15, 6. */
export const WEBHOOKS: JsonObject = Object.fromEntries(
  WEBHOOK_EVENTS.map(({ description, object, type }) => [
    type,
    {
      post: {
        operationId: `webhook.${type}`,
        summary: description,
        tags: ["Webhooks"],
        security: [],
        parameters: Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: envelope(type, objectOf(object)),
              example: JSON.parse(JSON.stringify(envelopeOf(exampleOf(type)))) as Json
            }
          }
        },
        responses: {
          "2XX": { description: "Received, within 5 seconds. Any other answer is tried again, 5 times in all." },
          default: { description: "Not received." }
        }
      }
    }
  ])
)
