import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { appendedRows, endOf, type JournalEnd, type JournalRow } from "../../../engine/journal/JournalRow.ts"
import { encodePlatformEvent } from "../../../engine/replay/EventCodec.ts"
import { FollowedJournal } from "../../../src/cluster/FollowedJournal.ts"
import { encodeRow } from "../../../src/cluster/FollowerFrame.ts"
import { Followers } from "../../../src/cluster/Followers.ts"
import { LocalApp, socketsOf } from "../../../src/cluster/LocalApp.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { Settings } from "../../../src/Config.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { JournalRepository } from "../../../src/database/JournalRepository.ts"
import { WriterTerm } from "../../../src/database/WriterTerm.ts"
import { ServerRuntime } from "../../../src/runtime/ServerRuntime.ts"
import { withLayer } from "../../lib/Effects.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"
import * as TestRuntime from "../../lib/TestRuntime.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"

const it = withLayer(
  Layer.merge(TestRuntime.layer, JournalRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))
)

const LIMIT = 20_000

const becomes = (what: string, is: () => boolean) => eventually(what, LIMIT, () => is() || undefined)

const settings = Settings.layerOf({
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: "127.0.0.1:7100",
  CLUSTER_SECRET: "a secret of thirty-two characters",
  PUBLIC_URL: "http://emporion.example",
  DATABASE_URL: "postgresql://emporion@db/emporion"
})

const minted = (ordinal: number) =>
  encodePlatformEvent({
    _tag: "FundsMinted",
    at: ordinal,
    fundId: "f",
    owner: "o",
    asset: "USD",
    amount: 1_000_000n as never,
    externalReference: null
  })

/** Appends a row of two events; answers it. */
const append = Effect.gen(function* () {
  const journal = yield* JournalRepository
  const term = (yield* WriterTerm).current()
  const end: JournalEnd = yield* journal.end
  const entries = [1, 2].map((more) => ({
    stream: "funds",
    data: minted(end.seq + more),
    key: "",
    claims: [],
    commands: []
  }))
  const rows = appendedRows(end, { entries, answers: [], term, now: end.recordedAt + 1 }, link)
  yield* journal.append(rows, end.hash, term)
  return rows[0] as JournalRow
})

/** A node that writes, to which nobody but its followers connects. */
const listening = Effect.fnUntraced(function* (followers: Followers) {
  const { listen } = yield* ServerRuntime
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      listen<unknown>({
        port: 0,
        hostname: "127.0.0.1",
        tls: undefined,
        idleSeconds: 0,
        maxMessageBytes: 1_024,
        maxBufferedBytes: 1_048_576,
        failed: () => new Response(null, { status: 500 }),
        answer: (request, _, own) =>
          own.upgrade(request, { data: followers.socket, headers: {} })
            ? Promise.resolve(undefined)
            : new Response(null, { status: 400 }),
        sockets: socketsOf(new LocalApp(() => []))
      })
    ),
    (started) => Effect.promise(() => started.stop(true))
  )
  return `127.0.0.1:${server.port}`
})

/** Follows, from where the journal ends now; answers what was told. */
const following = Effect.gen(function* () {
  const followers = new Followers()
  const address = yield* listening(followers)
  const writer = { address, holder: "a", term: 1n, isServing: true }
  const nodes = Nodes.of({
    writer: () => writer,
    serving: Effect.succeed({ ...writer, replaced: Effect.never }),
    servingNow: () => undefined,
    ...NO_NEWS,
    isAlive: () => true
  })
  yield* followers.serve((yield* (yield* JournalRepository).end).seq, {
    check: () => Effect.succeed("[]"),
    admit: () => Effect.succeed("[]"),
    quotas: { promise: () => ({ id: 1, loan: null }), hear: () => Effect.succeed("") }
  })
  const context = yield* Layer.build(
    Layer.fresh(FollowedJournal.layer).pipe(Layer.provide(Layer.merge(settings, Layer.succeed(Nodes, nodes))))
  )
  const journal = Context.get(context, FollowedJournal)
  const told: Array<number> = []
  yield* journal.onCommit({
    isHeard: () => true,
    told: (seq, events) => {
      const read = events()
      expect(read.at(-1)?.seq).toBe(seq)
      told.push(...read.map(({ event, seq }) => (event?.at === seq ? seq : Number.NaN)))
    }
  })
  const push = (row: JournalRow) => followers.pushRow(() => encodeRow(row), endOf(row).seq)
  return { journal, told, push, from: journal.lastSeq() }
})

const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index + 1)

describe("A journal that is followed", () => {
  it("tells what is pushed and what is not, each once and in order", () =>
    Effect.gen(function* () {
      yield* append
      const { from, journal, push, told } = yield* following
      const rows = [yield* append, yield* append, yield* append, yield* append]
      for (const index of [1, 0, 0, 3]) push(rows[index]!)
      yield* becomes("all are told", () => told.length >= 8)
      push(rows[2]!)
      const last = yield* append
      push(last)
      yield* becomes("the last is told", () => journal.lastSeq() === endOf(last).seq)
      expect(told).toEqual(upTo(from, from + 10))
      yield* append
      yield* becomes("what nobody pushed is told", () => told.length >= 12)
      expect(told).toEqual(upTo(from, from + 12))
    }))

  it("ends where the journal is another one than was told", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { journal, push, told } = yield* following
      const row = yield* append
      push(row)
      yield* becomes("it is told", () => told.length === 2)
      yield* sql`DELETE FROM journal WHERE first_seq = ${BigInt(row.firstSeq)}`
      const { message } = yield* Effect.flip(journal.diverged)
      expect(message).toContain(`event ${endOf(row).seq}`)
    }))
})
