import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Effect } from "effect"
import type { Batch, Journal } from "../../engine/actor/Journal.ts"
import { create } from "../../engine/bots/BotLifeDecision.ts"
import { companyBotsStream } from "../../engine/bots/BotEvent.ts"
import { actOnBot, type BotRights } from "../../engine/bots/BotManagement.ts"
import { found } from "../../engine/bots/BotRecords.ts"
import { mint } from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { BotProjection } from "../../engine/simulation/BotProjection.ts"
import type { SimulatedJournal } from "../../engine/simulation/SimulatedJournal.ts"
import { type SimulatedBotStore, simulatedBotStore } from "../../engine/simulation/SimulatedBotStore.ts"
import { usd } from "./ArenaArbitraries.ts"
import { FEBRUARY, profile } from "./BotCases.ts"
import { decodedEvent } from "./DecodedEvent.ts"
import { runningJournal } from "./RunningJournal.ts"

export const USER = "usr_1"
export const COMPANY = "cmp_1"

const who = { at: FEBRUARY, by: USER }

/** What comes to the journal before something is written to it. */
type Before = (batch: Batch<PlatformEvent>, journal: Journal<PlatformEvent>) => Effect.Effect<unknown>

/** Bots of a company in memory, whose user has 1,000 USD left; all of them are inactive. */
export const storedBots = (botIds: ReadonlyArray<string>, amount: Amount, before: Before = () => Effect.void) =>
  Effect.gen(function* () {
    const projection = new BotProjection()
    const { journal } = yield* runningJournal({ onCommit: ({ settled }) => projection.apply(settled.recorded) })
    const minted = { id: "m", owner: USER, asset: "USD", amount: usd("100000") }
    yield* journal.append({
      stream: "fund/m",
      version: 0,
      entries: [
        {
          commands: [mint(minted)],
          event: { _tag: "FundsMinted", at: FEBRUARY, fundId: "m", ...minted, externalReference: null }
        }
      ]
    })
    const of = { companyId: COMPANY, userId: USER, walletAddress: "0x1", profile, amount }
    for (const botId of botIds) {
      const entries = [create({ botId, ...of }, who)]
      yield* journal.append({ stream: companyBotsStream(COMPANY), version: null, entries })
    }
    const writes: Journal<PlatformEvent> = {
      append: (batch) =>
        before(batch, journal).pipe(
          Effect.andThen(journal.append(batch)),
          Effect.tap(() => journal.reached)
        )
    }
    const store = simulatedBotStore({ journal, writes, projection })
    const standing = (botId: string) => projection.bots.get(botId)?.standing
    return { journal, projection, store, standing }
  })

/** Nothing keeps a bot from being active. */
export const RIGHTS: BotRights<never, never> = {
  halt: () => null,
  isWithoutCredits: () => Effect.succeed(false),
  isBeyondPlan: () => Effect.succeed(false),
  admit: () => Effect.succeed([])
}

/** Starts a bot for its user. */
export const started = (store: SimulatedBotStore, botId: string) =>
  actOnBot(store, RIGHTS, found(store, botId), "start", USER)

/** What a bot did, in order. */
export const tagsOf = (journal: SimulatedJournal, botId: string): ReadonlyArray<string> =>
  journal.stream(`bot/${botId}`).map((one) => decodedEvent(one)._tag)
