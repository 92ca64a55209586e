import { Clock, Context, Deferred, Effect, Layer, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { groupLoading, type StoredRows } from "../../../src/database/GroupLoading.ts"
import { MakeMemory } from "../../../src/database/GroupWriter.ts"
import { JournalRepository } from "../../../src/database/JournalRepository.ts"
import { KeyIndex, type KeyPages } from "../../../src/database/KeyIndex.ts"
import { LedgerTables } from "../../../src/database/LedgerTables.ts"
import { Projection } from "../../../src/database/Projection.ts"
import { TablePosition } from "../../../src/database/TablePosition.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { ProjectionSession, WriteSession } from "../../../src/database/WriteSession.ts"
import { Deposed, WriterTerm } from "../../../src/database/WriterTerm.ts"
import { KeyFilter } from "../../../engine/journal/KeyFilter.ts"
import { merged } from "../../../engine/journal/TableRow.ts"
import type { Call } from "./Fates.ts"
import { fundRows } from "./JournalFold.ts"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import type { MemoryServer } from "./MemoryServer.ts"
import { type MemoryTables, runStatement, statementOf } from "./MemoryTables.ts"

/** Rows and keys of a page. */
const PAGE = 3

/** Keys for which the filter is made. */
const KEYS = 1_000

/** How often a server looks whether it may still write. */
const WATCH = "1 second"

const DEPOSED = new Deposed({ message: "another server writes" })

/** A call that has no condition. */
const asking =
  (server: MemoryServer, call: Call) =>
  <A>(execute: (database: MemoryDatabase) => A): Effect.Effect<A, SqlError> =>
    Effect.catchTag(
      server.call(call, () => execute(server.around.database)),
      "Outdated",
      Effect.die
    )

const rowsOf = (server: MemoryServer): StoredRows => {
  const ask = asking(server, "load")
  const found = <K, V>(ids: ReadonlyArray<K>, of: (tables: MemoryTables) => ReadonlyMap<K, V>) =>
    ids.length === 0
      ? Effect.succeed([])
      : ask(({ tables }) =>
          ids.flatMap((id) => {
            const value = of(tables).get(id)
            return value === undefined ? [] : [[id, value] as const]
          })
        )
  const names = <K>(pairs: ReadonlyArray<readonly [K, unknown]>): ReadonlySet<K> => new Set(pairs.map(([id]) => id))
  return {
    heads: (streams) =>
      Effect.map(
        found(streams, ({ heads }) => heads),
        (pairs) => pairs.map(([id, head]) => ({ id, ...head }))
      ),
    accounts: (ids) =>
      Effect.map(
        found(ids, ({ accounts }) => accounts),
        (pairs) => pairs.map(([, account]) => account)
      ),
    pendingHolds: (ids) =>
      Effect.map(
        found(ids, ({ holds }) => holds),
        (pairs) => pairs.flatMap(([, { resolvedBy, value }]) => (resolvedBy === undefined ? [value] : []))
      ),
    pendingBaskets: (ids) =>
      Effect.map(
        found(ids, ({ baskets }) => baskets),
        (pairs) => pairs.flatMap(([, { resolvedBy, value }]) => (resolvedBy === undefined ? [value] : []))
      ),
    claimed: (ids) =>
      Effect.map(
        found(ids, ({ claims }) => claims),
        names
      ),
    answered: (ids, since) =>
      Effect.map(
        found(ids, ({ keys }) => keys),
        (pairs) => names(pairs.filter(([, { at }]) => at > since))
      )
  }
}

const repositoryOf = (server: MemoryServer): JournalRepository["Service"] => {
  const look = asking(server, "look")
  return {
    end: Effect.tap(
      look(({ end }) => end),
      () => Effect.sync(() => void (server.isDoubtful = false))
    ),
    after: (seq) => look(({ journal }) => journal.filter(({ firstSeq }) => firstSeq > seq).slice(0, PAGE)),
    probe: Effect.void,
    load: groupLoading(server.around.parts.rows(rowsOf(server), server)),
    append: (rows, hash, term) => statementOf((database: MemoryDatabase) => database.append(rows, hash, term))
  }
}

const tablesOf = (server: MemoryServer): LedgerTables["Service"] => {
  const { database } = server.around
  return {
    projected: asking(server, "look")(({ tables }) => tables.seq),
    advance: (from, to, term) => statementOf((tables: MemoryTables) => database.advance(tables, from, to, term)),
    isAppended: (end) => asking(server, "look")((database) => database.isAppended(end)),
    write: (groups) => [statementOf((tables: MemoryTables) => tables.write(groups))]
  }
}

const projectionOf = (server: MemoryServer): Projection["Service"] => ({
  begin: (events) =>
    Effect.succeed({
      statements: () => [
        statementOf((tables: MemoryTables) => tables.apply(merged(events.flatMap(({ event }) => fundRows(event)))))
      ],
      written: () => {}
    }),
  answer: ({ event, seq }, account) => ({ status: 200, body: `${seq} of ${event._tag}, ${typeof account}` }),
  projected: (events) => {
    const last = events.at(-1)?.seq ?? 0
    const { database, report } = server.around
    if (!server.isReverted && last > database.tables.seq)
      report(`event ${last} is called projected, and the tables stand at ${database.tables.seq}`)
  }
})

/** Takes the next term when it is built. */
const termOf = Effect.fnUntraced(function* (server: MemoryServer) {
  const ask = asking(server, "term")
  let term = yield* ask((database) => database.take(server.number))
  const lost = Deferred.makeUnsafe<never, Deposed>()
  const resign = (why: Deposed) => Effect.andThen(Deferred.fail(lost, why), Deferred.await(lost))
  const check = Effect.flatMap(
    ask(({ holder }) => holder),
    (holder) => (holder === server.number ? Effect.void : resign(DEPOSED))
  )
  const renew = Effect.flatMap(
    ask((database) => (database.holder === server.number ? database.take(server.number) : undefined)),
    (taken) => (taken === undefined ? resign(DEPOSED) : Effect.sync(() => void (term = taken)))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(check), WATCH)))
  return WriterTerm.of({
    current: () => term,
    renew: Semaphore.makeUnsafe(1).withPermit(renew),
    check,
    resign,
    deposed: Deferred.await(lost)
  })
})

