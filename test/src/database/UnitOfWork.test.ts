import { describe, expect } from "bun:test"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { Batch, Outcome } from "../../../engine/actor/Journal.ts"
import { MANY_ENTRIES } from "../../../engine/journal/CommitQueue.ts"
import { accountId, type AccountId, PLATFORM } from "../../../engine/ledger/Account.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { GENESIS, toHex } from "../../../engine/actor/EventChain.ts"
import { MAX_ENTRY_BYTES } from "../../../engine/journal/JournalRow.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { JournalRepository } from "../../../src/database/JournalRepository.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { WriteSession } from "../../../src/database/WriteSession.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"
import { writingUnit } from "../../lib/WritingUnit.ts"

/** Its event is longer than the journal takes. */
const POISON = "poison"

const { layer, projected, projection } = writingUnit()

const itWrites = withLayer(layer)

const custody = accountId(PLATFORM, "USD", "custody")
const wallet = (owner: string): AccountId => accountId(owner, "USD", "wallet")
const usd = (units: bigint) => fromUnits(units)

const event = (fundId: string): PlatformEvent => ({
  _tag: "FundsMinted",
  at: 1,
  fundId,
  owner: "someone",
  asset: "USD",
  amount: usd(1n),
  externalReference: null
})

const batch = (stream: string, version: number | null, ...commands: ReadonlyArray<ReadonlyArray<Command>>) => ({
  stream,
  version,
  entries: commands.map((list, index) => ({
    commands: list,
    event: event(stream === POISON ? "x".repeat(MAX_ENTRY_BYTES) : `${stream}-${index}`)
  }))
})

const append = (one: Batch<PlatformEvent>) => Effect.flatMap(UnitOfWork, (journal) => journal.append(one))

const mint = (id: string, owner: string, amount: bigint): Command => ({
  _tag: "Transfer",
  id,
  from: custody,
  to: wallet(owner),
  amount: usd(amount),
  purpose: "mint"
})

const hold = (id: string, owner: string, amount: bigint): Command => ({
  _tag: "Hold",
  id,
  account: wallet(owner),
  into: accountId(PLATFORM, "USD", "vault"),
  amount: usd(amount)
})

const balanceOf = (id: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ balance: string; held: string }>`
      SELECT balance::text AS balance, held::text AS held FROM ledger_accounts WHERE id = ${id}`
    return rows[0]
  })

const connectionLost = Effect.fail(
  new SqlError({ reason: new ConnectionError({ cause: new Error("the connection was lost") }) })
)

const tags = (outcomes: ReadonlyArray<Outcome<PlatformEvent>>) => outcomes.map(({ _tag }) => _tag)

