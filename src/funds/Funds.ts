import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { type Account, type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { Owners } from "../identity/users/Owners.ts"
import type { Fund } from "./Fund.ts"
import * as Refusal from "./FundsError.ts"
import { type FundPage, FundsRepository } from "./FundsRepository.ts"
import { OwnFunds } from "./OwnFunds.ts"
import { mintFreely, type MintRequest, mintStart, mintWithinAllowance, once } from "./Minting.ts"

/** Who asks. */
export interface Caller {
  readonly userId: string
  readonly isAdmin: boolean
}

/** Owners' holdings, and the money that comes in for them and for the platform's own parties. */
export class Funds extends Context.Service<
  Funds,
  {
    /** Adds to an owner's fund on a caller's request; answers the whole fund. Specification 4.2, POST /v1/funds. */
    readonly mint: (caller: Caller, request: MintRequest) => Effect.Effect<Fund, Refusal.MintRefused | Unavailable>
    /** A fund that the caller may see: its own, any for an administrator. */
    readonly find: (caller: Caller, id: string) => Effect.Effect<Fund, Refusal.FundNotFound | Unavailable>
    /** An owner's fund of an asset. */
    readonly ofAsset: (owner: string, asset: string) => Effect.Effect<Fund, Refusal.FundNotFound | Unavailable>
    /** What some accounts have; one that was never used is left out. */
    readonly balances: (
      accounts: ReadonlyArray<AccountId>
    ) => Effect.Effect<ReadonlyMap<AccountId, Amount>, Unavailable>
    /** Some accounts as they are; one that was never used is left out. */
    readonly accounts: (ids: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlyMap<AccountId, Account>, Unavailable>
    /** The funds of an owner, or of all, oldest first. */
    readonly list: (owner: string | undefined, page: Page) => Effect.Effect<FundPage, Unavailable | UnknownCursor>
    /** Gives an owner its first units of an asset, once and without a limit: answers whether it was now. */
    readonly mintFor: (owner: string, asset: string, amount: Amount) => Effect.Effect<boolean, Unavailable>
    /**
     * Funds an account of the platform's own from custody, once for each account and purpose: answers whether it was
     * now. `purpose` is a word, `working_capital` by default.
     */
    readonly capital: (account: AccountId, amount: Amount, purpose?: string) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/funds/Funds") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(OwnFunds.layer))
}

/** Why the caller may not ask for this mint, if so. */
const refusalOf = (mode: "sandbox" | "production", caller: Caller, { owner, externalReference }: MintRequest) => {
  const forbidden = (reason: string) => new Refusal.MintForbidden({ reason })
  if (caller.isAdmin) {
    return mode === "production" && externalReference === undefined ? new Refusal.ReferenceRequired() : undefined
  }
  if (mode === "production") return forbidden("Only an administrator adds funds in production.")
  if (owner !== caller.userId) return forbidden("Only an administrator adds funds for another owner.")
  if (externalReference !== undefined) return forbidden("Only an administrator gives an external_reference.")
  return undefined
}

const make = Effect.gen(function* () {
  const { mode } = yield* Settings
  const owners = yield* Owners
  const repository = yield* FundsRepository
  const own = yield* OwnFunds
  const context = yield* Effect.context<FundsRepository | SecureRandom | UnitOfWork>()

  const reload = ({ owner, asset }: MintRequest) =>
    Effect.flatMap(repository.findOf(owner, asset), (fund) =>
      fund === undefined
        ? Effect.die(`the ${asset} fund of ${owner} was minted and is not there`)
        : Effect.succeed(fund)
    )

  const findOwner = (owner: string) =>
    owners.ownerOf(owner).pipe(Effect.catchTag("UserNotFound", () => Effect.fail(new Refusal.OwnerNotFound({ owner }))))

  return Funds.of({
    mint: Effect.fn("Funds.mint")(function* (caller, request) {
      const refusal = refusalOf(mode, caller, request)
      if (refusal !== undefined) return yield* refusal
      if (caller.isAdmin) yield* findOwner(request.owner)
      if (caller.isAdmin) yield* Effect.provideContext(mintFreely(request), context)
      else yield* Effect.provideContext(mintWithinAllowance(request), context)
      return yield* reload(request)
    }),
    find: Effect.fn("Funds.find")(function* (caller, id) {
      const fund = yield* caller.isAdmin ? repository.find(id) : own.find(caller.userId, id)
      return fund ?? (yield* new Refusal.FundNotFound({ id }))
    }),
    ofAsset: Effect.fn("Funds.ofAsset")(function* (owner, asset) {
      return (yield* repository.findOf(owner, asset)) ?? (yield* new Refusal.FundNotFound({ id: asset }))
    }),
    balances: (accounts) => repository.balances(accounts),
    accounts: (ids) => repository.accounts(ids),
    list: Effect.fn("Funds.list")((owner, page) =>
      owner === undefined ? repository.list(owner, page) : own.list(owner, page)
    ),
    mintFor: Effect.fn("Funds.mintFor")((owner, asset, amount) =>
      Effect.provideContext(mintStart(owner, asset, amount), context)
    ),
    capital: Effect.fn("Funds.capital")(function* (account, amount, purpose = "working_capital") {
      const { asset } = accountParts(account)
      const at = yield* Clock.currentTimeMillis
      const command = Funding.capital(account, amount, purpose)
      const event = { _tag: "CapitalFunded", at, account, asset, amount } as const
      return yield* Effect.provideContext(once(command.id, command, event), context)
    })
  })
})
