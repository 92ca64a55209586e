import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { killAfter, rename, type Session, sessionOf } from "../../lib/CompanyChanges.ts"
import { post, send } from "../../lib/Requests.ts"
import { eventually, type ServerProcess, startServer } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { type Received, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const KILLS = 50

/** How long all of it may take, and the deliveries after the last start, in milliseconds. */
const LIMIT = 900_000
const DELIVERY_LIMIT = 60_000

/** Changes that are asked for before a kill, at most. */
const CHANGES = 40

interface Told {
  readonly id: string
  readonly name: string
}

const toldIn = ({ body }: Received): Told => {
  const { data, id } = JSON.parse(body)
  return { id, name: data.object.name }
}

/**
 * Changes the company until it is killed, so many milliseconds from now, or in two of three rounds from the first
 * acknowledgement, which a slow machine may not give in that time; answers the changes that were acknowledged.
 */
const changeAndKill = Effect.fnUntraced(function* (server: ServerProcess, session: Session, round: number) {
  const acknowledged: Array<string> = []
  const first = round % 3 === 0 ? undefined : yield* Effect.promise(() => rename(session, `Round ${round}, first`))
  expect(first === undefined).toBe(round % 3 === 0)
  if (first !== undefined) acknowledged.push(first)
  killAfter(server, (round * 37) % 211)
  for (let change = 0; change < CHANGES; change++) {
    const name = yield* Effect.promise(() => rename(session, `Round ${round}, change ${change}`))
    // The server was gone before it answered.
    if (name === undefined) break
    acknowledged.push(name)
  }
  yield* server.ended
  return acknowledged
})

describe("OutboxReader", () => {
  itLive(
    `loses no event, and doubles none, by ${KILLS} kills at any moment`,
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* temporaryFolder
        const variables = { DATA_DIR, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", ARENA_SLOT_SECONDS: "86400" }
        const receiver = yield* webhookReceiver()
        const acknowledged: Array<string> = []

        const round = Effect.fnUntraced(function* (number: number) {
          const server = yield* startServer(variables)
          const session = yield* sessionOf(server)
          if (number === 0) {
            const made = { url: receiver.url, events: ["company.updated"] }
            expect((yield* send(`${server.url}/v1/webhooks`, post(made, {}, session.token))).status).toBe(200)
          }
          acknowledged.push(...(yield* changeAndKill(server, session, number)))
        })
        for (let number = 0; number < KILLS; number++) yield* Effect.scoped(round(number))

        yield* startServer(variables)
        const missing = () => {
          const names = new Set(receiver.received.map((one) => toldIn(one).name))
          return acknowledged.filter((name) => !names.has(name))
        }
        yield* eventually("every acknowledged change is delivered", DELIVERY_LIMIT, () =>
          missing().length === 0 ? true : undefined
        ).pipe(Effect.ensuring(Effect.sync(() => expect(missing()).toEqual([]))))
        expect(acknowledged.length).toBeGreaterThan(KILLS / 2)
        // One event a change, however often it was sent.
        const ids = new Map<string, Set<string>>()
        for (const { id, name } of receiver.received.map(toldIn)) ids.set(name, (ids.get(name) ?? new Set()).add(id))
        expect([...ids].filter(([, own]) => own.size > 1)).toEqual([])
      }),
    LIMIT
  )
})
