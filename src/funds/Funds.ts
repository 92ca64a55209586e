import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Batch, Idempotency } from "../../engine/actor/Journal.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { accountParts } from "../../engine/ledger/Account.ts"
import type { LedgerError } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { toHex } from "../database/EventChain.ts"
import type { PlatformEvent } from "../database/Projection.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Owners } from "../identity/Owners.ts"
import { defaultFundId, type Fund } from "./Fund.ts"
import * as Refusal from "./FundsError.ts"
import { type FundPage, FundsRepository, fundsStream, type MintSituation } from "./FundsRepository.ts"

/** How often a decision is made anew when the owner's first mints of several assets race. */
const MAX_ATTEMPTS = 32

const RANDOM_BYTES = 16

/** Who asks. */
export interface Caller {
  readonly userId: string
  readonly isAdmin: boolean
}

export interface MintRequest {
  readonly owner: string
  readonly asset: string
  /** More than 0. */
  readonly amount: Amount
  readonly id?: string | undefined
  /** What the money stands for outside. */
  readonly externalReference?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/** Owners' holdings, and the money that comes in for them and for the platform's own parties. */
export class Funds extends Context.Service<
  Funds,
  {
    /** Adds to an owner's fund on a caller's request; answers the whole fund. Specification 4.2, POST /v1/funds. */
    readonly mint: (caller: Caller, request: MintRequest) => Effect.Effect<Fund, Refusal.MintRefused | Unavailable>
    /** A fund that the caller may see: its own, any for an administrator. */
    readonly find: (caller: Caller, id: string) => Effect.Effect<Fund, Refusal.FundNotFound | Unavailable>
    /** The funds of an owner, or of all, oldest first. */
    readonly list: (owner: string | undefined, page: Page) => Effect.Effect<FundPage, Unavailable>
    /** Gives an owner its first units of an asset, once and without a limit: answers whether it was now. */
    readonly mintFor: (owner: string, asset: string, amount: Amount) => Effect.Effect<boolean, Unavailable>
    /**
     * Funds an account of the platform's own from custody, once for each account and purpose: answers whether it was
     * now. `purpose` is a word, `working_capital` by default.
     */
    readonly capital: (account: AccountId, amount: Amount, purpose?: string) => Effect.Effect<boolean, Unavailable>
    /** Lets a machine trader lose this much, once: answers whether it was now. */
    readonly grantAllowance: (traderId: string, amount: Amount) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/funds/Funds") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { mode } = yield* Settings
  const owners = yield* Owners
  const repository = yield* FundsRepository
  const random = yield* SecureRandom
  const journal = yield* UnitOfWork

  /** Writes a batch of one entry: why the ledger refused it, `stale` on another version, or nothing once it is durable. */
  const write = Effect.fnUntraced(function* (
    batch: Batch<PlatformEvent>
  ): Effect.fn.Return<"stale" | LedgerError | undefined, Unavailable> {
    const [outcome] = yield* journal.append(batch).pipe(
      Effect.catchTag("JournalUnavailable", ({ reason }) => Effect.fail(new Unavailable({ reason }))),
      Effect.catchTag("StaleVersion", () => Effect.succeed(["stale" as const]))
    )
    if (outcome === "stale" || outcome === undefined) return "stale"
    return outcome._tag === "Refused" ? outcome.error : undefined
  })

  /** Writes one entry in a stream of its own: false when it was there before. */
  const once = Effect.fnUntraced(function* (stream: string, command: Command, event: PlatformEvent) {
    const refused = yield* write({ stream, version: 0, entries: [{ commands: [command], event }] })
    if (refused !== undefined && refused !== "stale") return yield* Effect.die(refused)
    return refused === undefined
  })

  const reload = (owner: string, asset: string) =>
    Effect.flatMap(repository.findOf(owner, asset), (fund) =>
      fund === undefined
        ? Effect.die(`the ${asset} fund of ${owner} was minted and is not there`)
        : Effect.succeed(fund)
    )

  const moneyOf = Effect.fnUntraced(function* ({ owner, asset, amount, externalReference }: MintRequest) {
    const bytes = externalReference === undefined ? yield* random.randomBytes(RANDOM_BYTES) : undefined
    const id = bytes === undefined ? `reference/${externalReference}` : toHex(bytes)
    return { id, owner, asset, amount }
  })

  const eventOf = (request: MintRequest, situation: MintSituation, at: number): FundsMinted => ({
    _tag: "FundsMinted",
    at,
    fundId: situation.fundId ?? request.id ?? defaultFundId(request.owner, request.asset),
    owner: request.owner,
    asset: request.asset,
    amount: request.amount,
    externalReference: request.externalReference ?? null
  })

  const situationOf = Effect.fnUntraced(function* ({ owner, asset, id }: MintRequest) {
    const situation = yield* repository.situation(owner, asset, id)
    const conflicts = situation.fundId === undefined ? situation.isIdTaken : id !== undefined && id !== situation.fundId
    if (id === undefined || !conflicts) return situation
    return yield* new Refusal.FundIdConflict({ id, existing: situation.fundId })
  })

  const mintFreely = Effect.fnUntraced(function* (request: MintRequest) {
    const { owner, asset, externalReference, idempotency } = request
    const event = eventOf(request, yield* situationOf(request), yield* Clock.currentTimeMillis)
    const commands = [Funding.mint(yield* moneyOf(request))]
    const isReferenced = externalReference !== undefined
    const refused = yield* write({
      stream: isReferenced ? `deposit/${externalReference}` : fundsStream(owner),
      version: isReferenced ? 0 : null,
      entries: [{ commands, event, idempotency }]
    })
    if (refused === "stale" && isReferenced) return yield* new Refusal.ReferenceUsed({ reference: externalReference })
    return refused === undefined ? yield* reload(owner, asset) : yield* Effect.die(refused)
  })

  const mintWithinAllowance = Effect.fnUntraced(function* (request: MintRequest) {
    const { owner, asset, idempotency } = request
    const spent = Funding.mintWithinAllowance(yield* moneyOf(request))
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const situation = yield* situationOf(request)
      const event = eventOf(request, situation, yield* Clock.currentTimeMillis)
      const refused = yield* write({
        stream: fundsStream(owner),
        version: situation.isGranted ? null : situation.version,
        entries: [
          {
            commands: situation.isGranted ? spent : [Funding.grantMintAllowance(owner, asset), ...spent],
            event,
            idempotency
          }
        ]
      })
      if (refused === undefined) return yield* reload(owner, asset)
      if (refused === "stale") continue
      if (refused._tag !== "InsufficientFunds") return yield* Effect.die(refused)
      return yield* new Refusal.MintLimitReached({ asset, left: refused.available })
    }
    return yield* new Unavailable({ reason: `${MAX_ATTEMPTS} other mints of ${owner} came first` })
  })

