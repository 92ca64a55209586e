import { Cause, Duration, Effect, FiberSet, Layer } from "effect"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import type { TraderType } from "../../engine/arena/Commitment.ts"
import { houseBid, houseDelay } from "../../engine/arena/HouseBid.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { Settings } from "../Config.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Funds } from "../funds/Funds.ts"
import { Users } from "../identity/users/Users.ts"
import { secretHash } from "../SecretHash.ts"
import { Arena } from "./Arena.ts"
import { MachineTraders } from "./MachineTraders.ts"
import { houseAddress } from "./MarketMaker.ts"

/** What each house trader starts with, in USD. */
const STARTING_MONEY = fromUnits(1_000_000n * ONE)

/** What a house machine may lose: as much as it has. */
const ALLOWANCE = STARTING_MONEY

interface HouseTrader {
  readonly label: string
  readonly type: TraderType
  readonly userId: string
  readonly botId: string | undefined
}

/**
 * The sandbox's own traders, half of them machines, each a company of its own. They commit to every order through the
 * same service as anybody else.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { arena: settings, secretKey } = yield* Settings
    if (settings.houseTraders === 0) return
    const arena = yield* Arena
    const journal = yield* UnitOfWork
    const hash = secretHash(secretKey, "emporion/house")
    const traders = yield* Effect.forEach(
      Array.from({ length: settings.houseTraders }, (_, index) => index),
      enlist
    )
    const fork = yield* FiberSet.makeRuntime<never>()

    const commit = (trader: HouseTrader, terms: OrderTerms) =>
      arena.commit({
        ...houseBid(hash, trader.label, trader.type, terms),
        orderId: terms.orderId,
        swapExecutor: "house",
        botId: trader.botId,
        userId: trader.userId,
        isService: false,
        idempotency: undefined
      })

    const bid = (trader: HouseTrader, terms: OrderTerms): Effect.Effect<void> => {
      const delay = houseDelay(hash, trader.label, terms)
      if (delay === undefined) return Effect.void
      return commit(trader, terms).pipe(
        Effect.delay(Duration.millis(delay)),
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause) ? Effect.void : Effect.logDebug(`${trader.label} did not commit`, cause)
        ),
        Effect.asVoid
      )
    }

    yield* journal.onCommit((events) => {
      for (const { event } of events) {
        if (event._tag !== "OrderOpened") continue
        for (const trader of traders) fork(bid(trader, event.terms))
      }
    })
  })
)

const enlist = Effect.fnUntraced(function* (index: number) {
  const users = yield* Users
  const funds = yield* Funds
  const type: TraderType = index % 2 === 0 ? "human" : "machine"
  const label = `house-${type}-${Math.floor(index / 2) + 1}`
  const walletAddress = houseAddress(label)
  const user = yield* users
    .createHouse({
      companyName: `House trader (${label})`,
      label,
      kind: "house",
      ...(type === "machine" && { walletAddress })
    })
    .pipe(Effect.catchTag(["InvalidWalletAddress", "WalletTaken"], Effect.die))
  yield* funds.capital(accountId(user.id, "USD", "wallet"), STARTING_MONEY, "house_trader")
  const trader: HouseTrader = {
    label,
    type,
    userId: user.id,
    botId: type === "machine" ? yield* machineOf(label, walletAddress) : undefined
  }
  return trader
})

/** The machine registered under the label, now or at an earlier start. */
const machineOf = Effect.fnUntraced(function* (label: string, walletAddress: string) {
  const machines = yield* MachineTraders
  const known = yield* machines.findByAgent(label)
  if (known !== undefined) return known.id
  const registered = yield* machines
    .register({
      agentId: label,
      agentUri: `urn:emporion:${label}`,
      walletAddress,
      capabilities: ASSET_TYPES,
      collateralAllocated: ALLOWANCE,
      model: "house-random",
      riskTolerance: "balanced"
    })
    .pipe(Effect.catchTag(["AgentIdTaken", "InvalidRegistration"], Effect.die))
  return registered.id
})
