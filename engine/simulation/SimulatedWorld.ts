import { gatherFacts } from "../arena/FactsGathering.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import { auditorOf, listenerOf } from "./ScenarioAuditor.ts"
import { SimulatedPlatform } from "./platform/SimulatedPlatform.ts"
import type { Auditor } from "./Auditor.ts"
import { BotCompanies } from "./BotCompanies.ts"
import { BotProjection } from "./BotProjection.ts"
import { CollateralPeaks } from "./CollateralPeaks.ts"
import type { Journal } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { cutOffJournal, tagsOf } from "./FaultyJournal.ts"
import { HaltDesk } from "./HaltDesk.ts"
import { MachineProjection } from "./MachineProjection.ts"
import { planRegistrations } from "./MachineRegistrations.ts"
import { PatientJournal } from "./PatientJournal.ts"
import { ExtensionHost, makeExtension } from "./ExtensionHost.ts"
import { FaultBoard, type FaultEffects } from "./FaultBoard.ts"
import { CLIENT_PATIENCE, COMMIT_MILLIS, REMEMBERED, SimulatedJournal } from "./SimulatedJournal.ts"
import { MAKER, openingFunds } from "./OpeningFunds.ts"
import { OrderProjection } from "./OrderProjection.ts"
import { PriceFeed } from "./PriceFeed.ts"
import { ReachedRecord } from "./ReachedRecord.ts"
import { OrderArchive, UNCOMPRESSED } from "./OrderArchive.ts"
import { ruleOf, type Scenario } from "./Scenario.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { SimulatedAgent, TICK_MILLIS } from "./SimulatedAgent.ts"
import { SimulatedArena } from "./SimulatedArena.ts"
import { BreakerPanel } from "../arena/BreakerPanel.ts"
import { factsPorts } from "./FactsPorts.ts"
import { QuoteCache } from "./QuoteCache.ts"
import { keyedHash, LineDigest, type SimulatedKeys, simulatedKeys } from "./SimulationHashing.ts"
import type { SimulationEnvironment } from "./SimulationEnvironment.ts"
import type { RunningSimulation } from "./RunningSimulation.ts"
import type { FaultRow, SimulationResult } from "./SimulationResult.ts"
import { orderRow } from "./SimulationRows.ts"
import { TraderDesk } from "./TraderDesk.ts"
import { VaultDoor } from "./VaultDoor.ts"
import { worldResult } from "./WorldResult.ts"
import { VirtualClock } from "./VirtualClock.ts"
import { deskPlans, pastPrices } from "./WorldScenario.ts"
import { type Fork, forkingIn, type SteppedScheduler } from "./VirtualScheduler.ts"

/** After the last settlement date everything has this long to come to rest, and at most this long. */
const REST_MILLIS = 20_000
const MOST_REST_MILLIS = 1_800_000

const PROGRESS_EVENTS = 256

/** The actors and the engine of the server in a world of one thread, whose clock and chance are the seed's. */
export class SimulatedWorld implements RunningSimulation {
  readonly #scenario: Scenario
  readonly #environment: SimulationEnvironment
  readonly #scheduler: SteppedScheduler
  readonly #clock: VirtualClock
  readonly #keys: SimulatedKeys
  readonly #auditor: Auditor
  readonly #board: FaultBoard
  readonly #feed: PriceFeed
  readonly #journal: SimulatedJournal
  readonly #projection = new OrderProjection()
  readonly #peaks = new CollateralPeaks()
  readonly #reached = new ReachedRecord()
  readonly #quotes = new QuoteCache((orderId, median) => this.#auditor.quoted(orderId, median))
  readonly #arena: SimulatedArena
  readonly #desk: TraderDesk
  readonly #botProjection = new BotProjection()
  readonly #companies: BotCompanies
  readonly #platform: SimulatedPlatform
  readonly #agent: SimulatedAgent
  readonly #extension: ExtensionHost | undefined
  readonly #runFork: Fork
  readonly #numbers = new Map<string, number>()
  readonly #vault: VaultDoor
  readonly #writer: PatientJournal
  readonly #halts: HaltDesk
  readonly #machines = new MachineProjection()
  readonly #isJudged: boolean
  readonly #isTurnout: boolean
  readonly #archive: OrderArchive
  readonly #bytes: LineDigest
  #isAtRest = false

