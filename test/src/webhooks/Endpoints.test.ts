import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { ROTATION_OVERLAP } from "../../../engine/webhook/SigningSecrets.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { Webhooks } from "../../../src/webhooks/Webhooks.ts"
import { DeliveryScene } from "../../lib/DeliveryScene.ts"
import { itLive } from "../../lib/Effects.ts"

const LIMIT = 60_000

describe("Endpoints", () => {
  itLive(
    "have the secrets that sign while they are enabled, the one before for a day",
    () =>
      Effect.gen(function* () {
        const { server } = yield* DeliveryScene.make()
        const { companyId, id: userId } = yield* server.user()
        const caller = { userId, companyId, isAdmin: false }
        const settings = { url: "https://example.com/hook", events: ["*"], description: null }
        const { create, rotate } = server.service(Webhooks)
        const made = yield* create(caller, settings)
        const { webhookId } = made.state
        const { disableFailing, find } = server.service(Endpoints)
        const first = Redacted.value(made.secret)
        expect(yield* find(webhookId)).toEqual({
          webhookId,
          url: settings.url,
          isEnabled: true,
          failingSince: null,
          secrets: { current: first, previous: null }
        })

        const second = Redacted.value((yield* rotate(caller, webhookId)).secret)
        const until = server.world.now + ROTATION_OVERLAP
        expect((yield* find(webhookId))?.secrets).toEqual({ current: second, previous: { secret: first, until } })
        server.world.pass(ROTATION_OVERLAP)
        expect((yield* find(webhookId))?.secrets).toEqual({ current: second, previous: null })

        yield* disableFailing(webhookId, 0)
        yield* disableFailing(webhookId, 0)
        expect(yield* find(webhookId)).toMatchObject({ isEnabled: false, secrets: { current: "", previous: null } })
        expect((yield* server.service(Webhooks).find(caller, webhookId)).state).toMatchObject({
          disabled: { cause: "failing", at: server.world.now },
          version: 3
        })
        expect(yield* find("whk_nobody")).toBeUndefined()
      }),
    LIMIT
  )
})
