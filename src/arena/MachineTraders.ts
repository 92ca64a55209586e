import { isOf } from "../../engine/replay/PlatformEvent.ts"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { createHash } from "node:crypto"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import {
  isReservedAgentId,
  machineTraderStream,
  registrationEntry,
  retirementEntry
} from "../../engine/arena/MachineTraderRegistration.ts"
import type { Turnout } from "../../engine/arena/Fairness.ts"
import { type Amount, fromUnits, ZERO } from "../../engine/money/Amount.ts"
import { truncateDivide } from "../../engine/money/Rounding.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import type { User } from "../identity/users/User.ts"
import { placeholderOf, Users } from "../identity/users/Users.ts"
import * as WalletAddress from "../identity/users/WalletAddress.ts"
import {
  type MachineTraderRecord,
  MachineTraderRepository,
  type MachineTraderScore,
  type MachineTraderStatus
} from "./MachineTraderRepository.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** Machine traders kept in memory; the one kept longest makes room. */
const MAX_CACHED = 10_000

/** Most machine traders listed in one report; its totals count all. */
const MAX_LISTED = 1_000

/** Hexadecimal digits of an id. */
const ID_DIGITS = 24

/** Another machine trader has this agent's id. */
export class AgentIdTaken extends refusal(
  "AgentIdTaken",
  "conflict",
  ({ agentId }: { readonly agentId: string }) => `Agent ${agentId} is registered already.`
) {}

