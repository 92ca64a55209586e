import { Effect, Exit } from "effect"
import type { ChainedEvent } from "../../engine/actor/CommitGroup.ts"
import { mint } from "../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { KEPT } from "../../engine/simulation/CallFate.ts"
import { type Caller, type DeskWorld, type Served, writingTo } from "../../engine/simulation/platform/DeskWorld.ts"
import { PlatformProjection } from "../../engine/simulation/platform/PlatformProjection.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { SimulatedJournal } from "../../engine/simulation/SimulatedJournal.ts"
import { VirtualClock } from "../../engine/simulation/VirtualClock.ts"
import { forkingIn, VirtualScheduler } from "../../engine/simulation/VirtualScheduler.ts"
import { hashing } from "../../scripts/SimulationPlatform.ts"

export const SELLER: Caller = { companyId: "co_0", userId: "usr_co_0" }
export const BUYER: Caller = { companyId: "co_1", userId: "usr_co_1" }

export const usd = (dollars: number) => fromUnits(BigInt(dollars) * ONE)

/** The journal of a simulation without faults, and what companies' desks reach of it. Nothing happens but what is run. */
export const companyWorld = () => {
  const clock = new VirtualClock(1_800_000_000_000, new SeededRandom(1, "clock"))
  const scheduler = new VirtualScheduler(new SeededRandom(1, "scheduler"))
  const report = (problem: string): never => {
    throw new Error(problem)
  }
  const fork = forkingIn({ scheduler, clock, random: new SeededRandom(1, "random") }, report)
  const projection = new PlatformProjection()
  const listeners: Array<(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>) => void> = []
  const journal = new SimulatedJournal({
    link: hashing.link,
    clock,
    fork,
    fateOf: () => KEPT,
    onCommit: ({ settled }) => {
      projection.apply(settled.recorded)
      for (const hear of listeners) hear(settled.recorded)
    },
    report
  })
  let made = 0
  const world: DeskWorld = {
    projection,
    account: (id) => journal.account(id),
    write: writingTo(journal),
    newId: (prefix) => `${prefix}_${++made}`
  }

  /** Runs something to its end. */
  const run = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> => {
    const done: Array<Exit.Exit<A, E>> = []
    fork(Effect.map(Effect.exit(effect), (exit) => void done.push(exit)))
    for (;;) {
      const [exit] = done
      if (exit !== undefined) return exit
      if (!scheduler.step() && !clock.advance()) throw new Error("nothing is ready and nothing is due")
    }
  }

  /** What was done, or the tag of why nothing was. */
  const served = (effect: Served): string =>
    Exit.match(
      run(effect.pipe(Effect.catch(({ _tag }: { readonly _tag?: string } & Error) => Effect.succeed(`${_tag}`)))),
      {
        onSuccess: (answer) => answer,
        onFailure: (cause) => {
          throw new Error(String(cause))
        }
      }
    )

  /** Gives a user money. */
  const give = (owner: string, asset: string, units: number): void => {
    const posting = { id: `starting/${owner}/${asset}`, limited: false }
    const amount = usd(units)
    run(
      journal.append({
        stream: posting.id,
        version: 0,
        entries: [
          {
            commands: [mint({ id: posting.id, owner, asset, amount })],
            event: {
              _tag: "FundsMinted",
              at: 0,
              fundId: posting.id,
              owner,
              asset,
              amount,
              externalReference: null,
              posting
            }
          }
        ]
      })
    )
  }

  const balance = (account: Parameters<DeskWorld["account"]>[0]): bigint => journal.account(account).balance

  /** Has somebody hear what is committed. */
  const listen = (hear: (typeof listeners)[number]): void => void listeners.push(hear)

  return { balance, clock, fork, give, journal, listen, projection, run, served, world }
}
