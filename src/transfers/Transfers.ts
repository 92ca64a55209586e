import { Clock, Context, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency, Recorded } from "../../engine/actor/Journal.ts"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Rate } from "../../engine/money/Rate.ts"
import {
  decideAtOnce,
  refusedAtOnce,
  send,
  type SentTransfer,
  type TransfersWorld
} from "../../engine/transfers/Sending.ts"
import type { MoneyTransferred, Particulars, TransferMode } from "../../engine/transfers/TransferEvent.ts"
import type { Page } from "../api/Paging.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, tellEntry, type WriteRefusal, writeEntryTo } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { Owners } from "../identity/users/Owners.ts"
import type { Owner } from "../identity/users/User.ts"
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

/** A transfer that began at once. */
export interface BegunTransfer extends SentTransfer {
  /** The sequence of its event, where it was sent now. */
  readonly seq?: number
}

/** What became of a transfer that began at once: an exit if it was sent, else what has to be waited for. */
export type Begun = Effect.Effect<BegunTransfer, Refusal.TransferRefused | Unavailable>

const BENEFICIARY = /^ben_/

/** Money that moves to other owners and beneficiaries. */
export class Transfers extends Context.Service<
  Transfers,
  {
    readonly send: (sending: Sending) => Effect.Effect<SentTransfer, Refusal.TransferRefused | Unavailable>
    /**
     * The same without a fiber: begins at once, and has what says its outcome given to a function, once, which must not throw.
     * False where something has to be read first, or refused: then nothing was done.
     */
    readonly begin: (sending: Sending, give: (begun: () => Begun) => void) => boolean
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

const isBarred = ({ status }: Owner): boolean => status === "suspended" || status === "rejected"

const makeRecipients = Effect.gen(function* () {
  const owners = yield* Owners
  const beneficiaries = yield* Beneficiaries

  const user = (to: string) =>
    owners.ownerOf(to).pipe(
      Effect.catchTag("UserNotFound", () => Effect.fail(new Refusal.RecipientNotFound({ to }))),
      Effect.flatMap((owner) =>
        isBarred(owner) ? Effect.fail(new Refusal.RecipientBarred({ to })) : Effect.succeed(false)
      )
    )

  return {
    /** Whether the recipient is a beneficiary. */
    of: ({ to, userId }: Sending) =>
      BENEFICIARY.test(to)
        ? Effect.flatMap(beneficiaries.exists(userId, to), (exists) =>
            exists ? Effect.succeed(true) : Effect.fail(new Refusal.RecipientNotFound({ to }))
          )
        : user(to),
    /** Whether it is known, without waiting, to be a user who may get money. */
    isKnownUser: ({ to }: Sending, now: number): boolean => {
      const owner = BENEFICIARY.test(to) ? undefined : owners.known(to, now)
      return owner !== undefined && !isBarred(owner)
    }
  }
})

const make = Effect.gen(function* () {
  const breakers = yield* Breakers
  const gate = yield* MoneyGate
  const repository = yield* TransferRepository
  const recipients = yield* makeRecipients
  const desk = yield* ExchangeDesk
  const quotes = yield* FxQuotes
  const journal = yield* UnitOfWork
  const clock = yield* Clock.Clock
  const random = Context.pick(SecureRandom)(yield* Effect.context<SecureRandom>())
  const { texts, textsNow } = yield* FreeText
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
    write: (entry) => writeEntryTo(journal, entry)
  }

  const permitted = Effect.fnUntraced(function* (sending: Sending) {
    if (breakers.isLatched()) return yield* new Refusal.MoneyHalted()
    yield* gate.open(sending.userId)
    return yield* recipients.of(sending)
  })

  const newId = Effect.provideContext(Identifier.make("trf"), random)
  const newIdNow = yield* Identifier.making("trf")

  return Transfers.of({
    send: (sending) => {
      const { from, to, userId, ...asked } = sending
      if (from !== userId) return Effect.fail(new Refusal.NotTheOwner({ owner: from }))
      return Effect.flatMap(sealed(userId, asked), (wanted) =>
        send(world, { ...wanted, sender: userId, recipient: to }, permitted(sending), newId).pipe(dieOnRefusal)
      )
    },
    begin: (sending, give) => {
      const { from, to, userId, ...asked } = sending
      const now = clock.currentTimeMillisUnsafe()
      const isPermitted = from === userId && !breakers.isLatched() && gate.isOpen(userId, now)
      if (!isPermitted || !recipients.isKnownUser(sending, now)) return false
      const texts = textsNow(userId, asked, now, ["description"])
      if (texts === undefined) return false
      const wanted = { ...texts, sender: userId, recipient: to }
      const decided = decideAtOnce(wanted, false, newIdNow, now)
      if (decided === undefined) return false
      const outcomeOf = (written: Exit.Exit<Recorded<MoneyTransferred>, WriteRefusal>): Begun =>
        Exit.isSuccess(written)
          ? Exit.succeed({ transfer: written.value.event, repeated: false, seq: written.value.seq })
          : dieOnRefusal(refusedAtOnce(world, wanted, decided, written.cause))
      tellEntry(journal, decided.written, (written) => give(() => outcomeOf(written())))
      return true
    },
    find: Effect.fn("Transfers.find")(function* (owner, id) {
      return (yield* repository.sent(owner, id)) ?? (yield* repository.received(owner, id))
    }),
    list: Effect.fn("Transfers.list")(repository.list)
  })
})