  const allow = Effect.fnUntraced(function* (caller: Caller, { owner, externalReference }: MintRequest) {
    if (!caller.isAdmin) {
      if (mode === "production") {
        return yield* new Refusal.MintForbidden({ reason: "Only an administrator adds funds in production." })
      }
      if (owner !== caller.userId) {
        return yield* new Refusal.MintForbidden({ reason: "Only an administrator adds funds for another owner." })
      }
      if (externalReference !== undefined) {
        return yield* new Refusal.MintForbidden({ reason: "Only an administrator gives an external_reference." })
      }
      return
    }
    if (mode === "production" && externalReference === undefined) return yield* new Refusal.ReferenceRequired()
    yield* owners
      .ownerOf(owner)
      .pipe(Effect.catchTag("UserNotFound", () => Effect.fail(new Refusal.OwnerNotFound({ owner }))))
  })

  return Funds.of({
    mint: Effect.fn("Funds.mint")(function* (caller, request) {
      yield* allow(caller, request)
      return yield* caller.isAdmin ? mintFreely(request) : mintWithinAllowance(request)
    }),
    find: Effect.fn("Funds.find")(function* (caller, id) {
      const fund = yield* repository.find(id)
      if (fund !== undefined && (caller.isAdmin || fund.owner === caller.userId)) return fund
      return yield* new Refusal.FundNotFound({ id })
    }),
    list: Effect.fn("Funds.list")((owner, page) => repository.list(owner, page)),
    mintFor: Effect.fn("Funds.mintFor")(function* (owner, asset, amount) {
      const situation = yield* repository.situation(owner, asset, undefined)
      const event = eventOf({ owner, asset, amount }, situation, yield* Clock.currentTimeMillis)
      const id = `starting/${owner}/${asset}`
      return yield* once(id, Funding.mint({ id, owner, asset, amount }), event)
    }),
    capital: Effect.fn("Funds.capital")(function* (account, amount, purpose = "working_capital") {
      const { asset } = accountParts(account)
      const at = yield* Clock.currentTimeMillis
      const command = Funding.capital(account, amount, purpose)
      return yield* once(command.id, command, { _tag: "CapitalFunded", at, account, asset, amount })
    }),
    grantAllowance: Effect.fn("Funds.grantAllowance")(function* (traderId, amount) {
      const at = yield* Clock.currentTimeMillis
      const command = Funding.grantLossAllowance(traderId, amount)
      return yield* once(command.id, command, { _tag: "AllowanceGranted", at, traderId, amount })
    })
  })
})
