import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Batch, Idempotency } from "../../engine/actor/Journal.ts"
import type { LedgerError } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import type { FundsMinted, MintPosting } from "../../engine/ledger/FundsEvent.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { toHex } from "../../engine/actor/EventChain.ts"
import type { PlatformEvent } from "../database/Projection.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { defaultFundId } from "./Fund.ts"
import { FundIdConflict, MintLimitReached, ReferenceUsed } from "./FundsError.ts"
import { FundsRepository, fundsStream, type MintSituation } from "./FundsRepository.ts"

/** How often a decision is made anew when the owner's first mints of several assets race. */
const MAX_ATTEMPTS = 32

const RANDOM_BYTES = 16

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

/** Writes a batch of one entry: why the ledger refused it, `stale` on another version, or nothing once it is durable. */
const write = Effect.fnUntraced(function* (
  batch: Batch<PlatformEvent>
): Effect.fn.Return<"stale" | LedgerError | undefined, Unavailable, UnitOfWork> {
  const journal = yield* UnitOfWork
  const [outcome] = yield* journal.append(batch).pipe(
    Effect.catchTag("JournalUnavailable", ({ reason }) => Effect.fail(new Unavailable({ reason }))),
    Effect.catchTag("StaleVersion", () => Effect.succeed(["stale" as const]))
  )
  if (outcome === "stale" || outcome === undefined) return "stale"
  return outcome._tag === "Refused" ? outcome.error : undefined
})

/** Writes one entry in a stream of its own: false when it was there before. */
export const once = Effect.fnUntraced(function* (stream: string, command: Command, event: PlatformEvent) {
  const refused = yield* write({ stream, version: 0, entries: [{ commands: [command], event }] })
  if (refused !== undefined && refused !== "stale") return yield* Effect.die(refused)
  return refused === undefined
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
  const conflicts = situation.fundId === undefined ? situation.isIdTaken : id !== situation.fundId
  if (id === undefined || !conflicts) return situation
  return yield* new FundIdConflict({ id, existing: situation.fundId })
})

/** Mints without a limit; money with an external reference comes in once. */
export const mintFreely = Effect.fnUntraced(function* (request: MintRequest) {
  const { owner, externalReference, idempotency } = request
  const money = yield* moneyOf(request)
  const posting = { id: money.id, limited: false }
  const event = eventOf(request, yield* situationOf(request), yield* Clock.currentTimeMillis, posting)
  const entries = [{ commands: [Funding.mint(money)], event, idempotency }]
  const batch =
    externalReference === undefined
      ? { stream: fundsStream(owner), version: null, entries }
      : { stream: `deposit/${externalReference}`, version: 0, entries }
  const refused = yield* write(batch)
  if (refused === undefined) return
  if (refused === "stale" && externalReference !== undefined) {
    return yield* new ReferenceUsed({ reference: externalReference })
  }
  return yield* Effect.die(refused)
})

/** Mints out of what the owner may mint of the asset. The owner's first mint of it grants that, exactly once. */
export const mintWithinAllowance = Effect.fnUntraced(function* (request: MintRequest) {
  const { owner, asset, idempotency } = request
  const money = yield* moneyOf(request)
  const spent = Funding.mintWithinAllowance(money)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const situation = yield* situationOf(request)
    const event = eventOf(request, situation, yield* Clock.currentTimeMillis, { id: money.id, limited: true })
    const commands = situation.isGranted ? spent : [Funding.grantMintAllowance(owner, asset), ...spent]
    const version = situation.isGranted ? null : situation.version
    const refused = yield* write({ stream: fundsStream(owner), version, entries: [{ commands, event, idempotency }] })
    if (refused === undefined) return
    if (refused === "stale") continue
    if (refused._tag !== "InsufficientFunds") return yield* Effect.die(refused)
    return yield* new MintLimitReached({ asset, left: refused.available })
  }
  return yield* new Unavailable({ reason: `${MAX_ATTEMPTS} other mints of ${owner} came first` })
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
