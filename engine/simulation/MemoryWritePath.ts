import { Clock, Deferred, Effect, Exit, Scope, Semaphore } from "effect"
import type { ChainHash } from "../actor/EventChain.ts"
import { JournalUnavailable } from "../actor/Journal.ts"
import { isRequestName } from "../cluster/RequestName.ts"
import { Deposed } from "../journal/Deposed.ts"
import { groupLoading, type StoredRows } from "../journal/GroupLoading.ts"
import { type KeyIndex, type KeyPages, makeKeyIndex } from "../journal/KeyIndex.ts"
import { KeyFilter } from "../journal/KeyFilter.ts"
import { answeredNames, type RowPages } from "../journal/ExecutedRequests.ts"
import { TablePosition } from "../journal/TablePosition.ts"
import { makeWritePath, type WritePath } from "../journal/WritePath.ts"
import type { JournalPort, TablesPort, TermPort } from "../journal/WritePorts.ts"
import { steady } from "../journal/SteadyClock.ts"
import type { EventAnswers, StoredResponse } from "../journal/StoredResponse.ts"
import { WriterMemory } from "../journal/WriterMemory.ts"
import type { Call } from "./CallFate.ts"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import type { MemoryTables, Placed } from "./MemoryTables.ts"
import type { MemoryServer } from "./MemoryServer.ts"

/** Rows that are read at once. */
const PAGE = 3

/** Keys for which the filter is made. */
const KEYS = 10_000

/** How often a server looks whether it may still write, in milliseconds. */
const WATCH_MILLIS = 1_000

const DEPOSED = new Deposed({ message: "another process writes" })

/** What the write path of a server is made of. A planted fault puts something in the place of a part. */
export interface WriteParts<D extends MemoryDatabase = MemoryDatabase> {
  readonly memory: () => WriterMemory
  readonly position: () => TablePosition<JournalUnavailable>
  readonly rows: (given: StoredRows<JournalUnavailable>, server: MemoryServer<D>) => StoredRows<JournalUnavailable>
  readonly journal: (given: JournalPort, server: MemoryServer<D>) => JournalPort
  readonly tables: (given: TablesPort, server: MemoryServer<D>) => TablesPort
  readonly keys: (given: KeyIndex) => KeyIndex
  /** The rows in which a request is looked for that a node named. */
  readonly named: (given: RowPages<JournalUnavailable>) => RowPages<JournalUnavailable>
  /** What is kept for a retry. */
  readonly answers: EventAnswers
  /** The time of everything that is recorded, by the process's clock and the last record. */
  readonly clock: (given: Clock.Clock, floor: number) => Clock.Clock
  /** Takes the next term. */
  readonly term: (given: TakesTerm, server: MemoryServer<D>) => TakesTerm
}

export type TakesTerm = Effect.Effect<TermPort, JournalUnavailable, Scope.Scope>

const same = <T>(given: T): T => given

/** What is kept for a retry, unless said: who asks here looks at the event. */
const ANSWERED: StoredResponse = { status: 0, body: "" }

/** As it ships. */
export const SHIPPED_PARTS: WriteParts = {
  memory: () => new WriterMemory(),
  position: () => new TablePosition((reason) => new JournalUnavailable({ reason, isUnwritten: true })),
  rows: same,
  journal: same,
  tables: same,
  keys: same,
  named: same,
  answers: { of: () => ANSWERED, follows: () => false },
  clock: steady,
  term: same
}

/** A call that has no condition. */
const asking =
  <D extends MemoryDatabase>(server: MemoryServer<D>, call: Call) =>
  <A>(execute: (database: D) => A): Effect.Effect<A, JournalUnavailable> =>
    Effect.catchTag(
      server.call(call, () => execute(server.around.database)),
      "Outdated",
      Effect.die
    )

