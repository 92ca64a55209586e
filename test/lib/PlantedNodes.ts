import { Effect, Result } from "effect"
import { type FollowedRow, JournalFollower, type Reading } from "../../engine/journal/JournalFollower.ts"
import { rowHash } from "../../engine/journal/JournalRow.ts"
import { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import { steady } from "../../engine/journal/SteadyClock.ts"
import type { GroupRows } from "../../engine/journal/AppendedGroup.ts"
import { type ChainHash, GENESIS, isSameHash } from "../../engine/actor/EventChain.ts"
import { Untrue } from "../../engine/simulation/MemoryDatabase.ts"
import type { StoredKey } from "../../engine/simulation/MemoryTables.ts"
import { REFUSED } from "../../engine/simulation/NodeRequest.ts"
import type { NodeParts } from "../../engine/simulation/NodeProcess.ts"
import { NodesDatabase } from "../../engine/simulation/NodesDatabase.ts"
import type { PlantedNodes } from "../../engine/simulation/NodesSimulation.ts"
import { PLANTED_PARTS } from "./journal/PlantedWrites.ts"

const of = (parts: Partial<NodeParts>): PlantedNodes => ({ parts })

/** Whoever takes the term does not wait for the appends that checked it before. */
class HastyDatabase extends NodesDatabase {
  #checked = 0

  override begin(statement: () => void): () => void {
    return () => {
      this.#checked += 1
      statement()
      this.#checked -= 1
    }
  }

  override append(group: GroupRows, hash: Uint8Array, term: bigint): void {
    if (this.#checked === 0) return super.append(group, hash, term)
    if (!isSameHash(hash, this.end.hash)) throw new Untrue()
    this.insert(group.rows)
  }
}

/** Refusals are kept by whoever decided them, whether or not it may still write. */
class UnfencedDatabase extends NodesDatabase {
  override keep(key: string, kept: StoredKey): void {
    super.keep(key, kept, this.term)
  }
}

/** What was kept under a key stays, whatever was done under it since. */
class StubbornDatabase extends NodesDatabase {
  override project(...given: Parameters<NodesDatabase["project"]>): void {
    const { refusals } = this.tables
    super.project(...given)
    for (const [key, kept] of refusals) this.tables.refusals.set(key, kept)
  }
}

/** Trusts every row that has the next place. */
class TrustingFollower extends JournalFollower {
  readonly #link: ChainHash
  #before: Uint8Array

  constructor(link: ChainHash, last: FollowedRow | undefined, seq: number) {
    super(link, last, seq)
    this.#link = link
    this.#before = last?.hash ?? GENESIS
  }

  override take(row: FollowedRow): boolean {
    const hash = rowHash(this.#before, row, this.#link)
    const isTaken = super.take({ ...row, hash })
    if (isTaken) this.#before = hash
    return isTaken
  }

  override read(reading: Reading, page: ReadonlyArray<FollowedRow>) {
    const read = super.read(reading, page)
    if (Result.isSuccess(read)) this.#before = read.success.at(-1)?.hash ?? this.#before
    return read
  }
}

/** Tells what comes behind a gap. */
class HastyFollower extends JournalFollower {
  override take(row: FollowedRow): boolean {
    return super.take(row) || row.firstSeq > this.seq
  }
}

/** Tells the last row as often as it is pushed. */
class ForgetfulFollower extends JournalFollower {
  override take(row: FollowedRow): boolean {
    return super.take(row) || row.firstSeq + row.count - 1 === this.seq
  }
}

/** Waits for what it missed. */
class WaitingFollower extends JournalFollower {
  override get isBehind(): boolean {
    return false
  }

  override read() {
    return Result.succeed([])
  }
}

/** Takes the term again where another process took it, and goes on from what it reads. */
const returning: NodeParts["term"] = (_, server) =>
  Effect.sync(() => {
    const { database } = server.around
    let term = database.take(server.number)
    return {
      current: () => term,
      renew: Effect.sync(() => void (term = database.take(server.number))),
      check: Effect.void,
      resign: () => Effect.never,
      deposed: Effect.never
    }
  })

/** Writes the tables under whatever term is the last. */
const projecting: NodeParts["tables"] = (given, server) => ({
  ...given,
  write: (groups, from, to) => Effect.suspend(() => given.write(groups, from, to, server.around.database.term))
})

/** Takes a request as often as it arrives. */
class DoublingCarriers extends RequestCarriers {
  #number = 0

  override takes(connection: string): boolean {
    return super.takes(connection, (this.#number += 1))
  }
}

/** Takes what is still on its way on a connection, whatever was sent again since on another one. */
class LastingCarriers extends RequestCarriers {
  readonly #each = new Map<string, RequestCarriers>()

  override open(connection: string, close: () => void): boolean {
    const alone = new RequestCarriers()
    this.#each.set(connection, alone)
    return alone.open(connection, close)
  }

  override isOpen(connection: string): boolean {
    return this.#each.has(connection)
  }

  override takes(connection: string, number: number): boolean {
    return this.#each.get(connection)?.takes(connection, number) === true
  }
}

/** Begins what its node has given up. */
class PatientCarriers extends RequestCarriers {
  override isOpen(): boolean {
    return true
  }
}

/** Faults of nodes, each in the place of one part. The adversary must find every one. */
export const PLANTED_NODES: Readonly<Record<string, PlantedNodes>> = {
  "the term is not checked at the append": of(PLANTED_PARTS["term not checked"]),
  "the term is raised after reading": of(PLANTED_PARTS["term raised after reading"]),
  "a new writer does not wait for what is in flight": { database: (...given) => new HastyDatabase(...given) },
  "told before the commit": of(PLANTED_PARTS["told before the commit"]),
  "a key is executed twice": of(PLANTED_PARTS["key overwritten"]),
  "times are not seeded from the last record": of({ clock: (given) => steady(given, 0) }),
  "a deposed writer reads again and goes on": of({ term: returning }),
  "memory outlives what was not appended": of(PLANTED_PARTS["memory kept"]),
  "another one's row is told as one's own": of(PLANTED_PARTS["foreign row told as one's own"]),
  "tables are written under an old term": of({ tables: projecting }),
  "a follower does not check hashes": of({ follower: (...given) => new TrustingFollower(...given) }),
  "a follower tells what comes behind a gap": of({ follower: (...given) => new HastyFollower(...given) }),
  "a follower tells twice": of({ follower: (...given) => new ForgetfulFollower(...given) }),
  "a follower does not read what it missed": of({ follower: (...given) => new WaitingFollower(...given) }),
  "an unknown outcome is taken for a refusal": of({
    sent: (given) => (given._tag === "Unknown" ? { _tag: "Answered", response: { status: REFUSED, body: "" } } : given)
  }),
  "sent again under another key": of({
    forwarded: (request, times) => (times === 0 ? request : { ...request, key: `${request.key}/${times}` })
  }),
  "a new writer does not look in the journal for what is sent again": of({ named: () => () => Effect.succeed([]) }),
  "a repeated frame is executed": of({ carriers: () => new DoublingCarriers() }),
  "a frame of a connection that was given up is executed": of({ carriers: () => new LastingCarriers() }),
  "what waited until its connection ended is begun": of({ carriers: () => new PatientCarriers() }),
  "a deposed writer keeps refusals": { database: (...given) => new UnfencedDatabase(...given) },
  "a refusal that came late outlives what was done": { database: (...given) => new StubbornDatabase(...given) }
}
