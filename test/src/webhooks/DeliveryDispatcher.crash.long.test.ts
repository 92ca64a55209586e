import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { killAfter, rename, type Session, sessionOf } from "../../lib/CompanyChanges.ts"
import { itLive } from "../../lib/Effects.ts"
import { post, send } from "../../lib/Requests.ts"
import { startServer } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const LIMIT = 300_000

/** Specification 6.3, in milliseconds, as far as this test waits. */
const PAUSES = [0, 5_000, 25_000]

/** Lives of the server, all but the last of which are killed after a while, and the changes in each of the first. */
const LIVES = [3_000, 9_000, 14_000, 4_000, 45_000]
const CHANGES = 6

/** Milliseconds that an attempt is under way at most, until its outcome is kept. */
const UNDER_WAY = 7_000

/** How late an attempt may be beside others on the machine; the schedules in test time are held to one second. */
const LATEST = 4_000

/** A life of the server, in milliseconds since 1970: an attempt may begin from its start on, and has to once it is ready. */
interface Life {
  readonly start: number
  readonly ready: number
  readonly end: number
}

interface AttemptRow {
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
}

interface Delivery {
  readonly id: string
  readonly status: string
  readonly created_at: string
  readonly attempts: ReadonlyArray<AttemptRow>
}

/** How the receiver meets a delivery: two failures, then what counts; "never" stays a failure. */
const meet = (name: string, nth: number): "refuse" | "hang" | "take" => {
  if (name.endsWith("once")) return nth < 2 ? "refuse" : "take"
  if (name.endsWith("hang")) return nth < 3 ? "hang" : "take"
  return "refuse"
}

const KINDS = ["once", "hang", "never"] as const

/** A time at which an attempt may begin, up to another at which it has to. */
type Beginning = Pick<Life, "start" | "ready">

/** When an attempt may begin that is due at a time: then, and once the server is back where a kill came between. */
const beginnings = (due: number, lives: ReadonlyArray<Life>): ReadonlyArray<Beginning> => {
  const begun: Array<Beginning> = [{ start: due, ready: due }]
  for (const [index, { end }] of lives.entries()) {
    const next = lives[index + 1]
    if (next === undefined) break
    const isCut = begun.some(({ ready, start }) => end >= start && end < ready + UNDER_WAY)
    const isDown = end <= due && due <= next.ready
    if (isCut || isDown) begun.push(next)
  }
  return begun
}

/** How much later than it had to an attempt began: undefined where it was early. */
const lateness = (at: number, due: number, lives: ReadonlyArray<Life>): number | undefined => {
  const possible = beginnings(due, lives).filter(({ start }) => start <= at && due <= at)
  return possible.length === 0 ? undefined : at - Math.max(...possible.map(({ ready }) => ready))
}

const deliveriesOf = Effect.fnUntraced(function* ({ token, url }: Session, webhookId: string) {
  const get = (path: string) => send(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const listed = (yield* get(`/v1/webhooks/${webhookId}/deliveries?limit=100`)).json as ReadonlyArray<{ id: string }>
  return yield* Effect.forEach(listed, ({ id }) =>
    Effect.map(get(`/v1/webhooks/deliveries/${id}`), ({ json }) => json as Delivery)
  )
})

describe("DeliveryDispatcher", () => {
  itLive(
    "keeps each delivery's due time through kills at any moment",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* temporaryFolder
        const variables = { DATA_DIR, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", ARENA_SLOT_SECONDS: "86400" }
        const receiver = yield* webhookReceiver()
        const seen = new Map<string, number>()
        const acknowledged: Array<string> = []
        const told = new Set<string>()
        receiver.answer(({ body }) => {
          const { data, id } = JSON.parse(body)
          const nth = (seen.get(id) ?? 0) + 1
          seen.set(id, nth)
          told.add(data.object.name)
          const met = meet(data.object.name, nth)
          return met === "hang" ? undefined : { status: met === "take" ? 200 : 500 }
        })
        const lives: Array<Life> = []
        let webhookId = ""
        let found: ReadonlyArray<Delivery> = []

        const live = Effect.fnUntraced(function* (life: number, index: number) {
          const start = yield* Clock.currentTimeMillis
          const server = yield* startServer(variables)
          const ready = yield* Clock.currentTimeMillis
          const session = yield* sessionOf(server)
          if (index === 0) {
            const made = { url: receiver.url, events: ["company.updated"] }
            const { json } = yield* send(`${server.url}/v1/webhooks`, post(made, {}, session.token))
            webhookId = (json as { readonly id: string }).id
          }
          const isLast = index === LIVES.length - 1
          if (!isLast) killAfter(server, life)
          const changes = isLast ? 0 : CHANGES
          for (let change = 0; change < changes; change++) {
            const name = `${index} ${change} ${KINDS[change % KINDS.length]}`
            if ((yield* Effect.promise(() => rename(session, name))) !== undefined) acknowledged.push(name)
            yield* Effect.sleep(150)
          }
          yield* isLast ? Effect.sleep(life) : server.ended
          if (isLast) found = yield* deliveriesOf(session, webhookId)
          lives.push({ start, ready, end: yield* Clock.currentTimeMillis })
        })
        for (const [index, life] of LIVES.entries()) yield* Effect.scoped(live(life, index))

        const faults: Array<string> = []
        const end = lives.at(-1)?.end ?? 0
        let judged = 0
        for (const { attempts, created_at: created, id, status } of found) {
          let due = Date.parse(created)
          for (const [index, { duration_ms: took, started_at: started }] of attempts.entries()) {
            const at = Date.parse(started)
            const pause = PAUSES[index]
            if (pause === undefined) break
            const late = lateness(at, due, lives)
            judged += 1
            if (late === undefined) faults.push(`attempt ${index + 1} of ${id} is early`)
            else if (late > LATEST) faults.push(`attempt ${index + 1} of ${id} is ${late} ms late`)
            due = at + took + (PAUSES[index + 1] ?? Number.POSITIVE_INFINITY)
          }
          if (status === "pending" && due < end - LATEST - UNDER_WAY) faults.push(`${id} was forgotten since ${due}`)
        }
        expect(faults).toEqual([])
        expect(acknowledged.filter((name) => !told.has(name))).toEqual([])
        // A slow machine is killed before it has made all of its changes.
        expect(acknowledged.length).toBeGreaterThan(CHANGES)
        expect(judged).toBeGreaterThan(2 * acknowledged.length)
      }),
    LIMIT
  )
})