/** Reads of tables in memory, each by one call; nothing is asked for no ids. */
export const storedRowsOf = <E>(ask: <A>(read: (tables: MemoryTables) => A) => Effect.Effect<A, E>): StoredRows<E> => {
  const found = <K, V, A>(
    ids: ReadonlyArray<K>,
    of: (tables: MemoryTables) => Pick<ReadonlyMap<K, V>, "get">,
    shaped: (pairs: ReadonlyArray<readonly [K, V]>) => A
  ): Effect.Effect<A, E> =>
    ids.length === 0
      ? Effect.succeed(shaped([]))
      : ask((tables) =>
          shaped(
            ids.flatMap((id) => {
              const value = of(tables).get(id)
              return value === undefined ? [] : [[id, value] as const]
            })
          )
        )
  const names = <K>(pairs: ReadonlyArray<readonly [K, unknown]>): ReadonlySet<K> => new Set(pairs.map(([id]) => id))
  const pending = <T>(pairs: ReadonlyArray<readonly [string, Placed<T>]>): ReadonlyArray<T> =>
    pairs.flatMap(([, { resolvedBy, value }]) => (resolvedBy === undefined ? [value] : []))
  return {
    heads: (streams) =>
      found(
        streams,
        ({ heads }) => heads,
        (pairs) => pairs.map(([id, head]) => ({ id, ...head }))
      ),
    accounts: (ids) =>
      found(
        ids,
        ({ accounts }) => accounts,
        (pairs) => pairs.map(([, account]) => account)
      ),
    pendingHolds: (ids) => found(ids, ({ holds }) => holds, pending),
    pendingMultiHolds: (ids) => found(ids, ({ multiHolds }) => multiHolds, pending),
    claimed: (ids) => found(ids, ({ claims }) => claims, names),
    answered: (ids, since) =>
      found(
        ids,
        (tables) => ({ get: (key) => tables.kept(key) }),
        (pairs) => names(pairs.filter(([, { at }]) => at > since))
      )
  }
}

/** The rows of the journal behind a sequence. */
const pagesBehind = (server: MemoryServer): RowPages<JournalUnavailable> => {
  const look = asking(server, "look")
  return (seq) => look(({ journal }) => journal.filter(({ firstSeq }) => firstSeq > seq).slice(0, PAGE))
}

/** Reads that look in the journal for what nodes named. */
const withNames = (
  rows: StoredRows<JournalUnavailable>,
  named: RowPages<JournalUnavailable>
): StoredRows<JournalUnavailable> => ({
  ...rows,
  answered: (keys, since) => {
    const others = keys.filter((key) => !isRequestName(key))
    return Effect.zipWith(
      rows.answered(others, since),
      answeredNames(named, keys.filter(isRequestName)),
      (found, names) => found.union(new Set(names))
    )
  }
})

const journalOf = (server: MemoryServer, rows: StoredRows<JournalUnavailable>): JournalPort => {
  const look = asking(server, "look")
  return {
    end: Effect.tap(
      look(({ end }) => end),
      () => Effect.sync(() => void (server.isDoubtful = false))
    ),
    after: pagesBehind(server),
    load: groupLoading(rows),
    append: (...group) =>
      Effect.tapCause(
        server.call("append", () => server.around.database.append(...group)),
        () => Effect.sync(() => void (server.isDoubtful = true))
      )
  }
}

const tablesOf = (server: MemoryServer): TablesPort => {
  const { database, report } = server.around
  const look = asking(server, "look")
  return {
    projected: look(({ tables }) => tables.seq),
    isAppended: (end) => look((database) => database.isAppended(end)),
    write: (...groups) => server.call("project", () => database.project(...groups)),
    projectedTo: (events) => {
      const last = events.at(-1)?.seq ?? 0
      if (!server.isReverted && last > database.tables.seq) {
        report(`event ${last} is called projected, and the tables stand at ${database.tables.seq}`)
      }
    }
  }
}

/**
 * Looks again and again whether another server has the term. It takes a fiber's turns of the scheduler, and none of its
 * steps: seconds in which nothing else happens are most of a world's.
 */