const pagesOf = (server: MemoryServer): KeyPages => {
  const ask = asking(server, "keys")
  return (after, since) =>
    ask(({ tables }) =>
      [...tables.keys]
        .filter(([key, { at }]) => key > after && at > since)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, PAGE)
        .map(([key, { at }]) => ({ key, at: BigInt(at) }))
    )
}

/** What callers use of a server. */
export interface Served {
  readonly server: MemoryServer
  readonly journal: UnitOfWork["Service"]
  readonly position: TablePosition["Service"]
  readonly keys: KeyIndex["Service"]
  readonly deposed: Effect.Effect<never, Deposed>
}

/** Starts a server's write path as it ships, on a database in memory. It fails where a start fails. */
export const serve = (server: MemoryServer): Effect.Effect<Served, SqlError | Deposed> =>
  Effect.gen(function* () {
    const { database, parts } = server.around
    const term = yield* parts.term(termOf(server), server)
    const keys = parts.keys(yield* KeyIndex.reading(pagesOf(server), new KeyFilter({ capacity: KEYS })))
    const position = parts.position()
    const append = parts.append(
      (rows) =>
        Effect.tapCause(
          server.call("append", () => runStatement(rows, database)),
          () => Effect.sync(() => void (server.isDoubtful = true))
        ),
      server
    )
    const transaction = parts.project(
      ({ condition, statements }) =>
        server.call("project", () =>
          database.transact((tables) => {
            if (condition !== undefined) runStatement(condition, tables)
            for (const one of statements) runStatement(one, tables)
          })
        ),
      server
    )
    const services = yield* Layer.build(
      Layer.fresh(UnitOfWork.behind).pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(WriterTerm, term),
            Layer.succeed(KeyIndex, keys),
            Layer.succeed(TablePosition, position),
            Layer.succeed(JournalRepository, parts.repository(repositoryOf(server), server)),
            Layer.succeed(LedgerTables, parts.tables(tablesOf(server), server)),
            Layer.succeed(Projection, parts.projection(projectionOf(server))),
            Layer.succeed(WriteSession, { append }),
            Layer.succeed(ProjectionSession, { transaction }),
            Layer.succeed(MakeMemory, parts.memory)
          )
        )
      )
    )
    return { server, journal: Context.get(services, UnitOfWork), position, keys, deposed: term.deposed }
  }).pipe(
    // Nobody shuts a server down here: it is killed.
    Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
    Effect.provideService(Clock.Clock, server.clock)
  )
