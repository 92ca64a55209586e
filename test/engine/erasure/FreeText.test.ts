import { describe, expect, it } from "bun:test"
import { FREE_TEXT, freeTextInClear } from "../../../engine/erasure/FreeText.ts"
import type { BotChanged } from "../../../engine/bots/BotEvent.ts"
import type { WebhookChanged } from "../../../engine/webhooks/WebhookEvent.ts"

const SEALED = `sealed:v1:cmp_${"a".repeat(24)}:AAAA`

const changed = (settings: Partial<WebhookChanged["settings"]>): WebhookChanged => ({
  _tag: "WebhookChanged",
  at: 1,
  userId: "usr_1",
  companyId: "cmp_1",
  webhookId: "whk_1",
  settings: { url: SEALED, events: ["*"], description: null, ...settings }
})

describe("freeTextInClear", () => {
  it("finds texts, and keys and values of metadata, that are not sealed", () => {
    expect(freeTextInClear(changed({}))).toEqual([])
    expect(freeTextInClear(changed({ metadata: { [SEALED]: SEALED } }))).toEqual([])
    expect(freeTextInClear(changed({ url: "https://a.example", metadata: { [SEALED]: "b", c: SEALED } }))).toEqual([
      "https://a.example",
      "b",
      "c"
    ])
  })

  it("knows the events that take any, and no others", () => {
    expect(FREE_TEXT.get("BotChanged" satisfies BotChanged["_tag"])).toEqual(["profile.name"])
    expect(FREE_TEXT.has("UserErased")).toBe(false)
  })
})
