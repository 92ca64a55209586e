import { Deferred, Effect } from "effect"
import { toHex } from "../../../engine/actor/EventChain.ts"
import { KeyFilter } from "../../../engine/journal/KeyFilter.ts"
import { endOf, type JournalEnd, rowHash } from "../../../engine/journal/JournalRow.ts"
import { put } from "../../../engine/journal/TableRow.ts"
import { type Left, WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { link } from "../../../src/database/EventChain.ts"
import type { JournalRepository } from "../../../src/database/JournalRepository.ts"
import { TablePosition } from "../../../src/database/TablePosition.ts"
import { Deposed, type WriterTerm } from "../../../src/database/WriterTerm.ts"
import { fundRows } from "./JournalFold.ts"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import type { MemoryServer, ServerParts } from "./MemoryServer.ts"
import { type MemoryTables, statementOf, Untrue } from "./MemoryTables.ts"

/** A memory that does not take back what was not appended. */
class KeptMemory extends WriterMemory {
  override rebuild(): void {}
}

/** A memory that forgets what was sent and the tables do not have yet. */
class EarlyMemory extends WriterMemory {
  override remember(left: Left, seq: number): void {
    super.remember(left, seq)
    super.project([left], seq)
  }
}

/** A memory that takes over what was read only after the next group, which may have changed it. */
class LateMemory extends WriterMemory {
  #read: Array<Parameters<WriterMemory["recall"]>> = []

  override recall(...read: Parameters<WriterMemory["recall"]>): void {
    this.#read.push(read)
  }

  override remember(left: Left, seq: number): void {
    super.remember(left, seq)
    for (const read of this.#read.splice(0)) super.recall(...read)
  }
}

/** Appends behind whatever has the hash, under any term. */
const unchecked = (given: JournalRepository["Service"]): JournalRepository["Service"] => ({
  ...given,
  append: (rows, hash) =>
    statementOf((database: MemoryDatabase) => {
      if (toHex(hash) !== toHex(database.end.hash)) throw new Untrue()
      database.insert(rows)
    })
})

/** Takes its term when it first writes, after it has read. */
const lateTerm = (server: MemoryServer): WriterTerm["Service"] => {
  const { database } = server.around
  let term: bigint | undefined
  const lost = Deferred.makeUnsafe<never, Deposed>()
  const resign = (why: Deposed) => Effect.andThen(Deferred.fail(lost, why), Deferred.await(lost))
  const renew = Effect.suspend(() => {
    if (database.holder !== server.number) return resign(new Deposed({ message: "another server writes" }))
    term = database.take(server.number)
    return Effect.void
  })
  return {
    current: () => (term ??= database.take(server.number)),
    renew,
    check: Effect.void,
    resign,
    deposed: Deferred.await(lost)
  }
}

/** Rows that are stamped with what the clock says, whatever the rows before say; their writer takes them for its own. */
class Stamped {
  readonly #real = new Map<string, JournalEnd>()
  readonly #believed = new Map<string, Uint8Array>()

  readonly repository: ServerParts["repository"] = (given, { clock }) => ({
    ...given,
    append: (rows, hash, term) => {
      const before = this.#realOf({ seq: 0, hash, recordedAt: 0 }).hash
      let previous = before
      const restamped = rows.map((row) => {
        const place = { ...row, recordedAt: clock.currentTimeMillisUnsafe() }
        previous = rowHash(previous, place, link)
        this.#real.set(toHex(row.hash), endOf({ ...place, hash: previous }))
        this.#believed.set(toHex(previous), row.hash)
        return { ...place, hash: previous }
      })
      return given.append(restamped, before, term)
    },
    end: Effect.map(given.end, (end) => ({ ...end, hash: this.#believed.get(toHex(end.hash)) ?? end.hash }))
  })

  readonly tables: ServerParts["tables"] = (given) => ({
    ...given,
    isAppended: (end) => given.isAppended(this.#realOf(end)),
    advance: (from, to, term) => given.advance(from, this.#realOf(to), term),
    write: (groups) => given.write(groups.map((group) => ({ ...group, end: this.#realOf(group.end) })))
  })

  #realOf(end: JournalEnd): JournalEnd {
    return this.#real.get(toHex(end.hash)) ?? end
  }
}

const stamped = (): Partial<ServerParts> => {
  const { repository, tables } = new Stamped()
  return { clock: (given) => given, repository, tables }
}

/** Reads that begin at once. */
const impatient = (): TablePosition["Service"] =>
  Object.defineProperty(TablePosition.make(), "reached", { value: Effect.void })

/** A filter that trusts itself before it was read. */
const forgetful: ServerParts["keys"] = (given) => {
  const filter = new KeyFilter({ capacity: 1_000 })
  filter.rebuilt()
  return {
    ...given,
    note: (key, at) => {
      filter.add(key, at)
      given.note(key, at)
    },
    isSurelyNew: (key, at) => filter.isSurelyNew(key, at)
  }
}

/** Faults of the write path itself, each in the place of one of its parts. The worlds must find every one. */
export const PLANTED_WRITES: Readonly<Record<string, Partial<ServerParts>>> = {
  "term not checked": { repository: unchecked },
  "term raised after reading": { term: (_, server) => Effect.sync(() => lateTerm(server)) },
  "memory kept": { memory: () => new KeptMemory(1) },
  "told before the commit": { append: (given) => (rows) => Effect.asVoid(Effect.forkDetach(given(rows))) },
  "cursor before rows": {
    project:
      (given) =>
      ({ condition, statements }) =>
        Effect.andThen(
          given({ ...(condition === undefined ? {} : { condition }), statements: [] }),
          given({ statements })
        )
  },
  "overlay dropped early": { memory: () => new EarlyMemory(1) },
  "stale cold read wins": { memory: () => new LateMemory(1) },
  "upsert instead of insert": {
    projection: (given) => ({
      ...given,
      begin: (events) =>
        Effect.succeed({
          statements: () => [
            statementOf((tables: MemoryTables) => {
              for (const { event } of events) {
                tables.apply(fundRows(event).flatMap((row) => ("row" in row ? [put(row.row)] : [])))
              }
            })
          ],
          written: () => {}
        })
    })
  },
  "key overwritten": { keys: (given) => ({ ...given, isSurelyNew: () => true }) },
  "stamp not monotone": stamped(),
  "groups reordered in one batch": {
    tables: (given) => ({ ...given, write: (groups) => given.write(groups.toReversed()) })
  },
  "foreign row told as one's own": {
    append: (given) => (rows) => Effect.catchTag(given(rows), "Outdated", () => Effect.void)
  },
  "a read that does not wait": { position: impatient },
  "a filter trusted before it was read": { keys: forgetful },
  "tables called written before they are": {
    project: (given) => (written) => Effect.asVoid(Effect.forkDetach(given(written)))
  },
  "a row that is gone projected": {
    tables: (given) => ({
      ...given,
      isAppended: () => Effect.succeed(true),
      advance: (from, { seq }, term) =>
        statementOf((tables: MemoryTables) => {
          if (tables.seq !== from) throw new Untrue()
          tables.seq = term > 0n ? seq : from
        })
    })
  }
}
