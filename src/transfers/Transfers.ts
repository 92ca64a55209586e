import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import { rateOf } from "../../engine/fx/FxDesk.ts"
import { accountParts } from "../../engine/ledger/Account.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { metadataText } from "../../engine/metadata/Metadata.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Rate } from "../../engine/money/Rate.ts"
import {
  decideTransfer,
  type Offer,
  type TransferRequest,
  transfersStream,
  transferStream
} from "../../engine/transfers/TransferDecision.ts"
import { InvalidTransfer, QuoteGone } from "../../engine/transfers/TransferError.ts"
import type { Particulars, TransferMode } from "../../engine/transfers/TransferEvent.ts"
import type { Page } from "../api/Paging.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
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

/** A transfer, and whether it is one of before. */
export interface Sent {
  readonly transfer: Transfer
  readonly repeated: boolean
}

/** Ids that the platform makes. */
const OWN_ID = /^trf_/

const BENEFICIARY = /^ben_/

/** Money that moves to other owners and beneficiaries. */
export class Transfers extends Context.Service<
  Transfers,
  {
    readonly send: (sending: Sending) => Effect.Effect<Sent, Refusal.TransferRefused | Unavailable>
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

/** Whether a transfer is the one that is asked for again. */
const isSame = (made: Transfer, { worst, ...asked }: Sending): boolean =>
  made.recipient === asked.to &&
  made.pair.base === asked.pair.base &&
  made.pair.quote === asked.pair.quote &&
  made.quantity === asked.quantity &&
  made.mode === asked.mode &&
  made.worst === worst &&
  made.quoteId === asked.quoteId &&
  made.country === asked.country &&
  made.description === asked.description &&
  made.createdDate === asked.createdDate &&
  metadataText(made.metadata) === metadataText(asked.metadata)

/** What it means that an account has too little. A held rate's use is one too. */
const shortage = ({ account, available, needed }: InsufficientFunds, offer: Offer | null) => {
  const { asset, kind } = accountParts(account)
  if (kind === "fx_desk") return new Refusal.DeskEmpty({ asset })
  if (kind === "wallet") return new Refusal.TooLittle({ asset, available, needed })
  return new QuoteGone({ quoteId: offer?.quoteId ?? "", reason: "used" })
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

const makeOffers = Effect.gen(function* () {
  const desk = yield* ExchangeDesk
  const quotes = yield* FxQuotes

  /** What the desk exchanges at for this transfer; null where nothing is exchanged. */
  return Effect.fnUntraced(function* ({ mode, pair, quantity, quoteId, userId }: Sending) {
    if (mode === "local") {
      if (quoteId === null) return null
      return yield* new InvalidTransfer({ field: "quote_id", expected: "nothing where the mode is local" })
    }
    if (pair.base === pair.quote) return null
    if (quoteId !== null) return yield* quotes.offer(quoteId, { owner: userId, pair, quantity })
    const { base, quote, spread } = yield* desk.pricesOf(pair)
    return { side: "Sell", rate: rateOf("Sell", base, quote, spread), quoteId: null } satisfies Offer
  })
})

/** What was made under the caller's id before; undefined where nothing was. */
const makeBefore = Effect.map(TransferRepository, ({ sent }) =>
  Effect.fnUntraced(function* (sending: Sending, id: string) {
    const made = yield* sent(sending.userId, id)
    if (made === undefined) return undefined
    return isSame(made, sending) ? { transfer: made, repeated: true } : yield* new Refusal.IdUsed({ id })
  })
)

const make = Effect.gen(function* () {
  const breakers = yield* Breakers
  const gate = yield* MoneyGate
  const repository = yield* TransferRepository
  const recipientOf = yield* makeRecipients
  const offerFor = yield* makeOffers
  const before = yield* makeBefore
  const context = Context.pick(UnitOfWork, SecureRandom)(yield* Effect.context<UnitOfWork | SecureRandom>())

  const write = Effect.fnUntraced(function* (request: TransferRequest, offer: Offer | null, sending: Sending) {
    const { sender, transferId } = request
    const entry = yield* Effect.fromResult(decideTransfer(request, offer, yield* Clock.currentTimeMillis))
    const isOwnId = sending.id !== undefined
    const { event } = yield* writeEntry({
      stream: isOwnId ? transferStream(sender, transferId) : transfersStream(sender),
      version: isOwnId ? 0 : null,
      entry: { ...entry, idempotency: sending.idempotency }
    }).pipe(
      Effect.catchTag("InsufficientFunds", (short) => Effect.fail(shortage(short, offer))),
      Effect.catchTag("StaleVersion", () => Effect.fail(new Refusal.IdUsed({ id: transferId }))),
      dieOnRefusal,
      Effect.provideContext(context)
    )
    return event
  })

  const attempt = Effect.fnUntraced(function* (sending: Sending) {
    if (breakers.isLatched()) return yield* new Refusal.MoneyHalted()
    yield* gate.open(sending.userId)
    const payout = yield* recipientOf(sending)
    const offer = sending.mode === "local" && sending.quoteId === null ? null : yield* offerFor(sending)
    const transferId = sending.id ?? (yield* Effect.provideContext(Identifier.make("trf"), context))
    const { country, createdDate, description, metadata, mode, pair, quantity, to, userId, worst } = sending
    const kept = metadata === undefined ? {} : { metadata }
    const particulars = { country, description, createdDate, ...kept }
    const request = { transferId, sender: userId, recipient: to, payout, pair, mode, quantity, worst, ...particulars }
    return { transfer: yield* write(request, offer, sending), repeated: false }
  })

  /** Under the caller's own id. */
  const sendAs = Effect.fnUntraced(function* (sending: Sending, id: string) {
    if (OWN_ID.test(id)) {
      const known = yield* before(sending, id)
      return known ?? (yield* new InvalidTransfer({ field: "id", expected: "one that does not begin with trf_" }))
    }
    return yield* attempt(sending).pipe(
      Effect.catch((error) =>
        error._tag === "Unavailable"
          ? Effect.fail(error)
          : Effect.flatMap(before(sending, id), (known) =>
              known === undefined ? Effect.fail(error) : Effect.succeed(known)
            )
      )
    )
  })

  return Transfers.of({
    send: (sending) => {
      const { from, id, userId } = sending
      if (from !== userId) return Effect.fail(new Refusal.NotTheOwner({ owner: from }))
      return id === undefined ? attempt(sending) : sendAs(sending, id)
    },
    find: Effect.fn("Transfers.find")(function* (owner, id) {
      return (yield* repository.sent(owner, id)) ?? (yield* repository.received(owner, id))
    }),
    list: Effect.fn("Transfers.list")(repository.list)
  })
})
