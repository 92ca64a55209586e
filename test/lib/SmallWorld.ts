import { Cause, Clock, Context, Effect, Exit, References, Scheduler } from "effect"
import { gatherFacts } from "../../engine/arena/FactsGathering.ts"
import { FaultBoard } from "../../engine/simulation/FaultBoard.ts"
import type { FaultPlan } from "../../engine/simulation/FaultPlan.ts"
import { SimulatedJournal } from "../../engine/simulation/SimulatedJournal.ts"
import { openingFunds } from "../../engine/simulation/OpeningFunds.ts"
import { OrderProjection } from "../../engine/simulation/OrderProjection.ts"
import { PriceFeed } from "../../engine/simulation/PriceFeed.ts"
import { makeScenario, type OrderPlan, STARTED_AT } from "../../engine/simulation/Scenario.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { SimulatedArena } from "../../engine/simulation/SimulatedArena.ts"
import { BreakerPanel } from "../../engine/arena/BreakerPanel.ts"
import { factsPorts } from "../../engine/simulation/FactsPorts.ts"
import { QuoteCache } from "../../engine/simulation/QuoteCache.ts"
import { keyedHash, simulatedKeys } from "../../engine/simulation/SimulationHashing.ts"
import { VirtualClock } from "../../engine/simulation/VirtualClock.ts"
import { type Fork, VirtualScheduler } from "../../engine/simulation/VirtualScheduler.ts"
import { environment } from "./Simulations.ts"

const COMMIT_MILLIS = 2

/** The parts of a simulation, wired but not driven, with four traders and one order of each type. */
export const smallWorld = (faults: ReadonlyArray<FaultPlan> = []) => {
  const { hashing, history } = environment
  const scenario = makeScenario({ seed: 5, orders: 4, traders: 4, faults: false })
  const clock = new VirtualClock(STARTED_AT, new SeededRandom(5, "clock"))
  const scheduler = new VirtualScheduler(new SeededRandom(5, "scheduler"))
  const board = new FaultBoard(clock, new SeededRandom(5, "network"))
  const feed = new PriceFeed(history, keyedHash(hashing.link, 5, "walk"))
  const breakers = new BreakerPanel()
  const keys = simulatedKeys(hashing.link, 5)
  const projection = new OrderProjection()
  const defects: Array<string> = []
  const run = Effect.runForkWith(
    Context.make(Scheduler.Scheduler, scheduler).pipe(
      Context.add(Clock.Clock, clock),
      Context.add(References.MinimumLogLevel, "None")
    )
  )
  const fork: Fork = (effect) => {
    run(effect).addObserver((exit) => {
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) defects.push(String(Cause.squash(exit.cause)))
    })
  }
  const journal = new SimulatedJournal({
    link: hashing.link,
    clock,
    fork,
    fateOf: (asked) => board.fate(asked, COMMIT_MILLIS),
    onCommit: ({ settled }) => projection.apply(settled.recorded),
    report: (problem) => void defects.push(problem)
  })
  const world = factsPorts({
    scenario,
    startedAt: STARTED_AT,
    feed,
    breakers,
    keys,
    orders: projection.orders,
    quotes: new QuoteCache(() => {})
  })
  const arena = new SimulatedArena({
    clock,
    board,
    journal,
    halt: (assetType, at) => breakers.halt(assetType, at),
    limits: scenario.limits,
    facts: (state, now) => gatherFacts(world, state, now),
    onUnexpected: (detail) => void defects.push(detail)
  })
  fork(arena.start)
  for (const batch of openingFunds(scenario, STARTED_AT)) fork(journal.append(batch))
  board.schedule(faults, { restart: () => fork(arena.start), closeVault: () => {} })
  /** Runs everything that is ready or due within these milliseconds. */
  const pass = (millis: number): void => {
    const over = { isOver: false }
    clock.schedule(clock.elapsed + millis, () => {
      over.isOver = true
    })
    while (!over.isOver) if (!scheduler.step()) clock.advance()
    while (scheduler.step());
  }
  const plan = (assetType: OrderPlan["assetType"]): OrderPlan =>
    scenario.orders.find((order) => order.assetType === assetType)!
  const parts = { clock, board, feed, breakers, journal, arena, keys, history, fork, projection }
  return { ...parts, scenario, defects, pass, plan }
}
