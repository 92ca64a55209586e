import { Cause, Clock, Context, Deferred, Effect, Exit, Random, References, Scheduler } from "effect"
import type { Batch, Recorded } from "../../../engine/actor/Journal.ts"
import type { HoldRecord } from "../../../engine/ledger/Book.ts"
import { touchedAccounts } from "../../../engine/ledger/TouchedAccounts.ts"
import { JournalWalk } from "../../../engine/journal/JournalWalk.ts"
import type { JournalPort } from "../../../engine/journal/WritePorts.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { KEPT } from "../../../engine/simulation/CallFate.ts"
import { MemoryServer } from "../../../engine/simulation/MemoryServer.ts"
import { type Served, serve, SHIPPED_PARTS, type WriteParts } from "../../../engine/simulation/MemoryWritePath.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import type { Disturbed, FateOf } from "./Fates.ts"
import { OrderedScheduler } from "./OrderedScheduler.ts"
import { type RowDatabase, rowDatabase } from "./RowTables.ts"

const STARTED_AT = 1_800_000_000_000

/** How long everything has to come to rest, in milliseconds of the world. */
const REST = 120_000

/** How long a server that may not write takes to end, and from a server's end to the next one's start. */
const ENDING = 100
const RESTART = 20

export type WriteServer = MemoryServer<RowDatabase>
export type WriteServed = Served<RowDatabase>

/** What a server is made of. A planted fault puts something in the place of a part. */
export type ServerParts = WriteParts<RowDatabase>

/** As it ships, but for a memory of one entry. */
const SHIPPED: ServerParts = { ...SHIPPED_PARTS, memory: () => new WriterMemory(1) }

/** What became of an append for who asked. */
export type Answer =
  | { readonly _tag: "Accepted"; readonly recorded: Recorded<PlatformEvent> }
  | { readonly _tag: "Refused"; readonly stale: boolean }
  | { readonly _tag: "Unwritten" }
  | { readonly _tag: "Unknown" }

/**
 * Servers that come and go on one database, on one thread whose time and faults are a seed's. What it is told and what
 * the tables have is compared with a fold of the journal all the time; the first thing that cannot be ends it.
 */
export class WriteWorld implements Disturbed {
  readonly database = rowDatabase()
  readonly clock: VirtualClock
  readonly random: SeededRandom
  readonly servers: Array<WriteServer> = []
  problem: string | undefined
  fateOf: FateOf
  /** The last sequence that was acknowledged. */
  acknowledged = 0
  reads = 0
  writes = 0
  readonly #scheduler = new OrderedScheduler()
  readonly #fork: <A, E>(effect: Effect.Effect<A, E>) => void
  readonly #parts: ServerParts
  readonly #begunToServe: Array<WriteServed> = []
  readonly #told = new Map<WriteServer, number>()
  /** What was lost with rows of the journal, and the servers that had told of them. */
  readonly #lost = new Set<string>()
  readonly #displaced = new Set<WriteServer>()
  /** The last events of the tables that reads told of, on which something else was written. */
  readonly #readOn = new Map<number, string | undefined>()
  #isOver = false

