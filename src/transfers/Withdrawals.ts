import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { type TransfersWorld, withdraw } from "../../engine/transfers/Sending.ts"
import type { InvalidTransfer, TooLittle } from "../../engine/transfers/TransferError.ts"
import type { Page } from "../api/Paging.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { Funds } from "../funds/Funds.ts"
import type { FundNotFound } from "../funds/FundsError.ts"
import * as Identifier from "../Identifier.ts"
import { MoneyGate, type MoneyGateClosed } from "../identity/MoneyGate.ts"
import { MoneyHalted } from "./TransfersError.ts"
import { type Withdrawal, type WithdrawalPage, WithdrawalRepository } from "./WithdrawalRepository.ts"

/** What an owner takes out. */
export interface Withdrawing {
  readonly owner: string
  readonly quantity: Amount
  /** Undefined for the owner's fund of USD. */
  readonly fundId: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/** Money that its owner takes out of a fund. */
export class Withdrawals extends Context.Service<
  Withdrawals,
  {
    readonly withdraw: (
      withdrawing: Withdrawing
    ) => Effect.Effect<
      Withdrawal,
      InvalidTransfer | MoneyGateClosed | FundNotFound | TooLittle | MoneyHalted | Unavailable
    >
    readonly list: (owner: string, page: Page) => Effect.Effect<WithdrawalPage, Unavailable | UnknownCursor>
  }
>()("emporion/transfers/Withdrawals") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const breakers = yield* Breakers
  const funds = yield* Funds
  const gate = yield* MoneyGate
  const repository = yield* WithdrawalRepository
  const context = yield* Effect.context<UnitOfWork | SecureRandom>()
  const world: Pick<TransfersWorld<Unavailable>, "write"> = {
    write: (entry) => Effect.provideContext(writeEntry(entry), context)
  }

  return Withdrawals.of({
    withdraw: Effect.fn("Withdrawals.withdraw")(function* ({ fundId, idempotency, owner, quantity }) {
      if (breakers.isLatched()) return yield* new MoneyHalted()
      yield* gate.open(owner)
      const fund = yield* fundId === undefined
        ? funds.ofAsset(owner, "USD")
        : funds.find({ userId: owner, isAdmin: false }, fundId)
      const withdrawalId = yield* Effect.provideContext(Identifier.make("wdr"), context)
      const { asset, id } = fund
      return yield* withdraw(world, { withdrawalId, owner, fundId: id, asset, quantity }, idempotency).pipe(
        Effect.catchTag("StaleVersion", Effect.die),
        dieOnRefusal
      )
    }),
    list: Effect.fn("Withdrawals.list")((owner, page) => repository.list(owner, page))
  })
})
