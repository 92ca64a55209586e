import { Cause, Clock, Context, Effect, Exit, Option, Queue, Random, References, Schedule, Scheduler } from "effect"
import { RequestCarriers } from "../cluster/RequestCarriers.ts"
import { resend, type Sent, UNKNOWN, UNSENT } from "../cluster/Resending.ts"
import { type FoundWriter, ServingNow } from "../cluster/ServingNow.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { JournalUnavailable } from "../actor/Journal.ts"
import { type FollowedRow, JournalFollower } from "../journal/JournalFollower.ts"
import { followJournal, type PushedRow, SILENCE } from "../journal/JournalFollowing.ts"
import { endOf } from "../journal/JournalRow.ts"
import { GatedScheduler } from "./GatedScheduler.ts"
import { MemoryServer } from "./MemoryServer.ts"
import { serve, SHIPPED_PARTS, type WriteParts } from "./MemoryWritePath.ts"
import { type CarriedRequest, GIVEN_UP, type Naming, NodeCarriers, type Respond } from "./NodeCarriers.ts"
import type { NodeFaults } from "./NodeFaults.ts"
import { ELSEWHERE, type NodeRequest, type NodeResponse, RUNNING, UNAVAILABLE } from "./NodeRequest.ts"
import type { NodesAudit } from "./NodesAudit.ts"
import type { NodesDatabase } from "./NodesDatabase.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import { eventAnswers, WritingNode } from "./WritingNode.ts"

/** What a node is made of. A planted fault puts something in the place of a part. */
export interface NodeParts extends WriteParts<NodesDatabase> {
  readonly follower: (link: ChainHash, last: FollowedRow | undefined, seq: number) => JournalFollower
  /** What a node makes of the outcome of a request that it forwarded. */
  readonly sent: (given: Sent<NodeResponse>) => Sent<NodeResponse>
  /** The request that is forwarded, the first time and each time again. */
  readonly forwarded: (given: NodeRequest, times: number) => NodeRequest
  /** What a node that writes takes of the other nodes' connections. */
  readonly carriers: () => RequestCarriers
}

/** As it ships. */
export const SHIPPED_NODE: NodeParts = {
  ...SHIPPED_PARTS,
  answers: eventAnswers,
  follower: (link, last, seq) => new JournalFollower(link, last, seq),
  sent: (given) => given,
  forwarded: (given) => given,
  carriers: () => new RequestCarriers()
}

/** Where processes run. */
export interface NodesWorld {
  readonly clock: VirtualClock
  readonly scheduler: Scheduler.Scheduler
  readonly random: SeededRandom
  readonly database: NodesDatabase
  readonly board: NodeFaults
  readonly audit: NodesAudit
  readonly link: ChainHash
  readonly parts: NodeParts
  readonly processOf: (number: number) => NodeProcess | undefined
  /** Sees to it that a defect is not silent. */
  readonly observe: (fiber: ReturnType<typeof Effect.runFork>) => void
}

/** Everything that a process hears from the one that writes. */
type Pushed = PushedRow | { readonly _tag: "Head"; readonly seq: number }

/** A process that follows, as the one that writes has it. */
interface Connection {
  readonly from: NodeProcess
  isOpen: boolean
  /** When the last thing that was sent arrives. */
  lastAt: number
  readonly hear: (pushed: Pushed) => void
  readonly close: () => void
}

/** Frames that wait to be looked at. */
const MAX_WAITING = 1_000

/** In milliseconds: how often a node looks who writes; its pauses before it connects and begins again. */
const LOOK = 100
const RECONNECT = 100
const AGAIN = 50