  constructor(seed: number, fateOf: FateOf, parts: Partial<ServerParts> = {}) {
    const random = (label: string) => new SeededRandom(seed, label)
    this.clock = new VirtualClock(STARTED_AT, random("clock"))
    this.random = random("world")
    this.fateOf = fateOf
    this.#parts = { ...SHIPPED, ...parts }
    const context = Context.make(Scheduler.Scheduler, this.#scheduler).pipe(
      Context.add(Clock.Clock, this.clock),
      Context.add(Random.Random, random("random")),
      Context.add(References.MinimumLogLevel, "None")
    )
    const fork = Effect.runForkWith(context)
    this.#fork = (effect) => {
      fork(effect).addObserver((exit) => {
        if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) this.report(`a defect: ${Cause.pretty(exit.cause)}`)
      })
    }
  }

  /** The last one that began to serve, of those that live. */
  get served(): WriteServed | undefined {
    return this.#begunToServe.findLast(({ server }) => !server.isDead)
  }

  get elapsed(): number {
    return this.clock.elapsed
  }

  report(problem: string): void {
    this.problem ??= `${problem} (after ${this.clock.elapsed} ms)`
  }

  /** Runs until the effect has ended, then heals everything and looks whether all is there. */
  run(effect: Effect.Effect<void>): void {
    this.start()
    this.#fork(Effect.andThen(effect, this.#rest))
    while (!this.#isOver && this.problem === undefined) {
      if (this.#scheduler.step()) continue
      if (!this.clock.advance()) this.report("nothing is ready and nothing is due")
      if (this.clock.elapsed > REST) this.report("does not come to rest")
    }
  }

  start(): void {
    const parts: ServerParts = {
      ...this.#parts,
      journal: (given, of) => this.#watched(this.#parts.journal(given, of), of)
    }
    const server = new MemoryServer(this.servers.length + 1, {
      database: this.database,
      clock: this.clock,
      fateOf: (asked) => this.fateOf(asked, this),
      report: (problem) => this.report(problem),
      start: () => this.start()
    })
    this.servers.push(server)
    this.#fork(
      Effect.andThen(
        Deferred.await(server.death),
        Effect.sync(() => this.#ended())
      )
    )
    this.#fork(
      Effect.matchCauseEffect(serve(server, parts, link), {
        onFailure: (cause) => {
          if (Cause.hasDies(cause)) this.report(`a start dies: ${Cause.pretty(cause)}`)
          return Effect.sync(() => server.kill())
        },
        onSuccess: (served) => this.#begun(served)
      })
    )
  }

  revert(rows: number): void {
    const before = this.database.head.hashes
    this.database.revert(rows)
    const { seq } = this.database.end
    for (const hash of before.slice(seq + 1)) this.#lost.add(hash)
    for (const [server, told] of this.#told) if (told > seq) this.#displaced.add(server)
    for (const server of this.servers) server.isReverted = true
    for (const read of this.#readOn.keys()) if (read > seq) this.#readOn.delete(read)
    this.acknowledged = Math.min(this.acknowledged, seq)
  }

  /** Another one starts once nobody lives. */
  #ended(): void {
    this.clock.schedule(this.clock.elapsed + RESTART, () => {
      if (this.servers.every(({ isDead }) => isDead)) this.start()
    })
  }

  #begun(served: WriteServed): Effect.Effect<void> {
    const { journal, position, server } = served
    if (server.isDead) return Effect.void
    const { database } = this
    this.#compare()
    if (database.holder === server.number && position.projected < this.acknowledged) {
      this.report(`server ${server.number} begins behind what was acknowledged`)
    }
    this.#begunToServe.push(served)
    const listening = Effect.sync(() => {
      this.#told.set(server, journal.lastSeq())
      journal.onCommit((events) => this.#tell(server, events))
    })
    const ending = Effect.matchEffect(served.deposed, {
      onFailure: () =>
        Effect.andThen(
          Effect.sleep(ENDING),
          Effect.sync(() => server.kill())
        ),
      onSuccess: () => Effect.void
    })
    return Effect.andThen(listening, ending)
  }

  #tell(server: WriteServer, events: ReadonlyArray<Recorded<PlatformEvent>>): void {
    if (server.isDead) return
    for (const { hash, seq } of events) {
      const expected = (this.#told.get(server) ?? 0) + 1
      if (seq !== expected) this.report(`server ${server.number} tells event ${seq}, not ${expected}`)
      this.#there(server, seq, hash, "told")
      this.#told.set(server, seq)
    }
    server.tell()
  }

  #there(server: WriteServer, seq: number, hash: string, what: string): void {
    if (this.#lost.has(hash)) return
    if (this.database.head.hashes[seq] !== hash) this.report(`event ${seq} is ${what} and not in the journal`)
    if (this.#displaced.has(server)) this.report(`event ${seq} is ${what} by a server whose last one is gone`)
  }

  #compare(): void {
    const problem = this.database.problem()
    if (problem !== undefined) this.report(problem)
  }

  /** Asks a server to write; without an answer where it ends before. */
  append({ journal, server }: WriteServed, batch: Batch<PlatformEvent>): Effect.Effect<Answer> {
    const unknown = Effect.as(Deferred.await(server.death), { _tag: "Unknown" } as Answer)
    const asked = Effect.matchCause(journal.append(batch), {
      onFailure: (cause): Answer => {
        if (server.isDead) return { _tag: "Unknown" }
        const error = cause.reasons.find(Cause.isFailReason)?.error
        if (error === undefined) this.report(`an append dies: ${Cause.pretty(cause)}`)
        if (error?._tag === "StaleVersion") return { _tag: "Refused", stale: true }
        return { _tag: error?.isUnwritten === true ? "Unwritten" : "Unknown" }
      },
      onSuccess: ([outcome]): Answer => {
        if (server.isDead || outcome === undefined) return { _tag: "Unknown" }
        if (outcome._tag === "Refused") return { _tag: "Refused", stale: false }
        this.#acknowledge(server, outcome.recorded)
        return outcome
      }
    })
    return Effect.raceFirst(asked, unknown)
  }

  #acknowledge(server: WriteServer, { hash, seq }: Recorded<PlatformEvent>): void {
    this.writes += 1
    this.#there(server, seq, hash, "acknowledged")
    if (seq > (this.#told.get(server) ?? 0)) this.report(`event ${seq} is acknowledged before it is told`)
    if (!this.#lost.has(hash)) this.acknowledged = Math.max(this.acknowledged, seq)
  }

  /** Reads the tables as a request does: they have all that was acknowledged before. */
  read<A>({ position, server }: WriteServed, reads: (database: RowDatabase) => A): Effect.Effect<A | undefined> {
    return Effect.suspend(() => {
      const { acknowledged } = this
      const isWriter = this.database.holder === server.number
      const found = Effect.andThen(
        position.reached,
        server.call("read", () => {
          this.reads += 1
          const { events, seq } = this.database.tables
          this.#readOn.set(seq, events[seq - 1]?.hash)
          const expected = Math.min(acknowledged, this.acknowledged)
          if (isWriter && seq < expected) this.report(`a read at ${seq} misses event ${expected}`)
          return reads(this.database)
        })
      )
      return Effect.raceFirst(
        Effect.matchEffect(found, { onFailure: () => Effect.undefined, onSuccess: (value) => Effect.succeed(value) }),
        Effect.as(Deferred.await(server.death), undefined)
      )
    })
  }

  /** Compares what a group is decided on with what the journal leaves, where nothing is on its way. */
  #watched(port: JournalPort, server: WriteServer): JournalPort {
    return {
      ...port,
      load: (batches, ...rest) =>
        Effect.tap(port.load(batches, ...rest), ({ book, claimed, heads }) => {
          if (this.database.holder !== server.number || server.underWay("append") > 0) return Effect.void
          if (server.isDoubtful || !this.#told.has(server) || server.isReverted) return Effect.void
          const { tables } = this.database.head
          for (const { claims = [], entries, stream, unclaimed = [] } of batches) {
            const [found, expected] = [heads.get(stream)?.version ?? 0, tables.heads.get(stream)?.version ?? 0]
            if (found !== expected) this.report(`${stream} is taken to be at ${found}, not ${expected}`)
            for (const name of [...claims, ...unclaimed]) {
              if (tables.claims.has(name) && claimed?.has(name) !== true) this.report(`${name} is taken to be free`)
            }
            for (const id of entries.flatMap(({ commands }) => commands).flatMap((one) => touchedAccounts(one, NONE))) {
              const [has, should] = [book.account(id), tables.accounts.get(id)]
              const isSame = has.balance === (should?.balance ?? 0n) && has.held === (should?.held ?? 0n)
              if (!isSame) this.report(`${id} is taken to have ${has.balance}, not ${should?.balance ?? 0n}`)
            }
          }
          return Effect.void
        })
    }
  }

  /** Without any more faults the last server writes, its tables follow, and it told all that came since its start. */
  readonly #rest: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    this.fateOf = () => KEPT
    for (;;) {
      const { served } = this
      if (served !== undefined && !served.server.isPaused) {
        const answer = yield* this.append(served, { stream: "last", version: null, entries: [LAST] })
        if (answer._tag === "Accepted") {
          const position = yield* this.read(served, ({ tables }) => tables.seq)
          if (position === this.database.end.seq) {
            this.#end(served.server)
            break
          }
        }
      }
      yield* Effect.sleep(RESTART)
    }
    this.#compare()
    this.#isOver = true
  })

  #end(server: WriteServer): void {
    const { database } = this
    const last = database.end.seq
    for (const [seq, event] of this.#readOn) {
      if (database.tables.events[seq - 1]?.hash !== event) this.report(`event ${seq} was read, and is another one`)
    }
    if (this.#told.get(server) !== last) {
      this.report(`the last server told up to ${this.#told.get(server)}, and the journal ends with ${last}`)
    }
    const walk = new JournalWalk(link)
    for (const row of database.journal) {
      const finding = walk.take(row)
      if (finding !== undefined) this.report(`the row from ${finding.seq} ${finding.problem}`)
    }
  }
}

const NONE: ReadonlyMap<string, HoldRecord> = new Map()

const LAST = {
  commands: [],
  event: {
    _tag: "FundsMinted",
    at: 1,
    fundId: "last",
    owner: "nobody",
    asset: "USD",
    amount: 1n,
    externalReference: null
  } as unknown as PlatformEvent
}
