import { describe, expect, it } from "bun:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { Api } from "../../../src/api/Api.ts"
import { PARAMETERS } from "../../../src/http/DocumentWebhooks.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"

interface Delivery {
  readonly post: {
    readonly requestBody: {
      readonly content: Readonly<Record<string, { readonly example: { readonly type: string } }>>
    }
  }
}

const document = make(Api) as unknown as { readonly webhooks: Readonly<Record<string, Delivery>> }

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"))

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, "document")

const bodyOf = (type: string) => {
  const pointer = ["webhooks", type, "post", "requestBody", "content", "application/json", "schema"]
  return ajv.compile({ $ref: `document#/${pointer.map(escaped).join("/")}` })
}

describe("The webhooks of the document", () => {
  it("are one for each type of event, with an example that is what its schema says and no other's", () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual([...WEBHOOK_EVENT_TYPES].toSorted())
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const example = post.requestBody.content["application/json"]?.example
      const validate = bodyOf(type)
      expect([type, validate(example), validate.errors]).toEqual([type, true, null])
      expect(validate({ ...example, type: "order.unknown" })).toBe(false)
      expect(validate({ ...example, data: { object: {} } })).toBe(false)
    }
  })

  it("name the headers of a delivery", () => {
    const sent = deliveryHeaders(
      { current: "whsec_c2VjcmV0", previous: [] },
      {
        eventId: "evt_1",
        body: "{}",
        at: 0
      }
    )
    const names = Object.keys(sent).filter((name) => !["content-type", "user-agent"].includes(name))
    expect(
      Object.keys(PARAMETERS)
        .map((name) => name.toLowerCase())
        .toSorted()
    ).toEqual(names.map((name) => name.toLowerCase()).toSorted())
  })
})
