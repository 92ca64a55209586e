import type { Recorded } from "../actor/Journal.ts"
import { type ChainHash, toHex } from "../actor/EventChain.ts"
import type { FollowedRow } from "../journal/JournalFollower.ts"
import { endOf, entriesOf, type JournalRow } from "../journal/JournalRow.ts"
import { JournalWalk } from "../journal/JournalWalk.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { DatabaseListener, NodesDatabase } from "./NodesDatabase.ts"
import type { NodeResponse } from "./NodeRequest.ts"
import type { Violation } from "./SimulationResult.ts"

/** What an event says of the request that it is of. */
interface EventFacts {
  readonly fundId: string
  readonly at: number
}

/** What was told by somebody: how far, in a row. */
interface Told {
  seq: number
}

/** Judges every step of a world of several nodes by what the database has, and remembers the first rule that did not hold. */
export class NodesAudit implements DatabaseListener {
  violation: Violation | null = null
  readonly #walk: JournalWalk
  readonly #now: () => number
  /** The rows, as they were appended. */
  readonly #rows: Array<JournalRow> = []
  /** The sequences of each request's events. */
  readonly #events = new Map<string, Array<number>>()
  /** The process that held the term when an event was appended, by its sequence. */
  readonly #writtenBy: Array<number> = []
  readonly #acknowledged = new Map<string, string>()
  readonly #refused = new Set<string>()
  readonly #writers = new Map<number, Told>()
  readonly #followers = new Map<number, Told>()
  /** Processes that took the term, in the order of their first. */
  readonly #holders: Array<number> = []
  readonly #deposed = new Set<number>()
  #holder = 0
  #last = 0
  /** The last record when the one that holds the term began. */
  #floor = 0

  constructor(link: ChainHash, now: () => number) {
    this.#walk = new JournalWalk(link)
    this.#now = now
  }

  get commits(): number {
    return this.#rows.length
  }

  /** The bytes of all events in sequence. */
  get data(): ReadonlyArray<string> {
    return this.#rows.flatMap((row) => (entriesOf(row) ?? []).map(({ data }) => data))
  }