/** A field of the registration cannot be taken. */
export class InvalidRegistration extends refusal(
  "InvalidRegistration",
  "unprocessable",
  ({ expected, field }: { readonly field: string; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

/** No machine trader was registered under this id. */
export class UnknownMachineTrader extends refusal(
  "UnknownMachineTrader",
  "not_found",
  ({ traderId }: { readonly traderId: string }) => `There is no registered machine trader ${traderId}.`
) {}

/** Specification 4.3, POST /api/arena/machine-traders, admin registration. */
export interface MachineTraderRegistration {
  readonly agentId: string
  readonly agentUri: string
  readonly walletAddress: string
  readonly capabilities: ReadonlyArray<AssetType>
  /** What it may lose, in 10⁻⁶ USD. No money moves. */
  readonly collateralAllocated: Amount
  readonly model: string
  readonly riskTolerance: string
}

/** What a commitment needs to know of the machine trader behind it. */
export interface MachineTrader {
  readonly id: string
  /** The company. */
  readonly owner: string
  readonly userId: string
  readonly status: MachineTraderStatus
  readonly capabilities: ReadonlyArray<AssetType>
  readonly address: string
  /** A bot belongs to its company, and has collateral of its own. */
  readonly isBot: boolean
}

/** How one machine trader did. */
export interface TraderStats extends MachineTraderScore {
  /** Won ÷ decided commitments, a fraction; 0 before the first. */
  readonly winRate: number
}

/** Specification 4.3, GET /api/arena/machine-traders/stats. */
export interface MachineTraderStats {
  readonly totalTraders: number
  readonly activeTraders: number
  readonly totalCommitments: number
  readonly winRate: number
  /** Profit ÷ settled commitments, rounded toward zero; 0 before the first. */
  readonly averageProfit: Amount
  readonly traders: ReadonlyArray<TraderStats>
}

/** The registered machine traders. */
export class MachineTraders extends Context.Service<
  MachineTraders,
  {
    readonly register: (
      registration: MachineTraderRegistration
    ) => Effect.Effect<MachineTrader, AgentIdTaken | InvalidRegistration | Unavailable>
    /**
     * Lets a registered machine trader commit no more, for good. What it committed to is decided as usual. One that is
     * retired already stays so. A bot is none of them: its company terminates it.
     */
    readonly retire: (id: string) => Effect.Effect<MachineTrader, UnknownMachineTrader | Unavailable>
    /** Cheap enough to ask for every commitment. */
    readonly find: (id: string) => Effect.Effect<MachineTrader | undefined, Unavailable>
    readonly findByAgent: (agentId: string) => Effect.Effect<MachineTrader | undefined, Unavailable>
    /** Owners with an active machine trader of the asset type at any moment of [from, to). */
    readonly activeOwners: (
      assetType: AssetType,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlySet<string>, Unavailable>
    /** Machine traders of the asset type that are active now. */
    readonly capableCount: (assetType: AssetType) => Effect.Effect<number, Unavailable>
    /** By owner: of the recent orders expired `until` then that its machines could commit to, to how many they did. */
    readonly turnout: (assetType: AssetType, until: number) => Effect.Effect<ReadonlyMap<string, Turnout>, Unavailable>
    /** What some machine traders did; nothing for an unknown one. */
    readonly scores: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MachineTraderScore>, Unavailable>
    /** Of one machine trader or of all; an unknown id is a report on none. */
    readonly stats: (traderId?: string) => Effect.Effect<MachineTraderStats, Unavailable>
  }
>()("emporion/arena/MachineTraders") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const toMachineTrader = (record: MachineTraderRecord): MachineTrader => {
  const isBot = record.activeFrom === null
  return {
    id: record.id,
    owner: record.owner,
    userId: record.userId,
    status: record.status,
    capabilities: record.capabilities,
    address: record.walletAddress,
    isBot
  }
}

const sum = (scores: ReadonlyArray<MachineTraderScore>, of: (score: MachineTraderScore) => number): number =>
  scores.reduce((total, score) => total + of(score), 0)

const fraction = (part: number, total: number): number => (total === 0 ? 0 : part / total)

/** Sums up what machine traders did. */
export const statsOf = (scores: ReadonlyArray<MachineTraderScore>): MachineTraderStats => {
  const settled = BigInt(sum(scores, ({ settled }) => settled))
  const profit = scores.reduce((total, { totalProfit }) => total + totalProfit, 0n)
  return {
    totalTraders: scores.length,
    activeTraders: scores.filter(({ status }) => status === "active").length,
    totalCommitments: sum(scores, ({ totalCommitments }) => totalCommitments),
    winRate: fraction(
      sum(scores, ({ commitmentsWon }) => commitmentsWon),
      sum(scores, ({ decided }) => decided)
    ),
    averageProfit: settled === 0n ? ZERO : fromUnits(truncateDivide(profit, settled)),
    traders: scores
      .slice(0, MAX_LISTED)
      .map((score) => ({ ...score, winRate: fraction(score.commitmentsWon, score.decided) }))
  }
}

/** Who owns the wallet; a principal of its own until somebody links it. */
const ownerOf = Effect.fnUntraced(function* (
  walletAddress: string
): Effect.fn.Return<User, InvalidRegistration | Unavailable, Users> {
  const users = yield* Users
  const user = yield* users.findByWallet(walletAddress)
  if (user !== undefined) return user
  const found = Effect.flatMap(users.findByWallet(walletAddress), (now) =>
    now === undefined ? Effect.die(`nobody has the taken wallet ${walletAddress}`) : Effect.succeed(now)
  )
  const label = placeholderOf(walletAddress)
  const house = { companyName: `Owner of ${walletAddress}`, label, kind: "house" } as const
  return yield* users.createHouse({ ...house, walletAddress }).pipe(
    Effect.catchTags({
      InvalidWalletAddress: ({ expected }) =>
        Effect.fail(new InvalidRegistration({ field: "wallet_address", expected })),
      WalletTaken: () => found
    })
  )
})

/** A machine trader's id follows from its agent's: the stream of that name has one registration. */
const idOf = (agentId: string): string =>
  `mtr_${createHash("sha256").update(agentId, "utf8").digest("hex").slice(0, ID_DIGITS)}`

/** Records a registration; with its allowance where it has none yet. */
const recorded = Effect.fnUntraced(function* (record: MachineTraderRecord, activeFrom: number, granted: boolean) {
  const { id: traderId, status: _status, ...registration } = record
  const at = yield* Clock.currentTimeMillis
  const entry = registrationEntry({ ...registration, at, traderId, activeFrom, granted })
  yield* writeEntry({ stream: machineTraderStream(traderId), version: 0, entry })
}, dieOnRefusal)

/** Records what was registered before registrations were recorded. */
const recordEarlier = Effect.gen(function* () {
  const { unrecorded } = yield* MachineTraderRepository
  yield* Effect.forEach(
    yield* unrecorded,
    (record) => Effect.catchTag(recorded(record, record.activeFrom ?? 0, false), "StaleVersion", Effect.die),
    { discard: true }
  )
})

const register = Effect.fnUntraced(function* (registration: MachineTraderRegistration) {
  const { agentId, collateralAllocated } = registration
  const repository = yield* MachineTraderRepository
  const wallet = WalletAddress.parse(registration.walletAddress)
  if (Result.isFailure(wallet)) {
    return yield* new InvalidRegistration({ field: "wallet_address", expected: wallet.failure.expected })
  }
  if (collateralAllocated <= 0n) {
    return yield* new InvalidRegistration({ field: "collateral_allocated", expected: "a positive amount" })
  }
  if (isReservedAgentId(agentId)) {
    return yield* new InvalidRegistration({ field: "agent_id", expected: "an id that does not begin with bot_" })
  }
  if ((yield* repository.findByAgent(agentId)) !== undefined) return yield* new AgentIdTaken({ agentId })
  const user = yield* ownerOf(wallet.success)
  const activeFrom = yield* Clock.currentTimeMillis
  const record: MachineTraderRecord = {
    ...registration,
    id: idOf(agentId),
    owner: user.companyId,
    userId: user.id,
    walletAddress: wallet.success,
    capabilities: [...new Set(registration.capabilities)],
    status: "active",
    activeFrom
  }
  yield* Effect.catchTag(recorded(record, activeFrom, true), "StaleVersion", () =>
    Effect.fail(new AgentIdTaken({ agentId }))
  )
  return record
})

/** Registered once, and retired once. */
const REGISTERED_VERSION = 1

const retire = Effect.fnUntraced(function* (traderId: string) {
  const repository = yield* MachineTraderRepository
  const record = yield* repository.find(traderId)
  if (record === undefined || record.activeFrom === null) return yield* new UnknownMachineTrader({ traderId })
  const retired: MachineTraderRecord = { ...record, status: "terminated" }
  if (record.status === "terminated") return retired
  const entry = retirementEntry({ traderId, at: yield* Clock.currentTimeMillis })
  yield* writeEntry({ stream: machineTraderStream(traderId), version: REGISTERED_VERSION, entry }).pipe(
    Effect.catchTag("StaleVersion", () => Effect.void)
  )
  return retired
}, dieOnRefusal)

const isOfBots = isOf("bot")

/** Machine traders as they stand, kept in memory until something happens to them. */
const makeCache = (repository: MachineTraderRepository["Service"]) => {
  const cached = new Map<string, MachineTrader>()
  let changes = 0

  const remember = (record: MachineTraderRecord): MachineTrader => {
    const trader = toMachineTrader(record)
    const oldest = cached.size >= MAX_CACHED ? cached.keys().next().value : undefined
    if (oldest !== undefined) cached.delete(oldest)
    cached.set(trader.id, trader)
    return trader
  }

  /** What was read before a change is not kept. */
  const read = (id: string) =>
    Effect.suspend(() => {
      const before = changes
      return Effect.map(repository.find(id), (record) => {
        if (record === undefined) return undefined
        return before === changes ? remember(record) : toMachineTrader(record)
      })
    })

  return {
    remember,
    find: (id: string) =>
      Effect.suspend(() => {
        const trader = cached.get(id)
        return trader === undefined ? read(id) : Effect.succeed(trader)
      }),
    forget: (id: string): void => {
      changes += 1
      cached.delete(id)
    },
    forgetOf: (userId: string): void => {
      changes += 1
      for (const [id, trader] of cached) if (trader.userId === userId) cached.delete(id)
    }
  }
}

const make = Effect.gen(function* () {
  const repository = yield* MachineTraderRepository
  const journal = yield* UnitOfWork
  const context = yield* Effect.context<MachineTraderRepository | UnitOfWork | Users>()
  const { find, forget, forgetOf, remember } = makeCache(repository)

  yield* recordEarlier

  // What happens to a bot holds for its next commitment. The ledger has the last word on whether it may commit.
  yield* journal.onCommit((events) => {
    for (const { event } of events) {
      if (event._tag === "MachineTraderRetired") forget(event.traderId)
      if (!isOfBots(event) || event._tag === "BotDecided" || event._tag === "BotGuardSet") continue
      forget(event.botId)
    }
  })

  yield* (yield* Users).onWalletTaken({
    move: repository.handOver,
    moved: (from) => Effect.sync(() => forgetOf(from))
  })

  return MachineTraders.of({
    register: Effect.fn("MachineTraders.register")((registration) =>
      Effect.map(Effect.provideContext(register(registration), context), remember)
    ),
    retire: Effect.fn("MachineTraders.retire")((id) =>
      Effect.map(Effect.provideContext(retire(id), context), toMachineTrader)
    ),
    find,
    findByAgent: (agentId) =>
      Effect.map(repository.findByAgent(agentId), (record) => (record === undefined ? undefined : remember(record))),
    activeOwners: repository.activeOwners,
    capableCount: repository.capableCount,
    turnout: repository.turnout,
    scores: repository.scores,
    stats: Effect.fn("MachineTraders.stats")((traderId) =>
      Effect.map(repository.scores(traderId === undefined ? undefined : [traderId]), statsOf)
    )
  })
})