/** One process of a node, from its start to its death: it follows, forwards, and writes once it is elected. */
export class NodeProcess {
  readonly node: number
  readonly server: MemoryServer<NodesDatabase>
  readonly #world: NodesWorld
  readonly #fork: <A>(effect: Effect.Effect<A>) => void
  readonly #serving = new ServingNow<FoundWriter>()
  /** What was pushed; undefined before it begins to follow. */
  #inbox: Queue.Queue<Pushed> | undefined
  readonly #connections = new Set<Connection>()
  readonly #mourners: Array<() => void> = []
  /** What it takes of the other nodes' connections while it writes. */
  readonly #carriers: RequestCarriers
  /** Its own connections to those that write. */
  readonly #sending: NodeCarriers
  #follower: JournalFollower | undefined
  #writing: WritingNode | undefined
  #head = 0
  #isElected = false

  constructor(world: NodesWorld, node: number, number: number) {
    const { audit, board, clock, database, random, scheduler } = world
    this.node = node
    this.#world = world
    this.#carriers = world.parts.carriers()
    this.#sending = new NodeCarriers(node, number, {
      board,
      clock,
      run: (task) => this.server.run(task),
      writerOf: (to) => {
        const other = world.processOf(to)
        return other?.server.isDead === false && other.#writing !== undefined ? other : undefined
      }
    })
    this.server = new MemoryServer(number, {
      database,
      clock,
      fateOf: (asked) => board.fateOf(asked, node),
      report: (problem) => audit.report("fold", problem),
      start: () => {}
    })
    const context = Context.make(
      Scheduler.Scheduler,
      new GatedScheduler(scheduler, (task) => this.server.run(task))
    ).pipe(
      Context.add(Clock.Clock, this.server.clock),
      Context.add(Random.Random, random),
      Context.add(References.MinimumLogLevel, "None")
    )
    const fork = Effect.runForkWith(context)
    this.#fork = (effect) => world.observe(fork(effect))
    this.#fork(this.#life)
  }

  get number(): number {
    return this.server.number
  }

  get isElected(): boolean {
    return this.#isElected
  }

  /** Whether it follows the journal. */
  get isFollowing(): boolean {
    return this.#inbox !== undefined
  }

  kill(): void {
    if (this.server.isDead) return
    this.server.kill()
    for (const mourn of this.#mourners.splice(0)) mourn()
  }

  /** Calls back once it is dead. */
  onDeath(mourn: () => void): void {
    if (this.server.isDead) mourn()
    else this.#mourners.push(mourn)
  }

  /** It writes from now on, whoever else does. */
  elect(): void {
    this.server.run(() => {
      if (this.#isElected) return
      this.#isElected = true
      this.#fork(Effect.map(Effect.exit(this.#lead), (exit) => this.#ended(exit)))
    })
  }

  #ended(exit: Exit.Exit<never, unknown>): void {
    if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) {
      this.#world.audit.report("defect", Cause.pretty(exit.cause))
    }
    this.kill()
  }

  /** A client asks. */
  ask(request: NodeRequest, respond: (response: NodeResponse) => void): void {
    const answer = Effect.suspend(() =>
      this.#writing === undefined ? this.#forward(request) : this.#writing.answer(request)
    )
    this.server.run(() => this.#fork(Effect.map(this.#judged(request, answer), (response) => respond(response))))
  }

  /** Another node asks. */
  #askedByNode(request: NodeRequest, respond: Respond, isAwaited?: () => boolean): void {
    this.server.run(() => {
      const writing = this.#writing
      if (writing === undefined) return respond({ status: ELSEWHERE, body: "" })
      this.#fork(Effect.map(this.#judged(request, writing.answer(request, isAwaited)), (response) => respond(response)))
    })
  }

  /** Another node opens a connection. */
  opened(carrier: string): void {
    this.#carriers.open(carrier, () => {})
  }

  /** Another node asks on its connection. */
  askedOn(carrier: string, { begins, number, request }: CarriedRequest, respond: Respond): void {
    const { clock } = this.#world
    this.server.run(() => {
      if (this.#writing === undefined) return respond({ status: ELSEWHERE, body: "" })
      if (!this.#carriers.takes(carrier, number)) return
      const begin = () => this.#askedByNode(request, respond, () => this.#carriers.isOpen(carrier))
      if (begins === 0) begin()
      else clock.schedule(clock.elapsed + begins, begin)
    })
  }

  #judged(request: NodeRequest, answer: Effect.Effect<NodeResponse>): Effect.Effect<NodeResponse> {
    const { audit, database } = this.#world
    const isWriter = this.#writing !== undefined
    return Effect.tap(answer, (response) =>
      Effect.sync(() => {
        if (isWriter) audit.answered(this.number, request.plan.id, response, database)
      })
    )
  }

  /** Its fibers, from its start on. */
  readonly #life = Effect.suspend(() =>
    Effect.all([this.#follow, this.#look, this.#connect], { concurrency: "unbounded", discard: true })
  )

  /** Reads something of the database in one step. */
  #read<A>(read: (database: NodesDatabase) => A): Effect.Effect<A, JournalUnavailable> {
    return Effect.catchTag(
      this.server.call("look", () => read(this.#world.database)),
      "Outdated",
      Effect.die
    )
  }

  readonly #follow: Effect.Effect<void> = Effect.suspend(() => {
    const { audit, link, parts } = this.#world
    const begin = Effect.orDie(
      Effect.retry(
        this.#read(({ end, journal }) => ({ last: journal.at(-1), seq: end.seq })),
        Schedule.spaced(AGAIN)
      )
    )
    return Effect.flatMap(Effect.all([begin, Queue.dropping<Pushed>(MAX_WAITING)]), ([{ last, seq }, inbox]) => {
      this.#inbox = inbox
      this.#follower = parts.follower(link, last, seq)
      audit.follows(this.number, last === undefined ? seq : endOf(last).seq)
      return followJournal<Exclude<Pushed, PushedRow>>(this.#follower, {
        pushed: Effect.map(Effect.timeoutOption(Queue.takeAll(inbox), SILENCE), Option.getOrUndefined),
        news: ({ seq }) => seq,
        after: (from) => this.#read(({ journal }) => journal.filter(({ firstSeq }) => firstSeq > from).slice(0, PAGE)),
        tell: (row) => Effect.sync(() => audit.followed(this.number, row)),
        isWanted: () => true,
        moved: () => {}
      })
    }).pipe(Effect.catchTag("Diverged", ({ message }) => Effect.sync(() => audit.report("diverged", message))))
  })

  /** Looks who writes, again and again. */
  readonly #look = Effect.suspend(() => {
    const found = this.#read(({ holder, serving }) => ({
      holder: String(holder),
      isServing: serving === holder && holder !== 0
    }))
    const once = Effect.map(found, (writer) => this.#serving.look(writer))
    return Effect.forever(Effect.delay(Effect.ignore(once), LOOK))
  })

  /** Is told by whoever writes, one after another. */
  readonly #connect = Effect.suspend(() => {
    const once = Effect.flatMap(this.#serving.get, ({ holder, replaced }) =>
      Effect.raceFirst(this.#listen(Number(holder)), replaced)
    )
    return Effect.forever(Effect.delay(once, RECONNECT))
  })

  #listen(number: number): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const { board, clock, processOf } = this.#world
      const to = processOf(number)
      const close = () => this.server.run(() => resume(Effect.void))
      const connection: Connection = {
        from: this,
        isOpen: true,
        lastAt: 0,
        hear: (pushed) => this.server.run(() => this.#hear(pushed)),
        close
      }
      if (to === undefined || board.isCutOff(this.node, to.node)) this.#later(GIVEN_UP, close)
      else {
        to.onDeath(() => this.#later(1, close))
        clock.schedule(clock.elapsed + 1, () => to.#accept(connection))
      }
      return Effect.sync(() => {
        connection.isOpen = false
        if (to !== undefined) to.#connections.delete(connection)
      })
    })
  }

  #hear(pushed: Pushed): void {
    if (this.#inbox !== undefined) Queue.offerUnsafe(this.#inbox, pushed)
  }

  #later(millis: number, task: () => void): void {
    const { clock } = this.#world
    clock.schedule(clock.elapsed + millis, task)
  }

  #accept(connection: Connection): void {
    this.server.run(() => {
      if (this.#writing === undefined) return connection.close()
      this.#connections.add(connection)
      this.#push(connection, { _tag: "Head", seq: this.#head })
    })
  }

  #push(connection: Connection, pushed: Pushed): void {
    const { board, clock } = this.#world
    if (board.isCutOff(this.node, connection.from.node)) return
    const { arrivals, isAltered, isLoose } = board.pushed()
    const sent = isAltered && pushed._tag === "Row" ? altered(pushed) : pushed
    for (const arrival of arrivals) {
      const at = isLoose ? clock.elapsed + arrival : Math.max(connection.lastAt + 1, clock.elapsed + arrival)
      if (!isLoose) connection.lastAt = at
      clock.schedule(at, () => {
        if (connection.isOpen) connection.hear(sent)
      })
    }
  }

  /** What it does while it is elected: if that ends, the process ends. */
  readonly #lead = Effect.suspend(() => {
    const { audit, database, link, parts } = this.#world
    return Effect.gen({ self: this }, function* () {
      const served = yield* serve(this.server, parts, link)
      const { journal } = served
      audit.writes(this.number, journal.lastSeq())
      this.#head = journal.lastSeq()
      journal.onCommit((events) => audit.told(this.number, events, database))
      journal.onAppended((row) => {
        this.#head = endOf(row).seq
        for (const connection of this.#connections) this.#push(connection, { _tag: "Row", row })
      })
      this.#writing = new WritingNode(served)
      yield* this.#read(() => database.serve(this.number))
      return yield* Effect.tapError(served.deposed, () => Effect.sync(() => audit.isDeposed(this.number)))
    })
  })

  /** Sends a request to the node that writes. */
  #forward(request: NodeRequest): Effect.Effect<NodeResponse> {
    let times = 0
    const isKeyed = request.key !== request.plan.id
    const behind = isKeyed ? this.#follower?.seq : undefined
    const naming: Naming | undefined = behind === undefined ? undefined : { behind, name: undefined }
    return resend(
      { isRepeatable: true, isKeyed },
      {
        serving: this.#serving.get,
        send: ({ holder }) =>
          naming === undefined
            ? this.#send(this.#world.parts.forwarded(request, times++), Number(holder))
            : Effect.map(this.#sending.send(request, naming, Number(holder)), this.#world.parts.sent),
        isUnavailable: ({ status }) => status === UNAVAILABLE,
        isRunning: ({ status }) => status === RUNNING,
        refused: () => ({ status: UNAVAILABLE, body: "" })
      }
    )
  }

  #send(request: NodeRequest, number: number): Effect.Effect<Sent<NodeResponse>> {
    return Effect.callback((resume) => {
      const { board, parts, processOf } = this.#world
      const to = processOf(number)
      const settle = (sent: Sent<NodeResponse>, millis: number) =>
        this.#later(millis, () => this.server.run(() => resume(Effect.succeed(parts.sent(sent)))))
      if (to === undefined || to.server.isDead) return settle(UNSENT, 1)
      if (board.isCutOff(this.node, to.node)) return settle(UNKNOWN, GIVEN_UP)
      const answered = (response: NodeResponse) => {
        if (response.status === ELSEWHERE) return settle(UNSENT, 1)
        const [arrival] = board.isCutOff(this.node, to.node) ? [] : board.responseArrives()
        if (arrival === undefined) settle(UNKNOWN, GIVEN_UP)
        else settle({ _tag: "Answered", response }, arrival)
      }
      to.onDeath(() => settle(UNKNOWN, 1))
      for (const [copy, arrival] of board.requestArrives().entries()) {
        this.#later(arrival, () => to.#askedByNode(request, copy === 0 ? answered : () => {}))
      }
    })
  }
}

/** Rows that are read at once. */
const PAGE = 3

/** A row that says something else than what was hashed. */
const altered = ({ row }: PushedRow): PushedRow => ({
  _tag: "Row",
  row: { ...row, body: row.body.replace(/"at":\d/, `"at":9`) }
})
