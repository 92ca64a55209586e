import { describe, expect, setSystemTime } from "bun:test"
import { Effect } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { Webhook as StandardWebhook } from "standardwebhooks"
import Stripe from "stripe"
import { Webhook as SvixWebhook } from "svix"
import { ROTATION_OVERLAP } from "../../../engine/webhooks/SigningSecrets.ts"
import { verifyWebhook } from "../../../packages/client/src/WebhookVerification.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { HOSTILE_HOSTS } from "../../lib/HostileHosts.ts"
import { type Received, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const LIMIT = 60_000

/** A library, or a few lines that a receiver would write: throws or rejects unless it holds. */
interface Judge {
  readonly name: string
  /** Whether it looks at more than one signature. */
  readonly takesTwo: boolean
  readonly verify: (secret: string, headers: Readonly<Record<string, string>>, body: string) => unknown
}

const byHand = (secret: string, header: string, body: string): void => {
  const [, time = "", digest = ""] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(header) ?? []
  const own = createHmac("sha256", secret).update(`${time}.${body}`).digest()
  if (!timingSafeEqual(Buffer.from(digest, "hex"), own)) throw new Error("another secret, or another body")
  if (Math.abs(Date.now() / 1_000 - Number(time)) > 300) throw new Error("too old")
}

const stripe = new Stripe("sk_test_unused")

const JUDGES: ReadonlyArray<Judge> = [
  {
    name: "emporion-client",
    takesTwo: true,
    verify: (secret, headers, body) => verifyWebhook(body, headers, secret)
  },
  {
    name: "stripe",
    takesTwo: true,
    verify: (secret, headers, body) =>
      stripe.webhooks.constructEventAsync(body, headers["x-service-signature"] ?? "", secret)
  },
  { name: "svix", takesTwo: true, verify: (secret, headers, body) => new SvixWebhook(secret).verify(body, headers) },
  {
    name: "standardwebhooks",
    takesTwo: true,
    verify: (secret, headers, body) => new StandardWebhook(secret).verify(body, headers)
  },
  {
    name: "a few lines of node:crypto",
    takesTwo: false,
    verify: (secret, headers, body) => byHand(secret, headers["x-service-signature"] ?? "", body)
  }
]

const later = (header: string, name: string): string =>
  name === "x-service-signature"
    ? header.replace(/t=(\d+)/, (_, time: string) => `t=${Number(time) + 1}`)
    : name === "webhook-timestamp"
      ? String(Number(header) + 1)
      : header

const headersOf = ({ headers }: Received): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const OTHER = `whsec_${Buffer.alloc(32, 1).toString("base64")}`

/** Whether a judge takes a delivery at a time. */
const takes = ({ verify }: Judge, at: number, ...given: Parameters<Judge["verify"]>): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    setSystemTime(at)
    return Effect.tryPromise(() => Promise.resolve().then(() => verify(...given)))
  }).pipe(Effect.isSuccess, Effect.ensuring(Effect.sync(() => setSystemTime())))

/** A delivery is taken as it came, and refused by each judge once anything of it is another. */
const judged = Effect.fnUntraced(function* (secret: string, received: Received, at: number) {
  const headers = headersOf(received)
  const { body } = received
  expect(headers["webhook-id"]).toBe((JSON.parse(body) as { readonly id: string }).id)
  const moved = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, later(value, key)]))
  for (const judge of JUDGES) {
    const found = {
      asItCame: yield* takes(judge, at, secret, headers, body),
      otherBody: yield* takes(judge, at, secret, headers, body.replace("Renamed", "Renamee")),
      oneSpaceMore: yield* takes(judge, at, secret, headers, ` ${body}`),
      otherSecret: yield* takes(judge, at, OTHER, headers, body),
      otherTime: yield* takes(judge, at, secret, moved, body),
      sentAgainLater: yield* takes(judge, at + 301_000, secret, headers, body)
    }
    const none = { otherBody: false, oneSpaceMore: false, otherSecret: false, otherTime: false, sentAgainLater: false }
    expect({ judge: judge.name, ...found }).toEqual({ judge: judge.name, asItCame: true, ...none })
  }
})

interface Created {
  readonly id: string
  readonly secret: string
}

/** Something happens, and what is due is sent. */
const delivered = Effect.fnUntraced(function* (
  fixture: DeliveryFixture,
  user: Parameters<DeliveryFixture["happens"]>[0]
) {
  const before = (yield* fixture.deliveries()).length
  yield* fixture.happens(user, `Renamed ${before}`)
  yield* fixture.tell()
  yield* fixture.called()
  yield* fixture.round()
  yield* fixture.until((all) => all.length > before && all.every(({ status }) => status === "delivered"))
})

describe("Deliveries", () => {
  itLive(
    "are verified by the libraries that receivers have, through rotations, and refused when altered",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const user = yield* server.user()
        const receiver = yield* webhookReceiver()
        const { json: made } = yield* server.post<Created>(
          "/v1/webhooks",
          { url: receiver.url, events: ["company.updated"] },
          { as: user.id }
        )
        yield* delivered(fixture, user)
        yield* judged(made.secret, receiver.received[0] as Received, server.world.now)

        const { json: rotated } = yield* server.post<Created>(`/v1/webhooks/${made.id}/secret/rotate`, undefined, {
          as: user.id
        })
        yield* delivered(fixture, user)
        const both = receiver.received[1] as Received
        for (const judge of JUDGES.filter(({ takesTwo }) => takesTwo)) {
          expect(yield* takes(judge, server.world.now, made.secret, headersOf(both), both.body)).toBe(true)
        }
        yield* judged(rotated.secret, both, server.world.now)

        server.world.pass(ROTATION_OVERLAP)
        yield* delivered(fixture, user)
        const after = receiver.received[2] as Received
        yield* judged(rotated.secret, after, server.world.now)
        for (const judge of JUDGES) {
          expect(yield* takes(judge, server.world.now, made.secret, headersOf(after), after.body)).toBe(false)
        }
      }),
    LIMIT
  )

  itLive(
    "go to no hostile address, neither by a webhook nor by the test of an endpoint",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make({ WEBHOOK_ALLOWED_NETWORKS: "" })
        const { server } = fixture
        const user = yield* server.user()
        const options = { as: user.id }
        const refused = { code: "invalid_request" }
        for (const host of HOSTILE_HOSTS) {
          for (const scheme of ["https", "http"]) {
            const endpoint = `${scheme}://${host}/`
            const test = yield* server.post("/v1/webhooks/test", { endpoint, event: "order.paid" }, options)
            expect({ endpoint, status: test.status, json: test.json }).toMatchObject({ status: 400, json: refused })
          }
          const made = yield* server.post("/v1/webhooks", { url: `https://${host}/`, events: ["*"] }, options)
          expect({ host, status: made.status, json: made.json }).toMatchObject({ status: 400, json: refused })
        }
        const named = yield* server.post(
          "/v1/webhooks/test",
          { endpoint: "https://localhost/", event: "order.paid" },
          options
        )
        expect(named.json).toMatchObject({
          delivered: false,
          status: null,
          error: expect.stringContaining("a loopback address")
        })
      }),
    LIMIT
  )
})
