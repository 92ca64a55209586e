/** Transfers, held rates and withdrawals from the request to what is written, over the ports of whoever runs them. */

import { type Cause, Clock, Effect, Result } from "effect"
import type { Idempotency, Recorded, StaleVersion } from "../actor/Journal.ts"
import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import type { DeskPrices } from "../fx/DeskPrices.ts"
import { isCovered, rateOf } from "../fx/FxDesk.ts"
import type { WrittenEntry } from "../journal/WrittenEntry.ts"
import { accountParts } from "../ledger/Account.ts"
import type { InsufficientFunds, LedgerError } from "../ledger/Book.ts"
import { metadataText } from "../metadata/Metadata.ts"
import { isRefusal } from "../wire/Refusal.ts"
import { checkQuote, decideQuote, quoteStream, type QuoteRequest } from "./HeldRate.ts"
import {
  decideTransfer,
  decideWithdrawal,
  type Offer,
  type TransferRequest,
  transfersStream,
  transferStream,
  withdrawalsStream
} from "./TransferDecision.ts"
import {
  DeskEmpty,
  IdUsed,
  InvalidTransfer,
  type NoRate,
  type QuoteError,
  QuoteGone,
  QuoteNotFound,
  type SendingError,
  TooLittle,
  type TransferError
} from "./TransferError.ts"
import type { MoneyTransferred, MoneyWithdrawn, RateQuoted, TransferEvent } from "./TransferEvent.ts"

/** A transfer as it was made. */
export type MadeTransfer = Omit<MoneyTransferred, "_tag">

/** A held rate, and whether it was used. */
export type HeldQuote = Omit<RateQuoted, "_tag"> & { readonly used: boolean }

