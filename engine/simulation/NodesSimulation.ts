import { Cause, Clock, Context, Effect, Exit, Random, References, Scheduler } from "effect"
import { WriterMemory } from "../journal/WriterMemory.ts"
import { NodeFaults } from "./NodeFaults.ts"
import { NodeProcess, type NodeParts, type NodesWorld, SHIPPED_NODE } from "./NodeProcess.ts"
import { DONE, type NodeRequest, type NodeResponse, REFUSED } from "./NodeRequest.ts"
import { NodesAudit } from "./NodesAudit.ts"
import { NodesDatabase } from "./NodesDatabase.ts"
import type { NodesScenario, RequestPlan } from "./NodesScenario.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { LineDigest, type SimulationHashing } from "./SimulationHashing.ts"
import type { FaultRow, Violation } from "./SimulationResult.ts"
import { VirtualClock } from "./VirtualClock.ts"
import { VirtualScheduler } from "./VirtualScheduler.ts"

/** Everything that a world of several nodes has to tell: plain data, the same for the same scenario on every runtime. */
export interface NodesResult {
  readonly seed: number
  /** Recorded events, and how many rows they stand in. */
  readonly events: number
  readonly commits: number
  /** The last term, and how many processes there were. */
  readonly terms: number
  readonly processes: number
  /** SHA-256, in hex, of the tables' final text, and of all events' bytes in sequence, each with a line feed after it. */
  readonly stateHash: string
  readonly eventsHash: string
  readonly faults: ReadonlyArray<FaultRow>
  /** How many requests were acknowledged and refused, and of how many the client does not know. */
  readonly answers: { readonly acknowledged: number; readonly refused: number; readonly unknown: number }
  /** The first rule that did not hold; the simulation ends there. */
  readonly violation: Violation | null
}

/** After everything healed it comes to rest within this, in milliseconds. */
const REST = 60_000

/** How often it is looked whether somebody has to be elected, and how often who waits looks again, in milliseconds. */
const TICK = 150
const LOOK = 50

/** How long another process of a node that ended takes to start, in milliseconds at most. */
const RESTART = 300

/** How much a writer remembers of what the tables have, in one world or another. */
const REMEMBERED = [0, 1, 100_000] as const

/** Faults of nodes and of their database, to see that they are found. */
export interface PlantedNodes {
  readonly parts?: Partial<NodeParts>
  readonly database?: (...given: ConstructorParameters<typeof NodesDatabase>) => NodesDatabase
}

/** Runs a scenario to its end, or to the first rule that does not hold. The same scenario gives the same bytes. */
export const simulateNodes = (
  scenario: NodesScenario,
  hashing: SimulationHashing,
  planted: PlantedNodes = {}
): NodesResult => new NodesSimulation(scenario, hashing, planted).run()

class NodesSimulation implements NodesWorld {
  readonly clock: VirtualClock
  readonly scheduler: VirtualScheduler
  readonly random: SeededRandom
  readonly database: NodesDatabase
  readonly board: NodeFaults
  readonly audit: NodesAudit
  readonly link: SimulationHashing["link"]
  readonly parts: NodeParts
  readonly #scenario: NodesScenario
  readonly #hashing: SimulationHashing
  readonly #processes: Array<NodeProcess> = []
  readonly #offsets: Array<number>
  readonly #responses = new Map<string, NodeResponse>()
  readonly #unknown = new Set<string>()
  readonly #fork: <A>(effect: Effect.Effect<A>) => void
  #isHealed = false
  #isOver = false

  constructor(scenario: NodesScenario, hashing: SimulationHashing, { database, parts }: PlantedNodes) {
    const random = (label: string) => new SeededRandom(scenario.spec.seed, label)
    this.#scenario = scenario
    this.#hashing = hashing
    const most = random("memory").pick(REMEMBERED)
    this.parts = { ...SHIPPED_NODE, memory: () => new WriterMemory(most), ...parts }
    this.link = hashing.link
    this.clock = new VirtualClock(scenario.startedAt, random("clock"))
    this.scheduler = new VirtualScheduler(random("scheduler"))
    this.random = random("world")
    this.audit = new NodesAudit(hashing.link, () => this.clock.elapsed)
    this.database = database?.(hashing.link, this.audit) ?? new NodesDatabase(hashing.link, this.audit)
    this.board = new NodeFaults(this.clock, random("faults"))
    this.#offsets = [...scenario.skews]
    const context = Context.make(Scheduler.Scheduler, this.scheduler).pipe(
      Context.add(Clock.Clock, this.clock),
      Context.add(Random.Random, random("clients")),
      Context.add(References.MinimumLogLevel, "None")
    )
    const fork = Effect.runForkWith(context)
    this.#fork = (effect) => this.observe(fork(effect))
  }

  readonly processOf = (number: number): NodeProcess | undefined => this.#processes[number - 1]

