import { Deferred, Effect } from "effect"
import { toHex } from "../../../engine/actor/EventChain.ts"
import { Deposed } from "../../../engine/journal/Deposed.ts"
import { KeyFilter } from "../../../engine/journal/KeyFilter.ts"
import { endOf, type JournalEnd, rowHash } from "../../../engine/journal/JournalRow.ts"
import { put } from "../../../engine/journal/TableRow.ts"
import { type Left, WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import type { JournalPort, TermPort } from "../../../engine/journal/WritePorts.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { SHIPPED_PARTS, type WriteParts } from "../../../engine/simulation/MemoryWritePath.ts"
import type { MemoryServer } from "../../../engine/simulation/MemoryServer.ts"
import { Untrue } from "../../../engine/simulation/MemoryDatabase.ts"
import { fundRows, fundsOf } from "./RowTables.ts"
import type { ServerParts } from "./WriteWorld.ts"

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
const unchecked = (given: JournalPort, server: MemoryServer): JournalPort => ({
  ...given,
  append: ({ rows }, hash) =>
    server.call("append", () => {
      const { database } = server.around
      if (toHex(hash) !== toHex(database.end.hash)) throw new Untrue()
      database.insert(rows)
    })
})

/** Takes its term when it first writes, after it has read. */
const lateTerm = (server: MemoryServer): TermPort => {
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

  readonly journal: WriteParts["journal"] = (given, { clock }) => ({
    ...given,
    append: ({ group, rows }, hash, term) => {
      const before = this.#realOf({ seq: 0, hash, recordedAt: 0 }).hash
      let previous = before
      const restamped = rows.map((row) => {
        const place = { ...row, recordedAt: clock.currentTimeMillisUnsafe() }
        previous = rowHash(previous, place, link)
        this.#real.set(toHex(row.hash), endOf({ ...place, hash: previous }))
        this.#believed.set(toHex(previous), row.hash)
        return { ...place, hash: previous }
      })
      return given.append({ group, rows: restamped }, before, term)
    },
    end: Effect.map(given.end, (end) => ({ ...end, hash: this.#believed.get(toHex(end.hash)) ?? end.hash }))
  })

  readonly tables: ServerParts["tables"] = (given) => ({
    ...given,
    isAppended: (end) => given.isAppended(this.#realOf(end)),
    write: (groups, from, to, term) =>
      given.write(
        groups.map((group) => ({ ...group, end: this.#realOf(group.end) })),
        from,
        this.#realOf(to),
        term
      )
  })

  #realOf(end: JournalEnd): JournalEnd {
    return this.#real.get(toHex(end.hash)) ?? end
  }
}

const stamped = (): Partial<ServerParts> => {
  const { journal, tables } = new Stamped()
  return { clock: (given) => given, journal, tables }
}

/** Reads that begin at once. */
const impatient: ServerParts["position"] = () =>
  Object.defineProperty(SHIPPED_PARTS.position(), "reached", { value: Effect.void })

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

/** Appends by something else. */
const appending =
  (append: (given: JournalPort["append"]) => JournalPort["append"]): WriteParts["journal"] =>
  (given) => ({ ...given, append: append(given.append) })

/** Moves the tables' position in a transaction of its own, before the rows. */
const parted: ServerParts["tables"] = (given, server) => ({
  ...given,
  write: (groups, from, to, term) => {
    const { database } = server.around
    const moved = server.call("project", () => database.transact((tables) => database.advance(tables, from, to, term)))
    const written = server.call("project", () => database.transact((tables) => tables.project(groups, fundsOf)))
    return Effect.andThen(moved, written)
  }
})

/** Writes whatever is there already again. */
const upserting: ServerParts["tables"] = (given, server) => ({
  ...given,
  write: (groups, from, to, term) => {
    const { database } = server.around
    return server.call("project", () =>
      database.transact((tables) => {
        database.advance(tables, from, to, term)
        tables.project(groups, (all) =>
          all
            .flatMap(({ settled }) => settled.recorded.flatMap(({ event }) => fundRows(event)))
            .flatMap((row) => ("row" in row ? [put(row.row)] : []))
        )
      })
    )
  }
})

/** Has the tables follow rows that the journal lacks. */
const trusting: ServerParts["tables"] = (given, server) => ({
  ...given,
  isAppended: () => Effect.succeed(true),
  write: (groups, from, { seq }) =>
    server.call("project", () =>
      server.around.database.transact((tables) => {
        if (tables.seq !== from) throw new Untrue()
        tables.seq = seq
        tables.project(groups, fundsOf)
      })
    )
})

/** Faults of the write path that do not depend on which tables there are. */
export const PLANTED_PARTS = {
  "term not checked": { journal: unchecked },
  "term raised after reading": { term: (_, server) => Effect.sync(() => lateTerm(server)) },
  "memory kept": { memory: () => new KeptMemory(1) },
  "told before the commit": {
    journal: appending(
      (given) =>
        (...rows) =>
          Effect.asVoid(Effect.forkDetach(given(...rows)))
    )
  },
  "overlay dropped early": { memory: () => new EarlyMemory(1) },
  "stale cold read wins": { memory: () => new LateMemory(1) },
  "key overwritten": { keys: (given) => ({ ...given, isSurelyNew: () => true }) },
  "foreign row told as one's own": {
    journal: appending(
      (given) =>
        (...rows) =>
          Effect.catchTag(given(...rows), "Outdated", () => Effect.void)
    )
  }
} satisfies Readonly<Record<string, Partial<WriteParts>>>

/** Faults of the write path itself, each in the place of one of its parts. The worlds must find every one. */
export const PLANTED_WRITES: Readonly<Record<string, Partial<ServerParts>>> = {
  ...PLANTED_PARTS,
  "cursor before rows": { tables: parted },
  "upsert instead of insert": { tables: upserting },
  "stamp not monotone": stamped(),
  "groups reordered in one batch": {
    tables: (given) => ({ ...given, write: (groups, ...rest) => given.write(groups.toReversed(), ...rest) })
  },
  "a read that does not wait": { position: impatient },
  "a filter trusted before it was read": { keys: forgetful },
  "tables called written before they are": {
    tables: (given) => ({ ...given, write: (...groups) => Effect.asVoid(Effect.forkDetach(given.write(...groups))) })
  },
  "a row that is gone projected": { tables: trusting }
}