  constructor(planned: Scenario, environment: SimulationEnvironment, scheduler: SteppedScheduler) {
    const { startedAt } = planned
    const { seed } = planned.spec
    const { extension, hashing, history, planted } = environment
    const random = (label: string) => new SeededRandom(seed, label)
    const made = extension && makeExtension(extension, planned)
    const scenario: Scenario = { ...planned, traders: [...planned.traders, ...(made?.plans ?? [])] }
    this.#scenario = scenario
    this.#environment = environment
    this.#isJudged = environment.audit ?? true
    this.#isTurnout = [ruleOf(scenario.spec), planted?.rule].includes("turnout")
    this.#bytes = new LineDigest(hashing.digest())
    this.#scheduler = scheduler
    this.#clock = new VirtualClock(startedAt, random("clock"))
    this.#runFork = forkingIn({ scheduler, clock: this.#clock, random: random("random") }, (text) =>
      this.#auditor.report("defect", text)
    )
    this.#keys = simulatedKeys(hashing.link, seed)
    this.#auditor = auditorOf(scenario, { link: hashing.link, keys: this.#keys, clock: this.#clock })
    this.#board = new FaultBoard(this.#clock, random("network"))
    this.#feed = new PriceFeed(history, keyedHash(hashing.link, seed, "walk"), pastPrices(planned))
    this.#journal = this.#makeJournal(random("journal"))
    const breakers = new BreakerPanel()
    const shared = { clock: this.#clock, board: this.#board, journal: this.#journal, fork: this.#runFork }
    const written = { ...shared, journal: cutOffJournal(this.#board, this.#journal) }
    this.#vault = new VaultDoor(written, random("vault"))
    this.#writer = new PatientJournal({ ...written, report: this.#auditor.report })
    this.#halts = new HaltDesk({ ...written, served: this.#journal.served, plans: planned.halts })
    const told = listenerOf(this.#auditor, this.#isJudged)
    const world = { scenario, feed: this.#feed, breakers, history, report: this.#auditor.report, planted }
    this.#platform = new SimulatedPlatform({ ...shared, ...world })
    this.#arena = this.#makeArena(breakers)
    this.#archive = this.#makeArchive()
    this.#companies = new BotCompanies({
      ...shared,
      scenario,
      arena: this.#arena,
      quotes: this.#quotes,
      projection: this.#botProjection,
      halt: (assetType, at) => breakers.halt(assetType, at),
      haltOf: (companyId) => this.#halts.guardOf(companyId),
      onUnexpected: (detail) => this.#auditor.report("supervision", detail),
      told,
      planted
    })
    this.#agent = this.#makeAgent(breakers, written.journal)
    this.#desk = new TraderDesk({
      ...shared,
      arena: this.#arena,
      traders: new Map(scenario.traders.map((trader) => [trader.index, trader])),
      ...deskPlans(planned, (terms) => this.#quotes.worth(terms, this.#feed.latest(terms.asset))),
      machine: (id) => this.#machines.machine(id),
      termsOf: (order) => this.#projection.orders.get(this.#agent.orderId(order))?.terms,
      onAcknowledged: told.acknowledged,
      onRefused: told.refused
    })
    this.#extension =
      made &&
      new ExtensionHost({
        ...shared,
        scenario: planned,
        made,
        desk: this.#desk,
        orders: this.#projection.orders,
        latest: (asset) => this.#feed.latest(asset),
        strike: (fault) => this.#board.schedule([fault], this.#effects),
        report: this.#auditor.report,
        isJudged: this.#isJudged
      })
  }

  begin(): void {
    const { faults, house, orders, startedAt } = this.#scenario
    this.#runFork(this.#arena.start)
    this.#companies.start()
    this.#board.schedule(faults, this.#effects)
    const funds = openingFunds(this.#scenario, startedAt)
    this.#writer.write([...funds, ...this.#companies.opening(startedAt), ...this.#platform.opening(startedAt)])
    planRegistrations({ clock: this.#clock, writer: this.#writer, traders: this.#scenario.traders })
    if (house.isVaultClosed) this.#vault.turn(true)
    this.#halts.plan()
    this.#companies.plan()
    this.#platform.plan()
    for (const order of orders) {
      this.#numbers.set(this.#agent.orderId(order), order.index)
      this.#desk.plan(order)
    }
    this.#strike(0)
    this.#extension?.start()
    this.#clock.schedule(TICK_MILLIS, () => this.#tick())
  }

  /** Lets a fiber that is ready run, or time pass where none is. */
  advance(): boolean {
    if (this.#isAtRest || this.#auditor.violation !== null) return false
    try {
      if (!this.#scheduler.step() && !this.#clock.advance()) {
        this.#auditor.report("deadlock", "nothing is ready and nothing is due")
      }
    } catch (defect) {
      this.#auditor.report("defect", String(defect))
    }
    return true
  }

  end(): SimulationResult {
    if (this.#isAtRest && this.#isJudged) {
      this.#auditor.end(this.#journal, this.#arena.states.values(), this.#platform.desks)
    }
    if (this.#isAtRest) this.#extension?.end()
    return worldResult({
      scenario: this.#scenario,
      hashing: this.#environment.hashing,
      clock: this.#clock,
      journal: this.#journal,
      arena: this.#arena,
      archive: this.#archive,
      peaks: this.#peaks,
      board: this.#board,
      desk: this.#desk,
      halts: this.#halts,
      bots: this.#botProjection,
      companies: this.#companies,
      platform: this.#platform,
      bytes: this.#bytes,
      reached: this.#reached.end(this.#board.begun),
      violation: this.#auditor.violation
    })
  }

  get steps(): number {
    return this.#journal.commits
  }

  get elapsed(): number {
    return this.#clock.elapsed
  }

  get now(): number {
    return this.#clock.currentTimeMillisUnsafe()
  }

  get struck(): ReadonlyArray<FaultRow> {
    return this.#board.struck
  }

  get orders(): ReadonlyMap<string, OrderState> {
    return this.#projection.orders
  }

  get prices(): PriceFeed["medians"] {
    return this.#feed.medians
  }

  account(id: AccountId): Account {
    return this.#journal.account(id)
  }

  /** Lets strike what is given for after a step. */
  #strike(step: number): void {
    const due = this.#scenario.given.filter(({ after }) => after === step)
    this.#board.schedule(
      due.map(({ index, strike }) => ({ ...strike, index, at: this.#clock.elapsed })),
      this.#effects
    )
  }

  /** What faults do to the process and to the vault. */
  readonly #effects: FaultEffects = {
    restart: () => {
      this.#journal.restart()
      this.#desk.restart()
      this.#runFork(this.#arena.start)
      for (const part of [this.#writer, this.#halts, this.#agent, this.#companies, this.#platform]) part.restart()
      this.#auditor.restarted()
    },
    closeVault: (closed, onClosed) => this.#vault.turn(closed, onClosed)
  }

  #tick(): void {
    const { elapsed } = this.#clock
    const { length } = this.#scenario
    const isOwing = this.#companies.isOwing || this.#platform.isOwing || this.#halts.isOwing(this.now)
    const { isProjected } = this.#journal
    const isOver = elapsed >= length + REST_MILLIS && this.#projection.live.size === 0 && !isOwing && isProjected
    if (isOver || elapsed >= length + MOST_REST_MILLIS) {
      this.#isAtRest = true
      return
    }
    // What the turnout is told by are orders of any age.
    if (!this.#isTurnout) this.#archive.retire(elapsed - CLIENT_PATIENCE)
    if (this.#journal.isServing) this.#agent.tick()
    this.#clock.schedule(elapsed + TICK_MILLIS, () => this.#tick())
  }

  #makeArena(breakers: BreakerPanel): SimulatedArena {
    const { planted } = this.#environment
    return new SimulatedArena({
      clock: this.#clock,
      board: this.#board,
      journal: this.#journal,
      halt: (assetType, at) => breakers.halt(assetType, at),
      limits: this.#scenario.limits,
      facts: this.#makeFacts(breakers),
      onUnexpected: (detail) => this.#auditor.report("supervision", detail),
      append: planted?.append?.(this.#journal),
      behavior: planted?.behavior
    })
  }

  #makeAgent(breakers: BreakerPanel, journal: Journal<PlatformEvent>): SimulatedAgent {
    return new SimulatedAgent({
      clock: this.#clock,
      board: this.#board,
      journal,
      fork: this.#runFork,
      feed: this.#feed,
      breakers,
      arena: this.#arena,
      keys: this.#keys,
      history: this.#environment.history,
      maker: MAKER,
      orders: this.#scenario.orders,
      timing: this.#scenario.timing,
      live: this.#projection.live,
      isKnown: (orderId) => this.#projection.orders.has(orderId),
      onPrices: (recorded) => {
        this.#auditor.priced(recorded)
        this.#companies.priced(recorded)
        this.#extension?.priced(recorded)
      },
      onTurned: (transitions) => {
        this.#auditor.turned(transitions)
        if (transitions.length > 0) this.#companies.turned()
      }
    })
  }

  #makeJournal(random: SeededRandom): SimulatedJournal {
    const { hashing, planted } = this.#environment
    return new SimulatedJournal({
      link: hashing.link,
      clock: this.#clock,
      fork: this.#runFork,
      fateOf: (asked) => this.#board.fate(asked, random.between(...COMMIT_MILLIS)),
      remembered: random.pick(REMEMBERED),
      onAsked: (batch) => this.#board.writing(tagsOf(batch)),
      onCommit: (commit) => {
        const { recorded } = commit.settled
        for (const told of [this.#projection, this.#botProjection, this.#machines, this.#halts]) told.apply(recorded)
        for (const written of [this.#writer, this.#vault, this.#platform]) written.committed(recorded)
        for (const { event } of recorded) {
          this.#peaks.apply(event)
          this.#archive.apply(event, this.#clock.elapsed)
        }
        this.#reached.committed(recorded, this.#board.begun)
        if (this.#isJudged) this.#auditor.commit(commit, (id) => this.#journal.account(id))
        this.#strike(this.steps)
        this.#extension?.committed(recorded)
        this.#environment.onStep?.(recorded)
        this.#progress(recorded.length)
      },
      onProjected: (events) => {
        for (const { data } of events) this.#bytes.add(data)
        if (this.#isJudged) this.#auditor.projected(events)
      },
      onTold: (recorded, { changedAccounts }) => {
        this.#companies.hear(recorded, changedAccounts)
        this.#platform.hear(recorded)
      },
      report: (problem) => this.#auditor.report("journal", problem),
      planted: planted?.journal
    })
  }

  #makeFacts(breakers: BreakerPanel) {
    const world = factsPorts({
      scenario: this.#scenario,
      startedAt: this.#scenario.startedAt,
      feed: this.#feed,
      breakers,
      keys: this.#keys,
      rule: this.#environment.planted?.rule,
      orders: this.#projection.orders,
      changing: [this.#botProjection, this.#machines],
      tieHash: this.#environment.planted?.tieHash,
      quotes: this.#quotes
    })
    return (state: OrderState, now: number) => {
      this.#auditor.looked(state.terms.orderId, state.terms.asset)
      return gatherFacts(world, state, now)
    }
  }

  #progress(added: number): void {
    const { onProgress } = this.#environment
    const events = this.#journal.lastSeq
    if (onProgress === undefined || events % PROGRESS_EVENTS >= added) return
    onProgress({ events, elapsed: this.#clock.elapsed, total: this.#scenario.length })
  }

  #makeArchive(): OrderArchive {
    const { prices = false } = this.#environment
    return new OrderArchive({
      compression: this.#environment.compression ?? UNCOMPRESSED,
      projection: this.#projection,
      tables: () => this.#journal.tables,
      actors: this.#arena.states,
      rowOf: (state, end) =>
        orderRow(state, end, this.#numbers.get(state.terms.orderId) ?? -1, prices ? this.#feed : undefined),
      onRetired: (orderId, actor) => {
        this.#quotes.retire(orderId)
        if (this.#isJudged) this.#auditor.retire(orderId, actor)
      }
    })
  }
}