  readonly observe: NodesWorld["observe"] = (fiber) => {
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) this.audit.report("defect", Cause.pretty(exit.cause))
    })
  }

  run(): NodesResult {
    const { faults, length, requests, spec } = this.#scenario
    for (let node = 0; node < spec.nodes; node++) this.#start(node)
    this.board.schedule(faults, {
      nodeOf: (target) => (target === "writer" ? this.processOf(this.database.holder)?.node : target),
      elect: (node) => this.#alive(node)?.elect(),
      pause: (node, millis) => this.#alive(node)?.server.pause(millis),
      restart: (node) => this.#alive(node)?.kill(),
      stepClock: (node, millis) => {
        this.#offsets[node] = (this.#offsets[node] ?? 0) + millis
        const server = this.#alive(node)?.server
        if (server !== undefined) server.offset += millis
      }
    })
    this.clock.schedule(length, () => {
      this.#isHealed = true
      this.board.heal()
    })
    this.#tick()
    this.#fork(
      Effect.andThen(
        Effect.forEach(requests, (plan) => this.#client(plan), { concurrency: "unbounded", discard: true }),
        this.#rest
      )
    )
    this.#loop()
    return this.#result()
  }

  /** Lets fibers run while any is ready, and time pass when none is. */
  #loop(): void {
    try {
      while (!this.#isOver && this.audit.violation === null) {
        if (this.scheduler.step()) continue
        if (!this.clock.advance()) this.audit.report("deadlock", "nothing is ready and nothing is due")
        if (this.clock.elapsed > this.#scenario.length + REST) this.audit.report("rest", "it does not come to rest")
      }
    } catch (defect) {
      this.audit.report("defect", String(defect))
    }
  }

  #alive(node: number): NodeProcess | undefined {
    return this.#processes.findLast((running) => running.node === node && !running.server.isDead)
  }

  #start(node: number): void {
    const running = new NodeProcess(this, node, this.#processes.length + 1)
    running.server.offset = this.#offsets[node] ?? 0
    this.#processes.push(running)
    const after = this.random.below(RESTART)
    running.onDeath(() => this.clock.schedule(this.clock.elapsed + after, () => this.#startAgain(node)))
  }

  #startAgain(node: number): void {
    if (this.#alive(node) === undefined) this.#start(node)
  }

  /** While the one that took the term last is dead, another one is elected. */
  #tick(): void {
    const holder = this.processOf(this.database.holder)
    if (holder === undefined || holder.server.isDead || !holder.isElected) {
      const node = this.random.below(this.#scenario.spec.nodes)
      this.#alive(node)?.elect()
    }
    this.clock.schedule(this.clock.elapsed + TICK, () => this.#tick())
  }

  /** Asks until it knows what became of its request, where it has a key. */
  #client(plan: RequestPlan): Effect.Effect<void> {
    const random = new SeededRandom(this.#scenario.spec.seed, `client/${plan.index}/${plan.again ?? ""}`)
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<void> {
      yield* Effect.sleep(plan.at)
      let { node } = plan
      for (let tries = 0; ; tries++) {
        const key = plan.isKeyed ? plan.id : `node/${plan.index}`
        const response = yield* this.#ask(node, { plan, key }, plan.patience)
        if (response?.status === DONE || response?.status === REFUSED) {
          this.#responses.set(plan.id, response)
          if (plan.again === undefined || !plan.isKeyed) return
          return yield* this.#client({ ...plan, at: plan.again, again: undefined })
        }
        if (!plan.isKeyed) return void this.#unknown.add(plan.id)
        yield* Effect.sleep(random.between(10, 150))
        node = random.below(this.#scenario.spec.nodes)
      }
    })
  }

  /** The response of a node; undefined where none came in time. */
  #ask(node: number, request: NodeRequest, patience: number): Effect.Effect<NodeResponse | undefined> {
    const asked = Effect.callback<NodeResponse | undefined>((resume) => {
      const running = this.#alive(node)
      const none = () => resume(Effect.succeed(undefined))
      if (running === undefined) return void this.clock.schedule(this.clock.elapsed + 1, none)
      let isOver = false
      running.onDeath(() => this.clock.schedule(this.clock.elapsed + 1, none))
      const [arrival = 0] = this.board.requestArrives()
      this.clock.schedule(this.clock.elapsed + arrival, () =>
        running.ask(request, (response) => {
          const [back] = this.board.responseArrives()
          if (back === undefined) return
          this.clock.schedule(this.clock.elapsed + back, () => {
            if (isOver) return
            this.audit.received(request.plan.id, response, this.database)
            resume(Effect.succeed(response))
          })
        })
      )
      return Effect.sync(() => {
        isOver = true
      })
    })
    return Effect.timeoutOrElse(asked, { duration: patience, orElse: () => Effect.succeed(undefined) })
  }

  /** Once nothing fails any more, retries get the same answers, and all nodes and the tables have the whole journal. */
  readonly #rest = Effect.suspend(() =>
    Effect.gen({ self: this }, function* () {
      while (!this.#isHealed) yield* Effect.sleep(LOOK)
      const { requests } = this.#scenario
      const again = requests.flatMap((plan) => (plan.isKeyed ? [{ ...plan, at: 0, again: undefined }] : []))
      yield* Effect.forEach(again, (plan) => this.#client(plan), { concurrency: "unbounded", discard: true })
      while (!this.#isAtRest) yield* Effect.sleep(LOOK)
      this.audit.end(this.database)
      this.#isOver = true
    })
  )

  get #isAtRest(): boolean {
    const { end, tables } = this.database
    if (tables.seq !== end.seq) return false
    for (let node = 0; node < this.#scenario.spec.nodes; node++) {
      const running = this.#alive(node)
      if (running === undefined || !running.isFollowing || this.audit.followedTo(running.number) !== end.seq)
        return false
    }
    return true
  }

  #result(): NodesResult {
    const bytes = new LineDigest(this.#hashing.digest())
    for (const data of this.audit.data) bytes.add(data)
    const state = this.#hashing.digest()
    state.update(this.database.tables.text())
    const statuses = [...this.#responses.values()].map(({ status }) => status)
    const acknowledged = statuses.filter((status) => status === DONE).length
    return {
      seed: this.#scenario.spec.seed,
      events: this.database.end.seq,
      commits: this.audit.commits,
      terms: Number(this.database.term),
      processes: this.#processes.length,
      stateHash: state.hex(),
      eventsHash: bytes.hex(),
      faults: this.board.struck,
      answers: { acknowledged, refused: statuses.length - acknowledged, unknown: this.#unknown.size },
      violation: this.audit.violation
    }
  }
}
