import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { MAX_SENDING } from "../../engine/webhooks/EndpointActor.ts"
import type { BarePosts, Posted } from "./BareSender.ts"
import { variablesOf } from "./BenchWorld.ts"
import type { Bench, Case } from "./Case.ts"
import { percentile, ratioOf, spreadOf } from "./Sample.ts"
import { inTurns, roundsOf } from "./Turns.ts"
import type { Receipt, Receive, StartReceiver } from "./WebhookReceiver.ts"
import type { WebhookServerPlan } from "./WebhookServer.ts"
import { startWorker } from "./Worker.ts"

/** Webhooks of one company, each with as many attempts under way as it may have: the concurrency of both. */
const WEBHOOKS = 4
const CONCURRENCY = WEBHOOKS * MAX_SENDING

/** Events of one round; each is delivered to every webhook. */
const EVENTS = { full: 2_000, quick: 50 }

/** Many subscriptions, of which some hang: companies with webhooks each, in turns an event of one every so many milliseconds. */
const MANY = { companies: 10, webhooks: 100, hanging: 10, every: 250, full: 80, quick: 4 }

/** The longest that anything is waited for, in milliseconds. */
const TIMEOUT = 60_000

/** A body and headers of the size of the program's own. */
const BARE_BODY = "x".repeat(420)
const BARE_HEADERS = {
  "content-type": "application/json",
  "content-length": String(BARE_BODY.length),
  "user-agent": "Emporion/0.0.0",
  "X-Service-Signature": `t=1700000000,v1=${randomBytes(32).toString("hex")}`,
  "webhook-id": "evt_000000000000000000000000",
  "webhook-timestamp": "1700000000",
  "webhook-signature": `v1,${randomBytes(32).toString("base64")}`
}

const startReceiver = Effect.gen(function* () {
  const receiver = yield* startWorker<StartReceiver | Receive, Receipt>("WebhookReceiver.ts")
  const { port } = yield* receiver.ask({ kind: "start" })
  return { receiver, port }
})

const startDeliverer = Effect.fnUntraced(function* (
  { postgres }: Bench,
  companies: number,
  urls: ReadonlyArray<string>
) {
  const variables = { ...variablesOf(postgres, yield* postgres.create()), WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }
  const server = yield* startWorker<WebhookServerPlan, void>("WebhookServer.ts")
  yield* server.ask({ kind: "start", variables, companies, urls })
  return server
})

const urlsOf = (port: number, count: number, hanging: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `http://127.0.0.1:${port}/${index < hanging ? "hang" : "take"}/${index}`)

/** Deliveries of one second: recorded before, then told, signed, sent and written. */
const rates = Effect.fnUntraced(function* (bench: Bench) {
  const { port, receiver } = yield* startReceiver
  const server = yield* startDeliverer(bench, 1, urlsOf(port, WEBHOOKS, 0))
  const bare = yield* startWorker<BarePosts, Posted>("BareSender.ts")
  const events = bench.quick ? EVENTS.quick : EVENTS.full

  const delivered = Effect.gen(function* () {
    yield* server.ask({ kind: "happen", company: 0, events })
    const begun = performance.now()
    const count = events * WEBHOOKS
    const receiving = receiver.ask({ kind: "receive", count, isTimed: false, timeout: TIMEOUT })
    const [receipt] = yield* Effect.all([receiving, server.ask({ kind: "deliver" })], { concurrency: 2 })
    const seconds = (performance.now() - begun) / 1_000
    yield* server.ask({ kind: "rest" })
    if (receipt.count < count) return yield* Effect.die(new Error(`${receipt.count} of ${count} deliveries came`))
    return receipt.count / seconds
  })
  /** Before anything counts, both sides run for as long: a round of deliveries is shorter than that. */
  const deliveredOnce = Effect.fnUntraced(function* (millis: number, round: number) {
    const until = performance.now() + (round === 0 ? millis : 0)
    let rate = yield* delivered
    while (performance.now() < until) rate = yield* delivered
    return rate
  })
  const posted = (millis: number) =>
    Effect.map(
      bare.ask({ port, concurrency: CONCURRENCY, millis, headers: BARE_HEADERS, body: BARE_BODY }),
      ({ perSecond }) => perSecond
    )
  const [ours = [], peer = []] = yield* inTurns(bench, roundsOf(bench), [true, false], (isOurs, millis, round) =>
    isOurs ? deliveredOnce(millis, round) : posted(millis)
  )
  return { ours, peer }
}, Effect.scoped)

/** How long after an event it arrives, while others hang: the given share of the deliveries, in milliseconds. */
const delays = Effect.fnUntraced(function* (bench: Bench) {
  const { companies, every, hanging, webhooks } = MANY
  const { port, receiver } = yield* startReceiver
  bench.say(`making ${companies * webhooks} webhooks`)
  const server = yield* startDeliverer(bench, companies, urlsOf(port, webhooks, hanging))
  yield* server.ask({ kind: "deliver" })
  const found: Array<ReadonlyArray<number>> = []
  const events = bench.quick ? MANY.quick : MANY.full
  const count = webhooks - hanging
  for (let event = 0; event < events; event++) {
    const receiving = receiver.ask({ kind: "receive", count, isTimed: true, timeout: TIMEOUT })
    const happening = server.ask({ kind: "happen", company: event % companies, events: 1 })
    const [receipt] = yield* Effect.all([receiving, happening, Effect.sleep(every)], { concurrency: 3 })
    if (receipt.count < count) return yield* Effect.die(new Error(`${receipt.count} of ${count} deliveries came`))
    found.push(receipt.delays)
  }
  return found
}, Effect.scoped)

/** Deliveries of webhooks to a receiver on this machine. */
export const webhookRates: Case = {
  key: "n",
  title: "webhooks",
  run: Effect.fnUntraced(function* (bench: Bench) {
    const { ours, peer } = yield* rates(bench)
    const found = yield* delays(bench)
    const all = found.flat().toSorted((one, other) => one - other)
    const share = (of: number) => spreadOf(found.map((some) => percentile(some, of)))
    const { companies, hanging, webhooks } = MANY
    return [
      {
        key: "n",
        what: `deliveries of recorded events to ${WEBHOOKS} webhooks, ${CONCURRENCY} at a time`,
        unit: "/s",
        ours: spreadOf(ours),
        peer: spreadOf(peer),
        peerName: "bare node:http",
        ratio: ratioOf(ours, peer),
        target: { bound: 0.7, at: "least", goal: 0.8 }
      },
      {
        key: "n",
        what: `from an event to its arrival, ${companies * webhooks} webhooks of which ${companies * hanging} hang: median`,
        unit: "ms",
        ours: share(0.5)
      },
      {
        key: "n",
        what: "  99 of 100, over all",
        unit: "ms",
        ours: { ...share(0.99), median: percentile(all, 0.99) },
        target: { bound: 1_000, at: "most" }
      }
    ]
  })
}
