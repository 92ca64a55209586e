import { Result } from "effect"
import { after, type BotState } from "../bots/Bot.ts"
import type { BotEvent } from "../bots/BotEvent.ts"
import { MONTHLY_CREDITS } from "../bots/EvaluationCredits.ts"
import { accountId, PLATFORM } from "../ledger/Account.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { type ReadEvent, readEvent } from "../replay/EventCodec.ts"
import { Replay, type ReplayHashing } from "../replay/Replay.ts"
import { type Finding, findingAt, type StoredEvent } from "../replay/StoredEvent.ts"
import { AuctionSurvey, type SurveyLimits } from "./AuctionSurvey.ts"
import {
  checkedWorld,
  type ExportedWorld,
  MAX_WORLD_AUCTIONS,
  MAX_WORLD_BIDS,
  MAX_WORLD_BOTS,
  MAX_WORLD_TRADERS,
  WORLD_VERSION,
  type WorldBot
} from "./ExportedWorld.ts"
import { dividedWallets } from "./SharedWallets.ts"

const LIMITS: SurveyLimits = { auctions: MAX_WORLD_AUCTIONS, bids: MAX_WORLD_BIDS, traders: MAX_WORLD_TRADERS }

/**
 * Makes a world of a production's events. The ledger is the replay's, which decides each event again: what does not come out
 * as recorded makes no world. `docs/concepts/simulated-worlds.md` lists what else is read of them.
 */
export class WorldSurvey {
  readonly #replay: Replay
  readonly #auctions: AuctionSurvey
  readonly #balances = new Map<string, Amount>()
  readonly #bots = new Map<string, BotState>()
  readonly #grants = new Map<string, Amount>()
  #isVaultClosed = false

  constructor(hashing: ReplayHashing, limits: SurveyLimits = LIMITS) {
    this.#auctions = new AuctionSurvey(limits)
    this.#replay = new Replay(hashing, {
      history: false,
      put: ({ table, values: [id, balance] }) => {
        if (table === "ledger_accounts" && id !== null && id !== undefined) {
          this.#balances.set(id, fromUnits(BigInt(balance ?? 0)))
        }
      }
    })
  }

  /** The log's running hash after the last event. */
  get sum(): string {
    return this.#replay.chain.sum
  }

  /** Takes the next event; answers what is wrong with it, or nothing. After a finding the survey is over. */
  step(stored: StoredEvent): Finding | undefined {
    const finding = this.#replay.step(stored)
    if (finding !== undefined) return finding
    const read = readEvent(stored)
    if (Result.isFailure(read)) return findingAt(stored, read.failure)
    this.#take(read.success)
    return undefined
  }

  /** The world, or why there is none, as a part of a sentence. To be asked once, after the last event. */
  end(): Result.Result<ExportedWorld, string> {
    this.#replay.finish()
    const living = this.#living()
    const bots = living.slice(0, MAX_WORLD_BOTS)
    const found = this.#auctions.end(new Set(bots.map(({ botId }) => botId)))
    if (typeof found === "string") return Result.fail(found)
    const { leftOut, maker, traders, ...auctions } = found
    const owners = numbered(traders.map(({ owner }) => owner))
    const companies = numbered(bots.map(({ companyId }) => companyId))
    // A person, its machines, and the company whose bots it funds may have one wallet.
    const balances = dividedWallets(
      [...traders.map(({ account }) => [account]), ...walletsOf([...companies.keys()], bots)],
      (account) => this.#balance(account)
    )
    return checkedWorld({
      emporion_world: WORLD_VERSION,
      ...auctions,
      traders: traders.map((trader, index) => ({
        owner: owners.get(trader.owner) ?? 0,
        type: trader.type,
        balance: balances[index] ?? ZERO,
        allowance: trader.type === "human" ? null : this.#balance(trader.allowance ?? trader.account)
      })),
      bots: bots.map((bot) => this.#botOf(bot, companies)),
      companies: [...companies.keys()].map((companyId, index) => ({
        balance: balances[traders.length + index] ?? ZERO,
        monthlyGrant: this.#grants.get(companyId) ?? ZERO
      })),
      house: {
        maker: this.#balance(maker.account),
        yieldCapital: this.#balance(accountId(PLATFORM, "USD", "yield_source")),
        insurance: this.#balance(accountId(PLATFORM, "USD", "insurance")),
        isVaultClosed: this.#isVaultClosed
      },
      path: null,
      leftOut: { ...leftOut, bots: living.length - bots.length }
    })
  }

  #take({ event, of }: ReadEvent): void {
    switch (of) {
      case "order":
        return this.#auctions.take(event)
      case "bot":
        return this.#takeBot(event)
      case "vault":
        this.#isVaultClosed = event.closed
        return
      case "credits":
        if (event._tag === "CreditsGranted") this.#grants.set(event.companyId, event.credits)
        return
      case "company":
        if (event._tag === "CompanyPlanSet") this.#grants.set(event.companyId, MONTHLY_CREDITS[event.after])
    }
  }

  #takeBot(event: BotEvent): void {
    if (event._tag === "BotGuardSet") return
    this.#bots.set(event.botId, after(this.#bots.get(event.botId), event))
  }

  /** The bots that may go on, in the order of their ids. */
  #living(): ReadonlyArray<BotState> {
    return [...this.#bots.values()]
      .filter(({ standing }) => standing.status !== "terminated")
      .toSorted(({ botId: one }, { botId: other }) => (one < other ? -1 : 1))
  }

  #balance(account: string): Amount {
    const balance = this.#balances.get(account) ?? ZERO
    return balance < ZERO ? ZERO : balance
  }

  #botOf({ botId, companyId, profile, standing }: BotState, companies: ReadonlyMap<string, number>): WorldBot {
    return {
      company: companies.get(companyId) ?? 0,
      status: statusOf(standing),
      capabilities: profile.capabilities,
      strategy: profile.strategy,
      creditBudget: profile.creditBudget,
      autoTopUp: profile.autoTopUp,
      funded: this.#balance(walletOf(botId, "USD"))
    }
  }
}

/** The wallets that a company's bots are funded from, and theirs, by company. */
const walletsOf = (
  companies: ReadonlyArray<string>,
  bots: ReadonlyArray<BotState>
): ReadonlyArray<ReadonlyArray<string>> => {
  const owned = Map.groupBy(bots, ({ companyId }) => companyId)
  return companies.map((companyId) => {
    const owners = (owned.get(companyId) ?? []).flatMap(({ botId, userId }) => [userId, botId])
    return [...new Set(owners)].map((owner) => walletOf(owner, "USD"))
  })
}

/** Names with their numbers, in their order. */
const numbered = (names: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map([...new Set(names)].toSorted().map((name, index) => [name, index]))

/** A bot that the engine suspended may go on, unless its company's plan has no room for it. */
const statusOf = ({ cause, status }: BotState["standing"]): WorldBot["status"] => {
  if (status === "paused") return "paused"
  return status === "inactive" || cause === "plan_downgraded" ? "inactive" : "active"
}
