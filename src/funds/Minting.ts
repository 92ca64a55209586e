import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import type { FundsMinted, MintPosting } from "../../engine/ledger/FundsEvent.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { toHex } from "../../engine/actor/EventChain.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { defaultFundId } from "./Fund.ts"
import { FundIdConflict, MintLimitReached, ReferenceUsed } from "./FundsError.ts"
import { FundsRepository, fundsStream, type MintSituation } from "./FundsRepository.ts"

const RANDOM_BYTES = 16

/** Ids that are the usual ones of some owner, for whom they are kept. */
const USUAL = "fnd_"

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

/** Writes one entry in a stream of its own: false when it was there before. */
export const once = Effect.fnUntraced(function* (stream: string, command: Command, event: PlatformEvent) {
  return yield* writeEntry({ stream, version: 0, entry: { commands: [command], event } }).pipe(
    Effect.as(true),
    Effect.catchTag("StaleVersion", () => Effect.succeed(false)),
    dieOnRefusal
  )
})

const moneyOf = Effect.fnUntraced(function* ({ owner, asset, amount, externalReference }: MintRequest) {
  const random = yield* SecureRandom
  const id =
    externalReference === undefined ? toHex(yield* random.randomBytes(RANDOM_BYTES)) : `reference/${externalReference}`
  return { id, owner, asset, amount }
})

const eventOf = (request: MintRequest, situation: MintSituation, at: number, posting: MintPosting): FundsMinted => ({
  _tag: "FundsMinted",
  at,
  fundId: situation.fundId ?? request.id ?? defaultFundId(request.owner, request.asset),
  owner: request.owner,
  asset: request.asset,
  amount: request.amount,
  externalReference: request.externalReference ?? null,
  posting
})

const situationOf = Effect.fnUntraced(function* ({ owner, asset, id }: MintRequest) {
  const repository = yield* FundsRepository
  const situation = yield* repository.situation(owner, asset, id)
  const isUsualOfOther = id?.startsWith(USUAL) === true && id !== defaultFundId(owner, asset)
  const conflicts = situation.fundId === undefined ? situation.isIdTaken || isUsualOfOther : id !== situation.fundId
  if (id === undefined || !conflicts) return situation
  return yield* new FundIdConflict({ id, existing: situation.fundId })
})

/** What a fund's first mint takes where its caller names it: two funds have no name in common, and one owner's no two. */
const claimsOf = ({ owner, asset, id }: MintRequest, { fundId }: MintSituation): ReadonlyArray<string> =>
  id === undefined || fundId !== undefined ? [] : [`fund/${id}`, `fund-of/${owner}/${asset}`]

/** Mints without a limit; money with an external reference comes in once. */
export const mintFreely = Effect.fnUntraced(function* (request: MintRequest) {
  const { owner, externalReference, idempotency } = request
  const money = yield* moneyOf(request)
  const posting = { id: money.id, limited: false }
  const place =
    externalReference === undefined
      ? { stream: fundsStream(owner), version: null }
      : { stream: `deposit/${externalReference}`, version: 0 }
  const attempt = Effect.gen(function* () {
    const situation = yield* situationOf(request)
    const event = eventOf(request, situation, yield* Clock.currentTimeMillis, posting)
    const entry = { commands: [Funding.mint(money)], event, idempotency }
    yield* writeEntry({ ...place, claims: claimsOf(request, situation), entry })
  }).pipe(
    Effect.catchIf(
      (error) => error._tag === "StaleVersion" && error.stream === place.stream,
      () => Effect.fail(new ReferenceUsed({ reference: externalReference ?? "" }))
    )
  )
  yield* retryStale(attempt).pipe(dieOnRefusal)
})

/** Mints out of what the owner may mint of the asset. The owner's first mint of it grants that, exactly once. */
export const mintWithinAllowance = Effect.fnUntraced(function* (request: MintRequest) {
  const { owner, asset, idempotency } = request
  const money = yield* moneyOf(request)
  const spent = Funding.mintWithinAllowance(money)
  const attempt = Effect.gen(function* () {
    const situation = yield* situationOf(request)
    const event = eventOf(request, situation, yield* Clock.currentTimeMillis, { id: money.id, limited: true })
    const commands = situation.isGranted ? spent : [Funding.grantMintAllowance(owner, asset), ...spent]
    const version = situation.isGranted ? null : situation.version
    const claims = claimsOf(request, situation)
    yield* writeEntry({ stream: fundsStream(owner), version, claims, entry: { commands, event, idempotency } })
  })
  yield* retryStale(attempt).pipe(
    Effect.catchTag("InsufficientFunds", ({ available }) =>
      Effect.fail(new MintLimitReached({ asset, left: available }))
    ),
    dieOnRefusal
  )
})

/** Gives an owner its first units of an asset: false when that was done before. */
export const mintStart = Effect.fnUntraced(
  function* (owner: string, asset: string, amount: Amount) {
    const request = { owner, asset, amount }
    const id = `starting/${owner}/${asset}`
    const posting = { id, limited: false }
    const event = eventOf(request, yield* situationOf(request), yield* Clock.currentTimeMillis, posting)
    return yield* once(id, Funding.mint({ ...request, id }), event)
  },
  Effect.catchTag("FundIdConflict", Effect.die)
)
