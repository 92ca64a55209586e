import { describe, expect } from "bun:test"
import { Effect, Fiber, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Webhook } from "standardwebhooks"
import { listen, type ListenOptions } from "../../../src/cli/WebhookListening.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const LIMIT = 60_000

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep(5), until(holds))))

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

describe("Listening for webhooks", () => {
  itLive(
    "forwards a company's events, signed, and refuses a wrong client",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const user = yield* server.user()
        const receiver = yield* webhookReceiver()
        const made = yield* server.post<Client>(
          "/v1/clients",
          { name: "developer", scopes: ["orders:read"] },
          { as: user.id }
        )
        const options: ListenOptions = {
          server: new URL(server.url),
          clientId: made.json.client_id,
          clientSecret: Redacted.make(made.json.client_secret),
          events: ["company.updated"],
          forwardTo: new URL("/hook", receiver.url),
          secret: Redacted.make(SECRET)
        }
        const lines: Array<string> = []
        const write = (line: string) => Effect.sync(() => void lines.push(line))
        const run = (given: ListenOptions) =>
          listen(given, { ready: Effect.void, event: write, note: write }).pipe(Effect.provide(FetchHttpClient.layer))

        const wrong = yield* Effect.flip(run({ ...options, clientSecret: Redacted.make("wrong") }))
        expect(wrong.message).toContain("gives no token")

        const listening = yield* Effect.forkChild(run(options))
        const happens = Effect.suspend(() =>
          fixture.happens(user, `Renamed ${receiver.received.length} ${lines.length}`)
        )
        let times = 0
        yield* until(() => receiver.received.length > 0).pipe(
          Effect.race(
            Effect.forever(
              Effect.andThen(
                Effect.suspend(() => fixture.happens(user, `Renamed ${(times += 1)}`)),
                Effect.sleep(50)
              )
            )
          )
        )
        const [first] = receiver.received
        expect(first?.path).toBe("/hook")
        const headers = Object.fromEntries(
          Object.entries(first?.headers ?? {}).map(([key, value]) => [key, `${value}`])
        )
        expect(new Webhook(SECRET).verify(first?.body ?? "", headers)).toMatchObject({ type: "company.updated" })
        yield* until(() => lines.length > 0)
        expect(lines[0]).toMatch(/company\.updated +evt_\w+ +200 in \d+ ms$/)

        receiver.answer(() => ({ status: 500 }))
        const before = lines.length
        yield* happens
        yield* until(() => lines.slice(before).some((line) => / 500 in \d+ ms$/.test(line)))
        yield* Fiber.interrupt(listening)
      }),
    LIMIT
  )
})