  report(invariant: string, detail: string): void {
    this.violation ??= { invariant, detail, seq: this.#last, at: this.#now() }
  }

  appending(row: JournalRow, { term }: NodesDatabase): void {
    const last = this.#rows.at(-1)
    if (last !== undefined && row.term < last.term) {
      this.report("term", `the row from ${row.firstSeq} has term ${row.term}, behind term ${last.term}`)
    }
    if (row.term !== term) {
      this.report("fence", `the row from ${row.firstSeq} of term ${row.term} is appended under term ${term}`)
    }
    if (last !== undefined && row.recordedAt < last.recordedAt) {
      this.report(
        "time",
        `the row from ${row.firstSeq} is recorded ${last.recordedAt - row.recordedAt} ms before the last`
      )
    }
    const finding = this.#walk.take(row)
    if (finding !== undefined) this.report("journal", `the row from ${finding.seq} ${finding.problem}`)
    for (const [index, { data }] of (entriesOf(row) ?? []).entries()) {
      this.#event(row, row.firstSeq + index, JSON.parse(data) as EventFacts)
    }
    this.#rows.push(row)
    this.#last = endOf(row).seq
  }

  #event({ recordedAt }: JournalRow, seq: number, { at, fundId }: EventFacts): void {
    this.#writtenBy[seq] = this.#holder
    const before = this.#events.get(fundId) ?? []
    if (before.length > 0) this.report("executed_twice", `${fundId} is event ${before.join()} and event ${seq}`)
    this.#events.set(fundId, [...before, seq])
    if (this.#refused.has(fundId)) this.report("refused", `${fundId} was refused, and is event ${seq}`)
    if (at > recordedAt) this.report("stamp", `event ${seq} is dated ${at - recordedAt} ms after its record`)
    if (at < this.#floor) this.report("stamp", `event ${seq} is dated ${this.#floor - at} ms before its writer began`)
  }

  taken(holder: number, { end, term }: NodesDatabase): void {
    if (holder === this.#holder) return
    if (this.#holders.includes(holder)) {
      this.report("deposed", `process ${holder} takes term ${term}, and another one took the term from it before`)
    }
    this.#holders.push(holder)
    this.#holder = holder
    this.#floor = end.recordedAt
  }

  projected(database: NodesDatabase): void {
    const problem = database.problem()
    if (problem !== undefined) this.report("tables", problem)
    this.#sums(database)
  }

  #sums({ tables }: NodesDatabase): void {
    let sum = 0n
    for (const { balance } of tables.accounts.values()) sum += balance
    if (sum !== 0n) this.report("zero_sum", `the accounts sum to ${sum} at event ${tables.seq}`)
  }

  /** A process writes from now on, and tells what comes behind this event. */
  writes(number: number, seq: number): void {
    this.#writers.set(number, { seq })
  }

  /** A process that wrote knows that another one does. */
  isDeposed(number: number): void {
    this.#deposed.add(number)
    if (this.#holder === number) this.report("deposed", `process ${number} ends, and nobody took the term from it`)
  }

  /** A process tells its listeners of events that it wrote. */
  told(number: number, events: ReadonlyArray<Recorded<PlatformEvent>>, { head }: NodesDatabase): void {
    const told = this.#writers.get(number)
    if (told === undefined) return this.report("told", `process ${number} tells of events before it writes`)
    for (const { hash, seq } of events) {
      if (seq !== told.seq + 1) this.report("told", `process ${number} tells event ${seq}, not ${told.seq + 1}`)
      if (head.hashes[seq] !== hash) this.report("told", `process ${number} tells event ${seq}, which is not there`)
      told.seq = seq
    }
  }

  /** A process follows the journal from behind this event. */
  follows(number: number, seq: number): void {
    this.#followers.set(number, { seq })
  }

  /** A process that follows tells a row. */
  followed(number: number, row: FollowedRow): void {
    const told = this.#followers.get(number)
    const expected = this.#rows.find(({ firstSeq }) => firstSeq === row.firstSeq)
    if (told === undefined || row.firstSeq !== told.seq + 1) {
      return this.report(
        "follower",
        `process ${number} tells the row from ${row.firstSeq}, not ${(told?.seq ?? 0) + 1}`
      )
    }
    if (expected === undefined || toHex(expected.hash) !== toHex(row.hash) || expected.body !== row.body) {
      this.report("follower", `process ${number} tells a row from ${row.firstSeq} that the journal does not have`)
    }
    told.seq += row.count
  }

  /** How far a process has followed. */
  followedTo(number: number): number {
    return this.#followers.get(number)?.seq ?? 0
  }

  /** The process that writes answers a request. */
  answered(number: number, id: string, { body, status }: NodeResponse, database: NodesDatabase): void {
    if (status !== 200) return
    const seq = this.#isThere(id, body, database, `process ${number} acknowledges`)
    // One that does not know yet that it was replaced may replay what another one wrote.
    if (this.#writtenBy[seq] === number && seq > (this.#writers.get(number)?.seq ?? 0)) {
      this.report("acknowledged", `process ${number} acknowledges event ${seq} before it tells it`)
    }
    if (this.#deposed.has(number))
      this.report("deposed", `process ${number} acknowledges event ${seq} although it ends`)
  }

  /** A client has the response to its request. */
  received(id: string, { body, status }: NodeResponse, database: NodesDatabase): void {
    if (status === 200) {
      this.#isThere(id, body, database, "a client has an acknowledgement of")
      const before = this.#acknowledged.get(id)
      if (before !== undefined && before !== body) this.report("replay", `${id} is answered ${body}, and was ${before}`)
      if (this.#refused.has(id)) this.report("refused", `${id} was refused, and is acknowledged`)
      this.#acknowledged.set(id, body)
    } else if (status === 422) {
      this.#refused.add(id)
      if (this.#acknowledged.has(id)) this.report("replay", `${id} is refused, and was acknowledged`)
      const events = this.#events.get(id)
      if (events !== undefined) this.report("refused", `${id} is refused, and is event ${events.join()}`)
    }
  }

  #isThere(id: string, body: string, { head }: NodesDatabase, who: string): number {
    const [seq = "", hash] = body.split(" ")
    if (head.hashes[Number(seq)] !== hash)
      this.report("acknowledged", `${who} event ${seq} of ${id}, which is not there`)
    else if (this.#events.get(id)?.[0] !== Number(seq)) {
      this.report("acknowledged", `${who} event ${seq} of ${id}, which is another one's`)
    }
    return Number(seq)
  }

  /** Nothing fails any more, and everything came to rest. */
  end(database: NodesDatabase): void {
    const last = database.end.seq
    if (database.tables.seq !== last) this.report("tables", `the tables end at ${database.tables.seq}, not ${last}`)
    this.projected(database)
    for (const id of this.#acknowledged.keys()) {
      const events = this.#events.get(id) ?? []
      if (events.length !== 1) this.report("acknowledged", `${id} is acknowledged, and is ${events.length} events`)
    }
  }
}