describe("UnitOfWork", () => {
  itWrites("writes accepted entries, and nothing of refused ones", () =>
    Effect.gen(function* () {
      const outcomes = yield* append(
        batch("a/1", 0, [mint("m1", "ann", 100n)], [hold("h1", "ann", 60n)], [hold("h2", "ann", 60n)])
      )
      expect(tags(outcomes)).toEqual(["Accepted", "Accepted", "Refused"])
      expect(yield* balanceOf(wallet("ann"))).toEqual({ balance: "100", held: "60" })
      const sql = yield* SqlClient
      const holds = yield* sql<{ id: string; status: string }>`
        SELECT id, status FROM ledger_holds WHERE id IN ('h1', 'h2')`
      expect([...holds]).toEqual([{ id: "h1", status: "pending" }])
    })
  )

  itWrites("writes what builds on other streams only while these are as they were read", () =>
    Effect.gen(function* () {
      yield* append(batch("product/1", 0, [mint("pm", "pat", 9n)]))
      const order = (name: string, version: number) => ({
        ...batch(`order/${name}`, 0, [hold(`oh-${name}`, "pat", 1n)]),
        preconditions: [
          { stream: "product/1", version },
          { stream: "product/2", version: 0 }
        ]
      })
      expect(tags(yield* append(order("a", 1)))).toEqual(["Accepted"])
      yield* append(batch("product/1", 1, [mint("pn", "pat", 1n)]))
      const stale = yield* Effect.flip(append(order("b", 1)))
      expect(stale).toMatchObject({ _tag: "StaleVersion", stream: "product/1", expected: 1, actual: 2 })
      expect(tags(yield* append(order("b", 2)))).toEqual(["Accepted"])
      expect(yield* balanceOf(wallet("pat"))).toEqual({ balance: "10", held: "2" })
    })
  )

  itWrites("writes nothing over a stream that was called new and is not", () =>
    Effect.gen(function* () {
      const again = { ...batch("drawn/1", 0, [mint("dn", "dan", 1n)]), isNew: true }
      yield* append(batch("drawn/1", 0, [mint("dm", "dan", 9n)]))
      expect(yield* Effect.flip(append(again))).toMatchObject({ _tag: "StaleVersion", expected: 0, actual: 1 })
      const fresh = { ...batch("drawn/2", 0, [mint("do", "dan", 2n)]), isNew: true }
      expect(tags(yield* append(fresh))).toEqual(["Accepted"])
      expect(yield* balanceOf(wallet("dan"))).toEqual({ balance: "11", held: "0" })
    })
  )

  itWrites("keeps the answer that comes with an entry", () =>
    Effect.gen(function* () {
      const [entry] = batch("answered", 0, []).entries
      const idempotency = { key: "a".repeat(64), fingerprint: "b".repeat(64), answer: { status: 200, body: "told" } }
      yield* append({ stream: "answered", version: 0, entries: entry === undefined ? [] : [{ ...entry, idempotency }] })
      const sql = yield* SqlClient
      expect([...(yield* sql`SELECT body FROM idempotency_keys WHERE key = ${idempotency.key}`)]).toEqual([
        { body: "told" }
      ])
    })
  )

  itWrites("captures a part of a hold and releases the rest in one posting", () =>
    Effect.gen(function* () {
      yield* append(batch("c/1", 0, [mint("cm", "cat", 100n)], [hold("ch", "cat", 80n)]))
      const capture: Command = {
        _tag: "Capture",
        hold: "ch",
        to: wallet("carl"),
        amount: usd(30n),
        purpose: "settlement"
      }
      expect(tags(yield* append(batch("c/1", 2, [capture])))).toEqual(["Accepted"])
      expect(tags(yield* append(batch("c/1", 3, [capture])))).toEqual(["Refused"])
      expect(yield* balanceOf(wallet("cat"))).toEqual({ balance: "70", held: "0" })
      expect(yield* balanceOf(wallet("carl"))).toEqual({ balance: "30", held: "0" })
    })
  )

  itWrites("takes a multiHold in the group that placed it out of what there is of the asset", () =>
    Effect.gen(function* () {
      const before = BigInt((yield* balanceOf(custody))?.balance ?? 0n)
      yield* append(batch("multiHold/1", 0, [mint("bm", "bea", 10n)]))
      const parts = [{ account: wallet("bea"), amount: usd(3n) }]
      const taken: ReadonlyArray<Command> = [{ _tag: "TakeMultiHold", multiHold: "b1", purpose: "withdrawal" }]
      yield* append(batch("multiHold/1", 1, [{ _tag: "PlaceMultiHold", id: "b1", parts }], taken))
      expect(yield* balanceOf(wallet("bea"))).toEqual({ balance: "7", held: "0" })
      expect((yield* balanceOf(custody))?.balance).toBe(String(before - 7n))
    })
  )

  itWrites("refuses a batch on another version, and leaves the others of its group alone", () =>
    Effect.gen(function* () {
      yield* append(batch("s/1", 0, [mint("s1", "sue", 5n)]))
      const exits = yield* Effect.all(
        [append(batch("s/1", 0, [mint("s2", "sue", 5n)])), append(batch("s/2", 0, [mint("s3", "sue", 7n)]))].map(
          Effect.exit
        ),
        { concurrency: "unbounded" }
      )
      expect(exits.map(Exit.isSuccess)).toEqual([false, true])
      expect(yield* balanceOf(wallet("sue"))).toEqual({ balance: "12", held: "0" })
    })
  )

  itWrites("tries the batches alone when their transaction fails, so that one cannot fail the others", () =>
    Effect.gen(function* () {
      const exits = yield* Effect.all(
        [
          append(batch("p/1", 0, [mint("p1", "pam", 1n)])),
          append(batch(POISON, 0, [mint("p2", "pam", 10n)])),
          append(batch("p/2", 0, [mint("p3", "pam", 100n)]))
        ].map(Effect.exit),
        { concurrency: "unbounded" }
      )
      expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
      expect(yield* balanceOf(wallet("pam"))).toEqual({ balance: "101", held: "0" })
    })
  )

  itWrites("numbers events without gaps in commit order, tells them in that order, and chains each stream", () =>
    Effect.gen(function* () {
      const journal = yield* UnitOfWork
      const told: Array<number> = []
      // Another test's writer may have written since this one last did.
      yield* append(batch("n/before", 0, [mint("nb", "nora", 1n)]))
      const before = yield* journal.lastSeq
      yield* journal.onCommit((events) => told.push(...events.map(({ seq }) => seq)))
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, index) => index),
        (index) => append(batch(`n/${index % 7}`, null, [mint(`n${index}`, `owner${index % 3}`, 1n)])),
        { concurrency: "unbounded" }
      )
      while (told.length < 200) yield* Effect.yieldNow
      expect(told).toEqual(Array.from({ length: 200 }, (_, index) => before + index + 1))
      const sql = yield* SqlClient
      yield* sql`SELECT 1`
      expect(projected.slice(-200)).toEqual(told)
      for (let stream = 0; stream < 7; stream++) {
        const rows = yield* sql<{ version: number; data: string; hash: Uint8Array }>`
          SELECT version, data, hash FROM events WHERE stream = ${`n/${stream}`} ORDER BY version`
        expect(rows.map(({ version }) => version)).toEqual(rows.map((_, index) => index + 1))
        rows.reduce((previous, row) => {
          expect(toHex(row.hash)).toBe(toHex(link(previous, row.data)))
          return row.hash
        }, GENESIS)
      }
    })
  )

  itWrites("stores the answer of an accepted entry under its key", () =>
    Effect.gen(function* () {
      const key = "ab".repeat(32)
      const [outcome] = yield* append({
        stream: "i/1",
        version: 0,
        entries: [
          { commands: [mint("i1", "ida", 1n)], event: event("i"), idempotency: { key, fingerprint: "cd".repeat(32) } }
        ]
      })
      const sql = yield* SqlClient
      const rows = yield* sql<{ body: string }>`SELECT body FROM idempotency_keys WHERE key = ${key}`
      expect(outcome?._tag === "Accepted" ? String(outcome.recorded.seq) : "refused").toBe(rows[0]?.body ?? "missing")
    })
  )

  itWrites("keeps the first answer under a key, and writes no other entry under it within 24 hours", () =>
    Effect.gen(function* () {
      const idempotency = { key: "ef".repeat(32), fingerprint: "cd".repeat(32) }
      const keyed = (stream: string): Batch<PlatformEvent> => ({
        stream,
        version: 0,
        entries: [{ commands: [mint(stream, "kay", 1n)], event: event(stream), idempotency }]
      })
      yield* append(keyed("k/1"))
      const sql = yield* SqlClient
      const kept = sql<{ body: string }>`SELECT body FROM idempotency_keys WHERE key = ${idempotency.key}`
      const [first] = yield* kept
      const others = [keyed("k/2"), keyed("k/3"), batch("k/4", 0, [mint("k4", "kay", 10n)])]
      const exits = yield* Effect.all(
        others.map((one) => Effect.exit(append(one))),
        {
          concurrency: "unbounded"
        }
      )
      expect(exits.map(Exit.isSuccess)).toEqual([false, false, true])
      expect(Exit.findErrorOption(exits[0]!)).toMatchObject({
        value: { _tag: "JournalUnavailable", isUnwritten: true }
      })
      expect([...(yield* kept)]).toEqual([{ body: first?.body ?? "" }])
      expect(yield* balanceOf(wallet("kay"))).toEqual({ balance: "11", held: "0" })
      yield* sql`UPDATE idempotency_keys SET created_at = created_at - 86400000 WHERE key = ${idempotency.key}`
      yield* append(keyed("k/5"))
      expect(yield* balanceOf(wallet("kay"))).toEqual({ balance: "12", held: "0" })
    })
  )
})

