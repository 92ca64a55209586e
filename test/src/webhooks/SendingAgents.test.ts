import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { type Agent, request } from "node:http"
import { request as secureRequest } from "node:https"
import { SendingAgents } from "../../../src/webhooks/SendingAgents.ts"
import { itLive } from "../../lib/Effects.ts"
import { resolverOf, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const NAMES = { "hook.example": [["127.0.0.1"]] }

const guards = { secure: () => "closed to TLS", plain: () => undefined }

const outcome = (send: typeof request, agent: Agent, port: number) =>
  Effect.callback<number | string>((resume) => {
    const sent = send({ host: "hook.example", port, agent }, (response) => {
      response.resume()
      response.on("close", () => resume(Effect.succeed(response.statusCode ?? 0)))
    })
    sent.on("error", ({ message }) => resume(Effect.succeed(message)))
    sent.end()
  })

describe("SendingAgents", () => {
  itLive("judge by the guard of their own kind", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { resolver } = resolverOf(NAMES)
      const { plain, secure } = yield* SendingAgents.make(resolver.resolve, guards, { certificates: [] })
      expect(yield* outcome(request, plain, receiver.port)).toBe(200)
      const refused = "the name resolves to 127.0.0.1, which is closed to TLS"
      expect(yield* outcome(secureRequest, secure, receiver.port)).toBe(refused)
    })
  )

  itLive("ask for a name again only for a new connection", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const { asked, resolver } = resolverOf(NAMES)
      const { plain } = yield* SendingAgents.make(resolver.resolve, guards, { certificates: [] })
      yield* outcome(request, plain, receiver.port)
      yield* outcome(request, plain, receiver.port)
      expect(asked.length).toBe(1)
      const both = [outcome(request, plain, receiver.port), outcome(request, plain, receiver.port)]
      yield* Effect.all(both, { concurrency: 2 })
      expect(asked.length).toBe(2)
    })
  )
})
