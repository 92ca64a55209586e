import { gatherFacts } from "../arena/FactsGathering.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import { auditorOf, listenerOf } from "./ScenarioAuditor.ts"
import { SimulatedPlatform } from "./platform/SimulatedPlatform.ts"
import type { Auditor } from "./Auditor.ts"
import { BotCompanies } from "./BotCompanies.ts"
import { BotProjection } from "./BotProjection.ts"
import { CollateralPeaks } from "./CollateralPeaks.ts"
import { ExtensionHost, makeExtension } from "./ExtensionHost.ts"
import { FaultBoard, type FaultEffects } from "./FaultBoard.ts"
import { CLIENT_PATIENCE, SimulatedJournal } from "./SimulatedJournal.ts"
import { MAKER, openingFunds } from "./OpeningFunds.ts"
import { OrderProjection } from "./OrderProjection.ts"
import { PriceFeed } from "./PriceFeed.ts"
import { byName, ReachedRecord } from "./ReachedRecord.ts"
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
import { botRows, orderRow, traderRows } from "./SimulationRows.ts"
import { TraderDesk } from "./TraderDesk.ts"
import { VaultDoor } from "./VaultDoor.ts"
import { VirtualClock } from "./VirtualClock.ts"
import { deskPlans, pastPrices } from "./WorldScenario.ts"
import { type Fork, forkingIn, type SteppedScheduler } from "./VirtualScheduler.ts"

/** Milliseconds that a transaction takes. */
const COMMIT_MILLIS = [2, 12] as const

/** How much a writer remembers of what the tables have, in one world or another. */
const REMEMBERED = [0, 100, 100_000] as const

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
    this.#vault = new VaultDoor(this.#journal, this.#runFork)
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
      onUnexpected: (detail) => this.#auditor.report("supervision", detail),
      told,
      planted
    })
    this.#agent = this.#makeAgent(breakers)
    this.#desk = new TraderDesk({
      ...shared,
      arena: this.#arena,
      traders: new Map(scenario.traders.map((trader) => [trader.index, trader])),
      ...deskPlans(planned, (terms) => this.#quotes.worth(terms, this.#feed.latest(terms.asset))),
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
    for (const batch of openingFunds(this.#scenario, startedAt)) this.#runFork(this.#journal.append(batch))
    const others = [...this.#companies.opening(startedAt), ...this.#platform.opening(startedAt)]
    for (const batch of others) this.#runFork(this.#journal.append(batch))
    if (house.isVaultClosed) this.#vault.turn(true)
    this.#companies.plan()
    this.#platform.plan()
    for (const order of orders) {
      this.#numbers.set(this.#agent.orderId(order), order.index)
      this.#desk.plan(order)
    }
    this.#board.schedule(faults, this.#effects)
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
    return this.#result()
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
      this.#desk.restart()
      this.#runFork(this.#arena.start)
      this.#agent.restart()
      this.#companies.restart()
      this.#platform.restart()
    },
    closeVault: (closed) => this.#vault.turn(closed)
  }

  #tick(): void {
    const { elapsed } = this.#clock
    const { length } = this.#scenario
    const isOwing = this.#companies.isOwing || this.#platform.isOwing
    const { isProjected } = this.#journal
    const isOver = elapsed >= length + REST_MILLIS && this.#projection.live.size === 0 && !isOwing && isProjected
    if (isOver || elapsed >= length + MOST_REST_MILLIS) {
      this.#isAtRest = true
      return
    }
    // What the turnout is told by are orders of any age.
    if (!this.#isTurnout) this.#archive.retire(elapsed - CLIENT_PATIENCE)
    this.#agent.tick()
    this.#clock.schedule(elapsed + TICK_MILLIS, () => this.#tick())
  }

  #makeArena(breakers: BreakerPanel): SimulatedArena {
    const { planted } = this.#environment
    return new SimulatedArena({
      clock: this.#clock,
      board: this.#board,
      journal: this.#journal,
      halt: (assetType, at) => breakers.halt(assetType, at),
      facts: this.#makeFacts(breakers),
      onUnexpected: (detail) => this.#auditor.report("supervision", detail),
      append: planted?.append?.(this.#journal),
      behavior: planted?.behavior
    })
  }

  #makeAgent(breakers: BreakerPanel): SimulatedAgent {
    return new SimulatedAgent({
      clock: this.#clock,
      board: this.#board,
      journal: this.#journal,
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
      onCommit: (commit) => {
        const { recorded } = commit.settled
        this.#projection.apply(recorded)
        this.#botProjection.apply(recorded)
        this.#platform.committed(recorded)
        for (const { event } of recorded) {
          this.#peaks.apply(event)
          this.#archive.apply(event, this.#clock.elapsed)
        }
        this.#reached.committed(recorded, this.#board.struck)
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
      onTold: (recorded, changed) => {
        this.#companies.hear(recorded, changed)
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
      bots: this.#botProjection,
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

  #result(): SimulationResult {
    const { hashing } = this.#environment
    const state = hashing.digest()
    for (const text of this.#archive.stateText()) state.update(text)
    const orders = this.#archive.rows()
    const { byBot, byTrader } = this.#archive
    return {
      seed: this.#scenario.spec.seed,
      events: this.#journal.lastSeq,
      commits: this.#journal.commits,
      messages: this.#arena.messages,
      stateHash: state.hex(),
      eventsHash: this.#bytes.hex(),
      startedAt: this.#scenario.startedAt,
      endedAt: this.#scenario.startedAt + this.#clock.elapsed,
      orders,
      traders: traderRows(this.#scenario.traders, byTrader, this.#journal, this.#peaks, this.#desk.tallies),
      bots: botRows(this.#botProjection, byBot),
      faults: this.#board.struck,
      answers: byName(this.#desk.answers),
      botResponses: byName(this.#companies.answers),
      ...this.#platform.result,
      restarts: this.#arena.restarts + this.#companies.restarts,
      reached: this.#reached.end(this.#board.struck),
      violation: this.#auditor.violation
    }
  }
}