describe("UnitOfWork on a connection that fails", () => {
  const itAlone = withLayer(TestDatabase.layer)

  itAlone("decides anew what was sent behind a transaction that failed", () =>
    Effect.gen(function* () {
      const { append: send } = Context.get(yield* Layer.build(WriteSession.layer), WriteSession)
      const told: Array<number> = []
      const flights = { now: 0, overlap: Deferred.makeUnsafe<void>(), isFirstHeld: false }
      const overlapping = WriteSession.of({
        append: (rows) =>
          Effect.suspend(() => {
            flights.now += 1
            if (flights.now === 2) Deferred.doneUnsafe(flights.overlap, Effect.void)
            const isHeld = flights.isFirstHeld && flights.now === 1
            if (isHeld) flights.isFirstHeld = false
            const sent = isHeld ? Effect.andThen(Deferred.await(flights.overlap), connectionLost) : send(rows)
            return Effect.onExit(sent, () => Effect.sync(() => void (flights.now -= 1)))
          })
      })
      const many = Array.from({ length: MANY_ENTRIES }, (_, index) => `v/${index}`)
      const all = 20n + 2n * BigInt(MANY_ENTRIES)
      yield* Effect.gen(function* () {
        const journal = yield* UnitOfWork
        yield* journal.onCommit((events) => told.push(...events.map(({ seq }) => seq)))
        yield* append(batch("v", null, [mint("v", "vic", all)]))
        const before = yield* journal.lastSeq
        flights.isFirstHeld = true
        const failing = yield* Effect.forkChild(Effect.exit(append(batch("lost", null, [hold("lost", "vic", 20n)]))), {
          startImmediately: true
        })
        while (flights.now === 0) yield* Effect.yieldNow
        const exits = yield* Effect.forEach(
          many,
          (stream) => Effect.exit(append(batch(stream, 0, [hold(stream, "vic", 2n)]))),
          { concurrency: "unbounded" }
        )
        expect(Exit.isSuccess(yield* Fiber.join(failing))).toBe(true)
        expect(exits.map(Exit.isSuccess)).toEqual(many.map(() => true))
        expect(Deferred.isDoneUnsafe(flights.overlap)).toBe(true)
        expect(told.slice(1)).toEqual(["lost", ...many].map((_, index) => before + index + 1))
        expect(yield* balanceOf(wallet("vic"))).toEqual({ balance: String(all), held: String(all) })
        expect(yield* journal.lastSeq).toBe(before + many.length + 1)
      }).pipe(
        Effect.provide(
          Layer.fresh(UnitOfWork.layer).pipe(
            Layer.provide(Layer.succeed(WriteSession, overlapping)),
            Layer.provide(Layer.mergeAll(JournalRepository.layer, projection))
          )
        )
      )
    })
  )

  itAlone(
    "answers a commit that lost its answer once the database says that it was one, and does again what was not",
    () =>
      Effect.gen(function* () {
        const { append: send } = Context.get(yield* Layer.build(WriteSession.layer), WriteSession)
        const told: Array<string> = []
        const fates: Array<"lost" | "undone"> = []
        const failing = WriteSession.of({
          append: (rows) =>
            Effect.suspend(() => {
              const fate = fates.shift()
              return fate === "undone"
                ? connectionLost
                : Effect.tap(send(rows), fate === "lost" ? connectionLost : Effect.void)
            })
        })
        const write = (...streams: ReadonlyArray<string>) =>
          Effect.map(
            Effect.all(
              streams.map((stream) => Effect.exit(append(batch(stream, 0, [mint(stream, "uma", 1n)])))),
              { concurrency: "unbounded" }
            ),
            (exits) => exits.map(Exit.isSuccess)
          )

        yield* Effect.gen(function* () {
          const journal = yield* UnitOfWork
          yield* journal.onCommit((events) => told.push(...events.map(({ stream }) => stream)))
          expect(yield* write("u/1")).toEqual([true])
          fates.push("lost")
          const writing = yield* Effect.forkChild(write("u/2", "u/3"), { startImmediately: true })
          while (fates.length > 0 || journal.isCertain()) yield* Effect.yieldNow
          while ((yield* Effect.exit(journal.writes))._tag === "Success") yield* Effect.yieldNow
          expect(yield* Fiber.join(writing)).toEqual([true, true])
          expect(told).toEqual(["u/1", "u/2", "u/3"])
          fates.push("undone", "undone", "lost")
          expect(yield* write("u/4", "u/2", "u/5")).toEqual([true, false, true])
          while (told.length < 5) yield* Effect.yieldNow
          expect(Exit.isSuccess(yield* Effect.exit(journal.writes))).toBe(true)
          expect(journal.isCertain()).toBe(true)
          expect(told).toEqual(["u/1", "u/2", "u/3", "u/4", "u/5"])
          expect(yield* balanceOf(wallet("uma"))).toEqual({ balance: "5", held: "0" })
        }).pipe(
          Effect.provide(
            Layer.fresh(UnitOfWork.layer).pipe(
              Layer.provide(Layer.succeed(WriteSession, failing)),
              Layer.provide(Layer.mergeAll(JournalRepository.layer, projection))
            )
          )
        )
      })
  )
})
