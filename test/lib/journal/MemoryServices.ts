import { Clock, Deferred, Effect, Scope, Semaphore } from "effect"
import type { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { Deposed } from "../../../engine/journal/Deposed.ts"
import { groupLoading, type StoredRows } from "../../../engine/journal/GroupLoading.ts"
import { type KeyIndex, type KeyPages, makeKeyIndex } from "../../../engine/journal/KeyIndex.ts"
import { KeyFilter } from "../../../engine/journal/KeyFilter.ts"
import { merged } from "../../../engine/journal/TableRow.ts"
import { makeWritePath, type WritePath } from "../../../engine/journal/WritePath.ts"
import type { JournalPort, TablesPort, TermPort } from "../../../engine/journal/WritePorts.ts"
import { link } from "../../../src/database/EventChain.ts"
import type { TablePosition } from "../../../src/database/TablePosition.ts"
import type { Call } from "./Fates.ts"
import { fundRows } from "./JournalFold.ts"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import type { MemoryServer } from "./MemoryServer.ts"
import type { MemoryTables } from "./MemoryTables.ts"

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
  <A>(execute: (database: MemoryDatabase) => A): Effect.Effect<A, JournalUnavailable> =>
    Effect.catchTag(
      server.call(call, () => execute(server.around.database)),
      "Outdated",
      Effect.die
    )

/** Reads of tables in memory, each by one call. */
export const storedRowsOf = <E>(ask: <A>(read: (tables: MemoryTables) => A) => Effect.Effect<A, E>): StoredRows<E> => {
  const found = <K, V>(ids: ReadonlyArray<K>, of: (tables: MemoryTables) => ReadonlyMap<K, V>) =>
    ids.length === 0
      ? Effect.succeed([])
      : ask((tables) =>
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

const journalOf = (server: MemoryServer): JournalPort => {
  const look = asking(server, "look")
  return {
    end: Effect.tap(
      look(({ end }) => end),
      () => Effect.sync(() => void (server.isDoubtful = false))
    ),
    after: (seq) => look(({ journal }) => journal.filter(({ firstSeq }) => firstSeq > seq).slice(0, PAGE)),
    load: groupLoading(
      server.around.parts.rows(
        storedRowsOf((read) => asking(server, "load")(({ tables }) => read(tables))),
        server
      )
    ),
    append: (rows, hash, term) =>
      Effect.tapCause(
        server.call("append", () => server.around.database.append(rows, hash, term)),
        () => Effect.sync(() => void (server.isDoubtful = true))
      )
  }
}

/** What the events of groups make of a context's table. */
export const fundsOf: Parameters<MemoryTables["project"]>[1] = (groups) =>
  merged(groups.flatMap(({ settled }) => settled.recorded.flatMap(({ event }) => fundRows(event))))

const tablesOf = (server: MemoryServer): TablesPort => {
  const { database, report } = server.around
  return {
    projected: asking(server, "look")(({ tables }) => tables.seq),
    isAppended: (end) => asking(server, "look")((database) => database.isAppended(end)),
    write: (groups, from, to, term) =>
      server.call("project", () =>
        database.transact((tables) => {
          database.advance(tables, from, to, term)
          tables.project(groups, fundsOf)
        })
      ),
    projectedTo: (events) => {
      const last = events.at(-1)?.seq ?? 0
      if (!server.isReverted && last > database.tables.seq) {
        report(`event ${last} is called projected, and the tables stand at ${database.tables.seq}`)
      }
    }
  }
}

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
  const port: TermPort = {
    current: () => term,
    renew: Semaphore.makeUnsafe(1).withPermit(renew),
    check,
    resign,
    deposed: Deferred.await(lost)
  }
  return port
})

const pagesOf = (server: MemoryServer): KeyPages<JournalUnavailable> => {
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
  readonly journal: WritePath
  readonly position: TablePosition["Service"]
  readonly keys: KeyIndex
  readonly deposed: Effect.Effect<never, Deposed>
}

/** Starts a server's write path as it ships, on a database in memory. It fails where a start fails. */
export const serve = (server: MemoryServer): Effect.Effect<Served, JournalUnavailable | Deposed> =>
  Effect.gen(function* () {
    const { parts } = server.around
    const term = yield* parts.term(termOf(server), server)
    const keys = parts.keys(yield* makeKeyIndex(pagesOf(server), new KeyFilter({ capacity: KEYS })))
    const position = parts.position()
    const journal = yield* makeWritePath({
      journal: parts.journal(journalOf(server), server),
      tables: parts.tables(tablesOf(server), server),
      term,
      keys,
      position,
      memory: parts.memory(),
      answer: ({ event, seq }, account) => ({ status: 200, body: `${seq} of ${event._tag}, ${typeof account}` }),
      link,
      encoding: { now: () => 0n, add: () => {} }
    })
    return { server, journal, position, keys, deposed: term.deposed }
  }).pipe(
    // Nobody shuts a server down here: it is killed.
    Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
    Effect.provideService(Clock.Clock, server.clock)
  )
