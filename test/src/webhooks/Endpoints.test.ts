import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { withLayer } from "../../lib/Effects.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { NEW_WEBHOOK } from "../../lib/WebhookScene.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Answered {
  readonly id: string
  readonly secret: string
}

const made = Effect.gen(function* () {
  const server = yield* Server
  const user = yield* server.user()
  const { json } = yield* server.post<Answered>("/v1/webhooks", NEW_WEBHOOK, { as: user.id })
  const request = (method: string, path = "", body?: object) =>
    Effect.map(
      server.request<object>(method, `/v1/webhooks/${json.id}${path}`, body, { as: user.id }),
      (answer) => answer.json
    )
  return { ...json, server, request }
})

const find = (id: string) => Effect.flatMap(Server, (server) => server.run(server.service(Endpoints).find(id)))

const NONE = { current: "", previous: null }

describe("An endpoint", () => {
  it("has its secrets opened while it is enabled, and none after", () =>
    Effect.gen(function* () {
      const { id, request, secret } = yield* made
      const endpoint = { webhookId: id, url: NEW_WEBHOOK.url, failingSince: null }
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: true, secrets: { current: secret, previous: null } })
      yield* request("PATCH", "", { status: "disabled" })
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: false, secrets: NONE })
      yield* request("DELETE")
      expect(yield* find(id)).toEqual({ ...endpoint, isEnabled: false, secrets: NONE })
      expect(yield* find("whk_unknown")).toBeUndefined()
    }))

  it("is disabled by the platform once, and only while it is enabled", () =>
    Effect.gen(function* () {
      const { id, request, server } = yield* made
      const since = server.world.now - 1
      const disable = server.run(server.service(Endpoints).disableFailing(id, since))
      yield* Effect.all([disable, disable, disable], { concurrency: "unbounded" })
      expect(yield* request("GET")).toMatchObject({ status: "disabled", disabled_cause: "failing" })
      yield* request("PATCH", "", { status: "enabled" })
      expect(yield* request("GET")).toMatchObject({ status: "enabled", failing_since: null })
      yield* request("PATCH", "", { status: "disabled" })
      yield* disable
      expect(yield* request("GET")).toMatchObject({ disabled_cause: "requested" })
      yield* server.run(server.service(Endpoints).disableFailing("whk_unknown", since))
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    }))
})