/** What a sender asks for, of money that may move. */
export interface WantedTransfer extends Omit<TransferRequest, "transferId" | "payout"> {
  readonly quoteId: string | null
  /** The sender's own id for it. */
  readonly id: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/** A transfer, and whether it is one of before. */
export interface SentTransfer {
  readonly transfer: MadeTransfer
  readonly repeated: boolean
}

/** What transfers reach. It fails with `E` where it does not answer. */
export interface TransfersWorld<E> {
  readonly prices: (pair: CurrencyPair) => Effect.Effect<DeskPrices, NoRate>
  readonly quote: (quoteId: string) => Effect.Effect<HeldQuote | undefined, E>
  /** What a sender sent under an id. */
  readonly sent: (sender: string, id: string) => Effect.Effect<MadeTransfer | undefined, E>
  readonly write: <A extends TransferEvent>(
    entry: WrittenEntry<A>
  ) => Effect.Effect<Recorded<A>, StaleVersion | LedgerError | E>
}

/** Ids that the platform makes. */
const OWN_ID = /^trf_/

/** Whether a transfer is the one that is asked for again. */
const isSame = (made: MadeTransfer, asked: WantedTransfer): boolean =>
  made.recipient === asked.recipient &&
  made.pair.base === asked.pair.base &&
  made.pair.quote === asked.pair.quote &&
  made.quantity === asked.quantity &&
  made.mode === asked.mode &&
  made.worst === asked.worst &&
  made.quoteId === asked.quoteId &&
  made.country === asked.country &&
  made.description === asked.description &&
  made.createdDate === asked.createdDate &&
  metadataText(made.metadata) === metadataText(asked.metadata)

/** What it means that an account has too little. A held rate's use is one too. */
const shortage = ({ account, available, needed }: InsufficientFunds, offer: Offer | null) => {
  const { asset, kind } = accountParts(account)
  if (kind === "fx_desk") return new DeskEmpty({ asset })
  if (kind === "wallet") return new TooLittle({ asset, available, needed })
  return new QuoteGone({ quoteId: offer?.quoteId ?? "", reason: "used" })
}

/** One of the owner's held rates. */
export const findQuote = Effect.fnUntraced(function* <E>(
  { quote }: Pick<TransfersWorld<E>, "quote">,
  owner: string,
  quoteId: string
): Effect.fn.Return<HeldQuote, QuoteNotFound | E> {
  const held = yield* quote(quoteId)
  return held?.owner === owner ? held : yield* new QuoteNotFound({ quoteId })
})

/**
 * What the desk offers by a held rate. It no longer does once the market has moved past the rate by more than the
 * spread, so that to wait and see gains nobody anything. That it is used once is the ledger's to say.
 */
export const heldOffer = Effect.fnUntraced(function* <E>(
  world: Pick<TransfersWorld<E>, "prices" | "quote">,
  quoteId: string,
  use: Pick<QuoteRequest, "owner" | "pair" | "quantity">
): Effect.fn.Return<Offer, QuoteError | NoRate | E> {
  const held = yield* findQuote(world, use.owner, quoteId)
  yield* Effect.fromResult(checkQuote(held, use, yield* Clock.currentTimeMillis))
  if (held.used) return yield* new QuoteGone({ quoteId, reason: "used" })
  const { base, quote } = yield* world.prices(held.pair)
  if (!isCovered(held.side, held.rate, base, quote)) return yield* new QuoteGone({ quoteId, reason: "passed" })
  return { side: held.side, rate: held.rate, quoteId }
})

/** What the desk exchanges at for this transfer; null where nothing is exchanged. */
const offerFor = Effect.fnUntraced(function* <E>(
  world: TransfersWorld<E>,
  { mode, pair, quantity, quoteId, sender }: WantedTransfer
): Effect.fn.Return<Offer | null, InvalidTransfer | QuoteError | NoRate | E> {
  if (mode === "local") {
    if (quoteId === null) return null
    return yield* new InvalidTransfer({ field: "quote_id", expected: "nothing where the mode is local" })
  }
  if (pair.base === pair.quote) return null
  if (quoteId !== null) return yield* heldOffer(world, quoteId, { owner: sender, pair, quantity })
  const { base, quote, spread } = yield* world.prices(pair)
  return { side: "Sell", rate: rateOf("Sell", base, quote, spread), quoteId: null }
})

type Written<E> = StaleVersion | LedgerError | E

/** A transfer that is decided, and what it means that the journal does not take it. */
export interface DecidedTransfer {
  readonly written: WrittenEntry<MoneyTransferred>
  readonly refusalOf: <E>(error: Written<E>) => SendingError | LedgerError | E
}

/** A decision that whoever sends has made of all that it depends on. */
interface Sendable {
  readonly wanted: WantedTransfer
  readonly payout: boolean
  /** Under which it is sent where the sender gave none. */
  readonly ownId: string
  readonly offer: Offer | null
  /** Milliseconds since 1970. */
  readonly at: number
}

const decided = ({ at, offer, ownId, payout, wanted }: Sendable): Result.Result<DecidedTransfer, TransferError> => {
  const { id, idempotency, sender } = wanted
  const transferId = id ?? ownId
  return Result.map(decideTransfer({ ...wanted, transferId, payout }, offer, at), (entry) => ({
    written: {
      stream: id === undefined ? transfersStream(sender) : transferStream(sender, transferId),
      version: id === undefined ? null : 0,
      entry: { ...entry, idempotency }
    },
    refusalOf: (error) => {
      if (isTagged(error, "InsufficientFunds")) return shortage(error, offer)
      return isTagged(error, "StaleVersion") ? new IdUsed({ id: transferId }) : error
    }
  }))
}

const write = Effect.fnUntraced(function* <E>(
  world: TransfersWorld<E>,
  wanted: WantedTransfer,
  payout: boolean,
  ownId: string
): Effect.fn.Return<MadeTransfer, SendingError | LedgerError | E> {
  const offer = yield* offerFor(world, wanted)
  const at = yield* Clock.currentTimeMillis
  const { refusalOf, written } = yield* Effect.fromResult(decided({ wanted, payout, ownId, offer, at }))
  const { event } = yield* Effect.mapError(world.write(written), (error) => refusalOf<E>(error))
  return event
})

/**
 * Decides a transfer about which nobody has to be asked, as it is exchanged nowhere. Undefined where it is another, or is
 * refused: {@link send} says what becomes of it.
 *
 * @param payout - whether the recipient is a beneficiary outside
 */
export const decideAtOnce = (
  wanted: WantedTransfer,
  payout: boolean,
  newId: () => string,
  at: number
): DecidedTransfer | undefined => {
  const isOfPlatform = wanted.id !== undefined && OWN_ID.test(wanted.id)
  if (isOfPlatform || wanted.quoteId !== null || wanted.mode !== "local") return undefined
  return Result.getOrUndefined(decided({ wanted, payout, ownId: newId(), offer: null, at }))
}

const isTagged = <E, T extends (StaleVersion | LedgerError)["_tag"]>(
  error: Written<E>,
  tag: T
): error is Extract<StaleVersion | LedgerError, { readonly _tag: T }> =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === tag

/** What was made under the sender's id before; undefined where nothing was. */
const before = Effect.fnUntraced(function* <E>(
  { sent }: TransfersWorld<E>,
  wanted: WantedTransfer,
  id: string
): Effect.fn.Return<SentTransfer | undefined, IdUsed | E> {
  const made = yield* sent(wanted.sender, id)
  if (made === undefined) return undefined
  return isSame(made, wanted) ? { transfer: made, repeated: true } : yield* new IdUsed({ id })
})

/** Attempts to send, and answers what was made first under the sender's own id, if the attempt is refused. */
const orBefore = <E, R>(
  world: TransfersWorld<E>,
  wanted: WantedTransfer,
  attempt: Effect.Effect<SentTransfer, SendingError | LedgerError | E | R>
): Effect.Effect<SentTransfer, SendingError | LedgerError | E | R> => {
  const { id } = wanted
  if (id === undefined) return attempt
  return attempt.pipe(
    Effect.catch((error): Effect.Effect<SentTransfer, SendingError | LedgerError | E | R> =>
      isRefusal(error)
        ? Effect.flatMap(before(world, wanted, id), (known) =>
            known === undefined ? Effect.fail(error) : Effect.succeed(known)
          )
        : Effect.fail(error)
    )
  )
}

/**
 * What follows where the journal did not take a transfer that {@link decideAtOnce} decided: its refusal, or what was made
 * under its id before.
 */
export const refusedAtOnce = <E>(
  world: TransfersWorld<E>,
  wanted: WantedTransfer,
  { refusalOf }: DecidedTransfer,
  cause: Cause.Cause<Written<E>>
): Effect.Effect<SentTransfer, SendingError | LedgerError | E> =>
  orBefore(
    world,
    wanted,
    Effect.mapError(Effect.failCause(cause), (error) => refusalOf<E>(error))
  )

/**
 * Sends money. A repetition under the sender's own id answers what was made first, whatever has changed since.
 *
 * @param permitted - whether the recipient is a beneficiary outside; fails where the money may not move
 * @param newId - an id of the platform's own
 */
export const send = <E, R>(
  world: TransfersWorld<E>,
  wanted: WantedTransfer,
  permitted: Effect.Effect<boolean, R>,
  newId: Effect.Effect<string>
): Effect.Effect<SentTransfer, SendingError | LedgerError | E | R> => {
  const { id } = wanted
  const attempt = Effect.gen(function* () {
    const payout = yield* permitted
    const ownId = id ?? (yield* newId)
    return { transfer: yield* write(world, wanted, payout, ownId), repeated: false }
  })
  if (id === undefined) return attempt
  if (OWN_ID.test(id)) {
    return Effect.flatMap(before(world, wanted, id), (known) =>
      known === undefined
        ? Effect.fail(new InvalidTransfer({ field: "id", expected: "one that does not begin with trf_" }))
        : Effect.succeed(known)
    )
  }
  return orBefore(world, wanted, attempt)
}

/** Holds a rate for its owner. */
export const holdRate = Effect.fnUntraced(function* <E>(
  world: TransfersWorld<E>,
  wanted: QuoteRequest,
  idempotency: Idempotency | undefined
) {
  const { base, quote, spread } = yield* world.prices(wanted.pair)
  const at = yield* Clock.currentTimeMillis
  const entry = yield* Effect.fromResult(decideQuote(wanted, rateOf(wanted.side, base, quote, spread), at))
  const { event } = yield* world.write({
    stream: quoteStream(wanted.quoteId),
    version: 0,
    entry: { ...entry, idempotency }
  })
  return event
})

/** Takes money out. */
export const withdraw = Effect.fnUntraced(function* <E>(
  world: Pick<TransfersWorld<E>, "write">,
  withdrawal: Omit<MoneyWithdrawn, "_tag" | "at">,
  idempotency: Idempotency | undefined
): Effect.fn.Return<MoneyWithdrawn, InvalidTransfer | TooLittle | LedgerError | StaleVersion | E> {
  const { asset, owner } = withdrawal
  const decided = decideWithdrawal({ ...withdrawal, at: yield* Clock.currentTimeMillis })
  if (Result.isFailure(decided)) return yield* decided.failure
  const { event } = yield* world
    .write({ stream: withdrawalsStream(owner), version: null, entry: { ...decided.success, idempotency } })
    .pipe(
      Effect.mapError((error): TooLittle | Written<E> =>
        isTagged(error, "InsufficientFunds") ? new TooLittle({ ...error, asset }) : error
      )
    )
  return event
})
