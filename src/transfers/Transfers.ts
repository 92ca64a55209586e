import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Rate } from "../../engine/money/Rate.ts"
import { send, type SentTransfer, type TransfersWorld } from "../../engine/transfers/Sending.ts"
import type { Particulars, TransferMode } from "../../engine/transfers/TransferEvent.ts"
import type { Page } from "../api/Paging.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { Owners } from "../identity/users/Owners.ts"
import { Beneficiaries } from "./Beneficiaries.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import { FxQuotes } from "./FxQuotes.ts"
import type { Transfer } from "./Transfer.ts"
import * as Refusal from "./TransfersError.ts"
import { type Direction, type TransferPage, TransferRepository } from "./TransferRepository.ts"

/** What a caller asks for. Specification 2.10. */
export interface Sending extends Particulars {
  /** The caller. */
  readonly userId: string
  readonly from: string
  readonly to: string
  readonly pair: CurrencyPair
  readonly quantity: Amount
  readonly mode: TransferMode
  readonly worst: Rate | null
  readonly quoteId: string | null
  /** The caller's own id for it. */
  readonly id: string | undefined
  readonly idempotency?: Idempotency | undefined
}

const BENEFICIARY = /^ben_/

/** Money that moves to other owners and beneficiaries. */
export class Transfers extends Context.Service<
  Transfers,
  {
    readonly send: (sending: Sending) => Effect.Effect<SentTransfer, Refusal.TransferRefused | Unavailable>
    /** One that the owner sent, else the newest of this id that it received. */
    readonly find: (owner: string, id: string) => Effect.Effect<Transfer | undefined, Unavailable>
    readonly list: (
      owner: string,
      direction: Direction | undefined,
      page: Page
    ) => Effect.Effect<TransferPage, Unavailable | UnknownCursor>
  }
>()("emporion/transfers/Transfers") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const makeRecipients = Effect.gen(function* () {
  const owners = yield* Owners
  const beneficiaries = yield* Beneficiaries

  const user = (to: string) =>
    owners.ownerOf(to).pipe(
      Effect.catchTag("UserNotFound", () => Effect.fail(new Refusal.RecipientNotFound({ to }))),
      Effect.flatMap(({ status }) =>
        status === "suspended" || status === "rejected"
          ? Effect.fail(new Refusal.RecipientBarred({ to }))
          : Effect.succeed(false)
      )
    )

  /** Whether the recipient is a beneficiary. */
  return ({ to, userId }: Sending) =>
    BENEFICIARY.test(to)
      ? Effect.flatMap(beneficiaries.exists(userId, to), (exists) =>
          exists ? Effect.succeed(true) : Effect.fail(new Refusal.RecipientNotFound({ to }))
        )
      : user(to)
})

const make = Effect.gen(function* () {
  const breakers = yield* Breakers
  const gate = yield* MoneyGate
  const repository = yield* TransferRepository
  const recipientOf = yield* makeRecipients
  const desk = yield* ExchangeDesk
  const quotes = yield* FxQuotes
  const context = Context.pick(UnitOfWork, SecureRandom)(yield* Effect.context<UnitOfWork | SecureRandom>())
  const { texts } = yield* FreeText
  const sealed = <A extends Particulars>(sender: string, particulars: A) =>
    texts<Particulars>(sender, particulars, ["description"]) as Effect.Effect<A, Unavailable>

  const world: TransfersWorld<Unavailable> = {
    prices: desk.pricesOf,
    quote: quotes.held,
    // One of before texts were sealed is compared as if it had been.
    sent: (sender, id) =>
      Effect.flatMap(repository.sent(sender, id), (made) =>
        made === undefined ? Effect.undefined : sealed(sender, made)
      ),
    write: (entry) => Effect.provideContext(writeEntry(entry), context)
  }

  const permitted = Effect.fnUntraced(function* (sending: Sending) {
    if (breakers.isLatched()) return yield* new Refusal.MoneyHalted()
    yield* gate.open(sending.userId)
    return yield* recipientOf(sending)
  })

  const newId = Effect.provideContext(Identifier.make("trf"), context)

  return Transfers.of({
    send: (sending) => {
      const { from, to, userId, ...asked } = sending
      if (from !== userId) return Effect.fail(new Refusal.NotTheOwner({ owner: from }))
      return Effect.flatMap(sealed(userId, asked), (wanted) =>
        send(world, { ...wanted, sender: userId, recipient: to }, permitted(sending), newId).pipe(dieOnRefusal)
      )
    },
    find: Effect.fn("Transfers.find")(function* (owner, id) {
      return (yield* repository.sent(owner, id)) ?? (yield* repository.received(owner, id))
    }),
    list: Effect.fn("Transfers.list")(repository.list)
  })
})