const watching = (server: MemoryServer, onLost: () => void): Effect.Effect<never> =>
  Effect.withFiber((fiber) => {
    const look = (): void => server.send("term", () => server.around.database.holder, judge)
    const wait = (): void => void server.after(WATCH_MILLIS, look)
    const judge = (exit: Exit.Exit<number, unknown>): void => {
      if (Exit.isSuccess(exit) && exit.value !== server.number) onLost()
      fiber.currentDispatcher.scheduleTask(wait, 0)
    }
    wait()
    return Effect.never
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
  yield* Effect.forkScoped(watching(server, () => Deferred.doneUnsafe(lost, Effect.fail(DEPOSED))))
  const port: TermPort = {
    current: () => term,
    renew: Semaphore.makeUnsafe(1).withPermit(renew),
    check,
    resign,
    deposed: Deferred.await(lost)
  }
  return port
})

/** All keys are one page. */
const pagesOf = (server: MemoryServer): KeyPages<JournalUnavailable> => {
  const ask = asking(server, "keys")
  return (after, since) =>
    after !== ""
      ? Effect.succeed([])
      : ask(({ tables: { keys, refusals } }) =>
          [...keys, ...refusals].flatMap(([key, { at }]) => (at > since ? [{ key, at: BigInt(at) }] : []))
        )
}

/** What callers use of a server. */
export interface Served<D extends MemoryDatabase = MemoryDatabase> {
  readonly server: MemoryServer<D>
  readonly journal: WritePath
  readonly position: TablePosition<JournalUnavailable>
  readonly keys: KeyIndex
  /** The rows in which a request is looked for that a node named. */
  readonly named: RowPages<JournalUnavailable>
  /** The time of what it decides. */
  readonly clock: Clock.Clock
  readonly term: TermPort
  readonly deposed: Effect.Effect<never, Deposed>
}

/** Starts a server's write path, as it ships, on a database in memory. It fails where a start fails. */
export const serve = <D extends MemoryDatabase>(
  server: MemoryServer<D>,
  parts: WriteParts<D>,
  link: ChainHash
): Effect.Effect<Served<D>, JournalUnavailable | Deposed> =>
  Effect.gen(function* () {
    const term = yield* parts.term(termOf(server), server)
    const { recordedAt } = yield* asking(server, "look")(({ end }) => end)
    const clock = parts.clock(server.clock, recordedAt)
    return yield* Effect.provideService(built(server, parts, link, term, clock), Clock.Clock, clock)
  }).pipe(
    // Nobody shuts a server down here: it is killed.
    Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
    Effect.provideService(Clock.Clock, server.clock)
  )

/** Fewer than ship: a simulated world has fewer at once, and is to send groups ahead as well. */
const MANY_ENTRIES = 10

const built = Effect.fnUntraced(function* <D extends MemoryDatabase>(
  server: MemoryServer<D>,
  parts: WriteParts<D>,
  link: ChainHash,
  term: TermPort,
  clock: Clock.Clock
): Effect.fn.Return<Served<D>, JournalUnavailable | Deposed, Scope.Scope> {
  const keys = parts.keys(yield* makeKeyIndex(pagesOf(server), new KeyFilter({ capacity: KEYS })))
  const position = parts.position()
  const rows = storedRowsOf((read) => asking(server, "load")(({ tables }) => read(tables)))
  const named = parts.named(pagesBehind(server))
  const journal = yield* makeWritePath({
    journal: parts.journal(journalOf(server, withNames(parts.rows(rows, server), named)), server),
    tables: parts.tables(tablesOf(server), server),
    term,
    keys,
    position,
    memory: parts.memory(),
    answers: parts.answers,
    link,
    encoding: { now: () => 0n, add: () => {} },
    manyEntries: MANY_ENTRIES
  })
  return { server, journal, position, keys, named, clock, term, deposed: term.deposed }
})
